"""What was costly outlives its absence, and a library that is gone is served on."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.config import DEFAULT_LIBRARY, SAMPLE_LIBRARY
from rag.errors import LibraryAbsent
from rag.library.index.atomic_files import OcrPages
from rag.library.index.local import Index
from rag.library.index.open import lacks_library, library_notice, library_settings
from tests.rag.library.small_library import HashedWords, SmallLibrary, settings_for

TORCH = "A torch burns for six turns and lights thirty feet around its bearer."
FALL = "A fall costs one die a yard."
DAY = 24 * 60 * 60


@pytest.fixture
def indexed(small: SmallLibrary) -> SmallLibrary:
    """A library of two books."""
    small.put("light.pdf", [TORCH])
    small.put("falls.pdf", [FALL])
    small.ingest()
    return small


def embedded(library: SmallLibrary) -> Iterator[str]:
    """The texts that were embedded since this was asked for last."""
    assert isinstance(library.model.embeddings, HashedWords)
    requests = library.model.embeddings.requests
    while requests:
        yield from requests.pop()


def days_pass(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    now = time.time() + days * DAY
    monkeypatch.setattr(time, "time_ns", lambda: int(now * 10**9))


# One book


@pytest.mark.parametrize(("days", "is_embedded_again"), [(29, False), (31, True)])
def test_a_book_that_comes_back_within_the_kept_days_is_not_embedded_again(
    indexed: SmallLibrary, monkeypatch: pytest.MonkeyPatch, days: int, is_embedded_again: bool
) -> None:
    gone = indexed.directory / "falls.pdf"
    content = gone.read_bytes()
    gone.unlink()
    indexed.ingest()
    days_pass(monkeypatch, days)
    indexed.ingest()
    list(embedded(indexed))
    gone.write_bytes(content)
    indexed.ingest()
    assert any("fall" in text for text in embedded(indexed)) == is_embedded_again


def test_pruning_drops_at_once_what_is_kept_of_a_book_that_is_gone(indexed: SmallLibrary) -> None:
    pages = OcrPages(Index(indexed.settings.index_dir).ocr_folder("of-a-book-that-is-gone") / "tesserocr-2")
    pages.save(1, b"null")
    (indexed.directory / "falls.pdf").unlink()
    indexed.ingest()
    assert pages.load(1) == b"null"
    assert len(list((indexed.settings.index_dir / "books").iterdir())) == 2
    indexed.ingest(prune=True)
    assert pages.load(1) is None
    assert len(list((indexed.settings.index_dir / "books").iterdir())) == 1


# The whole library


@pytest.mark.parametrize("is_empty", [True, False])
def test_a_library_that_is_gone_is_served_on_and_said(indexed: SmallLibrary, is_empty: bool) -> None:
    shutil.rmtree(indexed.directory)
    if is_empty:
        indexed.directory.mkdir()
    assert library_settings(indexed.settings) is indexed.settings
    assert library_notice(indexed.settings, indexed.settings) == "notice-library-gone"
    report = indexed.ingest()
    assert not report.changed
    assert not report.problems
    assert [book.file for book in report.books] == ["falls.pdf", "light.pdf"]
    assert indexed.open().retriever("player").invoke("torch")[0].id == "light.pdf#1"


def test_the_only_book_is_dropped_where_it_is_named(small: SmallLibrary) -> None:
    book = small.put("light.pdf", [TORCH])
    small.ingest()
    book.unlink()
    assert small.ingest(only=[book]).changed
    assert not small.open().books("gm")


def test_a_mistyped_folder_costs_no_embedding(indexed: SmallLibrary, tmp_path: Path) -> None:
    right = indexed.settings
    mistyped = tmp_path / "bokos"
    mistyped.mkdir()
    indexed.settings = settings_for(mistyped, right.index_dir)
    indexed.put("other.pdf", ["Nobody meant this book."])
    indexed.ingest()
    list(embedded(indexed))
    indexed.settings = right
    assert indexed.ingest().changed
    assert not list(embedded(indexed))


def test_a_folder_that_was_set_and_never_was_is_said(tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "nowhere", tmp_path / "index")
    assert lacks_library(settings)
    with pytest.raises(LibraryAbsent):
        library_settings(settings)


def test_the_default_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = settings_for(DEFAULT_LIBRARY, tmp_path / "index")
    assert library_settings(settings).library_dir == SAMPLE_LIBRARY
    assert (tmp_path / "books").is_dir()
    assert library_notice(settings, library_settings(settings)) == "notice-sample-game"
