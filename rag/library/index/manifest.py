"""The pointer to the published snapshot of the index, and what it was made from."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.errors import SystemExhausted
from rag.library.books.book import BookSummary
from rag.library.books.health import BookHealth
from rag.library.index.atomic_files import write_bytes

if TYPE_CHECKING:
    from rag.config import Audience
from rag.library.books.book import FileStamp, Problem

INDEX_VERSION = 13
"""Bumped when a snapshot is laid out anew, or the grammar of references finds others: it is rebuilt from the
books' own files.

Until then one of before is served, where its tables are still the ones that are read."""

SNAPSHOTS, _SNAPSHOT = "generations", "generation"
"""What the folder of snapshots and the field that names one are called on disk since the first release."""
MANIFEST = "manifest.json"
"""In the directory of a snapshot that travels: what the pointer says of it."""

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
    a book is to be tried again in any case. `books` holds the library as each reader may know it, `files`
    what the snapshot is on disk, `servers` the games of each server of Discord by its id; it is empty where
    none has an entry. `contents` tells what was indexed of each file: what another snapshot, the `base`,
    holds the same of, this one does not hold.
    """

    snapshot: str
    model: str
    sources: str
    stamps: Mapping[str, FileStamp]
    books: "Mapping[Audience, tuple[BookSummary, ...]]"
    problems: tuple[Problem, ...]
    files: Mapping[str, FileDigest] = field(default_factory=dict)
    servers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)
    base: str = ""
    version: int = INDEX_VERSION

    def in_base(self, base: "Manifest") -> list[str]:
        """The files that a base holds as they are in this snapshot, in order."""
        known = self.contents.items() & base.contents.items()
        return sorted(file for file, _ in known)

    def own(self, base: "Manifest | None") -> list[str]:
        """The files that this snapshot itself holds, in order."""
        in_base = self.in_base(base) if base else []
        return [book.file for book in self.books["gm"] if book.file not in in_base]

    def to_bytes(self, server: str | None = None) -> bytes:
        """As JSON; with the address of the server where the snapshot is published, if it is on one."""
        held = {**asdict(self), **({"server": server} if server else {})}
        held[_SNAPSHOT] = held.pop("snapshot")
        return json.dumps(held, ensure_ascii=False, indent=1).encode()

    def publish(self, index_dir: Path, server: str | None = None) -> None:
        """Make this the snapshot that readers open, in one step."""
        write_bytes(index_dir / _POINTER, self.to_bytes(server))


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
        return _manifest(held)
    except OSError as error:
        SystemExhausted.check(error)
        return None
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _manifest(held: dict[str, Any]) -> Manifest:
    return Manifest(
        snapshot=held[_SNAPSHOT],
        model=held["model"],
        sources=held["sources"],
        stamps={file: FileStamp(**stamp) for file, stamp in held["stamps"].items()},
        books={reader: tuple(map(_summary, books)) for reader, books in held["books"].items()},
        problems=tuple(Problem(**problem) for problem in held["problems"]),
        files={name: FileDigest(**digest) for name, digest in held.get("files", {}).items()},
        servers={server: tuple(games) for server, games in held.get("servers", {}).items()},
        contents=held.get("contents", {}),
        base=held.get("base", ""),
        version=held["version"],
    )


def indexed_files(index_dir: Path, server: str | None = None) -> list[str] | None:
    """The files that the published snapshot was made from, whichever release made it.

    None where the pointer to it is missing or damaged.
    """
    try:
        held = json.loads((index_dir / _POINTER).read_bytes())
        return list(held["stamps"]) if held.get("server") == server else []
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def pointer_stamp(index_dir: Path) -> tuple[int, int] | None:
    """A value that changes when another snapshot is published; none while none can be seen."""
    try:
        status = (index_dir / _POINTER).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino


def _summary(held: dict[str, Any]) -> BookSummary:
    """A book as it was listed, by whichever release: what that one did not know of is as by default."""
    known = {name: held[name] for name in (each.name for each in fields(BookSummary)) if name in held}
    return BookSummary(
        **{
            **known,
            "codes": tuple(held["codes"]),
            "health": BookHealth(**held.get("health", {})),
            "problems": tuple(held["problems"]),
        }
    )
