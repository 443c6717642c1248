"""The first pages of a ranking, ordered by how near they are in meaning as well."""

import numpy as np

from rag.library.index.nearest import NearestChunks
from rag.library.search.ranking.fused_pages import FusedPages
from rag.library.search.ranking.search import nearest_first

PAGES = FusedPages(np.array([3, 2.9, 1, 0.9, 0.8, 0.7]), np.ones(6), np.arange(6, dtype=np.int32))
"""Six pages with their scores, a chunk each."""


def ordered(*cosines: float) -> list[int]:
    near = NearestChunks(np.arange(len(cosines), dtype=np.int32), np.array(cosines))
    return nearest_first(range(6), PAGES, near)


def test_of_pages_that_score_alike_the_one_with_the_nearer_passage_comes_first() -> None:
    assert ordered(0.5, 0.8, -0.1)[:2] == [1, 0]


def test_a_page_far_behind_stays_there_however_near_it_is() -> None:
    assert ordered(0.1, 0.1, 0.1, 0.1, 0.1, 0.9)[-1] == 5


def test_without_vectors_the_order_stays() -> None:
    assert ordered() == [0, 1, 2, 3, 4, 5]
