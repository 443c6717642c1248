"""The book files of a library, and what has changed about them since they were last looked at."""

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rag.library.books.book import FileStamp, Problem


@dataclass(frozen=True, slots=True)
class LibraryFile:
    """A book's file under the library; `file` is its posix path there."""

    file: str
    path: Path
    stamp: FileStamp


def library_files(
    library_dir: Path, known: Mapping[str, FileStamp], suffixes: Collection[str]
) -> tuple[list[LibraryFile], list[Problem]]:
    """Every file with one of `suffixes` under `library_dir` by name, and what cannot be opened.

    A file that the file system says is unchanged since `known` is not read again.
    """
    problems: list[Problem] = []
    found: list[LibraryFile] = []
    for path in sorted(_book_paths(library_dir, suffixes, problems)):
        file = path.relative_to(library_dir).as_posix()
        try:
            found.append(LibraryFile(file, path, _stamp(path, known.get(file))))
        except OSError:
            problems.append(Problem(file, "file-not-opened", {"file": file}))
    return found, problems


def _book_paths(library_dir: Path, suffixes: Collection[str], problems: list[Problem]) -> Iterator[Path]:
    def unreadable(error: OSError) -> None:
        folder = Path(error.filename).relative_to(library_dir).as_posix()
        problems.append(Problem(folder, "folder-not-opened", {"folder": folder}))

    visited: set[Path] = set()
    for folder, folders, names in os.walk(library_dir, onerror=unreadable, followlinks=True):
        here = Path(folder).resolve()
        folders[:] = [] if here in visited else [name for name in folders if not name.startswith(".")]
        if here not in visited:
            yield from (Path(folder, name) for name in names if _is_book(name, suffixes))
        visited.add(here)


def _is_book(name: str, suffixes: Collection[str]) -> bool:
    """Whether a file counts as a book; hidden files are what other systems leave behind."""
    return name.lower().endswith(tuple(suffixes)) and not name.startswith(".")


def _stamp(path: Path, known: FileStamp | None) -> FileStamp:
    status = path.stat()
    seen = (status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    if known and (known.size, known.modified_ns, known.changed_ns) == seen:
        with path.open("rb"):
            return known
    with path.open("rb") as content:
        return FileStamp(*seen, hashlib.file_digest(content, "sha256").hexdigest())
