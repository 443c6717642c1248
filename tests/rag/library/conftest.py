"""The sample game, indexed once, and small libraries of a test's own."""

import json
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.config import Settings
from rag.library.ingest.ingest import ingest
from rag.library.library import Library
from tests.rag.library.chroma_server import running_server
from tests.rag.library.small_library import SAMPLE_BOOKS, SmallLibrary, hashed_model, settings_for


@pytest.fixture
def reading_processes(tmp_path: Path) -> SmallLibrary:
    """An empty library whose books are read as they are in earnest, each in a process of its own."""
    return SmallLibrary(tmp_path)


@pytest.fixture
def small(reading_processes: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> SmallLibrary:
    """An empty library whose books are read in this process: a process for each page of text is slow."""
    monkeypatch.setattr("rag.library.ingest.ingest.read_books", reading_processes.read_here)
    return reading_processes


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Chroma server."""
    with running_server(tmp_path_factory.mktemp("chroma")) as url:
        yield url


@pytest.fixture
def database(server: str) -> str:
    """The address of an empty database on the server."""
    return new_database(server)


def new_database(server: str) -> str:
    return f"{server}/{uuid.uuid4().hex}"


@pytest.fixture(params=["directory", "server"])
def anywhere(request: pytest.FixtureRequest, small: SmallLibrary) -> SmallLibrary:
    """An empty library, indexed in a directory and, in a second run of the test, on a Chroma server."""
    if request.param == "server":
        small.settings = small.settings.model_copy(update={"chroma_url": request.getfixturevalue("database")})
    return small


@pytest.fixture(scope="session")
def sample(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The sample game, indexed once for all tests that only read it, of books that were read before."""
    settings = settings_for(SAMPLE_BOOKS, tmp_path_factory.mktemp("sample"))
    return _indexed_again(settings, sample_index)


@pytest.fixture(scope="session", params=["directory", "server"])
def sample_anywhere(
    request: pytest.FixtureRequest, sample: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Settings:
    """The sample game, indexed in a directory, and on a Chroma server."""
    if request.param == "directory":
        return sample
    url = new_database(request.getfixturevalue("server"))
    elsewhere = {"index_dir": tmp_path_factory.mktemp("sample-copy"), "chroma_url": url}
    return _indexed_again(sample.model_copy(update=elsewhere), sample.index_dir)


def _indexed_again(settings: Settings, index: Path) -> Settings:
    """Index with hashed words what was read for another index."""
    shutil.copytree(index / "books", settings.index_dir / "books")
    assert not ingest(settings, hashed_model()).problems
    return settings


@pytest.fixture
def library(sample: Settings) -> Library:
    """The sample game, opened with a model whose requests a test may count."""
    return Library.open(sample, hashed_model())


@pytest.fixture(scope="session")
def sample_queries() -> list[str]:
    """The first twenty gold questions of the sample game."""
    with (SAMPLE_BOOKS.parent / "questions.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line)["question"] for line in lines][:20]
