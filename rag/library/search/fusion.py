"""Fusion of several rankings, by ranks or by scores. Pure."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
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


def by_score(weight: float, scores: Mapping[Item, float]) -> dict[Item, float]:
    """What each item adds by its share of the best score; the best adds what the first of a ranking does.

    Scores tell how far one stands above the next, which ranks forget (Bruch, Gai & Ingber 2023, "An Analysis
    of Fusion Functions for Hybrid Retrieval").
    """
    best = max(scores.values(), default=0.0)
    return {item: weight / (RANK_CONSTANT + 1) * score / best for item, score in scores.items() if best > 0}


def summed(parts: Iterable[Mapping[Item, float]]) -> dict[Item, float]:
    """The sum of what each item has in several parts, in the order in which they name it first."""
    scores: defaultdict[Item, float] = defaultdict(float)
    for part in parts:
        for item, score in part.items():
            scores[item] += score
    return dict(scores)


def ordered(scores: dict[int, float]) -> list[int]:
    """The items by score, best first; equal scores by number."""
    return sorted(scores, key=lambda item: (-scores[item], item))
