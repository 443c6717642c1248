"""The pointer to the published snapshot of the index, what it was made from, and whether it is whole.

What the file system says is unchanged since it was whole is not read again."""

import hashlib
import json
import sqlite3
import time
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter

from rag.config import Audience
from rag.errors import SystemExhausted
from rag.library.books.book import BookSummary, FileStamp, Problem
from rag.library.index.atomic_files import write_bytes
from rag.library.index.tables import read_only

INDEX_VERSION = 15
"""Bumped when a snapshot is laid out anew, or the grammar of references finds others: it is rebuilt from the
kept books."""

SNAPSHOTS, _SNAPSHOT = "generations", "generation"
"""What the folder of snapshots and the field that names one are called on disk since the first release."""
MANIFEST = "manifest.json"
"""In the directory of a complete snapshot: what the pointer says of it."""

_POINTER = "current.json"


@dataclass(frozen=True, slots=True)
class FileDigest:
    """A file of a snapshot as it was written: its size, and the hash of its content where that stays."""

    size: int
    content: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """One published snapshot.

    `sources` digests everything it was made from: an equal digest needs no new snapshot; empty where
    a book is to be tried again in any case, or references are yet to be looked for. `books` holds the library
    as each reader may know it, `servers` the games of each server of Discord by its id; it is empty where
    none has an entry. `contents` tells what was indexed of each file. It is held by `segments`: each has a
    directory of its name and lists what it holds, also what is out of date. `links` names the directory of
    the references among the books; `files` are all files of those directories.
    """

    snapshot: str
    model: str
    sources: str
    stamps: Mapping[str, FileStamp]
    books: Mapping[Audience, tuple[BookSummary, ...]]
    problems: tuple[Problem, ...]
    files: Mapping[str, FileDigest] = field(default_factory=dict)
    servers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)
    segments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    links: str = ""
    version: int = INDEX_VERSION

    @property
    def parts(self) -> set[str]:
        """The names of the directories that it needs."""
        return {self.snapshot, self.links, *self.segments} - {""}

    def with_files(self, new: Mapping[str, FileDigest]) -> "Manifest":
        """This with the digests of new files; those of directories that it does not need are let go."""
        files = {**self.files, **new}
        return replace(
            self, files={name: files[name] for name in files if name.partition("/")[0] in self.parts}
        )

    def current(self, segment: str) -> list[str]:
        """The files that a segment holds as they are in this snapshot, in order."""
        return sorted(file for file, _ in self.contents.items() & self.segments[segment].items())

    def to_bytes(self, server: str | None = None) -> bytes:
        """As JSON; with the address of the server where the snapshot is published, if it is on one."""
        held = {**asdict(self), **({"server": server} if server else {})}
        held[_SNAPSHOT] = held.pop("snapshot")
        return json.dumps(held, ensure_ascii=False, indent=1).encode()

    def publish(self, index_dir: Path, server: str | None = None) -> None:
        """Make this the snapshot that readers open, in one step."""
        write_bytes(index_dir / _POINTER, self.to_bytes(server))


_MANIFEST = TypeAdapter(Manifest)
"""Reads what other releases wrote as well: what they did not know of is as by default."""


def published(index_dir: Path, server: str | None = None) -> Manifest | None:
    """The published snapshot; none where nothing was indexed yet, or by a later version.

    With `server`, the one published there, as far as it is known here; without, that of this directory.
    """
    return _read(index_dir / _POINTER, server)


def packed(directory: Path) -> Manifest | None:
    """What was written down within a snapshot; none where it is not complete, or by a later version."""
    return _read(directory / MANIFEST, None)


def _read(path: Path, server: str | None) -> Manifest | None:
    try:
        held = json.loads(path.read_bytes())
        if held["version"] > INDEX_VERSION or held.get("server") != server:
            return None
        return _MANIFEST.validate_python(held | {"snapshot": held[_SNAPSHOT]})
    except OSError as error:
        SystemExhausted.check(error)
        return None
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def pointer_stamp(index_dir: Path) -> tuple[int, int] | None:
    """A value that changes when another snapshot is published; none while none can be seen."""
    try:
        status = (index_dir / _POINTER).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino


CHROMA = "chroma"
"""The folder of the embedded store in a snapshot."""
_CHROMA_DATABASE = f"{CHROMA}/chroma.sqlite3"
"""Chroma writes into it when it is opened, so it has no digest that would hold."""
_PERSISTED = "index_metadata.pickle"
"""Beside the files of a graph that Chroma has written for good."""
_CHECKED = "checked.json"
_THOROUGHLY_EVERY_SECONDS = 7 * 24 * 60 * 60
"""What the file system does not tell, as a disk that forgets, is looked for this often."""

Seen = Mapping[str, list[int]]


def digests(directory: Path) -> dict[str, FileDigest]:
    """The digest of every file in a directory of a snapshot that stays as it is, by its path beside it."""
    files = [path for path in directory.rglob("*") if path.is_file() and not _is_scratch(path)]
    paths = {path.relative_to(directory.parent).as_posix(): path for path in files}
    return {
        name: FileDigest(path.stat().st_size, "" if name.endswith(_CHROMA_DATABASE) else _digest(path))
        for name, path in sorted(paths.items())
    }


def damaged_files(index_dir: Path, files: "Mapping[Path, FileDigest | None]") -> list[str]:
    """The files of snapshots and of books that are damaged or missing, by their path in the index."""
    whole = known(index_dir, files)
    return [
        _name(index_dir, path)
        for path, digest in files.items()
        if path not in whole and not is_as_written(path, digest)
    ]


def known(index_dir: Path, paths: Iterable[Path]) -> set[Path]:
    """Those files that are there, and of which nothing has changed since they were found whole."""
    checked = _checked(index_dir)
    return {path for path in paths if (seen := _seen(path)) and seen == checked.get(_name(index_dir, path))}


def remember_as_whole(index_dir: Path, paths: Iterable[Path]) -> None:
    """Write down that all of these files were found whole."""
    seen = {_name(index_dir, path): _seen(path) for path in paths}
    write_bytes(index_dir / _CHECKED, json.dumps(seen, indent=1).encode())


def doubt(index_dir: Path) -> None:
    """Have the next ingest look at everything thoroughly."""
    with suppress(OSError):
        (index_dir / _CHECKED).unlink(missing_ok=True)


def is_checked(index_dir: Path) -> bool:
    """Whether an ingest has looked at everything and no damage was met since."""
    return _seen(index_dir / _CHECKED) is not None


def _checked(index_dir: Path) -> Seen:
    """What was found whole lately, as the file system told of it then."""
    path = index_dir / _CHECKED
    try:
        # A clock that was ahead, and set back, has left a date to come.
        is_old = abs(time.time() - path.stat().st_mtime) > _THOROUGHLY_EVERY_SECONDS
        held = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) and not is_old else {}


def _name(index_dir: Path, path: Path) -> str:
    return path.relative_to(index_dir).as_posix()


def _seen(path: Path) -> list[int] | None:
    """Size and time of change; none where there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return [status.st_size, 0 if path.as_posix().endswith(_CHROMA_DATABASE) else status.st_mtime_ns]


def is_whole_book(path: Path) -> bool:
    """Whether the file of a book is there and whole."""
    return is_as_written(path, None)


def is_as_written(path: Path, digest: FileDigest | None) -> bool:
    """Whether a file is what was written: by its digest, or as its own format can tell."""
    try:
        if digest and digest.content:
            return path.stat().st_size == digest.size and _digest(path) == digest.content
        return _is_whole_archive(path) if path.suffix == ".npz" else _is_whole_database(path)
    except OSError as error:
        SystemExhausted.check(error)
        return False
    except (zipfile.BadZipFile, sqlite3.DatabaseError):
        return False


def _is_whole_archive(path: Path) -> bool:
    """Whether a book's file holds what its own checksums say."""
    with zipfile.ZipFile(path) as archive:
        return archive.testzip() is None


def _is_whole_database(path: Path) -> bool:
    address = read_only(path, is_final=False)
    # SQLite does not tell why it cannot open a file.
    with path.open("rb"), closing(sqlite3.connect(address, uri=True)) as database:
        answers = database.execute("PRAGMA quick_check(1)").fetchall()
        has_tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,)
    return answers == [("ok",)] and has_tables


def _is_scratch(path: Path) -> bool:
    """Whether Chroma makes a file anew from its log at each opening, as all of a graph of few rows."""
    is_of_graph = path.parent.parent.name == CHROMA
    return is_of_graph and not (path.parent / _PERSISTED).exists()


def _digest(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
