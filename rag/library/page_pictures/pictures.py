"""Pages of PDF files drawn through PDFium, the quotation marked where its place is sure.

PDFium is not thread-safe, not even for two documents: `draw` in one thread of one process.
"""

import logging
from collections.abc import Iterator

import pypdfium2
from pydantic import ValidationError

from rag.errors import BookFileAbsent, BookFileChanged, PageNotDrawn, QuotationNotLocated
from rag.library.page_pictures.crop import Crop, crops, marked_boxes
from rag.library.page_pictures.draw import draw_crop, draw_page
from rag.library.page_pictures.locate import locate
from rag.library.page_pictures.pages import PageToDraw
from rag.library.page_pictures.printed_words import printed_cells, printed_words, sheet_part
from rag.library.readers.pdf.lines import RawPage, read_page
from rag.library.readers.pdf.ocr.scans import KEPT_PAGE

log = logging.getLogger(__name__)

_SMALLEST = 2.0
"""Points: a file that tells no height of its letters, as of those drawn as bitmaps, does not tell places."""


def draw(wanted: PageToDraw) -> list[bytes]:
    """The page, or the lines around what is quoted on it: a PNG file for each column they stand in.

    Raises `BookFileAbsent`, `BookFileChanged`, `QuotationNotLocated`, or `PageNotDrawn`.
    """
    book = wanted.book
    if not book.path.exists():
        raise BookFileAbsent(file=book.file)
    if not book.is_unchanged():
        raise BookFileChanged(file=book.file)
    try:
        with pypdfium2.PdfDocument(book.path) as document:
            return list(_drawn(document[wanted.page.pdf_page - 1], wanted))
    except (pypdfium2.PdfiumError, IndexError, OSError, MemoryError) as error:
        raise PageNotDrawn(file=book.file) from error


def _drawn(page: pypdfium2.PdfPage, wanted: PageToDraw) -> Iterator[bytes]:
    if wanted.quoted is None:
        raw = read_page(page)
        yield draw_page(page, raw, sheet_part(raw, wanted.page.half))
        return
    for raw in _readings(page, wanted):
        if found := located_crops(raw, wanted):
            yield from (draw_crop(page, raw, crop) for crop in found)
            return
    raise QuotationNotLocated(file=wanted.book.file)


def _readings(page: pypdfium2.PdfPage, wanted: PageToDraw) -> Iterator[RawPage]:
    """The words of a page with their places: its own, or what OCR has read in its picture."""
    if wanted.page.layer != "ocr":
        yield read_page(page)
        return
    for kept in sorted(wanted.book.ocr.glob(f"*/{wanted.page.pdf_page}.json")):
        try:
            raw = KEPT_PAGE.validate_json(kept.read_bytes())
        except (OSError, ValidationError) as error:
            log.warning("what OCR has read of a page cannot be used: %s", error)
            continue
        if raw:
            yield raw


def located_crops(raw: RawPage, wanted: PageToDraw) -> list[Crop]:
    """What to show and mark of a page for what is quoted on it; none where its place is not sure."""
    quoted, half = wanted.quoted, wanted.page.half
    words, sheet = printed_words(raw, half), sheet_part(raw, half)
    middle = (sheet.left + sheet.right) / 2
    numbers = locate(wanted.page.text, quoted.span, words, middle) if quoted else []
    if not quoted or not numbers:
        return []
    boxes = marked_boxes(words, numbers)
    if min(box.height for box in boxes) < _SMALLEST:
        return []
    above = locate(wanted.page.text, quoted.header, words, middle) if quoted.header else []
    header = [box for box in (marked_boxes(words, above) if above else []) if box.bottom < boxes[0].bottom]
    return crops(boxes, list(printed_cells(raw, half)), sheet, header, is_row=quoted.is_row)
