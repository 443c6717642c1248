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
from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from chromadb.errors import NotFoundError

from rag.errors import LibraryError
from rag.library.index.atomic_files import only_writer, write_bytes
from rag.library.index.chroma import CHUNKS, ChunkVectors, answering, connect
from rag.library.index.local import Index
from rag.library.index.manifest import MANIFEST, SNAPSHOTS, Manifest, published, read_manifest
from rag.texts import logged

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection

log = logging.getLogger(__name__)

GRACE_SECONDS = 3600
"""What nobody needs is dropped when it has been needless for so long: until then another process may
still read it, or be about to publish it."""
CHECK_SECONDS = 5.0
"""How often the server is asked whether another snapshot is published: one small request."""

BOOK = "rules-book-"
"""What the names of books' files begin with."""
_BOOK = f"{BOOK}{{key}}-{{model}}"
_FILES = "rules-{snapshot}-files"
_OURS = "rules-"
_POINTER = "rules-published"
_PIECE_BYTES = 512 * 1024
"""In base64 and JSON well below the smallest usual bound on a request, a megabyte."""
_WHOLE = "whole"
_NO_VECTOR = np.zeros((1, 1), np.float32)
_COPYING = "copying"
_FAST = 1


class ServerIndex(Index):
    """The index of a Chroma server, one of whose databases holds one library, with a copy in a directory.

    A part of a snapshot is two collections: the chunks' vectors, and the files a reader opens; a book file
    is one. Of two processes that publish at once the last wins, with a complete snapshot. Every method that
    asks the server raises `IndexUnreachable`, and `IndexLost` where it has lost what is being worked on; the
    copy serves lists of books while it is away.
    """

    is_shared = True

    def __init__(self, directory: Path, url: str) -> None:
        super().__init__(directory)
        self._url = url

    @cached_property
    def _client(self) -> "Client":
        client = connect(self._url)
        weakref.finalize(self, client.close)
        return client

    def _collection(self, name: str) -> "ChromaCollection | None":
        try:
            return self._client.get_collection(name, embedding_function=None)
        except NotFoundError:
            return None

    # Files

    def put_file(self, name: str, content: bytes) -> None:
        """Keep a file; two who put the same name at once do not mix their pieces."""
        digest = _digest(content)
        starts = range(0, len(content), _PIECE_BYTES)
        with answering(self._url):
            collection = self._client.get_or_create_collection(name, embedding_function=None)
            for number, start in enumerate(starts):
                piece = base64.b64encode(content[start : start + _PIECE_BYTES]).decode()
                _put(collection, f"{digest}-{number}", {"bytes": piece})
            _put(collection, _WHOLE, {"digest": digest, "pieces": len(starts)})

    def has_file(self, name: str) -> bool:
        """Whether the whole of a file is there."""
        with answering(self._url):
            collection = self._collection(name)
            return bool(collection and _record(collection, _WHOLE))

    def file(self, name: str) -> bytes | None:
        """A file; none where it is not there, or not whole."""
        with answering(self._url):
            collection = self._collection(name)
            whole = _record(collection, _WHOLE) if collection else {}
            if not collection or not whole:
                return None
            pieces = [_record(collection, f"{whole['digest']}-{number}") for number in range(whole["pieces"])]
        content = b"".join(base64.b64decode(piece.get("bytes", "")) for piece in pieces)
        return content if _digest(content) == whole["digest"] else None

    def fetch_book(self, path: Path, model: str) -> None:
        """Copy the file of a book from the server, if it is there."""
        content = self.file(_book_name(path, model))
        if content is not None:
            _unpack(content, path.parent)

    def keep_book(self, path: Path, model: str, *, is_new: bool) -> None:
        """Keep the file of a book on the server; one that is not new is there as a rule."""
        if is_new or not self.has_file(_book_name(path, model)):
            self.put_file(_book_name(path, model), _pack([path]))

    # Snapshots

    def published(self) -> Manifest | None:
        """The published snapshot as last copied from the server."""
        return published(self._directory, self._url)

    def vectors_of(self, snapshot: str, chunks: int | None = None) -> ChunkVectors:
        """The collection of a snapshot on the server."""
        return ChunkVectors(snapshot, self.directory_of(snapshot), self._url, chunks)

    def holds(self, manifest: Manifest) -> bool:
        """Whether all parts of a snapshot are still on the server."""
        with answering(self._url):
            vectors = all(self._collection(CHUNKS.format(snapshot=name)) for name in manifest.segments)
        return vectors and all(self.has_file(_FILES.format(snapshot=name)) for name in manifest.parts)

    def publish(self, manifest: Manifest) -> None:
        """Put what readers copy beside the vectors, then name the snapshot as the published one.

        Of two that publish at once the last wins.
        """
        directory = self.directory_of(manifest.snapshot)
        write_bytes(directory / MANIFEST, manifest.to_bytes())
        self.put_file(_FILES.format(snapshot=manifest.snapshot), _pack(sorted(directory.iterdir())))
        with answering(self._url):
            pointer = self._client.get_or_create_collection(_POINTER, embedding_function=None)
            pointer.modify(metadata={"generation": manifest.snapshot})
        manifest.publish(self._directory, self._url)

    def refresh(self) -> None:
        """Copy the snapshot published on the server, where that is another. Raises `IndexUnwritable`."""
        with answering(self._url):
            pointer = self._collection(_POINTER)
        snapshot = (pointer.metadata or {}).get("generation") if pointer else None
        here = self.published()
        parts = [self.directory_of(name) for name in here.parts] if here else []
        is_here = here and here.snapshot == snapshot and all(part.is_dir() for part in parts)
        if snapshot is None or is_here:
            return
        with only_writer(self._directory, _COPYING):
            manifest = read_manifest(self.directory_of(snapshot) / MANIFEST) if self._copy(snapshot) else None
            if manifest and all(self._copy(name) for name in manifest.parts):
                manifest.publish(self._directory, self._url)
                # Whoever is in the midst of a question still reads the one before.
                kept = {*manifest.parts, *(here.parts if here else ())}
                # A snapshot that is being built beside this is no copy yet.
                for copied in (self._directory / SNAPSHOTS).glob(f"*/{MANIFEST}"):
                    if copied.parent.name not in kept:
                        shutil.rmtree(copied.parent, ignore_errors=True)

    def follow(self) -> None:
        """Refresh every few seconds in a thread that ends with this object."""
        threading.Thread(target=_follow, args=(weakref.ref(self),), name="follow-index", daemon=True).start()

    def doubt(self, error: Exception, parts: Collection[str] = ()) -> None:
        """Have the next ingest look at all, and the damaged `parts` of a snapshot copied anew."""
        super().doubt(error)
        with only_writer(self._directory, _COPYING):
            for name in parts:
                shutil.rmtree(self.directory_of(name), ignore_errors=True)

    def drop_all_but(
        self, parts: Collection[str], costly: Collection[Path], model: str, kept_seconds: float
    ) -> None:
        """Delete at once what is not needed here, and on the server what nobody has needed for a while.

        For the files of books that while is `kept_seconds`.
        """
        # Another machine may have published a newer snapshot meanwhile.
        self.refresh()
        here = self.published()
        needed = {*parts, *(here.parts if here else ())}
        with only_writer(self._directory, _COPYING):
            super().drop_all_but(needed, costly, model, kept_seconds)
        kept = {name.format(snapshot=each) for each in needed for name in (CHUNKS, _FILES)}
        kept |= {_POINTER, *(_book_name(path, model) for path in costly)}
        with answering(self._url):
            now = self._client.heartbeat() // 10**9
            for collection in self._client.list_collections():
                if collection.name.startswith(_OURS):
                    grace = kept_seconds if collection.name.startswith(BOOK) else GRACE_SECONDS
                    self._drop_in_time(collection, collection.name in kept, now, grace)

    def _drop_in_time(self, collection: "ChromaCollection", is_kept: bool, now: int, grace: float) -> None:
        since = (collection.metadata or {}).get("needless_since") or 0
        if is_kept and since:
            collection.modify(metadata={"needless_since": 0})
        elif not is_kept and now - (since or now) >= grace:
            self._client.delete_collection(collection.name)
        elif not is_kept and not since:
            collection.modify(metadata={"needless_since": now})

    # Copies

    def _copy(self, snapshot: str) -> bool:
        """Have the files of a snapshot here, all of them or none; whether they are."""
        directory = self.directory_of(snapshot)
        if (directory / MANIFEST).exists():
            return True
        content = self.file(_FILES.format(snapshot=snapshot))
        if content is None:
            return False
        unpacked = directory.with_name(f".{snapshot}")
        for unfinished in (directory, unpacked):
            shutil.rmtree(unfinished, ignore_errors=True)
        _unpack(content, unpacked)
        unpacked.rename(directory)
        return True


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
                log.warning("cannot follow what is published: %s", logged(error))
            is_away = True
        del index


def _put(collection: "ChromaCollection", name: str, held: dict[str, Any]) -> None:
    collection.upsert(ids=[name], embeddings=_NO_VECTOR, metadatas=[held])


def _record(collection: "ChromaCollection", name: str) -> dict[str, Any]:
    """What a record holds; nothing where there is no such record."""
    found = collection.get(ids=[name], include=["metadatas"])["metadatas"]
    return dict(found[0]) if found else {}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _book_name(path: Path, model: str) -> str:
    """The name of a book's file on the server: one for every model it is embedded by."""
    return _BOOK.format(key=path.stem, model=_digest(model.encode())[:8])


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
