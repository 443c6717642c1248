"""An invented book, set in type: its text in, a PDF with printed page numbers out."""

import io
from collections.abc import Iterator

from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

UNNUMBERED = 2
"""The cover and the contents come before page 1."""
_STYLES = getSampleStyleSheet()
_GAP = Spacer(1, 8)


def pdf_of(text: str, size: tuple[float, float] = A5) -> bytes:
    """The PDF of a text: its title, then pages of a `size` in points, divided by "---".

    Lines are paragraphs, "# headings" and "| rows | of tables |".
    """
    title, _, body = text.partition("\n")
    pages = body.strip().split("\n---\n")
    story = [Paragraph(title, _STYLES["Title"]), PageBreak(), *_contents(pages)]
    for page in pages:
        story += [PageBreak(), *_flowables(page)]
    file = io.BytesIO()
    book = SimpleDocTemplate(file, pagesize=size, title=title, invariant=1)
    book.build(story, onLaterPages=_number)
    return file.getvalue()


def _contents(pages: list[str]) -> Iterator[Flowable]:
    yield Paragraph("Contents", _STYLES["Heading2"])
    for number, page in enumerate(pages, 1):
        for line in page.splitlines():
            if line.startswith("# "):
                yield Paragraph(f"{line[2:]} . . . . . {number}", _STYLES["Normal"])


def _flowables(page: str) -> Iterator[Flowable]:
    rows: list[list[str]] = []
    for line in [*page.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("| ").split("|")])
            continue
        if rows:
            yield Table(rows, hAlign="LEFT")
            yield _GAP
            rows = []
        if line.startswith("# "):
            yield Paragraph(line[2:], _STYLES["Heading2"])
        elif line:
            yield Paragraph(line, _STYLES["BodyText"])


def _number(canvas: Canvas, book: SimpleDocTemplate) -> None:
    if book.page > UNNUMBERED:
        canvas.drawCentredString(book.pagesize[0] / 2, 24, str(book.page - UNNUMBERED))
