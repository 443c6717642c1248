"""The chunks' vectors in Chroma: embedded in a directory, or on a server.

The distance is the cosine. The graph is built denser and searched wider than by default, which would
lose 4 % of the true neighbours and differ from build to build (Chroma, "Configure collections").
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chromadb
import httpx
import numpy as np
from chromadb.api.client import Client
from chromadb.config import DEFAULT_DATABASE, Settings
from chromadb.errors import ChromaError, InternalError, NotFoundError
from langchain_chroma import Chroma

from rag.errors import IndexLost, IndexUnreachable, IndexUnwritable, SystemExhausted
from rag.library.index.nearest import NearestChunks, joined, normalised

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

    from rag.library.index.book_cache import Vectors

CHUNKS = "rules-{snapshot}"
"""The name of a snapshot's collection."""

FEW_CHUNKS = 8_000
"""So many chunks are compared with a query one by one: a thousand pages, all there are or those of a game."""
_GRAPH: Any = {"space": "cosine", "ef_search": 1000, "ef_construction": 400, "max_neighbors": 32}
"""At 120,000 passages to look at twice as many costs a search 8 ms, and finds 3 more of 1,000 neighbours."""
_UNUSED: Any = _GRAPH | {"ef_construction": 10, "max_neighbors": 4}
"""Of few chunks beside us, which are compared one by one: a quarter of the time."""
_SETTINGS = Settings(anonymized_telemetry=False)
"""Made once: to look each of them up takes a third as long as to open a small store."""
_ROWS_A_BATCH = 1000
_ROWS_READ_AT_ONCE = 100
"""Chroma holds the interpreter while it hands them over as lists of numbers: half a millisecond."""
_HTTPS_PORT = 443
_CHROMA_PORT = 8000
_CONNECT_SECONDS = 5.0
_ANSWER_SECONDS = 60.0
"""A collection of many thousand rows is dropped, and a thousand rows are added, well within this."""


class ChunkVectors(Chroma):
    """The vectors of one snapshot, in a directory of its own or on the server at `url`; a new one is told how
    many `chunks` it will have.

    Every method raises `IndexUnreachable` where the server does not answer, `IndexLost` where it has not
    the collection.
    """

    def __init__(self, snapshot: str, directory: Path, url: str | None, chunks: int | None = None) -> None:
        graph = _GRAPH if url or (chunks or 0) > FEW_CHUNKS else _UNUSED
        self._url = url
        self._directory = directory
        with _has_room(directory), answering(url):
            super().__init__(
                CHUNKS.format(snapshot=snapshot),
                client=connect(url) if url else _in_directory(directory),
                client_settings=_SETTINGS,
                collection_configuration={"hnsw": graph} if chunks is not None else None,
                create_collection_if_not_exists=chunks is not None,
            )

    def add_chunks(self, first: int, vectors: "Vectors", metadatas: Sequence[dict[str, Any]]) -> None:
        """Add chunks numbered from `first`, in order: the order decides how the graph is built.

        Their text is in the tables: here it would be indexed once more, which takes as long as the vectors.

        Raises `IndexUnwritable` where the directory is full.
        """
        for start in range(0, len(vectors), _ROWS_A_BATCH):
            rows = slice(start, start + _ROWS_A_BATCH)
            with _has_room(self._directory), answering(self._url):
                self._collection.add(
                    ids=[str(first + row) for row in range(len(vectors))[rows]],
                    embeddings=vectors[rows],
                    metadatas=list(metadatas[rows]),
                )

    def nearest(
        self, vectors: Sequence[Sequence[float]], where: dict[str, Any] | None, limit: int
    ) -> list[NearestChunks]:
        """The nearest chunks for each vector, equally near ones by number; one query for all."""
        with answering(self._url):
            found = self._collection.query(
                query_embeddings=list(np.asarray(vectors, np.float32)),
                n_results=limit,
                where=where,
                include=["distances"],
            )
        rows = zip(found["ids"], found["distances"] or [], strict=True)
        return [
            joined([NearestChunks(np.array(ids, np.int32), 1 - np.array(distances, np.float64))])
            for ids, distances in rows
        ]

    @property
    def is_near(self) -> bool:
        """Whether they lie in a directory here, so that many can be read at once."""
        return self._url is None

    def read(self, chunks: Sequence[int]) -> "Vectors":
        """The vectors of the chunks with these numbers, in order, scaled to length one."""
        vectors: list[Any] = []
        for start in range(0, len(chunks), _ROWS_READ_AT_ONCE):
            names = [str(chunk) for chunk in chunks[start : start + _ROWS_READ_AT_ONCE]]
            with answering(self._url):
                held: Any = self._collection.get(ids=names, include=["embeddings"])
            of_name = dict(zip(held["ids"], held["embeddings"], strict=True))
            vectors += [of_name[name] for name in names]
        return normalised(np.array(vectors, np.float32))

    def are_whole(self, chunks: int, dimension: int) -> bool:
        """Whether so many chunks are there, and one can be searched: so damaged graph files are found out."""
        vector: Sequence[float] = [1.0] * dimension
        with answering(self._url):
            if not chunks or self._collection.count() != chunks:
                return not chunks
            found = self._collection.query(query_embeddings=[vector], n_results=1, include=[])
        return bool(found["ids"][0])

    def close(self) -> None:
        """Let go of the directory's files or the connection."""
        self._client.close()


def connect(url: str) -> Client:
    """A client for the server at `url`; its path names the database, which is made when missing.

    Chroma's client waits for ever, so the first request is one of our own.
    """
    address = httpx.URL(url if "//" in url else f"//{url}")
    is_secure = address.scheme == "https"
    port = address.port or (_HTTPS_PORT if is_secure else _CHROMA_PORT)
    server = address.copy_with(scheme="https" if is_secure else "http", port=port, path="/api/v2/heartbeat")
    httpx.get(server, timeout=_CONNECT_SECONDS).raise_for_status()
    chosen = {
        "chroma_api_impl": "chromadb.api.fastapi.FastAPI",
        "chroma_server_host": address.host,
        "chroma_server_http_port": port,
        "chroma_server_ssl_enabled": is_secure,
    }
    settings = _SETTINGS.model_copy(update=chosen)
    database = address.path.strip("/") or DEFAULT_DATABASE
    try:
        client = Client(database=database, settings=settings)
    except NotFoundError:
        with suppress(ChromaError):
            chromadb.AdminClient(settings).create_database(database)
        client = Client(database=database, settings=settings)
    # Its own timeout is none, and no public setting of the client changes it.
    session: httpx.Client = client._server._session  # type: ignore[attr-defined]
    session.timeout = httpx.Timeout(_ANSWER_SECONDS, connect=_CONNECT_SECONDS)
    return client


def _in_directory(directory: Path) -> "ClientAPI":
    """A client for the store in a directory. Raises `SystemExhausted`."""
    try:
        return chromadb.PersistentClient(str(directory), settings=_SETTINGS.model_copy())
    except BaseException as error:
        # Where it can open no file it panics, which is no `Exception` and would pass by everybody.
        SystemExhausted.check(error)
        raise


@contextmanager
def answering(url: str | None) -> Iterator[None]:
    """Say in our own words that a server is away, restarts, or has lost what was on it.

    Raises `IndexUnreachable` and `IndexLost`; without `url`, where there is no server, neither.
    """
    try:
        yield
    except Exception as error:
        # Chroma's client has a bare exception for what is not Chroma's.
        is_remote = isinstance(error, httpx.HTTPError | ChromaError | ValueError) or type(error) is Exception
        if url is None or not is_remote:
            raise
        raise (IndexLost if isinstance(error, NotFoundError) else IndexUnreachable)(url=url) from error


@contextmanager
def _has_room(directory: Path) -> Iterator[None]:
    """Say in our own words that the embedded store could not write: an internal error, the disk full."""
    try:
        yield
    except InternalError as error:
        raise IndexUnwritable(folder=str(directory), reason=str(error)) from error
