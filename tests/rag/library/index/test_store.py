"""A snapshot as stored: in a directory, or on a real Chroma server."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rag.config import Settings
from rag.library.index.open import index_of, open_snapshot
from rag.library.index.store import Store


@pytest.fixture
def store(sample_anywhere: Settings) -> Store:
    """The sample game's snapshot."""
    index = index_of(sample_anywhere)
    manifest = index.published()
    assert manifest
    return open_snapshot(index, manifest)


def test_a_scope_hides_the_gm_books_from_players(store: Store) -> None:
    hidden = {book.file for book in store.manifest.books["gm"]} - {
        book.file for book in store.manifest.books["player"]
    }
    assert hidden
    scope = store.scope("player")
    seen = {store.pages([int(page)])[int(page)].file for page in np.flatnonzero(scope.pages)}
    assert not seen & hidden
    vector = np.ones(256).tolist()
    [chunks] = store.nearest_chunks([vector], scope, 1000)
    assert chunks
    assert scope.chunks[chunks.chunks].all()


def test_searches_at_once_find_what_one_finds_and_so_does_a_snapshot_opened_after_them(
    sample_anywhere: Settings,
) -> None:
    index = index_of(sample_anywhere)
    manifest = index.published()
    assert manifest
    opened = open_snapshot(index, manifest)
    vector = np.ones(opened.dimension).tolist()

    def found(store: Store) -> list[int]:
        [chunks] = store.nearest_chunks([vector], store.scope("gm"), 10)
        return [int(one) for one in chunks.chunks]

    with ThreadPoolExecutor() as threads:
        at_once = list(threads.map(found, [opened] * 4))
    assert at_once == [found(open_snapshot(index, manifest, opened))] * 4


@pytest.mark.parametrize(("few", "deepest"), [(8_000, 4_000), (0, 4_000), (0, 1)], ids=["few", "many", "far"])
def test_what_a_search_may_see_is_found_whichever_way_the_rest_is_left_out(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int, deepest: int
) -> None:
    monkeypatch.setattr("rag.library.index.segment.FEW_CHUNKS", few)
    monkeypatch.setattr("rag.library.index.segment.DEEPEST", deepest)
    book = store.manifest.books["player"][0]
    vector = np.random.default_rng(1).normal(size=store.dimension).tolist()
    [everywhere] = store.nearest_chunks([vector], store.scope("gm"), 1000)
    scope = store.scope("player", [book])
    [found] = store.nearest_chunks([vector], scope, 5)
    expected = everywhere.among(scope.chunks).first(5)
    assert found.chunks.tolist() == expected.chunks.tolist()
    assert found.cosines == pytest.approx(expected.cosines, abs=1e-5)
