"""Whether an index is whole; what the file system says is unchanged since it was whole is not read again."""

import hashlib
import json
import sqlite3
import time
import zipfile
from collections.abc import Collection, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path

from rag.errors import SystemExhausted
from rag.library.index.atomic_files import write_bytes
from rag.library.index.manifest import FileDigest, Manifest
from rag.library.index.tables import DATABASE, read_only

CHROMA = "chroma"
"""The folder of the embedded store in a snapshot."""
_CHROMA_DATABASE = f"{CHROMA}/chroma.sqlite3"
"""Chroma writes into it when it is opened, so it has no digest that would hold."""
_PERSISTED = "index_metadata.pickle"
"""Beside the files of a graph that Chroma has written for good."""
_OF_EVERY_SNAPSHOT = (DATABASE, _CHROMA_DATABASE)
_CHECKED = "checked.json"
_THOROUGHLY_EVERY_SECONDS = 7 * 24 * 60 * 60
"""What the file system does not tell, as a disk that forgets, is looked for this often."""

Seen = Mapping[str, list[int]]


def digests(snapshot: Path) -> dict[str, FileDigest]:
    """The digest of every file of a complete snapshot that stays as it is, by its path there."""
    files = [path for path in snapshot.rglob("*") if path.is_file() and not _is_scratch(path)]
    paths = {path.relative_to(snapshot).as_posix(): path for path in files}
    return {
        name: FileDigest(path.stat().st_size, "" if name == _CHROMA_DATABASE else _digest(path))
        for name, path in sorted(paths.items())
    }


def digests_of(manifest: Manifest) -> "Mapping[str, FileDigest | None]":
    """The files of a snapshot by their path there, with their digests.

    An index of an older release has none: only databases can be looked at.
    """
    return manifest.files or dict.fromkeys(_OF_EVERY_SNAPSHOT)


def damaged_files(
    index_dir: Path, files: "Mapping[Path, FileDigest | None]", books: Collection[Path] = ()
) -> list[str]:
    """The files of snapshots and of books that are damaged or missing, by their path in the index."""
    known = _checked(index_dir)
    doubtful = {
        path: digest
        for path, digest in {**files, **dict.fromkeys(books)}.items()
        if _seen(path) is None or _seen(path) != known.get(_name(index_dir, path))
    }
    return [_name(index_dir, path) for path, digest in doubtful.items() if not is_as_written(path, digest)]


def is_known(index_dir: Path, files: "Mapping[Path, FileDigest | None]", books: Collection[Path]) -> bool:
    """Whether nothing has changed since all of it was found whole."""
    return known(index_dir, (*files, *books)) == {*files, *books}


def known(index_dir: Path, paths: Iterable[Path]) -> set[Path]:
    """Those files that are there, and of which nothing has changed since they were found whole."""
    checked = _checked(index_dir)
    return {path for path in paths if (seen := _seen(path)) and seen == checked.get(_name(index_dir, path))}


def remember_as_whole(
    index_dir: Path, files: "Mapping[Path, FileDigest | None]", books: Collection[Path]
) -> None:
    """Write down that all of this was found whole."""
    seen = {_name(index_dir, path): _seen(path) for path in (*files, *books)}
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
