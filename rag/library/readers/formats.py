"""The file formats of books: which reader reads a file, by its suffix."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rag.library.books.book import ParsedBook
from rag.library.books.files import KINDS
from rag.library.books.library_toml import DeclaredBook
from rag.library.readers import docx, epub, html, markdown, plain_text
from rag.library.readers.pdf import reader as pdf
from rag.library.readers.pdf.ocr.scans import PageKeeper
from rag.library.readers.sections import READER_VERSION

OnPageRead = Callable[[int, int], None]
"""Told the pages read so far, and all pages of the book."""


@dataclass(frozen=True, slots=True)
class Format:
    """How books of one file format are read.

    `read_book(path, declared, on_page, kept)` raises `BookError`; it keeps the pages that take long in
    `kept`. `version` is bumped when its output changes: books of this format are read again, the others are
    not. `tool()` names what else may help to read them and is installed, as an OCR engine.
    """

    read_book: Callable[[Path, DeclaredBook | None, OnPageRead | None, PageKeeper | None], ParsedBook]
    version: int
    tool: Callable[[], str] = str


def _without_pages(read: Callable[[Path], ParsedBook]) -> Format:
    """A format whose books have no pages: they are read at once, and nothing of them is declared or kept."""
    return Format(lambda path, *_: read(path), READER_VERSION)


_READERS = {
    "pdf": Format(pdf.read_book, pdf.READER_VERSION, pdf.ocr_tool),
    "markdown": _without_pages(markdown.read_book),
    "text": _without_pages(plain_text.read_book),
    "docx": _without_pages(docx.read_book),
    "epub": _without_pages(epub.read_book),
    "html": _without_pages(html.read_book),
}
FORMATS: dict[str, Format] = {suffix: _READERS[kind] for suffix, kind in KINDS.items()}
"""Every format by the suffix of its files, in small letters; a new one is a package or file here, and its
suffixes stand in `KINDS`.
"""


def format_of(file: str | Path) -> Format:
    """The format of a book's file."""
    return FORMATS[Path(file).suffix.lower()]


def read_book(
    path: Path,
    declared: DeclaredBook | None = None,
    on_page: OnPageRead | None = None,
    kept: PageKeeper | None = None,
) -> ParsedBook:
    """Read a book with the reader of its format; `on_page(done, all)` is told of each page.

    Not every reader is thread-safe: call this in a process of its own. Raises `BookError`.
    """
    return format_of(path).read_book(path, declared, on_page, kept)
