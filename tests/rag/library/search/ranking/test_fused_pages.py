"""Pages by what several rankings say of them and of their passages."""

from collections.abc import Mapping, Sequence

import numpy as np

from rag.library.search.ranking.fused_pages import FusedPages
from rag.library.search.ranking.ranked_groups import by_group, by_rank, pages_of

PAGE_OF = np.array([0, 0, 1, 2, 3], np.int32)
"""Five passages on four pages; the last page is another game's."""
GAME_OF_PAGE = np.array([0, 0, 0, 1], np.int32)


def pages(
    near: Sequence[int] = (),
    said: Sequence[int] = (),
    said_in_all: Sequence[int] = (),
    named: Mapping[int, float] | None = None,
    factors: Sequence[float] = (1.0, 1.0),
) -> FusedPages:
    """The pages of some rankings, of passages and of pages, which weigh alike."""
    strengths = np.zeros(len(PAGE_OF), np.float32)
    for chunk, strength in (named or {}).items():
        strengths[chunk] = strength
    passages = [by_group(np.array(one, np.int32), GAME_OF_PAGE[PAGE_OF], 10) for one in (near, said)]
    whole = [
        *(pages_of(one, PAGE_OF) for one in passages),
        by_group(np.array(said_in_all, np.int32), GAME_OF_PAGE, 10),
    ]
    return FusedPages(
        of_chunks=np.sum([by_rank(1.0, one, len(PAGE_OF)) for one in passages], axis=0),
        of_pages=np.sum([by_rank(1.0, one, len(GAME_OF_PAGE)) for one in whole], axis=0),
        named=strengths,
        page_of=PAGE_OF,
        factors=np.array(factors, np.float32),
        game_of_page=GAME_OF_PAGE,
    )


def test_a_game_that_nothing_speaks_for_comes_last_but_is_found() -> None:
    assert pages(near=[4, 2, 3], factors=[1.0, 0.0]).ordered().tolist() == [1, 2, 3]


def test_a_named_page_that_no_ranking_found_is_found() -> None:
    assert pages(near=[2], named={3: 1.0}).ordered().tolist() == [2, 1]
