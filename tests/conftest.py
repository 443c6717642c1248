"""What all tests share: one index of the sample game, made once a run."""

import gc
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from filelock import FileLock
from hypothesis import settings as hypothesis_settings

from benchmarks.invented.library import write_library
from rag.__main__ import main
from rag.config import Settings

ROOT = Path(__file__).parents[1]
SAMPLE_BOOKS = ROOT / "sample_game" / "books"
CORPUS = Path(os.environ.get("CORPUS_DIR") or "corpus")
"""The real rulebooks; what needs them is skipped where the folder is not there."""

OURS = (
    *("DISCORD", "OPENAI", "LANGSMITH", "LANGCHAIN", "CHROMA_URL", "LIBRARY_DIR", "INDEX_DIR", "RETRIEVAL"),
    *("QUESTION_", "DAILY_TOKENS", "PRICE_"),
)

CERTIFICATES = {name: os.environ[name] for name in ("SSL_CERT_FILE",) if name in os.environ}
"""What this machine trusts, for a program that loads packages from afar."""
# Every client reads all that a machine trusts, in some 30 ms, and all but one speak to the loopback alone.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).with_name("certificate.pem"))

SLOW_FIXTURES = frozenset(
    {
        *("checkout", "corpus_index", "env", "fresh", "invented", "reading_processes"),
        *("sample", "sample_index", "server", "small_model"),
    }
)
"""They index books, typeset them, or start a process, a server, a model or a whole bot."""

# How long one example takes says more about the machine than about the code.
hypothesis_settings.register_profile("suite", deadline=None)
hypothesis_settings.load_profile("suite")

Run = Callable[..., "CompletedProcess[str]"]


def pytest_collection() -> None:
    """Let the garbage collector pass over the tests themselves, which a bot that is idle looks through."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector work again, on what the tests make."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what takes a slow fixture; modules that are slow without one mark themselves.

    What takes longest begins first, so that no worker is alone at the end: the real rulebooks, then the slow.
    """
    for item in items:
        if isinstance(item, pytest.Function) and not SLOW_FIXTURES.isdisjoint(item.fixturenames):
            item.add_marker("slow")
    items.sort(key=lambda item: [item.get_closest_marker(mark) is None for mark in ("corpus", "slow")])


def clean_environment(**variables: str) -> dict[str, str]:
    """The machine's environment without settings of ours, so that a developer's key is never used."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return {**kept, "LC_ALL": "C.UTF-8", **variables}


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's token or key, exported or in `.env`, is never used by a test."""
    monkeypatch.setitem(Settings.model_config, "env_file", None)
    for name in os.environ.keys() - clean_environment().keys():
        monkeypatch.delenv(name)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The project as a fresh checkout has it: without a developer's `.env`."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for entry in ROOT.iterdir():
        if entry.name not in (".env", ".index", ".data"):
            (folder / entry.name).symlink_to(entry)
    return folder


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the sample game with the packaged embedding; the test workers share it."""
    return _shared_index(tmp_path_factory, "sample", SAMPLE_BOOKS)


@pytest.fixture(scope="session")
def corpus_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the real rulebooks; the test workers share it."""
    return _shared_index(tmp_path_factory, "corpus", CORPUS.resolve() / "books")


@pytest.fixture(scope="session")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented library with its questions, and its index in the folder `index`."""
    folder = tmp_path_factory.mktemp("invented")
    write_library(folder)
    (folder / "index").symlink_to(_shared_index(tmp_path_factory, "invented", folder / "books"))
    return folder


def _shared_index(tmp_path_factory: pytest.TempPathFactory, name: str, books: Path) -> Path:
    shared = tmp_path_factory.getbasetemp().parent
    index = shared / f"{name}-index"
    with FileLock(shared / f"{name}-index.lock"):
        command = [sys.executable, "-m", "rag", "ingest"]
        settings = {"INDEX_DIR": str(index), "LIBRARY_DIR": str(books), "PYTHONPATH": str(ROOT)}
        subprocess.run(
            command, cwd=shared, env=clean_environment(**settings), check=True, capture_output=True
        )
    return index


@pytest.fixture
def rag(sample_index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command of `python -m rag` on the sample game, in this process to save its start."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(*arguments: str, stdin: str = "", **variables: str) -> "CompletedProcess[str]":
        settings = {"INDEX_DIR": str(sample_index), "LIBRARY_DIR": str(SAMPLE_BOOKS)} | variables
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        typed = io.BytesIO(stdin.encode("utf-8", "surrogateescape"))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(typed, "utf-8"))
        capsys.readouterr()
        try:
            status = main(arguments)
        except SystemExit as exit:
            status = int(exit.code or 0)
        return CompletedProcess(arguments, status, *capsys.readouterr())

    return run
