"""A crop of a page as a PNG, the quotation marked as with a yellow pen."""

import struct
import zlib

import numpy as np
import numpy.typing as npt
import pypdfium2

from rag.library.page_pictures.crop import Crop
from rag.library.page_pictures.words import Box
from rag.library.readers.pdf.lines import RawPage

PAGE_SCALE = 2.0
"""Pixels a point of a whole page."""
CROP_WIDTH = 900
LEAST_SCALE, MOST_SCALE = 2.0, 3.0
"""Pixels that a crop is wide, for a phone, and pixels a point at least and at most."""
MOST_PIXELS = 8_000_000
"""A poster is drawn smaller."""
MARKED_BLUE = 0.35
"""What is left of the blue of what is marked, which makes white paper yellow and leaves black letters."""
_FILTER_UP = 2

Pixels = npt.NDArray[np.uint8]


def draw_page(page: pypdfium2.PdfPage, raw: RawPage, sheet: Box) -> bytes:
    """A whole page, or the half of a sheet; `raw` is the page as it was read, upright."""
    return _picture(_rendered(page, raw, sheet, _bounded(PAGE_SCALE, sheet)))


def draw_crop(page: pypdfium2.PdfPage, raw: RawPage, crop: Crop) -> bytes:
    """A part of a page, what is marked in yellow."""
    shown = crop.shown
    scale = _bounded(min(MOST_SCALE, max(LEAST_SCALE, CROP_WIDTH / shown.width)), shown)
    pixels = _rendered(page, raw, shown, scale)
    is_marked = np.zeros(pixels.shape[:2], bool)
    for box in (box.within(shown) for box in crop.marked):
        top, bottom = (max(0, round((y - shown.top) * scale)) for y in (box.top, box.bottom))
        left, right = (max(0, round((x - shown.left) * scale)) for x in (box.left, box.right))
        is_marked[top:bottom, left:right] = True
    blue = pixels[:, :, 2]
    blue[is_marked] = (blue[is_marked] * MARKED_BLUE).astype(np.uint8)
    return _picture(pixels)


def _bounded(scale: float, box: Box) -> float:
    return min(scale, float((MOST_PIXELS / max(1.0, box.width * box.height)) ** 0.5))


def _rendered(page: pypdfium2.PdfPage, raw: RawPage, box: Box, scale: float) -> Pixels:
    """A part of an upright page in red, green and blue."""
    cut_off = (box.left, raw.height - box.bottom, raw.width - box.right, box.top)
    bitmap = page.render(
        scale=scale,
        rotation=-90 * raw.turns % 360,
        crop=tuple(max(0.0, cut) for cut in cut_off),
        rev_byteorder=True,
    )
    pixels: Pixels = bitmap.to_numpy()
    return np.ascontiguousarray(pixels[:, :, :3])


def _picture(pixels: Pixels) -> bytes:
    """A picture as a PNG file, each row as what it differs from the one above (ISO/IEC 15948)."""
    height, width, _ = pixels.shape
    rows = np.diff(pixels.reshape(height, width * 3), axis=0, prepend=np.uint8(0))
    filtered = np.insert(rows, 0, _FILTER_UP, axis=1)
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    content = _chunk(b"IDAT", zlib.compress(filtered.tobytes(), 6))
    return b"\x89PNG\r\n\x1a\n" + header + content + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
