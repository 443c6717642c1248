"""Pages by what several rankings say of them and of their passages."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

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


def test_a_page_that_passages_and_whole_pages_agree_on_comes_first() -> None:
    assert pages(near=[3, 2], said=[2], said_in_all=[1, 2]).ordered().tolist() == [1, 2]


def test_equal_pages_are_ordered_by_number() -> None:
    assert pages(near=[2, 4]).ordered().tolist() == [1, 3]


def test_a_game_that_nothing_speaks_for_comes_last_but_is_found() -> None:
    assert pages(near=[4, 2, 3], factors=[1.0, 0.0]).ordered().tolist() == [1, 2, 3]


def test_a_named_page_that_no_ranking_found_is_found() -> None:
    assert pages(near=[2], named={3: 1.0}).ordered().tolist() == [2, 1]


def test_a_named_page_keeps_what_the_rankings_gave_it() -> None:
    both, alone = pages(near=[2], named={2: 1.0}).score(1), pages(named={2: 1.0}).score(1)
    assert both - alone == pytest.approx(pages(near=[2]).score(1))


def test_a_page_has_the_strength_of_its_strongest_topic() -> None:
    assert pages(named={0: 1.0, 1: 0.5}).score(0) == pages(named={0: 1.0}).score(0)


def test_the_passages_of_a_page_come_best_first() -> None:
    assert pages(near=[1, 0, 2], said=[1]).passages([0, 3]) == {0: [1, 0]}


def test_a_raised_page_has_at_least_that_score() -> None:
    found = pages(near=[2])
    found.raise_to(3, 0.001)
    found.raise_to(1, 0.001)
    assert found.ordered().tolist() == [1, 3]
