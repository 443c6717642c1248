"""The book files of a library, and what has changed about them since they were last looked at."""

import hashlib
import os
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from rag.errors import SystemExhausted
from rag.library.books.book import FileStamp, Problem

_READ_AS = {
    "pdf": "pdf",
    "markdown": "md markdown",
    "text": "txt text",
    "docx": "docx",
    "epub": "epub",
    "html": "html htm xhtml",
}
KINDS = {f".{ending}": kind for kind, endings in _READ_AS.items() for ending in endings.split()}
"""The kind of a book by the suffix of its file, in small letters; what reads each stands in `readers`."""

_SAVED_AS = {
    "docx": "doc docm dot dotx odt ott fodt rtf pages wpd wps gdoc",
    "epub": "mobi azw azw3 kfx prc fb2 lit lrf",
    "pdf": "djvu xps oxps ps indd pub pptx ppt odp key xlsx xls ods numbers cbz cbr cb7 mht mhtml tex "
    "webarchive",
    "unpacked": "zip rar 7z tar gz",
}
OTHER_FORMATS = {f".{ending}": target for target, endings in _SAVED_AS.items() for ending in endings.split()}
"""Suffixes of documents that are not read, each with what a person saves such a file as."""

_PARTS = {"docx": "word/document.xml", "epub": "META-INF/container.xml"}
"""What stands in every file of these kinds, which are archives."""
_NO_BOOK = re.compile(r"\.|~\$|(?:readme|licen[cs]e|ogl|notice|changelog)(?![a-z])", re.IGNORECASE)
"""Names that are no books': hidden files, a word processor's locks, and what is shipped beside books."""


@dataclass(frozen=True, slots=True)
class LibraryFile:
    """A book's file under the library; `file` is its posix path there."""

    file: str
    path: Path
    stamp: FileStamp

    def is_unchanged(self) -> bool:
        """Whether it still holds what its stamp names; where its dates alone are others, it does."""
        try:
            return _stamp(self.path, self.stamp).content == self.stamp.content
        except OSError:
            return False


def kind_of(file: str) -> str:
    """The kind of a book by its file: pdf, markdown, text, docx, html or epub."""
    return KINDS.get(Path(file).suffix.lower(), "")


def is_of_its_kind(file: str, content: bytes) -> bool:
    """Whether a file holds what its name says: a PDF, DOCX or EPUB by its parts, Markdown by its letters."""
    kind = kind_of(file)
    if kind == "pdf":
        return b"%PDF-" in content[:1024]
    try:
        if kind in _PARTS:
            return _PARTS[kind] in zipfile.ZipFile(BytesIO(content)).namelist()
        return kind == "markdown" and "\0" not in content.decode()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


def holds_books(library_dir: Path) -> bool:
    """Whether a book lies anywhere under a folder, read or not."""
    return any(True for _ in _book_paths(library_dir, {*KINDS, *OTHER_FORMATS}, []))


def library_files(
    library_dir: Path, known: Mapping[str, FileStamp], suffixes: Collection[str]
) -> tuple[list[LibraryFile], list[Problem]]:
    """Every file with one of `suffixes` under `library_dir` by name, and what cannot be opened or read.

    A file that the file system says is unchanged since `known` is not read again.
    """
    problems: list[Problem] = []
    found: list[LibraryFile] = []
    for path in sorted(_book_paths(library_dir, suffixes, problems)):
        file = _shown(path, library_dir)
        if library_dir / file != path:
            problems.append(Problem(file, "file-name-unreadable", {"file": file}))
            continue
        try:
            found.append(LibraryFile(file, path, _stamp(path, known.get(file))))
        except OSError as error:
            SystemExhausted.check(error)
            leads_nowhere = path.is_symlink() and isinstance(error, FileNotFoundError)
            key = "file-link-broken" if leads_nowhere else "file-not-opened"
            problems.append(Problem(file, key, {"file": file}))
    return found, [*problems, *_unread(library_dir, {one.path.with_suffix("") for one in found}, suffixes)]


def _unread(library_dir: Path, read: Collection[Path], suffixes: Collection[str]) -> Iterator[Problem]:
    """The documents whose format is not read, beside none of the same name that is: what to save each as."""
    for path in sorted(_book_paths(library_dir, set(OTHER_FORMATS).difference(suffixes), [])):
        if path.with_suffix("") not in read:
            file, target = _shown(path, library_dir), OTHER_FORMATS[path.suffix.lower()]
            yield Problem(file, "book-format-unread", {"file": file, "target": target})


def _book_paths(library_dir: Path, suffixes: Collection[str], problems: list[Problem]) -> Iterator[Path]:
    def unreadable(error: OSError) -> None:
        SystemExhausted.check(error)
        if isinstance(error, FileNotFoundError):
            return
        folder = _shown(Path(error.filename), library_dir)
        problems.append(Problem(folder, "folder-not-opened", {"folder": folder}))

    visited: set[Path] = set()
    for folder, folders, names in os.walk(library_dir, onerror=unreadable, followlinks=True):
        here = Path(folder).resolve()
        folders[:] = [] if here in visited else [name for name in folders if not name.startswith(".")]
        if here not in visited:
            folders[:] = [name for name in folders if not _belongs_to_web_page(name, names)]
            books = (name for name in names if name.lower().endswith(tuple(suffixes)))
            yield from (Path(folder, name) for name in books if not _NO_BOOK.match(name))
        visited.add(here)


def _shown(path: Path, library_dir: Path) -> str:
    """The posix path under the library, with a sign in place of bytes that are no text."""
    return path.relative_to(library_dir).as_posix().encode(errors="replace").decode()


def _belongs_to_web_page(folder: str, files: Collection[str]) -> bool:
    """Whether a folder holds what a browser saved beside a page: "Rules_files" beside "Rules.html"."""
    stem, joint, _ = folder.rpartition("_")
    return bool(joint) and any(f"{stem}{suffix}" in files for suffix in (".html", ".htm"))


def _stamp(path: Path, known: FileStamp | None) -> FileStamp:
    status = path.stat()
    seen = (status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    if known and (known.size, known.modified_ns, known.changed_ns) == seen:
        with path.open("rb"):
            return known
    with path.open("rb") as content:
        return FileStamp(*seen, hashlib.file_digest(content, "sha256").hexdigest())
