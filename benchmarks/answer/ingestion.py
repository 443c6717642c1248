"""How long indexing takes beside the embedding alone, which no index can do without."""

import time
from collections.abc import Iterator

from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure
from rag.library.index.book_cache import KeptBook
from rag.library.ingest.embed import BookEmbedder
from rag.library.ingest.ingest import ingest
from rag.models.embeddings import embedding_model

MOST_OVER_EMBEDDING = 1.15


def measure(bench: Bench) -> Iterator[Figure]:
    """Index the library from nothing, then embed the same passages and words again, in this process."""
    bench.embedding.embeddings.embed_query("the weights are read")
    indexing = bench.settings.model_copy(update={"index_dir": bench.scratch / "indexed-anew"})
    started = time.perf_counter()
    ingest(indexing, bench.embedding)
    indexed = time.perf_counter() - started
    embedder = BookEmbedder(embedding_model(bench.settings), 0)
    alone = 0.0
    for path in (indexing.index_dir / "books").glob("*.npz"):
        held = KeptBook.load(path)
        assert held is not None
        started = time.perf_counter()
        embedder.embed(held.book, lambda *_: None)
        alone += time.perf_counter() - started
    yield Figure(
        f"indexing {bench.pages} pages",
        indexed,
        "s",
        at_most=MOST_OVER_EMBEDDING * alone,
        rival=alone,
        rival_name="embedding alone, in one process",
    )
