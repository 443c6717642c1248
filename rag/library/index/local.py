"""Where a library's snapshots and book files are kept: in one directory, or on a server as well.

Ingestion and readers are written against `Index`; what is on a Chroma server is in `shared`."""

import json
import logging
import shutil
import time
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rag.errors import IndexUnwritable
from rag.library.index.atomic_files import OCR, OcrPages, make_durable, write_bytes
from rag.library.index.manifest import (
    CHROMA,
    MANIFEST,
    SNAPSHOTS,
    FileDigest,
    Manifest,
    damaged_files,
    doubt,
    is_checked,
    known,
    packed,
    pointer_stamp,
    published,
    remember_as_whole,
)

if TYPE_CHECKING:
    from rag.library.index.chroma import ChunkVectors

log = logging.getLogger(__name__)

_BOOKS = "books"
_LOCK = "lock"


class Index:
    """The snapshots and book files of a library, in a directory.

    What a subclass keeps elsewhere, its readers and writers do not notice.
    """

    is_shared = False
    """Whether other machines publish here too."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @property
    def lock(self) -> Path:
        """The file that whoever writes into the directory holds locked."""
        return self._directory / _LOCK

    def published(self) -> Manifest | None:
        """The published snapshot, as far as this machine knows; none where nothing was published."""
        return published(self._directory)

    def directories(self, manifest: Manifest) -> list[tuple[Path, list[str]]]:
        """The directories of a snapshot's segments, each with the files of the library that count there."""
        return [(self.directory_of(name), manifest.current(name)) for name in manifest.segments]

    def indexed_files(self) -> Collection[str]:
        """The files that the snapshot that is served was made from."""
        served = self.published()
        return served.stamps if served else ()

    def stamp(self) -> tuple[int, int] | None:
        """A value that changes when another snapshot is published; none while there is none."""
        return pointer_stamp(self._directory)

    def refresh(self) -> None:
        """Take over what was published elsewhere."""

    def follow(self) -> None:
        """Refresh from now on, as long as this object lives."""

    def book_path(self, key: str) -> Path:
        """Where the file of a book is, or would be."""
        return self._directory / _BOOKS / f"{key}.npz"

    def ocr_folder(self, content: str) -> Path:
        """Where everything is that OCR has read of a book, by the hash of its content."""
        return OcrPages.book_folder(self._directory, content)

    def fetch_book(self, path: Path, model: str) -> None:
        """Have the file of a book embedded by `model` here, where it is kept elsewhere."""

    def keep_book(self, path: Path, model: str, *, is_new: bool) -> None:
        """Keep the file of a book embedded by `model` wherever it is to be kept, in place of an older one."""

    def directory_of(self, snapshot: str) -> Path:
        """Where the local files of a snapshot are, or of a part of one."""
        return self._directory / SNAPSHOTS / snapshot

    def vectors_of(self, snapshot: str, *, is_new: bool = False) -> "ChunkVectors":
        """The Chroma collection of a snapshot."""
        from rag.library.index.chroma import ChunkVectors

        return ChunkVectors(snapshot, self.directory_of(snapshot) / CHROMA, None, is_new=is_new)

    def holds(self, snapshot: str) -> bool:
        """Whether the published snapshot is still there, and named by its pointer."""
        here = published(self._directory)
        return here is not None and here.snapshot == snapshot and self.directory_of(snapshot).is_dir()

    def needs(self, name: str) -> bool:
        """Whether a directory is of the published snapshot."""
        self.refresh()
        here = self.published()
        return here is not None and name in here.parts

    def damaged_files(self, manifest: Manifest, books: Collection[Path] = ()) -> list[str]:
        """The files of a snapshot and of books that are damaged or missing, by path in the index."""
        return damaged_files(self._directory, self._expected(manifest, books))

    def is_known(self, manifest: Manifest, books: Collection[Path]) -> bool:
        """Whether nothing has changed since a snapshot and the books' files were found whole."""
        expected = self._expected(manifest, books)
        return self.known_books(expected) == expected.keys()

    def known_books(self, books: Iterable[Path]) -> set[Path]:
        """Those books' files of which nothing has changed since they were found whole."""
        return known(self._directory, books)

    def remember_as_whole(self, manifest: Manifest, books: Collection[Path]) -> None:
        """Write down that a snapshot and the books' files are whole."""
        remember_as_whole(self._directory, self._expected(manifest, books))

    def _expected(self, manifest: Manifest, books: Iterable[Path] = ()) -> dict[Path, FileDigest | None]:
        """What the files of a snapshot and of books are to be."""
        expected: dict[Path, FileDigest | None] = {
            self.directory_of(name): digest for name, digest in manifest.files.items()
        }
        return expected | dict.fromkeys(books)

    def set_aside(self, parts: Collection[str], error: Exception) -> None:
        """Have damaged parts of a snapshot made anew by the next ingest."""
        self.doubt(error)

    def doubt(self, error: Exception) -> None:
        """Have the next ingest look at all of what is published, and log why."""
        if not self.is_doubted():
            log.warning("the index is damaged, the next ingest makes it anew: %s", error)
        doubt(self._directory)

    def is_doubted(self) -> bool:
        """Whether the next ingest is to look at all of what is published: damage was met, or it is gone."""
        return self.stamp() is None or not is_checked(self._directory)

    def publish(self, manifest: Manifest) -> None:
        """Make a complete snapshot the one that readers open, once it would outlive a power cut.

        Raises `IndexUnwritable` where files of it were deleted since they were written.
        """
        directory = self.directory_of(manifest.snapshot)
        if not all(self.directory_of(name).exists() for name in manifest.files):
            raise IndexUnwritable(folder=str(self._directory), reason="it was deleted meanwhile")
        write_bytes(directory / MANIFEST, manifest.to_bytes())
        make_durable(directory)
        manifest.publish(self._directory)

    def drop_all_but(
        self, snapshots: Collection[str], costly: Collection[Path], model: str, kept_seconds: float
    ) -> None:
        """Delete what nobody needs any more, and what a killed build left behind.

        What is `costly` is needed (of books' files those embedded by `model`); what else was costly is
        kept for so many seconds more.
        """
        kept = self._parts(snapshots)
        for directory in (self._directory / SNAPSHOTS).glob("*"):
            if directory.name not in kept:
                shutil.rmtree(directory, ignore_errors=True)
        for unfinished in (self._directory / _BOOKS).glob(".*"):
            unfinished.unlink(missing_ok=True)
        drop_long_absent(self._directory, (_BOOKS, OCR), costly, kept_seconds)

    def _parts(self, snapshots: Collection[str]) -> set[str]:
        """The directories that the given snapshots need."""
        manifests = (packed(self.directory_of(snapshot)) for snapshot in snapshots)
        return {*snapshots}.union(*(manifest.parts for manifest in manifests if manifest))


_ABSENT = "absent.json"
"""By path in the index, since when each part has been absent, in seconds since the epoch."""


def drop_long_absent(
    index_dir: Path, folders: Iterable[str], present: Collection[Path], kept_seconds: float
) -> None:
    """Delete what is in the folders and has not been present for so long; write down what is absent."""
    paths = [path for folder in folders for path in (index_dir / folder).glob("*")]
    parts = {path.relative_to(index_dir).as_posix(): path for path in paths}
    known, now = _absent(index_dir), time.time()
    absent = {name: min(known.get(name, now), now) for name, path in parts.items() if path not in present}
    kept = {name: since for name, since in absent.items() if now - since < kept_seconds}
    if kept != known:
        write_bytes(index_dir / _ABSENT, json.dumps(kept, indent=1).encode())
    for name in absent.keys() - kept.keys():
        _delete(parts[name])


def _absent(index_dir: Path) -> dict[str, float]:
    """What was absent when last looked; without a readable file, absence begins anew."""
    try:
        held = json.loads((index_dir / _ABSENT).read_bytes())
        return {str(name): float(since) for name, since in held.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
