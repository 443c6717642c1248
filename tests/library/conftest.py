"""The sample game, indexed once, and small libraries of a test's own."""

import json
from pathlib import Path

import pytest

from rag.config import Settings
from rag.library.ingest import ingest
from rag.library.library import Library
from tests.library.small_library import SAMPLE_BOOKS, SmallLibrary, hashed_model, settings_for


@pytest.fixture
def reading_processes(tmp_path: Path) -> SmallLibrary:
    """An empty library whose books are read as they are in earnest, each in a process of its own."""
    return SmallLibrary(tmp_path)


@pytest.fixture
def small(reading_processes: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> SmallLibrary:
    """An empty library whose books are read in this process: a process for each page of text is slow."""
    monkeypatch.setattr("rag.library.reading.read_books", reading_processes.read_here)
    return reading_processes


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The sample game, indexed once for all tests that only read it."""
    settings = settings_for(SAMPLE_BOOKS, tmp_path_factory.mktemp("sample"))
    report = ingest(settings, hashed_model())
    assert not report.problems
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
