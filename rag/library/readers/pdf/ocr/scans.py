"""Pages that are pictures: told by what is drawn on them, and read by OCR where it is installed."""

import logging
from typing import Protocol

import pypdfium2
import pypdfium2.raw as pdfium
from pydantic import TypeAdapter, ValidationError

from rag.library.books.page import TextLayer
from rag.library.readers.pdf.lines import RawPage
from rag.library.readers.pdf.ocr.engine import OcrEngine, PictureReader

log = logging.getLogger(__name__)

_FEWEST_LETTERS, _FEWEST_LINES = 40, 4
"""A scan with fewer has only what was stamped on it later: a page number, the name of its buyer."""
_PAGE_WIDE = 0.4
"""Share of a page that pictures cover where it is one; some scans leave wide margins."""
_OUTLINES = 300
"""Drawn shapes on a page without letters: letters that were turned into outlines."""
_DEPTH = 3
"""Groups within groups that are looked into."""
KEPT_PAGE: TypeAdapter[RawPage | None] = TypeAdapter(RawPage | None)
"""A page that OCR read, or in which it could read nothing, as it is kept."""


class PageKeeper(Protocol):
    """Where the pages of one book that were read by OCR are kept, each by its position."""

    def load(self, position: int) -> bytes | None:
        """What was kept of a page; none where nothing was."""

    def save(self, position: int, content: bytes) -> None:
        """Keep what was read of a page."""


def text_layer(page: pypdfium2.PdfPage, raw: RawPage) -> TextLayer:
    """What the letters on a page are, if there are any."""
    letters = sum(len(word.text) for line in raw.lines for word in line.words)
    is_picture = _picture_share(page) >= _PAGE_WIDE
    is_stamped = is_picture and len(raw.lines) < _FEWEST_LINES
    if letters >= _FEWEST_LETTERS and not is_stamped:
        return "hidden" if is_picture and _is_invisible(page) else "printed"
    return "missing" if is_picture or (letters == 0 and _is_drawn(page)) else "printed"


def _picture_share(page: pypdfium2.PdfPage) -> float:
    """How much of a page its pictures cover; strips of one picture count together."""
    left, bottom, right, top = page.get_bbox()
    covered = 0.0
    for picture in page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=_DEPTH):
        x0, y0, x1, y1 = picture.get_bounds()
        covered += max(0.0, min(x1, right) - max(x0, left)) * max(0.0, min(y1, top) - max(y0, bottom))
    return float(covered / max(1.0, (right - left) * (top - bottom)))


def _is_invisible(page: pypdfium2.PdfPage) -> bool:
    """Whether most pieces of text are there to be searched, not to be seen."""
    modes = [
        pdfium.FPDFTextObj_GetTextRenderMode(text.raw) == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
        for text in page.get_objects([pdfium.FPDF_PAGEOBJ_TEXT], max_depth=_DEPTH)
    ]
    return modes.count(True) > len(modes) / 2


def _is_drawn(page: pypdfium2.PdfPage) -> bool:
    shapes = page.get_objects([pdfium.FPDF_PAGEOBJ_PATH], max_depth=_DEPTH)
    return any(number >= _OUTLINES for number, _ in enumerate(shapes, start=1))


class ScanReader:
    """Reads the pages of one book that are pictures, each once: what was read is kept."""

    def __init__(self, engine: OcrEngine, kept: PageKeeper | None) -> None:
        self._reader = PictureReader(engine)
        self._kept = kept

    def read(self, page: pypdfium2.PdfPage, position: int) -> RawPage | None:
        """The lines of a page at a 1-based position; none where no words can be told in it."""
        content = self._kept.load(position) if self._kept else None
        if content is not None:
            try:
                return KEPT_PAGE.validate_json(content)
            except ValidationError:
                log.warning("what was kept of page %d is damaged: it is read again", position)
        raw = self._reader.read(page)
        if self._kept:
            self._kept.save(position, KEPT_PAGE.dump_json(raw))
        return raw


def with_text(
    page: pypdfium2.PdfPage, raw: RawPage, position: int, reader: ScanReader | None
) -> tuple[RawPage, TextLayer]:
    """The lines of a page, read by OCR where it is a picture, and what these lines are.

    A picture in which OCR finds no words is one: nothing is missing on it.
    """
    layer = text_layer(page, raw)
    if layer != "missing" or reader is None:
        return raw, layer
    recognised = reader.read(page, position)
    return (recognised, "ocr") if recognised else (raw, "printed")
