"""The children's vectors in Chroma: embedded in a directory, or on a server.

The distance is the cosine. The graph is built denser and searched wider than by default, which would
lose 4 % of the true neighbours and differ from build to build (Chroma, "Configure collections").
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import chromadb
import httpx
from chromadb.config import Settings as ChromaSettings
from chromadb.errors import ChromaError, InternalError
from langchain_chroma import Chroma

from rag.errors import IndexUnreachable, IndexUnwritable

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

    from rag.library.book_file import Vectors

_COLLECTION = "rules-{generation}"
_CONFIGURATION: Any = {
    "hnsw": {"space": "cosine", "ef_search": 2000, "ef_construction": 400, "max_neighbors": 32}
}
_ROWS_A_BATCH = 1000
_SPARE = 50


class ChildVectors(Chroma):
    """The vectors of one generation, in a directory of its own or on the server at `url`.

    Every method raises `IndexUnreachable` where the server does not answer, or has lost the collection.
    """

    def __init__(self, generation: str, directory: Path, url: str | None, *, is_new: bool = False) -> None:
        self._url = url
        self._directory = directory
        with _has_room(directory), _answers(url):
            super().__init__(
                _COLLECTION.format(generation=generation),
                client=_client(directory, url),
                collection_configuration=_CONFIGURATION if is_new else None,
                create_collection_if_not_exists=is_new,
            )

    def add_children(
        self, first: int, texts: Sequence[str], vectors: "Vectors", metadatas: Sequence[dict[str, Any]]
    ) -> None:
        """Add children numbered from `first`, in order: the order decides how the graph is built.

        Raises `IndexUnwritable` where the directory is full.
        """
        for start in range(0, len(texts), _ROWS_A_BATCH):
            rows = slice(start, start + _ROWS_A_BATCH)
            with _has_room(self._directory), _answers(self._url):
                self._collection.add(
                    ids=[str(first + row) for row in range(len(texts))[rows]],
                    embeddings=vectors[rows],
                    documents=list(texts[rows]),
                    metadatas=list(metadatas[rows]),
                )

    def nearest(
        self, vectors: Sequence[Sequence[float]], where: dict[str, Any] | None, limit: int
    ) -> list[list[int]]:
        """The numbers of the nearest children, nearest first, for each vector; one query for all.

        Some more are asked for than wanted: which of equally near ones Chroma leaves out at the end
        differs from build to build.
        """
        asked = limit + _SPARE
        with _answers(self._url):
            found = self._collection.query(
                query_embeddings=list(vectors), n_results=asked, where=where, include=["distances"]
            )
        rows = zip(found["ids"], found["distances"] or [], strict=True)
        ranked = [sorted(zip(distances, map(int, ids), strict=True)) for ids, distances in rows]
        return [[child for _, child in _without_torn_end(pairs, asked)[:limit]] for pairs in ranked]

    def close(self) -> None:
        """Let go of the directory's files or the connection."""
        self._client.close()


def _without_torn_end(ranked: list[tuple[float, int]], asked: int) -> list[tuple[float, int]]:
    """Ranked (distance, child) pairs without the last group of equals, where that may be incomplete."""
    if len(ranked) < asked:
        return ranked
    farthest = ranked[-1][0]
    return [pair for pair in ranked if pair[0] < farthest] or ranked


def is_on_server(url: str, generation: str) -> bool:
    """Whether the server has the collection of a generation. Raises `IndexUnreachable`."""
    name = _COLLECTION.format(generation=generation)
    with _answers(url):
        return any(collection.name == name for collection in _client(Path(), url).list_collections())


def drop_from_server(url: str, generation: str) -> None:
    """Delete the collection of a generation, if it is there. Raises `IndexUnreachable`."""
    if is_on_server(url, generation):
        with _answers(url):
            _client(Path(), url).delete_collection(_COLLECTION.format(generation=generation))


def _client(directory: Path, url: str | None) -> "ClientAPI":
    settings = ChromaSettings(anonymized_telemetry=False)
    if not url:
        return chromadb.PersistentClient(str(directory), settings=settings)
    parts = urlsplit(url if "//" in url else f"//{url}")
    is_secure = parts.scheme == "https"
    port = parts.port or (443 if is_secure else 8000)
    return chromadb.HttpClient(parts.hostname or "localhost", port, ssl=is_secure, settings=settings)


@contextmanager
def _answers(url: str | None) -> Iterator[None]:
    """Say in our own words that a server is away, restarts, or has lost a collection."""
    try:
        yield
    except (httpx.HTTPError, ChromaError, ValueError) as error:
        if url is None:
            raise
        raise IndexUnreachable(url=url) from error


@contextmanager
def _has_room(directory: Path) -> Iterator[None]:
    """Say in our own words that the embedded store could not write: an internal error, the disk full."""
    try:
        yield
    except InternalError as error:
        raise IndexUnwritable(folder=str(directory), reason=str(error)) from error
