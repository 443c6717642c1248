"""Pages as tests of reading draw them."""

from collections.abc import Callable
from io import BytesIO

from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

from rag.library.books.book import ParsedBook

WIDTH, HEIGHT = A5
LEFT, SIZE, LEADING = 40.0, 10.0, 13.0
TOP = HEIGHT - 90
PROSE = "The sea leaves in spring and comes back when it is called by name"

MakeBook = Callable[..., ParsedBook]
DrawPage = Callable[[Canvas], None]
DrawNumbered = Callable[[Canvas, int], None]


def pdf(*pages: DrawPage, title: str = "", size: tuple[float, float] = A5) -> bytes:
    """A file with these pages."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=size)
    canvas.setTitle(title)
    for draw in pages:
        canvas.setFont("Helvetica", SIZE)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def numbered(draw: DrawNumbered, count: int) -> list[DrawPage]:
    """So many pages, each drawn with its number from 1."""

    def page(number: int) -> DrawPage:
        return lambda canvas: draw(canvas, number)

    return [page(number) for number in range(1, count + 1)]


def lines(canvas: Canvas, *texts: str, x: float = LEFT, top: float = TOP, size: float = SIZE) -> None:
    """Draw lines of text below one another."""
    canvas.setFont("Helvetica", size)
    for number, text in enumerate(texts):
        canvas.drawString(x, top - number * LEADING, text)


def with_text(*texts: str) -> DrawPage:
    """A page with these lines."""
    return lambda canvas: lines(canvas, *texts)


def prose(word: str, count: int = 6) -> list[str]:
    """Lines of one paragraph that fill a column; each begins with a word of its own."""
    return [f"{word}{number} water rises over sand" for number in range(count)]
