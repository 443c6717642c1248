"""Pages made on the spot, of words with their places, each drawn or left out at will."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pypdfium2
from PIL import Image
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from rag.library.books.files import library_files
from rag.library.books.page import Page, TableRow
from rag.library.page_pictures.crop import Crop
from rag.library.page_pictures.draw import draw_crop
from rag.library.page_pictures.pages import PageToDraw, PictureFile, quoted_on
from rag.library.page_pictures.pictures import draw, located_crops
from rag.library.readers.pdf.lines import read_page

WIDTH, HEIGHT = 420, 595
SIZE = 10
FONT = "Times-Roman"
LEADING = 12

DARK = 100
"""Below it a pixel is ink."""


@dataclass(frozen=True)
class Piece:
    """Words set at a place, from the left and upper edge of the upright page; `is_quoted`: to be marked."""

    text: str
    x: float
    y: float
    is_quoted: bool = False


@dataclass(frozen=True)
class MadePage:
    """Pieces on a page, in the order in which they are drawn.

    `turns` are the quarter turns, anticlockwise, in which all is written, `shown_turned` the degrees by which
    a reader shows the page turned clockwise, `cut` what the crop box leaves out on each side.
    """

    pieces: tuple[Piece, ...]
    turns: int = 0
    shown_turned: int = 0
    cut: int = 0
    width: int = WIDTH
    height: int = HEIGHT
    font: str = FONT

    def pdf(self, is_drawn: Callable[[Piece], bool] = lambda _: True) -> bytes:
        """A file of this page alone, with the pieces that are to be drawn."""
        sides = (self.width, self.height) if self.turns % 2 == 0 else (self.height, self.width)
        across, up = (side + 2 * self.cut for side in sides)
        file = BytesIO()
        canvas = Canvas(file, pagesize=(across, up), invariant=True)
        if self.cut:
            canvas.setCropBox((self.cut, self.cut, across - self.cut, up - self.cut))
        canvas.setPageRotation(self.shown_turned)
        canvas.translate(self.cut, self.cut)
        canvas.translate(*[(0, 0), (sides[0], 0), sides, (0, sides[1])][self.turns % 4])
        canvas.rotate(90 * self.turns)
        canvas.setFont(self.font, SIZE)
        for piece in filter(is_drawn, self.pieces):
            canvas.drawString(piece.x, self.height - piece.y, piece.text)
        canvas.save()
        return file.getvalue()


def prose(text: str, x: float, y: float, quoted: Sequence[int] = (), font: str = FONT) -> list[Piece]:
    """Lines below one another; the words with these numbers, over all lines, are quoted."""
    pieces, number = [], 0
    for line, words in enumerate(text.splitlines()):
        at = x
        for word in words.split():
            pieces.append(Piece(word, at, y + line * LEADING, number in quoted))
            at += stringWidth(f"{word} ", font, SIZE)
            number += 1
    return pieces


def text_page(text: str, rows: tuple[TableRow, ...] = (), half: int = 0) -> Page:
    """A page of one file, as it is indexed."""
    return Page(1, None, text, (), "text", False, rows, half=half)


@dataclass
class MadeBook:
    """A file of one made page, how the page reads, and the pictures of it."""

    folder: Path
    page: MadePage
    text: str = ""
    rows: tuple[TableRow, ...] = ()
    file: PictureFile = field(init=False)

    def __post_init__(self) -> None:
        path = self.folder / "book.pdf"
        path.write_bytes(self.page.pdf())
        [[found], _] = library_files(self.folder, {}, [".pdf"])
        self.file = PictureFile(found.file, path, found.stamp, self.folder / "ocr")
        self.text = self.text or " ".join(piece.text for piece in self.page.pieces)

    def quoting(self, quote: str, offset: int | None = None) -> PageToDraw:
        """The page with a quotation of it."""
        page = text_page(self.text, self.rows)
        quoted = quoted_on(quote, page, offset)
        assert quoted
        return PageToDraw(self.file, page, quoted)

    def pictures(self, quote: str) -> list[bytes]:
        return draw(self.quoting(quote))

    def crops(self, wanted: PageToDraw) -> list[Crop]:
        with pypdfium2.PdfDocument(self.file.path) as document:
            return located_crops(read_page(document[wanted.page.pdf_page - 1]), wanted)

    def assert_marks_what_is_quoted(self, wanted: PageToDraw) -> None:
        """All ink of what is quoted is marked in the pictures, and no other ink."""
        for crop in self.crops(wanted):
            marked = self._drawn(crop, self.page.pdf(lambda _: False))[1]
            quoted = self._drawn(crop, self.page.pdf(lambda piece: piece.is_quoted))[0]
            others = self._drawn(crop, self.page.pdf(lambda piece: not piece.is_quoted))[0]
            assert quoted.any()
            assert (quoted & marked).sum() > 0.98 * quoted.sum()
            assert (others & marked).sum() < 0.02 * quoted.sum()

    def _drawn(self, crop: Crop, content: bytes) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Where the ink is in a picture, and where it is marked."""
        with pypdfium2.PdfDocument(self.file.path) as document, pypdfium2.PdfDocument(content) as other:
            raw = read_page(document[0])
            pixels = pixels_of(draw_crop(other[0], raw, crop))
        return pixels[:, :, 0] < DARK, pixels[:, :, 0] > pixels[:, :, 2] + 20


def pixels_of(picture: bytes) -> npt.NDArray[np.int_]:
    """Red, green and blue of a picture, as another program reads the file."""
    return np.array(Image.open(BytesIO(picture)).convert("RGB")).astype(int)
