"""Rankings of several groups side by side, and their fusion."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.index.bm25 import Ids
from rag.library.search.fusion import fused
from rag.library.search.ranking.ranked_groups import (
    RankedGroups,
    best_by_group,
    by_group,
    by_rank,
    by_score,
    pages_of,
)

ONE_GROUP = np.zeros(10, np.int32)


def rankings(ranked: RankedGroups) -> dict[int, list[int]]:
    """What is ranked in each group, in order of the ranks."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for item, group, rank, _ in zip(*ranked, strict=True):
        found[int(group)].append(int(item))
        assert rank == len(found[int(group)])
    return dict(found)


def in_one_group(*ranked: int) -> RankedGroups:
    return by_group(groups_of(*ranked), ONE_GROUP, len(ranked))


def groups_of(*numbers: int) -> Ids:
    return np.array(numbers, np.int32)


def test_nothing_without_a_score_is_ranked() -> None:
    scores = np.array([0.0, 2.0, 1.0, 2.0], np.float32)
    assert rankings(best_by_group(scores, np.zeros(4, np.int32), limit=4)) == {0: [1, 3, 2]}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=12), st.integers(1, 4))
def test_each_group_is_ranked_by_itself_as_far_as_is_asked(texts: list[tuple[int, int]], limit: int) -> None:
    scores = np.array([score for score, _ in texts], np.float32)
    groups = groups_of(*(group for _, group in texts))
    ranked = sorted((-score, number) for number, (score, _) in enumerate(texts) if score)
    expected: defaultdict[int, list[int]] = defaultdict(list)
    for _, number in ranked:
        expected[texts[number][1]].append(number)
    found = rankings(best_by_group(scores, groups, limit))
    assert found == {group: own[:limit] for group, own in expected.items()}


def test_one_ranking_is_divided_in_its_order() -> None:
    assert rankings(by_group(groups_of(4, 0, 3, 1), groups_of(1, 0, 0, 1, 0), limit=2)) == {
        0: [4, 1],
        1: [0, 3],
    }


def test_a_page_stands_at_the_rank_of_its_best_passage() -> None:
    page_of, game_of_chunk = groups_of(0, 0, 1, 2), groups_of(0, 0, 0, 1)
    chunks = by_group(groups_of(1, 3, 0, 2), game_of_chunk, limit=4)
    assert rankings(pages_of(chunks, page_of)) == {0: [0, 1], 1: [2]}


def test_fusion_prefers_what_several_rankings_agree_on() -> None:
    scores = by_rank(1.0, in_one_group(1, 2, 3), 10) + by_rank(1.0, in_one_group(4, 2, 5), 10)
    assert scores.argmax() == 2


def test_a_weightier_ranking_decides() -> None:
    one, other = by_rank(3.0, in_one_group(0), 2) + by_rank(1.0, in_one_group(1), 2)
    assert one > other


def test_what_no_ranking_has_has_no_score() -> None:
    assert by_rank(1.0, in_one_group(1), 2)[0] == 0


@given(st.sampled_from([0.5, 1.0, 3.0]), st.permutations(range(8)))
def test_one_group_is_fused_as_a_ranking_is(weight: float, ranked: list[int]) -> None:
    scores = by_rank(weight, in_one_group(*ranked), 8)
    assert dict(enumerate(scores)) == pytest.approx(fused([(weight, ranked)]))


def test_the_best_by_score_of_each_group_counts_as_the_first_of_a_ranking() -> None:
    ranked = best_by_group(np.array([7.0, 2.0], np.float32), groups_of(0, 1), limit=1)
    assert by_score(1.0, ranked, 2).tolist() == by_rank(1.0, ranked, 2).tolist()


def test_others_count_by_their_share_of_the_best_score_of_their_group() -> None:
    ranked = best_by_group(np.array([4.0, 1.0, 9.0], np.float32), groups_of(0, 0, 1), limit=3)
    best, other, _ = by_score(1.0, ranked, 3)
    assert other == best / 4


def test_a_page_has_the_score_of_its_best_passage() -> None:
    chunks = best_by_group(np.array([4.0, 1.0, 2.0], np.float32), groups_of(0, 0, 0), limit=3)
    assert pages_of(chunks, groups_of(0, 0, 1)).shares.tolist() == [1.0, 0.5]
