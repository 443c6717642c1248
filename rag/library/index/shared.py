"""The index on a Chroma server: the directory of each machine is a copy, made from what is there.

A file on the server is a collection of its own: its bytes in pieces, in the metadata of its records, for
text put into documents is indexed word by word; dropping a collection gives the room back at once. A file is
there when a last record says so. What is published is the metadata of one collection, so a reader finds the
snapshot before or the new one, each complete."""

import base64
import hashlib
import io
import logging
import shutil
import threading
import time
import weakref
import zipfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from chromadb.errors import NotFoundError

from rag.errors import LibraryError
from rag.library.index.atomic_files import make_folder, only_writer, write_bytes, writing
from rag.library.index.chroma import CHUNKS, ChunkVectors, answering, connect
from rag.library.index.local import Index
from rag.library.index.manifest import MANIFEST, SNAPSHOTS, Manifest, packed, published

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


log = logging.getLogger(__name__)

CHECK_SECONDS = 5.0
"""How often the server is asked whether another snapshot is published: one small request."""

_FILES = "rules-{snapshot}-files"
_BOOK = f"{BOOK}{{key}}-{{model}}"
_COPYING = "copying"
_FAST = 1


class ServerIndex(Index):
    """The index of a Chroma server, with a copy of its published snapshot in a directory.

    A part of a snapshot is two collections: the chunks' vectors, and the files a reader opens; a book file
    is one. Of two processes that publish at
    once the last wins, with a complete snapshot. Every method that asks the server raises
    `IndexUnreachable`; the copy serves lists of books while it is away.
    """

    is_shared = True

    def __init__(self, directory: Path, url: str) -> None:
        super().__init__(directory)
        self._server = LibraryServer(url)

    def published(self) -> Manifest | None:
        """The published snapshot as last copied from the server."""
        return published(self._directory, self._server.url)

    def set_aside(self, parts: Collection[str], error: Exception) -> None:
        """Copy the damaged parts of a snapshot anew."""
        self.doubt(error)
        with self._copying():
            for name in parts:
                shutil.rmtree(self.directory_of(name), ignore_errors=True)
        self.refresh()

    def refresh(self) -> None:
        """Copy the snapshot published on the server, where that is another. Raises `IndexUnwritable`."""
        snapshot = self._server.published()
        here = self.published()
        before = here.snapshot if here else ""
        is_here = here is not None and all(self.directory_of(name).is_dir() for name in here.parts)
        if snapshot is None or (snapshot == before and is_here):
            return
        with self._copying():
            self._copy(snapshot)
            manifest = packed(self.directory_of(snapshot))
            if manifest and all(self._copy(name) for name in manifest.parts):
                manifest.publish(self._directory, self._server.url)
                # Whoever is in the midst of a question still reads the one before.
                self._drop_copies_but(self._parts({snapshot, before}))

    def follow(self) -> None:
        """Refresh every few seconds in a thread that ends with this object."""
        threading.Thread(target=_follow, args=(weakref.ref(self),), name="follow-index", daemon=True).start()

    def fetch_book(self, path: Path, model: str) -> None:
        """Copy the file of a book from the server, if it is there."""
        content = self._server.file(_book_name(path, model))
        if content is not None:
            _unpack(content, path.parent)

    def keep_book(self, path: Path, model: str, *, is_new: bool) -> None:
        """Keep the file of a book on the server; one that is not new is there as a rule."""
        if is_new or not self._server.has_file(_book_name(path, model)):
            self._server.put_file(_book_name(path, model), _pack([path]))

    def vectors_of(self, snapshot: str, *, is_new: bool = False) -> ChunkVectors:
        """The collection of a snapshot on the server."""
        return ChunkVectors(snapshot, self.directory_of(snapshot), self._server.url, is_new=is_new)

    def holds(self, snapshot: str) -> bool:
        """Whether all parts of a published snapshot are still there, here and on the server."""
        here = self.published()
        return here is not None and all(
            self.directory_of(name).is_dir()
            and self._server.has_file(_FILES.format(snapshot=name))
            and (name not in here.segments or self._server.has_collection(CHUNKS.format(snapshot=name)))
            for name in here.parts
        )

    def publish(self, manifest: Manifest) -> None:
        """Put what readers copy beside the vectors, then name the snapshot as the published one."""
        directory = self.directory_of(manifest.snapshot)
        write_bytes(directory / MANIFEST, manifest.to_bytes())
        self._server.put_file(_FILES.format(snapshot=manifest.snapshot), _pack(sorted(directory.iterdir())))
        self._server.publish(manifest.snapshot)
        manifest.publish(self._directory, self._server.url)

    def drop_all_but(
        self, snapshots: Collection[str], costly: Collection[Path], model: str, kept_seconds: float
    ) -> None:
        """Delete at once what is not needed here, and on the server what nobody has needed for a while."""
        with self._copying():
            # A reader beside this process may have taken over a newer snapshot meanwhile.
            here = self.published()
            super().drop_all_but({*snapshots, here.snapshot if here else ""}, costly, model, kept_seconds)
        needed = self._parts([*snapshots, *filter(None, [self._server.published()])])
        names = {name.format(snapshot=each) for each in needed for name in (CHUNKS, _FILES)}
        self._server.drop_all_but(names | {_book_name(path, model) for path in costly}, kept_seconds)

    def _copy(self, snapshot: str) -> bool:
        """Have the files of a snapshot here, all of them or none; whether they are."""
        directory = self.directory_of(snapshot)
        if (directory / MANIFEST).exists():
            return True
        content = self._server.file(_FILES.format(snapshot=snapshot))
        if content is None:
            return False
        shutil.rmtree(directory, ignore_errors=True)
        unpacked = directory.with_name(f".{snapshot}")
        shutil.rmtree(unpacked, ignore_errors=True)
        _unpack(content, unpacked)
        unpacked.rename(directory)
        return True

    def _drop_copies_but(self, kept: Collection[str]) -> None:
        """Delete older copies; a snapshot that is being built beside this is not one yet."""
        for manifest in (self._directory / SNAPSHOTS).glob(f"*/{MANIFEST}"):
            if manifest.parent.name not in kept:
                shutil.rmtree(manifest.parent, ignore_errors=True)

    @contextmanager
    def _copying(self) -> Iterator[None]:
        """One process at a time changes the copies in the directory, apart from what it builds itself."""
        with writing(self._directory):
            make_folder(self._directory)
            with only_writer(self._directory / _COPYING, lambda: None):
                yield


def _follow(held: "weakref.ref[ServerIndex]") -> None:
    """Refresh until nobody holds the index any more; a server that is away is logged once."""
    is_away = False
    while True:
        time.sleep(CHECK_SECONDS)
        index = held()
        if index is None:
            return
        try:
            index.refresh()
            is_away = False
        except LibraryError as error:
            if not is_away:
                log.warning("cannot follow what is published: %s", error)
            is_away = True
        del index


def _book_name(path: Path, model: str) -> str:
    """The name of a book's file on the server: one for every model it is embedded by."""
    return _BOOK.format(key=path.stem, model=hashlib.sha256(model.encode()).hexdigest()[:8])


def _pack(paths: Iterable[Path]) -> bytes:
    """Files as one archive; the same files always give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in paths:
            entry = zipfile.ZipInfo(path.name)
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, _FAST)
    return content.getvalue()


def _unpack(content: bytes, directory: Path) -> None:
    """Write the files of an archive into a directory, each whole or not at all."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            write_bytes(directory / Path(name).name, archive.read(name))
