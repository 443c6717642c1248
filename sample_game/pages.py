"""Pages of one book as they fill: columns, printed numbers, tables that span the columns."""

from collections.abc import Callable
from dataclasses import dataclass

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus.flowables import Flowable

from sample_game.ornaments import small_stamp, swell
from sample_game.source import FrontMatter

WIDTH, HEIGHT = A5
MARGIN = 38.0
TOP = HEIGHT - 52
BOTTOM = 50.0
GUTTER = 15.0
ROOM_ABOVE_WIDE_TABLE = 90.0
WIDE_TABLE_SPACE = 14.0
ROOM_FOR_STAMP = 190.0
ROOM_FOR_SWELL = 60.0
EMBLEMS_OF_STAMPS = ("lighthouse", "knot", "crab")


def roman(number: int) -> str:
    """A small number in lower-case roman numerals."""
    tens, ones = divmod(number, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


@dataclass(frozen=True, slots=True)
class WideTable:
    """A table that waits for a page with room across the columns; told its printed page once placed."""

    flowable: Flowable
    height: float
    placed: Callable[[str], None]


class LaidOutPages:
    """The growing book. Blocks are put below one another, column by column, page by page.

    Front matter is numbered i, ii, iii; from `start_body` on, pages count from 1 again, so a printed
    number differs from the position in the file.
    """

    def __init__(self, canvas: Canvas, front: FrontMatter) -> None:
        self._canvas = canvas
        self._front = front
        self._colour: Color = HexColor(front.colour)
        self._position = 0
        self._front_pages: int | None = None
        self._waiting: list[WideTable] = []
        self._at_foot: list[WideTable] = []
        self._open = False
        self._column = 0
        self._top = self._bottom = self._y = 0.0
        self.running_head = front.title
        self.labels: list[str] = []
        self.column_width: float = (WIDTH - 2 * MARGIN - GUTTER * (front.columns - 1)) / front.columns

    @property
    def label(self) -> str:
        """The printed number of the page at hand."""
        if self._front_pages is None:
            return roman(self._position)
        return str(self._position - self._front_pages)

    def begin(self, opener: float = 0.0) -> None:
        """Open a page, leaving `opener` points free across its top."""
        self.finish()
        self._open = True
        self._position += 1
        self._column = 0
        self._top = self._y = TOP - opener
        self._bottom = BOTTOM
        self.labels.append(self.label)
        self._label_pdf_page()
        while self._waiting and self._has_room(self._waiting[0]):
            self._place_wide(self._waiting.pop(0))

    def start_body(self) -> None:
        """Close the front matter: the next page prints 1."""
        self.finish()
        self._front_pages = self._position

    def put(self, flowable: Flowable, before: float = 0.0, whole: bool = False, keep: float = 0.0) -> str:
        """Set a block, breaking it over columns and pages; the printed number where it begins.

        `before` is the space above unless it opens a column; a `whole` block is never broken; `keep` is
        room that must remain below it, for a heading that may not stand alone.

        Raises `ValueError` where a block that cannot be broken is higher than a column.
        """
        if self._y < self._top:
            self._y -= before
        room = self._y - self._bottom
        _, height = flowable.wrapOn(self._canvas, self.column_width, room)
        if height + keep <= room:
            return self._draw(flowable, height)
        pieces = [] if whole else flowable.splitOn(self._canvas, self.column_width, room)
        if len(pieces) < 2:
            if self._y == self._top:
                raise ValueError(f"too high for a column of {self._front.title}: {flowable}")
            self._next_column()
            return self.put(flowable, 0.0, whole, keep)
        first = self.put(pieces[0])
        for piece in pieces[1:]:
            self._next_column()
            self.put(piece)
        return first

    def put_wide(self, flowable: Flowable, placed: Callable[[str], None]) -> None:
        """Set a table across the columns, at the foot of this page or of the next one with room."""
        _, height = flowable.wrapOn(self._canvas, WIDTH - 2 * MARGIN, TOP - BOTTOM)
        table = WideTable(flowable, height + WIDE_TABLE_SPACE, placed)
        if not self._waiting and self._has_room(table):
            self._place_wide(table)
        else:
            self._waiting.append(table)

    def finish_chapter(self) -> None:
        """Place the tables that still wait."""
        while self._waiting:
            self.begin()

    def finish(self) -> None:
        """Close the page: folio first, then the spanning tables, as page-layout programs write them."""
        if not self._open:
            return
        self._open = False
        empty = self._column == 0 and self._y == self._top
        if not empty:
            self._tailpiece()
        if self._position > 1:
            self._folio()
        y = self._y if empty else self._bottom
        for table in self._at_foot:
            y -= table.height
            table.flowable.drawOn(self._canvas, MARGIN, y + (WIDE_TABLE_SPACE if empty else 0))
        self._at_foot.clear()
        self._canvas.showPage()

    @property
    def _x(self) -> float:
        return MARGIN + self._column * (self.column_width + GUTTER)

    def _draw(self, flowable: Flowable, height: float) -> str:
        self._y -= height
        flowable.drawOn(self._canvas, self._x, self._y)
        return self.label

    def _next_column(self) -> None:
        if self._column + 1 < self._front.columns:
            self._column += 1
            self._y = self._top
        else:
            self.begin()

    def _has_room(self, table: WideTable) -> bool:
        return self._column == 0 and self._y - self._bottom >= table.height + ROOM_ABOVE_WIDE_TABLE

    def _place_wide(self, table: WideTable) -> None:
        self._at_foot.append(table)
        self._bottom += table.height
        table.placed(self.label)

    def _tailpiece(self) -> None:
        """Fill what the last column leaves empty: with a stamp where one fits, else with a swell."""
        last = self._front.columns - 1
        x = MARGIN + last * (self.column_width + GUTTER) + self.column_width / 2
        top = self._y if self._column == last else self._top
        if top - self._bottom > ROOM_FOR_STAMP:
            emblem = EMBLEMS_OF_STAMPS[self._position % len(EMBLEMS_OF_STAMPS)]
            small_stamp(self._canvas, x, (top + self._bottom) / 2, self._colour, emblem)
        elif top - self._bottom > ROOM_FOR_SWELL:
            swell(self._canvas, x - 18, top - 22, 36, self._colour)

    def _label_pdf_page(self) -> None:
        """Write the file's own page label: truly, or as a tool that counts every page from 1."""
        if self._front.page_labels == "none":
            return
        if self._front.page_labels == "wrong":
            style, number = "ARABIC", self._position
        elif self._front_pages is None:
            style, number = "ROMAN_LOWER", self._position
        else:
            style, number = "ARABIC", self._position - self._front_pages
        self._canvas.addPageLabel(self._position - 1, style=style, start=number)

    def _folio(self) -> None:
        canvas = self._canvas
        canvas.saveState()
        canvas.setFillColor(self._colour)
        if self._front.folio == "head":
            self._running_head()
        elif self._front.folio == "dashes":
            canvas.setFont("Times-Roman", 9)
            canvas.drawCentredString(WIDTH / 2, 27, f"\N{EN DASH} {self.label} \N{EN DASH}")
        else:
            canvas.setFont("Helvetica-Bold", 9)
            canvas.drawCentredString(WIDTH / 2, 27, self.label)
            for side in (-1, 1):
                swell(canvas, WIDTH / 2 + side * 32 - 14, 32, 28, self._colour)
        canvas.restoreState()

    def _running_head(self) -> None:
        canvas, y = self._canvas, HEIGHT - 32
        canvas.setStrokeColor(self._colour)
        canvas.setLineWidth(0.6)
        canvas.line(MARGIN, y - 5, WIDTH - MARGIN, y - 5)
        on_left = self._position % 2 == 0
        number_x, head_x = (MARGIN, WIDTH - MARGIN) if on_left else (WIDTH - MARGIN, MARGIN)
        draw_number = canvas.drawString if on_left else canvas.drawRightString
        draw_head = canvas.drawRightString if on_left else canvas.drawString
        canvas.setFont("Helvetica-Bold", 9)
        draw_number(number_x, y, self.label)
        canvas.setFont("Times-Italic", 9)
        draw_head(head_x, y, self._front.title if on_left else self.running_head)
