"""Reciprocal rank fusion of several rankings. Pure."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

RANK_CONSTANT = 60
"""How little the first ranks differ from the next (Cormack, Clarke & Büttcher 2009)."""


def fused(rankings: Iterable[tuple[float, Sequence[Item]]]) -> dict[Item, float]:
    """A score for everything in `(weight, ranking)` pairs: the weighted sum of 1 / (60 + rank).

    In the order in which the rankings name it first.
    """
    scores: defaultdict[Item, float] = defaultdict(float)
    for weight, ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] += weight / (RANK_CONSTANT + rank)
    return dict(scores)
