"""The measures, as functions of what was found and what was needed; pure."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from rag.evaluation.questions import GoldQuestion
from rag.state import PageId

Scores = dict[str, float | None]
"""Values by the name of their measure; None where nothing could be measured."""

Measure = Callable[[Sequence[PageId], GoldQuestion], float]


def hit(found: Sequence[PageId], question: GoldQuestion, k: int) -> float:
    """Whether a page that answers the question is among the first `k`: 1 or 0."""
    return float(not question.accepted.isdisjoint(found[:k]))


def full(found: Sequence[PageId], question: GoldQuestion, k: int | None = None) -> float:
    """Whether every page the answer needs is among the first `k`, or among all: 1 or 0."""
    return float(question.needed <= set(found[:k]))


def reciprocal_rank(found: Sequence[PageId], question: GoldQuestion) -> float:
    """1 / rank of the first page that answers the question, 0 where none does."""
    ranks = (rank for rank, page in enumerate(found, 1) if page in question.accepted)
    return 1 / next(ranks, math.inf)


RANKING_MEASURES: dict[str, Measure] = {
    **{f"hit@{k}": partial(hit, k=k) for k in (1, 5, 10)},
    **{f"full@{k}": partial(full, k=k) for k in (5, 10)},
    "mrr": reciprocal_rank,
}


def ranking_scores(rankings: Iterable[tuple[Sequence[PageId], GoldQuestion]]) -> Scores:
    """The mean of each measure over rankings of pages; questions without an answer do not count."""
    answerable = [(found, question) for found, question in rankings if question.gold]
    return {
        name: mean(measure(found, question) for found, question in answerable)
        for name, measure in RANKING_MEASURES.items()
    }


def context_scores(contexts: Iterable[tuple[Sequence[PageId], GoldQuestion]]) -> Scores:
    """How often every needed page is in what is handed to the generator, and how many pages that is."""
    answerable = [(pages, question) for pages, question in contexts if question.gold]
    return {
        "context": mean(full(pages, question) for pages, question in answerable),
        "context_pages": mean(len(pages) for pages, _ in answerable),
    }


def missing(found: Sequence[PageId], question: GoldQuestion) -> list[PageId]:
    """The needed pages that were not found, in the question's order."""
    return [page.id for page in question.gold if page.id not in found]


def mean(values: Iterable[float]) -> float | None:
    """The mean, None of nothing."""
    listed = list(values)
    return round(math.fsum(listed) / len(listed), 4) if listed else None


def quantile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that at least `share` of all values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(share * len(ordered))) - 1] if ordered else None
