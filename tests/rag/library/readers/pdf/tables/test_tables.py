"""Tables of many makers' styles: their columns, rows and titles as a reader must find them."""

from pathlib import Path

import pytest
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from rag.library.books.page import TITLE_END
from rag.library.readers.pdf.reader import read_book
from tests.rag.library.readers.pdf.tables.made_tables import LEFT, RULED, TOP, UNRULED, Kind, place, prose

EVERY_KIND = [
    pytest.param(kind, id=f"{group} {kind.name}")
    for group, kinds in (("ruled", RULED), ("unruled", UNRULED))
    for kind in kinds
]


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_each_row_is_read_under_its_columns_and_the_title_of_its_table(kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(kind.pdf())
    pages = read_book(path).pages
    readings = [reading for page in pages for _, _, reading in page.rows]
    named = [reading.split(TITLE_END)[-1] for reading in readings]
    printed = [line for page in pages for line in page.text.split("\n")]

    for table in kind.tables:
        found = named if any(table.header) else printed
        assert [row for row in table.readings() if row not in found] == []
        titled = [f"{table.title}{TITLE_END}{row}" for row in table.readings() if table.title]
        assert [row for row in titled if row not in readings] == []
    assert not any(absent in reading for absent in kind.absent for reading in readings)


def test_prose_in_two_columns_between_the_rules_of_a_page_is_no_table(tmp_path: Path) -> None:
    kind = next(kind for kind in RULED if kind.name == "on a framed page with boxes and rules")
    path = tmp_path / "book.pdf"
    path.write_bytes(kind.pdf())

    assert sum(len(page.rows) for page in read_book(path).pages) == len(kind.tables[0].rows)


_ROWS = [
    ["Armour", "Worn", "Bulk", "Cost"],
    *([f"Jack {number}", "At sea", str(number), str(15 * number)] for number in range(1, 7)),
]


@pytest.mark.parametrize("order", ["by rows", "by columns", "across the page"])
@pytest.mark.parametrize("x", [LEFT, 310])
def test_a_table_between_columns_of_prose_takes_none_of_it(x: float, order: str, tmp_path: Path) -> None:
    """It stands below both columns, or in one of them beside lines of the other, drawn in any order."""
    words = [f"{word}{number}" for number in range(120) for word in ("tide", "has", "come", "over", "sand")]
    lines = [
        (side, TOP - 11 * row, " ".join(words[6 * row : 6 * row + 6]))
        for side in (LEFT, 310)
        for row in range(34)
        if not 11 <= row < 21 or (x > LEFT == side)
    ]
    cells = [
        (x + 50 * column, TOP - 140 - 12 * row, cell)
        for row, texts in enumerate(_ROWS)
        for column, cell in enumerate(texts)
    ]
    drawn = [*lines, *(sorted(cells, key=lambda one: one[0]) if order == "by columns" else cells)]
    if order == "across the page":
        drawn.sort(key=lambda one: (-one[1], one[0]))

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for left, height, text in drawn:
            canvas.drawString(left, height, text)

    path = tmp_path / "book.pdf"
    path.write_bytes(Kind("", [draw], []).pdf())
    rows = [reading for page in read_book(path).pages for _, _, reading in page.rows]

    assert rows == ["; ".join(map(": ".join, zip(_ROWS[0], row, strict=True))) for row in _ROWS[1:]]


def test_a_table_that_the_next_page_prints_again_is_one(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        place(canvas, _ROWS, [("GRID", (0, 0), (-1, -1), 0.5, "grey")], [50] * 4, TOP)

    path = tmp_path / "book.pdf"
    path.write_bytes(Kind("", [draw, draw], []).pdf())

    assert sum(len(page.rows) for page in read_book(path).pages) == len(_ROWS) - 1


@pytest.mark.parametrize("width", range(206, 230, 6))
def test_justified_prose_right_below_a_ruled_table_is_as_printed(width: int, tmp_path: Path) -> None:
    """Its stretched spaces are no gaps between cells, however wide the column makes them."""
    printed = (
        "Lantern jellies travel slowly through underground corridors, absorbing everything carrion-like. "
        "Extraordinarily transparent individuals sometimes remain unnoticed until touched."
    )
    style = ParagraphStyle("", fontName="Helvetica", fontSize=9, leading=11, alignment=TA_JUSTIFY)
    stats = [["Armour:", "12"], ["Morale:", "11"], ["Moves:", "4 yards"], ["Treasure Type:", "none"]]

    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP, 3) - 10
        below = place(canvas, stats, [("LINEBELOW", (0, 0), (-1, -1), 0.5, "grey")], [70, width - 70], top)
        paragraph = Paragraph(printed, style)
        paragraph.drawOn(canvas, LEFT, below - 4 - paragraph.wrap(width, 500)[1])

    path = tmp_path / "book.pdf"
    path.write_bytes(Kind("", [draw], []).pdf())

    assert printed in " ".join(read_book(path).pages[1].text.split())


def test_a_numbered_bold_line_is_a_heading_of_its_own(tmp_path: Path) -> None:
    kind = next(kind for kind in UNRULED if kind.name == "outline entries are no rows")
    path = tmp_path / "book.pdf"
    path.write_bytes(kind.pdf())
    headings = [heading.text for page in read_book(path).pages for heading in page.headings]

    assert headings == ["3.1 Movement", "3.2 Attack", "3.3 Morale", "3.4 Rally"]
