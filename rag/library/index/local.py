"""What is written in the directory of an index, and whether it is whole; what is on a server is in `shared`.

What the file system says is unchanged since it was whole is not read again."""

import json
import logging
import os
import shutil
import sqlite3
import time
import zipfile
from collections.abc import Collection, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rag.errors import IndexUnwritable, SystemExhausted
from rag.library.index.atomic_files import make_durable, write_bytes
from rag.library.index.manifest import (
    CHROMA,
    CHROMA_DATABASE,
    POINTER,
    SNAPSHOTS,
    Manifest,
    digest_of,
    published,
)
from rag.library.index.tables import read_only
from rag.texts import logged

if TYPE_CHECKING:
    from rag.library.index.chroma import ChunkVectors

log = logging.getLogger(__name__)

LOCK = "lock"
"""The file that whoever writes into the directory holds locked."""
_BOOKS = "books"
_OCR = "ocr"
_CHECKED = "checked.json"
_THOROUGHLY_EVERY_SECONDS = 7 * 24 * 60 * 60
"""What the file system does not tell, as a disk that forgets, is looked for this often."""


class Index:
    """The snapshots and book files of a library, in a directory.

    What a subclass keeps elsewhere, its readers and writers do not notice.
    """

    is_shared = False
    """Whether other machines publish here too."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def published(self) -> Manifest | None:
        """The published snapshot, as far as this machine knows; none where nothing was published."""
        return published(self._directory)

    def stamp(self) -> tuple[int, int] | None:
        """A value that changes when another snapshot is published; none while there is none."""
        try:
            status = (self._directory / POINTER).stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_ino

    def refresh(self) -> None:
        """Take over what was published elsewhere."""

    def follow(self) -> None:
        """Refresh from now on, as long as this object lives."""

    def book_path(self, key: str) -> Path:
        """Where the file of a book is, or would be."""
        return self._directory / _BOOKS / f"{key}.npz"

    def ocr_folder(self, content: str) -> Path:
        """Where everything is that OCR has read of a book, by the hash of its content."""
        return self._directory / _OCR / content

    def fetch_book(self, path: Path, model: str) -> None:
        """Have the file of a book embedded by `model` here, where it is kept elsewhere."""

    def keep_book(self, path: Path, model: str, *, is_new: bool) -> None:
        """Keep the file of a book embedded by `model` wherever it is to be kept, in place of an older one."""

    def directory_of(self, snapshot: str) -> Path:
        """Where the local files of a snapshot are, or of a part of one."""
        return self._directory / SNAPSHOTS / snapshot

    def segments(self, manifest: Manifest) -> dict[Path, list[str]]:
        """The directories of a snapshot's segments, each with the files of the library that count there."""
        return {self.directory_of(name): manifest.current(name) for name in manifest.segments}

    def vectors_of(self, snapshot: str, chunks: int | None = None) -> "ChunkVectors":
        """The Chroma collection of a snapshot, a new one where it is told how many chunks it will have."""
        from rag.library.index.chroma import ChunkVectors

        return ChunkVectors(snapshot, self.directory_of(snapshot) / CHROMA, None, chunks)

    def holds(self, manifest: Manifest) -> bool:
        """Whether nothing of a snapshot is lost that is kept elsewhere."""
        return True

    def damaged_files(self, manifest: Manifest, books: Iterable[Path] = ()) -> list[str]:
        """The files of a snapshot and of books that are damaged or missing, by path in the index."""
        unknown = self.unknown(manifest, books)
        return [self._name(path) for path, digest in unknown.items() if not is_whole(path, digest)]

    def unknown(self, manifest: Manifest, books: Iterable[Path]) -> dict[Path, str]:
        """The files of a snapshot and of books that are not known to be whole, with their digests."""
        expected = self._expected(manifest, books)
        known = self.known(expected)
        return {path: digest for path, digest in expected.items() if path not in known}

    def known(self, paths: Iterable[Path]) -> set[Path]:
        """Those files that are there, and of which nothing has changed since they were found whole."""
        checked = self._checked()
        return {path for path in paths if (seen := _seen(path)) and seen == checked.get(self._name(path))}

    def remember_as_whole(self, manifest: Manifest, books: Iterable[Path]) -> None:
        """Write down that a snapshot and the books' files are whole."""
        seen = {self._name(path): _seen(path) for path in self._expected(manifest, books)}
        write_bytes(self._directory / _CHECKED, json.dumps(seen, indent=1).encode())

    def _expected(self, manifest: Manifest, books: Iterable[Path]) -> dict[Path, str]:
        """The digests of the files of a snapshot and of books, where they have any."""
        folder = self._directory / SNAPSHOTS
        return {folder / name: digest for name, digest in manifest.digests.items()} | dict.fromkeys(books, "")

    def _checked(self) -> Mapping[str, list[int]]:
        """What was found whole lately, as the file system told of it then."""
        path = self._directory / _CHECKED
        try:
            # A clock that was ahead, and set back, has left a date to come.
            is_old = abs(time.time() - path.stat().st_mtime) > _THOROUGHLY_EVERY_SECONDS
            held = json.loads(path.read_bytes())
        except (OSError, ValueError):
            return {}
        return held if isinstance(held, dict) and not is_old else {}

    def _name(self, path: Path) -> str:
        return path.relative_to(self._directory).as_posix()

    def doubt(self, error: Exception, parts: Collection[str] = ()) -> None:
        """Have the next ingest look at all of what is published; `parts` of it are known to be damaged."""
        if not self.is_doubted():
            log.warning("the index is damaged, the next ingest makes it anew: %s", logged(error))
        with suppress(OSError):
            (self._directory / _CHECKED).unlink(missing_ok=True)

    def is_doubted(self) -> bool:
        """Whether the next ingest is to look at all of what is published: damage was met, or it is gone."""
        return self.stamp() is None or not (self._directory / _CHECKED).exists()

    def publish(self, manifest: Manifest) -> None:
        """Make a complete snapshot the one that readers open, once it would outlive a power cut.

        Raises `IndexUnwritable` where files of it were deleted since they were written.
        """
        if not all(path.exists() for path in self._expected(manifest, ())):
            raise IndexUnwritable(folder=str(self._directory), reason="it was deleted meanwhile")
        make_durable(self.directory_of(manifest.snapshot))
        manifest.publish(self._directory)

    def drop_all_but(
        self, parts: Collection[str], costly: Collection[Path], model: str, kept_seconds: float
    ) -> None:
        """Delete what nobody needs any more, and what a killed build left behind.

        `parts` of snapshots are needed, and what is `costly` (of books' files those embedded by `model`);
        what else was costly is deleted when it has not been needed for so many seconds.
        """
        for directory in (self._directory / SNAPSHOTS).glob("*"):
            if directory.name not in parts:
                _delete(directory)
        for unfinished in (self._directory / _BOOKS).glob(".*"):
            _delete(unfinished)
        now = time.time_ns()
        for path in [one for folder in (_BOOKS, _OCR) for one in (self._directory / folder).glob("*")]:
            status = path.stat()
            if path in costly:
                # The time of access tells when it was needed last.
                os.utime(path, ns=(now, status.st_mtime_ns))
            elif now - status.st_atime_ns >= kept_seconds * 10**9:
                _delete(path)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _seen(path: Path) -> list[int] | None:
    """Size and time of change; none where there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return [status.st_size, 0 if path.as_posix().endswith(CHROMA_DATABASE) else status.st_mtime_ns]


def is_whole(path: Path, digest: str = "") -> bool:
    """Whether a file is what was written: by its digest, else as its own format can tell."""
    try:
        if digest:
            return digest_of(path) == digest
        if path.suffix == ".npz":
            with zipfile.ZipFile(path) as archive:
                return archive.testzip() is None
        return _is_whole_database(path)
    except OSError as error:
        SystemExhausted.check(error)
        return False
    except (zipfile.BadZipFile, sqlite3.DatabaseError):
        return False


def _is_whole_database(path: Path) -> bool:
    address = read_only(path, is_final=False)
    # SQLite does not tell why it cannot open a file.
    with path.open("rb"), closing(sqlite3.connect(address, uri=True)) as database:
        answers = database.execute("PRAGMA quick_check(1)").fetchall()
        has_tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,)
    return answers == [("ok",)] and has_tables
