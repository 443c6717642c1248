"""Rankings of several groups side by side, and their fusion."""

from collections import defaultdict

import numpy as np

from rag.library.index.bm25 import Ids
from rag.library.search.ranking.ranked_groups import (
    RankedGroups,
    by_group,
    by_rank,
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


def test_fusion_prefers_what_several_rankings_agree_on() -> None:
    scores = by_rank(1.0, in_one_group(1, 2, 3), 10) + by_rank(1.0, in_one_group(4, 2, 5), 10)
    assert scores.argmax() == 2
