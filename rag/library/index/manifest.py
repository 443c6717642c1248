"""The pointer to the published snapshot of the index, and what it was made from."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter

from rag.config import Audience
from rag.errors import SystemExhausted
from rag.library.books.book import BookSummary, FileStamp, Problem
from rag.library.index.atomic_files import write_bytes

INDEX_VERSION = 23
"""Bumped when a snapshot is laid out anew, or the grammar of references finds others: it is rebuilt from the
kept books."""

SNAPSHOTS, _SNAPSHOT = "generations", "generation"
"""What the folder of snapshots and the field that names one are called on disk since the first release."""
MANIFEST = "manifest.json"
"""In the directory of a snapshot that is kept on a server: what the pointer says of it."""

POINTER = "current.json"
"""Tells which snapshot is published; a new file for each."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """One published snapshot.

    `sources` digests everything it was made from: an equal digest needs no new snapshot; empty where
    a book is to be tried again in any case, or references are yet to be looked for. `books` holds the library
    as each reader may know it, `servers` the games of each server of Discord by its id; it is empty where
    none has an entry. `contents` tells what was indexed of each file. It is held by `segments`: each has a
    directory of its name and lists what it holds, also what is out of date. `links` names the directory of
    the references among the books; `digests` are of all files of those directories.
    """

    snapshot: str
    model: str
    sources: str
    stamps: Mapping[str, FileStamp]
    books: Mapping[Audience, tuple[BookSummary, ...]]
    problems: tuple[Problem, ...]
    digests: Mapping[str, str] = field(default_factory=dict)
    servers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)
    segments: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    links: str = ""
    version: int = INDEX_VERSION

    @property
    def parts(self) -> set[str]:
        """The names of the directories that it needs."""
        return {self.snapshot, self.links, *self.segments} - {""}

    @property
    def is_current(self) -> bool:
        """Whether it is of this release."""
        return self.version == INDEX_VERSION

    def with_digests(self, directory: Path) -> "Manifest":
        """This with the digests of what is in a new directory, and none of those that it does not need."""
        held = {**self.digests, **_digests(directory)}
        return replace(self, digests={file: held[file] for file in held if file.split("/")[0] in self.parts})

    def current(self, segment: str) -> list[str]:
        """The files that a segment holds as they are in this snapshot, in order."""
        return sorted(file for file, _ in self.contents.items() & self.segments[segment].items())

    def to_bytes(self, server: str | None = None) -> bytes:
        """As JSON; with the address of the server where the snapshot is published, if it is on one."""
        held = asdict(self) | {"server": server, _SNAPSHOT: self.snapshot}
        return json.dumps(held, ensure_ascii=False, indent=1).encode()

    def publish(self, index_dir: Path, server: str | None = None) -> None:
        """Make this the snapshot that readers open, in one step."""
        write_bytes(index_dir / POINTER, self.to_bytes(server))


_MANIFEST = TypeAdapter(Manifest)
"""Reads what other releases wrote as well: what they did not know of is as by default."""


def published(index_dir: Path, server: str | None = None) -> Manifest | None:
    """The published snapshot; none where nothing was indexed yet, or by a later version.

    With `server`, the one published there, as far as it is known here; without, that of this directory.
    """
    return read_manifest(index_dir / POINTER, server)


def read_manifest(path: Path, server: str | None = None) -> Manifest | None:
    """What was written down of a snapshot; none where it is not complete, or by a later version."""
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


CHROMA = "chroma"
"""The folder of the embedded store in a snapshot."""
CHROMA_DATABASE = f"{CHROMA}/chroma.sqlite3"
"""Chroma writes into it when it is opened, so it has no digest that would hold."""
_PERSISTED = "index_metadata.pickle"
"""Beside the files of a graph that Chroma has written for good."""


def digest_of(path: Path) -> str:
    """The digest of what is in a file."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _digests(directory: Path) -> dict[str, str]:
    """The digest of every file in a directory of a snapshot that stays as it is, by its path beside it."""
    files = sorted(path for path in directory.rglob("*") if path.is_file() and not _is_scratch(path))
    names = {path: path.relative_to(directory.parent).as_posix() for path in files}
    return {name: "" if name.endswith(CHROMA_DATABASE) else digest_of(path) for path, name in names.items()}


def _is_scratch(path: Path) -> bool:
    """Whether Chroma makes a file anew from its log at each opening, as all of a graph of few rows."""
    is_of_graph = path.parent.parent.name == CHROMA
    return is_of_graph and not (path.parent / _PERSISTED).exists()
