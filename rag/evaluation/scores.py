"""The measures, as functions of what was found and what was needed; pure."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.nodes.citations import canonical, quote_parts
from rag.state import PageId, Source

Scores = dict[str, float | None]
"""Values by the name of their measure; None where nothing could be measured."""

QUOTATIONS_READ = 3
"""How many quotations of an answer a reader is taken to read."""

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


def quotation_scores(quotations: Iterable[tuple[Sequence[Source], GoldQuestion]]) -> Scores:
    """How often the first quotations hold the proving words, how long they are, and how many hold none.

    `proof` counts where any proof stands there, `proof_full` where all do that the answer needs.
    """
    read = [(sources[:QUOTATIONS_READ], question) for sources, question in quotations if question.gold]
    return {
        "proof": mean(
            any(_proves(sources, page) for page in (*question.gold, *question.also_ok))
            for sources, question in read
        ),
        "proof_full": mean(
            all(_proves(sources, page) for page in question.gold)
            or any(_proves(sources, page) for page in question.also_ok)
            for sources, question in read
        ),
        "quotations": mean(len(sources) for sources, _ in read),
        "quoted_characters": mean(sum(len(source.quote) for source in sources) for sources, _ in read),
        "noise": mean(
            not any(_proves([source], page) for page in (*question.gold, *question.also_ok))
            for sources, question in read
            for source in sources
        ),
    }


def _proves(sources: Sequence[Source], gold: GoldPage) -> bool:
    """Whether a quotation holds the words that prove an answer, from the page where they stand."""
    parts = [canonical(part).characters.strip() for part in quote_parts(gold.quote)]
    said = [canonical(source.quote).characters for source in sources if source.page_id == gold.id]
    return any(all(part in text for part in parts) for text in said)


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
