"""A PDF file through PDFium: its pages, outline, page labels and metadata title.

PDFium is not thread-safe, not even for two documents: use a `PdfFile` in a process of its own.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

from rag.errors import BookEmpty, BookError, BookNeedsPassword, BookNotPdf, BookTruncated
from rag.library.books.page import TextLayer
from rag.library.readers.pdf.lines import RawPage, read_page
from rag.library.readers.pdf.ocr.scans import ScanReader, with_text

_HEADER_WITHIN = 1024  # bytes, as PDF readers accept it
_TRAILER_WITHIN = 2048
_OUTLINE_DEPTH = 8


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark. `level` counts from 1, `pdf_page` is its 1-based target."""

    level: int
    title: str
    pdf_page: int


class PdfFile:
    """An open PDF; a context manager.

    Raises on opening `BookEmpty`, `BookNotPdf`, `BookTruncated`, `BookNeedsPassword` (a file that
    only forbids printing or copying opens), for other damage `BookError`.
    """

    def __init__(self, path: Path) -> None:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BookError(file=path.name) from error
        if not data.strip():
            raise BookEmpty(file=path.name)
        if b"%PDF-" not in data[:_HEADER_WITHIN]:
            raise BookNotPdf(file=path.name)
        self._document = _open(path.name, data)

    def __enter__(self) -> "PdfFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._document.close()

    def __len__(self) -> int:
        return len(self._document)

    @property
    def title(self) -> str:
        """The metadata title, whatever made the file wrote there."""
        return str(self._document.get_metadata_value("Title")).strip()

    def labels(self) -> list[str | None]:
        """The page labels stored in the file; None where it has none (PDFium invents none)."""
        return [self._label(index) for index in range(len(self))]

    def _label(self, index: int) -> str | None:
        size = pdfium.FPDF_GetPageLabel(self._document, index, None, 0)
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDF_GetPageLabel(self._document, index, buffer, size)
        return buffer.raw.decode("utf-16-le", "ignore").rstrip("\0").strip() or None

    def outline(self) -> list[OutlineEntry]:
        """The bookmarks that point to a page, in order."""
        return [
            OutlineEntry(bookmark.level + 1, bookmark.get_title().strip(), index + 1)
            for bookmark in self._document.get_toc(max_depth=_OUTLINE_DEPTH)
            if (target := bookmark.get_dest()) and (index := target.get_index()) is not None
        ]

    def raw_pages(self, reader: ScanReader | None = None) -> Iterator[tuple[RawPage, TextLayer]]:
        """The pages one by one with what their text is, pictures of text by `reader`.

        A page that PDFium cannot load is blank.
        """
        for index in range(len(self)):
            try:
                page = self._document[index]
            except pypdfium2.PdfiumError:
                yield RawPage([], 0.0, 0.0), "printed"
                continue
            yield with_text(page, read_page(page), index + 1, reader)
            page.close()


def _open(name: str, data: bytes) -> pypdfium2.PdfDocument:
    is_complete = b"%%EOF" in data[-_TRAILER_WITHIN:]
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise BookNeedsPassword(file=name) from error
        raise (BookError if is_complete else BookTruncated)(file=name) from error
    if len(document) == 0:
        raise (BookEmpty if is_complete else BookTruncated)(file=name)
    return document
