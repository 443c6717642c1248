"""`rag ingest`, also as it works for the bot."""

import asyncio
import io
import json
import os
import signal
import sys
from collections.abc import Callable

import pytest

from rag.__main__ import _parser
from rag.cli import library
from rag.cli.console import typed
from rag.config import Settings
from rag.errors import IndexUnwritable, LibraryTomlError, RulesError
from rag.library.ingest import ingest as ingestion
from rag.library.ingest import read_books
from rag.texts import texts_for

DONE = ingestion.IngestReport((), (), changed=False)
Ingesting = Callable[..., list[int]]


@pytest.fixture
def ingesting(monkeypatch: pytest.MonkeyPatch) -> Ingesting:
    """Runs `ingest` with an ingestion that is told what to do; returns by how much the process gave way."""

    def run(ingest: Callable[..., ingestion.IngestReport], *options: str, lines: str = "") -> list[int]:
        steps: list[int] = []
        monkeypatch.setattr(ingestion, "ingest", ingest)
        monkeypatch.setattr(os, "nice", steps.append)
        monkeypatch.setattr(read_books, "prepare_reader", lambda: None)
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        settings = Settings.model_construct(embedding_model="embedded")
        asyncio.run(library.ingest(_parser().parse_args(["ingest", *options]), settings, texts_for("en")))
        return steps

    return run


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other priorities")
def test_a_process_that_stays_for_the_bot_gives_way_to_it(ingesting: Ingesting) -> None:
    assert ingesting(lambda *_, **__: DONE, "--stay", "1") == [library.POLITENESS]


def test_what_is_kept_of_books_that_are_gone_is_dropped_at_a_word(ingesting: Ingesting) -> None:
    told: list[bool] = []

    def ingest(*_: object, prune: bool, **__: object) -> ingestion.IngestReport:
        told.append(prune)
        return DONE

    ingesting(ingest, "--prune")
    ingesting(ingest)
    assert told == [True, False]


def test_what_was_damaged_is_said_in_one_line(
    ingesting: Ingesting, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = ("generations/1/library.sqlite", "books/2.npz")
    ingesting(lambda *_, **__: ingestion.IngestReport((), (), changed=True, damaged=damaged))
    said = "Damaged or missing in the index, and made anew: generations/1/library.sqlite, books/2.npz\n"
    assert capsys.readouterr().err == said


def test_an_interrupted_ingest_ends_at_once(ingesting: Ingesting) -> None:
    with pytest.raises(KeyboardInterrupt):
        ingesting(lambda *_, **__: signal.raise_signal(signal.SIGINT))


def test_an_interrupt_just_before_a_line_is_read_ends_the_command_at_once() -> None:
    async def command() -> None:
        signal.raise_signal(signal.SIGINT)
        next(typed())

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(command())


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
    error: RulesError | None, unfinished: bool, ingesting: Ingesting, capsys: pytest.CaptureFixture[str]
) -> None:
    def ingest(*_: object, **__: object) -> ingestion.IngestReport:
        if error:
            raise error
        return DONE

    ingesting(ingest, "--progress", "json", "--stay", "1", lines="ingest\n")
    done = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert done == {"stage": "done", "status": 1 if error else 0, "unfinished": unfinished}


def test_a_library_that_goes_while_the_process_stays_is_said_once(
    ingesting: Ingesting, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notices = iter([None, None, "notice-library-gone", "notice-library-gone"])
    monkeypatch.setattr(library, "library_notice", lambda *_: next(notices))
    ingesting(lambda *_, **__: DONE, "--progress", "json", "--stay", "1", lines="ingest\n" * 3)
    assert capsys.readouterr().err.count("answering from what was indexed before") == 1
