"""The measures of one question, as functions of what was found and what was needed; pure."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.nodes.citations import canonical, quote_parts
from rag.state import PageId, Source

Scores = dict[str, float | None]
"""Values by the name of their measure; None where nothing could be measured."""

QUOTATIONS_READ = 3
"""How many quotations of an answer are looked at, those that are shown and those behind them."""

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
CONTEXT_MEASURES: dict[str, Measure] = {"context": full, "context_pages": lambda pages, _: len(pages)}


def page_scores(measures: dict[str, Measure], found: Sequence[PageId], question: GoldQuestion) -> Scores:
    """Each measure of the pages found; a question that the books do not answer has none."""
    return {name: measure(found, question) if question.gold else None for name, measure in measures.items()}


def quotation_scores(sources: Sequence[Source], question: GoldQuestion) -> Scores:
    """Whether the first quotations hold the proving words, and the share of them that hold none.

    `proof` counts where any proof stands there, `proof_full` where all do that the answer needs.
    """
    if not question.gold:
        return {"proof": None, "proof_full": None, "noise": None}
    read = sources[:QUOTATIONS_READ]
    needed = [_proves(read, page) for page in question.gold]
    others = [_proves(read, page) for page in question.also_ok]
    proofs = (*question.gold, *question.also_ok)
    return {
        "proof": any(needed + others),
        "proof_full": all(needed) or any(others),
        "noise": mean(not any(_proves([source], page) for page in proofs) for source in read),
    }


def _proves(sources: Sequence[Source], gold: GoldPage) -> bool:
    """Whether a quotation holds the words that prove an answer, from the page where they stand."""
    parts = [canonical(part).characters.strip() for part in quote_parts(gold.quote)]
    said = [canonical(source.quote).characters for source in sources if source.page_id == gold.id]
    return any(all(part in text for part in parts) for text in said)


def missing(found: Sequence[PageId], question: GoldQuestion) -> list[str]:
    """The places of the needed pages that were not found, in the question's order."""
    return [f"{page.file} {page.place}" for page in question.gold if page.id not in found]


def means(each: Sequence[Scores]) -> Scores:
    """The mean of each measure over the questions for which it was measured."""
    return {name: mean(one[name] for one in each) for name in (each[0] if each else ())}


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that there are, None of nothing."""
    listed = [value for value in values if value is not None]
    return round(math.fsum(listed) / len(listed), 4) if listed else None


def quantile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that at least `share` of all values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(share * len(ordered))) - 1] if ordered else None
