"""What a Chroma server keeps of a library beside its vectors: which snapshot is published, and files.

A file is a collection of its own: its bytes in pieces, in the metadata of its records, for text put into
documents is indexed word by word; dropping a collection gives the room back at once. A file is there when
a last record says so. What is published is the metadata of one collection, so a reader finds the
snapshot before or the new one, each complete.
"""

import base64
import hashlib
import weakref
from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from chromadb.errors import NotFoundError

from rag.library.index.chroma import answering, connect

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection

GRACE_SECONDS = 3600
"""What nobody needs is dropped when it has been needless for so long: until then another process may
still read it, or be about to publish it."""

BOOK = "rules-book-"
"""What the names of books' files begin with."""
_OURS = "rules-"
_POINTER = "rules-published"
_PIECE_BYTES = 512 * 1024
"""In base64 and JSON well below the smallest usual bound on a request, a megabyte."""
_WHOLE = "whole"
_NO_VECTOR = np.zeros((1, 1), np.float32)


class LibraryServer:
    """A Chroma server, one of whose databases holds one library.

    Every method raises `IndexUnreachable` where the server does not answer, and `IndexLost` where it has
    lost what is being worked on.
    """

    def __init__(self, url: str) -> None:
        self.url = url

    def published(self) -> str | None:
        """The published snapshot; none where there is none yet."""
        with answering(self.url):
            pointer = self._collection(_POINTER)
            return pointer.metadata.get("generation") if pointer and pointer.metadata else None

    def publish(self, snapshot: str) -> None:
        """Make this the published snapshot, in one step; of two that publish at once the last wins."""
        with answering(self.url):
            pointer = self._client.get_or_create_collection(_POINTER, embedding_function=None)
            pointer.modify(metadata={"generation": snapshot})

    def has_collection(self, name: str) -> bool:
        """Whether there is a collection of that name."""
        with answering(self.url):
            return self._collection(name) is not None

    def has_file(self, name: str) -> bool:
        """Whether the whole of a file is there."""
        with answering(self.url):
            collection = self._collection(name)
            return collection is not None and _record(collection, _WHOLE) is not None

    def put_file(self, name: str, content: bytes) -> None:
        """Keep a file; two who put the same name at once do not mix their pieces."""
        digest = _digest(content)
        starts = range(0, len(content), _PIECE_BYTES)
        with answering(self.url):
            collection = self._client.get_or_create_collection(name, embedding_function=None)
            for number, start in enumerate(starts):
                piece = base64.b64encode(content[start : start + _PIECE_BYTES]).decode()
                _put(collection, _piece(digest, number), {"bytes": piece})
            _put(collection, _WHOLE, {"digest": digest, "pieces": len(starts)})

    def file(self, name: str) -> bytes | None:
        """A file; none where it is not there, or not whole."""
        with answering(self.url):
            collection = self._collection(name)
            whole = _record(collection, _WHOLE) if collection else None
            if collection is None or whole is None:
                return None
            pieces = [_record(collection, _piece(whole["digest"], each)) for each in range(whole["pieces"])]
        content = b"".join(base64.b64decode(piece["bytes"]) for piece in pieces if piece)
        return content if _digest(content) == whole["digest"] else None

    def drop_all_but(self, kept: Collection[str], book_seconds: float) -> None:
        """Drop the collections of ours that nobody has needed for a while; `kept` names the needed ones.

        For the files of books that while is `book_seconds`.
        """
        with answering(self.url):
            now = self._client.heartbeat() // 10**9
            for collection in self._client.list_collections():
                if collection.name.startswith(_OURS) and collection.name != _POINTER:
                    grace = book_seconds if collection.name.startswith(BOOK) else GRACE_SECONDS
                    self._drop_in_time(collection, collection.name in kept, now, grace)

    def _drop_in_time(self, collection: "ChromaCollection", is_kept: bool, now: int, grace: float) -> None:
        since = (collection.metadata or {}).get("needless_since") or 0
        if is_kept and since:
            collection.modify(metadata={"needless_since": 0})
        elif not is_kept and now - (since or now) >= grace:
            self._client.delete_collection(collection.name)
        elif not is_kept and not since:
            collection.modify(metadata={"needless_since": now})

    def _collection(self, name: str) -> "ChromaCollection | None":
        try:
            return self._client.get_collection(name, embedding_function=None)
        except NotFoundError:
            return None

    @cached_property
    def _client(self) -> "Client":
        client = connect(self.url)
        weakref.finalize(self, client.close)
        return client


def _piece(digest: str, number: int) -> str:
    """The id of a piece: two contents of one name do not share any."""
    return f"{digest}-{number}"


def _put(collection: "ChromaCollection", name: str, held: dict[str, Any]) -> None:
    collection.upsert(ids=[name], embeddings=_NO_VECTOR, metadatas=[held])


def _record(collection: "ChromaCollection", name: str) -> dict[str, Any] | None:
    """What a record holds; none where there is no such record."""
    found = collection.get(ids=[name], include=["metadatas"])["metadatas"]
    return dict(found[0]) if found else None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
