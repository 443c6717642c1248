"""How long a search takes and what it finds, in the library and in one of 20,000 pages."""

import asyncio
import time
from collections.abc import Iterator, Sequence

import numpy as np
from langchain_core.retrievers import BaseRetriever

from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure
from benchmarks.answer.large_library import LARGE_PAGES, large_library
from rag.config import Settings
from rag.evaluation.questions import GoldQuestion
from rag.evaluation.scores import quantile
from rag.library.books.found_page import FoundPage
from rag.library.index.open import index_of, open_snapshot
from rag.library.library import Library

WARM_UP = 5
MOST_MEDIAN_MILLISECONDS, MOST_MILLISECONDS = 30.0, 60.0
FIRST_PAGES = 5
MOST_LOST = 0.03
"""How much of hit@5 a library of that size may cost, with the game named or bound."""
NEAREST = 100
"""Passages asked of the vectors, to tell how many of the nearest their graph finds."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Times of a search, first of these pages, then of 20,000, and what is found there."""
    yield from asyncio.run(_measured(bench.retriever(), bench.questions, bench.pages))
    settings = large_library(bench)
    large = Library.open(settings, bench.embedding)
    before = time.perf_counter()
    retriever = large.retriever("player")
    yield Figure(f"opening {LARGE_PAGES:,} pages", time.perf_counter() - before, "s")
    yield from asyncio.run(_measured(retriever, bench.questions, LARGE_PAGES))
    recall = nearest_found(bench, settings)
    yield Figure(f"of the {NEAREST} passages nearest to a question, found by the graph", recall, "")
    yield from _found(bench, large)


def nearest_found(bench: Bench, settings: Settings) -> float:
    """The share of the passages nearest to questions that the graph finds; one by one all are compared."""
    index = index_of(settings)
    manifest = index.published()
    assert manifest
    segment = open_snapshot(index, manifest).segments[0]
    asked = [bench.embedding.for_questions.embed_query(question) for question in bench.questions]
    every = np.arange(len(segment.page_of_chunk), dtype=np.int32)
    nearest = [one.first(NEAREST) for one in segment.compared(asked, every)]
    found = segment.vectors.nearest(asked, None, NEAREST)
    shares = [
        len(np.intersect1d(some.chunks, all_.chunks)) / len(all_)
        for some, all_ in zip(found, nearest, strict=True)
    ]
    return sum(shares) / len(shares)


async def _measured(retriever: BaseRetriever, questions: Sequence[str], pages: int) -> list[Figure]:
    times = []
    for question in (*questions[:WARM_UP], *questions):
        started = time.perf_counter()
        await retriever.ainvoke(question)
        times.append(1000 * (time.perf_counter() - started))
    return [
        Figure(
            f"search in {pages:,} pages, {name}", quantile(times[WARM_UP:], share) or 0.0, "ms", at_most=most
        )
        for name, share, most in (
            ("median", 0.5, MOST_MEDIAN_MILLISECONDS),
            ("95 % within", 0.95, MOST_MILLISECONDS),
        )
    ]


def _found(bench: Bench, large: Library) -> Iterator[Figure]:
    """How many questions find a page that answers, alone and among 20,000 pages."""
    questions = [one for one in bench.gold_questions if one.gold and not one.history]
    alone = _hits(bench.library, questions, is_named=False, is_bound=True)
    for name, is_named, is_bound in (
        ("bound", False, True),
        ("named", True, False),
        ("not told", False, False),
    ):
        found = _hits(large, questions, is_named=is_named, is_bound=is_bound)
        yield Figure(
            f"hit@{FIRST_PAGES} in {LARGE_PAGES:,} pages, the game {name}",
            found,
            "",
            at_least=alone - MOST_LOST if is_named or is_bound else None,
            rival=alone,
            rival_name="its game alone",
        )


def _hits(library: Library, questions: Sequence[GoldQuestion], *, is_named: bool, is_bound: bool) -> float:
    """The share of questions of which a page that answers is among the first."""
    hits = [_is_hit(library, question, is_named=is_named, is_bound=is_bound) for question in questions]
    return sum(hits) / len(hits)


def _is_hit(library: Library, question: GoldQuestion, *, is_named: bool, is_bound: bool) -> bool:
    game = next(book.game for book in library.books("player") if book.file == question.gold[0].file)
    asked = f"{game}: {question.question}" if is_named else question.question
    retriever = library.retriever("player", game if is_bound else None, FIRST_PAGES)
    return any(FoundPage.of(page).id in question.accepted for page in retriever.invoke(asked))
