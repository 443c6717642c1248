"""How long indexing takes beside the embedding alone, which no index can do without."""

import time
from collections.abc import Iterator, Sequence

from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure
from benchmarks.answer.large_library import LARGE_PAGES, read_library
from rag.config import Settings
from rag.library.index.book_cache import KeptBook, ReadBook
from rag.library.ingest.ingest import ingest

MOST_OVER_EMBEDDING = 1.15
ONE_BOOK_OF = 25
"""Of so many books of the large library one is embedded alone: all would take a quarter of an hour."""
TEXTS_AT_ONCE = 64


def measure(bench: Bench) -> Iterator[Figure]:
    """Index the library from nothing, then embed the same passages and words again, in this process."""
    bench.embedding.embeddings.embed_query("the weights are read")
    indexing = bench.settings.model_copy(update={"index_dir": bench.scratch / "indexed-anew"})
    indexed = _indexed(bench, indexing)
    passages, words = _texts(_kept_books(indexing))
    alone = _embedded_alone(bench, passages) + _embedded_alone(bench, words)
    yield _beside_embedding(f"indexing {bench.pages} pages", indexed, alone)


def measure_large(bench: Bench) -> Iterator[Figure]:
    """Embed and index 20,000 pages that are read, beside their embedding, which is told from a part of it."""
    bench.embedding.embeddings.embed_query("the weights are read")
    read = read_library(bench)
    books = _kept_books(read)
    every, some = _texts(books), _texts(books[::ONE_BOOK_OF])
    alone = sum(
        _embedded_alone(bench, part) * len(texts) / len(part) for texts, part in zip(every, some, strict=True)
    )
    yield _beside_embedding(f"indexing {LARGE_PAGES:,} pages that are read", _indexed(bench, read), alone)


def _indexed(bench: Bench, settings: Settings) -> float:
    """The seconds that a library takes."""
    started = time.perf_counter()
    ingest(settings, bench.embedding)
    return time.perf_counter() - started


def _kept_books(settings: Settings) -> list[ReadBook]:
    held = (KeptBook.load(path) for path in sorted(settings.index_dir.glob("books/*.npz")))
    return [one.book for one in held if one]


def _texts(books: Sequence[ReadBook]) -> tuple[list[str], list[str]]:
    """All passages of some books, and their words, each once."""
    words = {word for book in books for word in book.vocabulary}
    return [passage for book in books for passage in book.passages()], sorted(words)


def _embedded_alone(bench: Bench, texts: Sequence[str]) -> float:
    """The seconds that the embedding of some texts takes in this process."""
    started = time.perf_counter()
    for first in range(0, len(texts), TEXTS_AT_ONCE):
        bench.embedding.embeddings.embed_documents([*texts[first : first + TEXTS_AT_ONCE]])
    return time.perf_counter() - started


def _beside_embedding(what: str, indexed: float, alone: float) -> Figure:
    return Figure(
        what,
        indexed,
        "s",
        at_most=MOST_OVER_EMBEDDING * alone,
        rival=alone,
        rival_name="embedding alone, in one process",
    )
