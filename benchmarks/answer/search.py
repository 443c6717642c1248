"""How long a search takes, in the library and in one of 20,000 pages."""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from langchain_core.retrievers import BaseRetriever

from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure
from rag.config import Settings
from rag.evaluation.scores import quantile
from rag.library.books.book import ParsedBook
from rag.library.books.page import Page
from rag.library.index.book_cache import BookFile, Vectors
from rag.library.index.open import index_of
from rag.library.ingest.ingest import ingest
from rag.library.ingest.plan import plan
from rag.library.ingest.read_books import divide
from rag.library.library import Library

LARGE_PAGES = 20_000
PAGES_A_BOOK = 500
SENTENCES_A_PAGE = 5
"""About 100 words, one passage: so the large library is built in a minute or two."""
SPREAD = 0.05
"""How far, in each dimension, a made passage's vector is from a real one: as far as a neighbour is."""
WARM_UP = 5


def measure(bench: Bench) -> Iterator[Figure]:
    """Median and 95th percentile of a search, first of these pages, then of 20,000."""
    yield from asyncio.run(_measured(bench.retriever(), bench.questions, bench.pages))
    large = large_library(bench)
    retriever = Library.open(large, bench.embedding).retriever("player")
    yield from asyncio.run(_measured(retriever, bench.questions, LARGE_PAGES))


def large_library(bench: Bench) -> Settings:
    """The settings of the library of 20,000 pages, which is made and indexed at the first call."""
    folder = bench.scratch / "large"
    large = bench.settings.model_copy(update={"library_dir": folder / "books", "index_dir": folder / "index"})
    if not folder.exists():
        write_large_library(bench, large)
        ingest(large, bench.embedding)
    return large


async def _measured(retriever: BaseRetriever, questions: Sequence[str], pages: int) -> list[Figure]:
    times = []
    for question in (*questions[:WARM_UP], *questions):
        started = time.perf_counter()
        await retriever.ainvoke(question)
        times.append(1000 * (time.perf_counter() - started))
    return [
        Figure(f"search in {pages:,} pages, {name}", quantile(times[WARM_UP:], share) or 0.0, "ms")
        for name, share in (("median", 0.5), ("95 % within", 0.95))
    ]


def write_large_library(bench: Bench, large: Settings) -> None:
    """Put books into a library as if they had been read and embedded.

    Their sentences are those of the real books, shuffled; a passage's vector lies near one of a real
    passage: nothing is embedded, and distances are as in earnest.
    """
    random_words = random.Random(1)
    real = [
        held for path in (bench.settings.index_dir / "books").glob("*.npz") if (held := BookFile.load(path))
    ]
    books = [
        large.library_dir / "large" / f"book {number:02}.pdf" for number in range(LARGE_PAGES // PAGES_A_BOOK)
    ]
    large.library_dir.joinpath("large").mkdir(parents=True)
    for path in books:
        path.write_text(path.name)
    kept = plan(large, None).kept(index_of(large))
    for number, (file, path) in enumerate(kept.items()):
        held = _made_book(real[number % len(real)], Path(file).stem, random_words)
        held.save(path)


def _made_book(real: BookFile, title: str, random_words: random.Random) -> BookFile:
    """A book of 500 pages in the words of a real one."""
    sentences = [
        sentence for page in real.book.parsed.pages for sentence in page.text.replace("\n", " ").split(". ")
    ]
    pages = tuple(
        Page(
            number,
            str(number),
            ". ".join(random_words.choices(sentences, k=SENTENCES_A_PAGE)),
            (),
            "text",
            False,
        )
        for number in range(1, PAGES_A_BOOK + 1)
    )
    book = divide(ParsedBook(title, real.book.parsed.language, {}, pages))
    known = dict(zip(real.book.vocabulary, real.word_vectors, strict=True))
    words = tuple(word for word in book.vocabulary if word in known)
    return BookFile(
        replace(book, vocabulary=words),
        real.model,
        _near(real.vectors, len(book.chunks), random_words.randrange(2**32)),
        np.array([known[word] for word in words], np.float32),
    )


def _near(vectors: Vectors, count: int, seed: int) -> Vectors:
    """So many unit vectors, each near one of the given ones."""
    generator = np.random.default_rng(seed)
    chosen = vectors[generator.integers(len(vectors), size=count)]
    moved = chosen + generator.normal(0, SPREAD, chosen.shape)
    near: Vectors = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
    return near
