"""Tables as makers of rulebooks draw them, each with what a reader must find in it.

`RULED` are drawn with lines or filled bands, `UNRULED` with gaps alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import cycle, islice
from typing import Any

from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table

WIDTH, HEIGHT = 500.0, 700.0
LEFT, TOP = 50.0, 600.0
LEADING = 12.0

Cells = list[list[Any]]
Draw = Callable[[Canvas], None]

_BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=11)
_BOLD = ParagraphStyle("bold", parent=_BODY, fontName="Helvetica-Bold")
_PROSE = (
    "the tide comes in at dusk and every crew that has not moored must roll against its seamanship or "
    "lose one oar to the rocks while the others wait for a signal from the lighthouse keeper"
)


def of(text: str) -> list[list[str]]:
    """Rows parted by a slash, their cells by a bar."""
    return [[cell.strip() for cell in row.split("|")] for row in text.split("/")]


@dataclass(frozen=True)
class Expected:
    """A table as it must be read: its column names and the cells of its rows."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""

    def readings(self) -> list[str]:
        """Each row under its column names; a row of a table without any is what is printed."""
        if not any(self.header):
            return ["  ".join(row).strip() for row in self.rows]
        named = [[*zip(self.header, row, strict=True)] for row in self.rows]
        return ["; ".join(f"{name}: {cell}" if name else cell for name, cell in row if cell) for row in named]


@dataclass(frozen=True)
class Data:
    """What stands in a table, how wide its columns are, and how it must be read."""

    cells: Cells
    widths: Sequence[float]
    expected: Sequence[Expected]

    @classmethod
    def made(cls, text: str, *widths: float, read: str = "") -> "Data":
        """Cells that are read as they stand, or as `read` tells."""
        cells, told = of(text), of(read or text)
        broken = [[cell.replace("~", "\n") for cell in row] for row in cells]
        return cls(broken, widths, [Expected(told[0], told[1:])])

    def wrapped(self, *, bold_head: bool = True) -> "Data":
        """The same in cells that break their lines."""
        styles = [_BOLD if bold_head and not number else _BODY for number in range(len(self.cells))]
        rows = zip(self.cells, styles, strict=True)
        return replace(self, cells=[[Paragraph(cell, style) for cell in row] for row, style in rows])


@dataclass(frozen=True)
class Kind:
    """A file of one kind of table."""

    name: str
    pages: Sequence[Draw]
    tables: Sequence[Expected]
    absent: Sequence[str] = ()

    def pdf(self) -> bytes:
        """The file: each page with a running head, prose around the tables and a number."""
        buffer = BytesIO()
        canvas = Canvas(buffer, pagesize=(WIDTH, HEIGHT))
        for number, draw in enumerate([_plain, *self.pages, _plain, _plain], start=11):
            canvas.setFont("Helvetica", 8)
            canvas.drawString(LEFT, HEIGHT - 35, "Letters at Low Water")
            canvas.drawCentredString(WIDTH / 2, 25, str(number))
            draw(canvas)
            canvas.showPage()
        canvas.save()
        return buffer.getvalue()


def prose(canvas: Canvas, top: float, lines: int = 4, x: float = LEFT, characters: int = 80) -> float:
    """Draw lines of a paragraph; where the next may begin."""
    canvas.setFont("Helvetica", 9)
    own = _PROSE.split()
    words = cycle(own[int(top) % len(own) :] + own)
    for _ in range(lines):
        line = next(words)
        while len(line) < characters:
            line += " " + next(words)
        canvas.drawString(x, top, line)
        top -= LEADING
    canvas.drawString(x, top, "and then it is over.")
    return top - LEADING


def _plain(canvas: Canvas) -> None:
    prose(canvas, TOP, 12)


def heading(canvas: Canvas, text: str, top: float, x: float = LEFT, size: float = 10) -> None:
    canvas.setFont("Helvetica-Bold", size)
    canvas.drawString(x, top, text)


def place(
    canvas: Canvas, cells: Cells, style: Sequence[Any], widths: Sequence[float], top: float, x: float = LEFT
) -> float:
    """Draw a table whose upper edge is at `top`; where its lower edge is."""
    base = [
        ("FONT", (0, 0), (-1, -1), "Helvetica", 9),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
    ]
    table = Table(cells, colWidths=list(widths), style=[*base, *style], hAlign="LEFT")
    below: float = top - table.wrapOn(canvas, WIDTH, HEIGHT)[1]
    table.drawOn(canvas, x, below)
    return below


def between_prose(draw: Callable[[Canvas, float], float]) -> list[Draw]:
    """A page with prose, what is drawn from a height on, and prose."""

    def whole(canvas: Canvas) -> None:
        prose(canvas, draw(canvas, prose(canvas, TOP)) - 20)

    return [whole]


def simple(name: str, data: Data, *style: Any) -> Kind:
    """A page with prose, a table and prose."""
    draw = between_prose(lambda canvas, top: place(canvas, data.cells, style, data.widths, top - 6))
    return Kind(name, draw, data.expected)


WEAPONS = Data.made(
    "Weapon | Cost | Damage | Range / Harpoon | 12 | 1d8 | 20 / Boat hook | 3 | 1d4 | 5 /"
    "Net | 7 | none | 10 / Flare pistol | 60 | 2d6 | 40 / Oar | 1 | 1d6 | 5",
    *(90, 60, 70, 60),
)
TALENTS = Data.made(
    "Talent | What it does | Cost / Sea legs | You never fall on a moving deck and may act while others are "
    "holding on to ropes | 4 points / Weather eye | Once a day the keeper must tell you tomorrow's wind |"
    "6 points or a favour owed / Swim | Move at half speed | 2 points / Knots | Ropes that you tie hold "
    "until you untie them, whatever the weather is like | 1 point",
    *(70, 180, 70),
)
SERVICES = Data.made(
    "Service | Harbour | Village / Caulking | daily | weekly / Rigging | always | rarely /"
    "Pilot | asked for | never / Ferry | hourly | daily",
    *(90, 60, 60),
)
GROUPED = Data.made(
    "Boat | Crew | | Cargo | / | Least | Most | Dry | Wet /"
    "Skiff | 1 | 4 | 10 | 5 / Cutter | 3 | 9 | 40 | 30 / Ketch | 4 | 14 | 90 | 60",
    *(70, 45, 45, 45, 45),
    read="Boat | Crew Least | Crew Most | Cargo Dry | Cargo Wet /"
    "Skiff | 1 | 4 | 10 | 5 / Cutter | 3 | 9 | 40 | 30 / Ketch | 4 | 14 | 90 | 60",
)
SECTIONS = Data.made(
    "Gear | Cost | Weight / Ropes | | / Hawser | 12 | 30 / Line | 2 | 4 /"
    "Lights | | / Lantern | 8 | 2 / Candle | 1 | 0",
    *(90, 50, 50),
    read="Gear | Cost | Weight / Hawser | 12 | 30 / Line | 2 | 4 / Lantern | 8 | 2 / Candle | 1 | 0",
)
NAMELESS_FIRST = Data.made(
    " | Calm | Gale | Storm / Rowing | 4 | 2 | 0 / Sailing | 6 | 8 | 1 / Drifting | 1 | 3 | 5",
    *(70, 50, 50, 50),
)
EMPTY = Data.made(
    "Port | Toll | Pilot | Repairs / Ness | 5 | | slow / Wick | | yes | / Skerry | 2 | | /"
    "Holm | | | good / Voe | 9 | yes | fast",
    *(70, 50, 50, 60),
)
HIGH_HEADER = Data.made(
    "Name of~the fish | Weight~when fully~grown | Price / Herring | 1 | 2 / Cod | 9 | 14 / Eel | 2 | 6",
    *(70, 70, 50),
    read="Name of the fish | Weight when fully grown | Price / Herring | 1 | 2 / Cod | 9 | 14 / Eel | 2 | 6",
)
RANKS = Data.made(
    "Keeper | Gull | Heron / Rank | 1 Feather | 2 Feathers / 1 | 13 | 17 / 2 | 11 | 15 / 3 | 9 | No",
    *(70, 70, 70),
    read="Keeper Rank | Gull 1 Feather | Heron 2 Feathers / 1 | 13 | 17 / 2 | 11 | 15 / 3 | 9 | No",
)
CLASSES = Data.made(
    "Class | Boat | Crew / Light | Skiff | 4 / | Punt | 2 / Heavy | Ketch | 14 / | Barque | 40 / | Brig | 60",
    *(70, 70, 50),
    read="Class | Boat | Crew / Light | Skiff | 4 / Light | Punt | 2 / Heavy | Ketch | 14 /"
    "Heavy | Barque | 40 / Heavy | Brig | 60",
)
CREWS = Data.made("Crew | Morale / Whalers | 8 / Smugglers | 6 / Pilgrims | 4", 80, 50)
SPEEDS = Data.made("Wind | Speed / Breeze | 4 / Gale | 9 / Storm | 1", 80, 50)
ROPES = Data.made("Rope | Holds / Hemp | 3 / Wire | 7 / Kelp | 2", 80, 50)
WINDS = Data.made("Wind | Speed | Drift / Breeze | 4 | 0 / Gale | 9 | 2 / Storm | 1 | 7", 60, 50, 50)
ABILITIES = Data.made("STR | DEX | CON | INT / 14 | 9 | 12 | 7 / +2 | -1 | +1 | -2", *(40, 40, 40, 40))
_OMENS = ["Gulls", "Seal on the slip", "Red moon", "Still water", "Far bell", "Broken mast", "Fog"]
LONG = [
    ["Roll", "Omen", "Wait"],
    *([str(at), omen, f"{at % 5 + 1} days"] for at, omen in enumerate(islice(cycle(_OMENS), 60), 1)),
]
LONG_WIDTHS = [50, 120, 60]

ALL = (0, 0), (-1, -1)
FIRST_ROW = (0, 0), (-1, 0)
BOLD_HEAD = ("FONT", *FIRST_ROW, "Helvetica-Bold", 9)
GRID = ("GRID", *ALL, 0.5, colors.black)
BAND_HEAD = ("BACKGROUND", *FIRST_ROW, colors.lightgrey)
WHITE_ON_BLACK = [("BACKGROUND", *FIRST_ROW, colors.black), ("TEXTCOLOR", *FIRST_ROW, colors.white)]
RULE_BELOW_HEAD = ("LINEBELOW", *FIRST_ROW, 0.5, colors.black)
RULE_BELOW_ALL = ("LINEBELOW", *ALL, 0.5, colors.grey)
IN_THE_MIDDLE = ("VALIGN", *ALL, "MIDDLE")
THREE_RULES = [
    ("LINEABOVE", *FIRST_ROW, 1, colors.black),
    RULE_BELOW_HEAD,
    ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black),
]
GROUP_SPANS = [("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (4, 0)), ("ALIGN", (1, 0), (-1, -1), "CENTER")]
ARMS = "Arms of the Coast"


def titled(data: Data, title: str) -> list[Expected]:
    return [replace(one, title=title) for one in data.expected]


def _rule(canvas: Canvas, x0: float, x1: float, y: float, width: float = 0.5) -> None:
    canvas.setLineWidth(width)
    canvas.line(x0, y, x1, y)


def _over_two_pages(
    *style: Any, title: str = "", head: Sequence[Any] = (), again: bool = True, x: float = LEFT
) -> list[Draw]:
    """A table that goes on, with its header again or without."""

    def begin(canvas: Canvas) -> None:
        below = prose(canvas, TOP, 3)
        heading(canvas, title, below - 2)
        place(canvas, LONG[:36], [*style, *head], LONG_WIDTHS, below - 6)

    def go_on(canvas: Canvas) -> None:
        # As high as the head of other pages: a table goes on at the very top.
        rest = [LONG[0], *LONG[36:]] if again else LONG[36:]
        place(canvas, rest, style, LONG_WIDTHS, HEIGHT - 45, x=x)
        prose(canvas, 200)

    return [begin, go_on]


def _side_by_side(*style: Any) -> Kind:
    def draw(canvas: Canvas, top: float) -> float:
        place(canvas, CREWS.cells, style, CREWS.widths, top - 26)
        return place(canvas, WINDS.cells, style, WINDS.widths, top - 26, x=264)

    return Kind("side by side", between_prose(draw), [*CREWS.expected, *WINDS.expected])


def _in_a_column(*style: Any) -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        below = prose(canvas, TOP, 8, characters=38)
        below = place(canvas, WEAPONS.cells, style, [65, 35, 50, 40], below - 6)
        prose(canvas, below - 20, 12, characters=38)
        prose(canvas, TOP, 30, x=265, characters=38)

    return [draw]


def _over_the_columns(*style: Any) -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        prose(canvas, TOP, 8, characters=38)
        below = prose(canvas, TOP, 8, x=265, characters=38)
        below = place(canvas, WEAPONS.cells, style, [130, 90, 100, 80], below - 10)
        prose(canvas, below - 20, 10, characters=38)
        prose(canvas, below - 20, 10, x=265, characters=38)

    return [draw]


def _captioned(*style: Any) -> list[Draw]:
    def draw(canvas: Canvas, top: float) -> float:
        heading(canvas, f"Table 4: {ARMS}", top - 8)
        return place(canvas, WEAPONS.cells, style, WEAPONS.widths, top - 14)

    return between_prose(draw)


def _rotated(canvas: Canvas) -> None:
    canvas.saveState()
    canvas.translate(WIDTH, 0)
    canvas.rotate(90)
    place(canvas, TALENTS.wrapped(bold_head=False).cells, [GRID], [100, 250, 100], 400, x=60)
    canvas.restoreState()


def _framed_page(canvas: Canvas) -> None:
    canvas.rect(20, 15, WIDTH - 40, HEIGHT - 30)
    canvas.rect(LEFT - 8, 100, WIDTH - 2 * LEFT + 16, 120)
    prose(canvas, 200, 6)
    below = prose(canvas, TOP)
    _rule(canvas, LEFT, WIDTH - LEFT, below)
    below = place(canvas, SERVICES.cells, [GRID], SERVICES.widths, below - 12)
    _rule(canvas, LEFT, WIDTH - LEFT, below - 20)
    prose(canvas, below - 40)


def _form(canvas: Canvas, top: float) -> float:
    canvas.beginForm("table", 0, 0, WIDTH, HEIGHT)
    place(canvas, SERVICES.cells, [GRID], SERVICES.widths, 300, x=20)
    canvas.endForm()
    canvas.saveState()
    canvas.translate(30, top - 310)
    canvas.doForm("table")
    canvas.restoreState()
    return top - 130


def _boxes_under_bands() -> Kind:
    """A character sheet: boxes of several lines, each under a band with its name, and one box beside all."""
    sheet = of(
        "Agility 2D | Wits 3D | Gear / climbing 3D~running 4D~swimming~diving~falling |"
        "reading~healing 4D~trading~knots | Rope, knife~(damage +1),~lantern and~salted fish,~whistle,~a "
        "coat of~tar~and feathers / Courage 4D | Charm 2D | /"
        "boarding~steering 5D~rowing | singing~bluff 3D |"
    )
    boxes = [[text.replace("~", " ") for text in row] for row in (sheet[1], sheet[3])]
    return simple(
        "boxes under bands, one beside all",
        Data(
            [[text.replace("~", "\n") for text in row] for row in sheet],
            [80, 80, 80],
            [Expected(sheet[0], boxes[:1]), Expected(sheet[2], boxes[1:])],
        ),
        *(GRID, ("SPAN", (2, 1), (2, 3)), ("VALIGN", *ALL, "TOP"), BAND_HEAD),
        ("BACKGROUND", (0, 2), (1, 2), colors.lightgrey),
    )


def _stacked(name: str, *style: Any, third: bool = False) -> Kind:
    tables = {"Crews at Sea": CREWS, "Winds of the Sound": SPEEDS} | (
        {"Ropes of the Floor": ROPES} if third else {}
    )

    def draw(canvas: Canvas, top: float) -> float:
        below = top - 14
        for title, data in tables.items():
            heading(canvas, title, below)
            below = place(canvas, data.cells, style, data.widths, below - 4) - 14
        return below + 10

    expected = [one for title, data in tables.items() for one in titled(data, title)]
    return Kind(name, between_prose(draw), expected)


def _in_every_place(*style: Any) -> list[Kind]:
    """What tables do with rules and without: columns without names, places on a page, further pages."""
    omens = "Omens of the Sound"
    captioned = _over_two_pages(*style, title=omens)
    long = [Expected(LONG[0], LONG[1:])]
    return [
        Kind("header repeated on the next page", _over_two_pages(*style), long, absent=["Roll: Roll"]),
        Kind("captioned, on two pages", captioned, [Expected(LONG[0], LONG[1:], omens)]),
        _side_by_side(*style),
        simple("nameless first column", NAMELESS_FIRST, *style),
        simple("empty cells", EMPTY, *style),
        Kind("in one column of two", _in_a_column(*style), WEAPONS.expected),
        Kind("full width over two columns", _over_the_columns(*style), WEAPONS.expected),
        Kind("captioned", _captioned(*style), titled(WEAPONS, ARMS)),
    ]


RULED: list[Kind] = [
    *_in_every_place(GRID),
    simple("full grid, cells of several lines", TALENTS.wrapped(), GRID),
    simple(
        "a rule under every row, cells of several lines, centred",
        TALENTS.wrapped(bold_head=False),
        *(RULE_BELOW_ALL, IN_THE_MIDDLE),
    ),
    simple(
        "sections between column lines",
        SECTIONS,
        *(("BOX", *ALL, 0.5, colors.black), RULE_BELOW_HEAD, BOLD_HEAD),
        *(
            ("LINEBEFORE", (1, first), (-1, last), 0.5, colors.black)
            for first, last in ((0, 0), (2, 3), (5, 6))
        ),
        *(("FONT", (0, row), (0, row), "Helvetica-Bold", 9) for row in (1, 4)),
    ),
    simple("second row of names, as plain as the cells", RANKS, GRID, BOLD_HEAD),
    simple("group header over columns", GROUPED, GRID, ("SPAN", (0, 0), (0, 1)), *GROUP_SPANS),
    Kind("written sideways", [_rotated], TALENTS.expected),
    simple(
        "title inside the table",
        Data([[ARMS, "", "", ""], *WEAPONS.cells], WEAPONS.widths, titled(WEAPONS, ARMS)),
        *(GRID, ("SPAN", *FIRST_ROW), *WHITE_ON_BLACK),
    ),
    simple(
        "a name beside several rows",
        CLASSES,
        *(GRID, ("SPAN", (0, 1), (0, 2)), ("SPAN", (0, 3), (0, 5)), ("VALIGN", (0, 0), (0, -1), "MIDDLE")),
    ),
    Kind("on a framed page with boxes and rules", [_framed_page], SERVICES.expected),
    _stacked("one over another, each with a filled header", BAND_HEAD),
    _stacked("one over another, each with three rules", *THREE_RULES),
    _stacked("one over another, each with a rule below its header", BOLD_HEAD, RULE_BELOW_HEAD, third=True),
    Kind(
        "header not repeated on the next page, which has other margins",
        _over_two_pages(GRID, head=[BOLD_HEAD], again=False, x=LEFT + 14),
        [Expected(LONG[0], LONG[1:])],
    ),
    Kind("in a form of its own", between_prose(_form), SERVICES.expected),
    _boxes_under_bands(),
]


HEADINGS = ["Movement", "Attack", "Morale", "Rally"]


def _numbered_close(canvas: Canvas) -> None:
    top = prose(canvas, TOP) - 20
    for number, words in enumerate(HEADINGS, start=1):
        heading(canvas, f"3.{number}", top)
        heading(canvas, words, top, x=LEFT + 30)
        canvas.bookmarkPage(words)
        canvas.addOutlineEntry(f"3.{number} {words}", words)
        top -= 16
    prose(canvas, top - 14, 2)


def _price_list(dot: str) -> Kind:
    """Names and prices with dots between them."""
    prices = of("Torch | 1 cp / Rope | 12 sp / Lantern | 5 gp / Oil | 3 cp / Healer, a day | 4 gp")

    def draw(canvas: Canvas, top: float) -> float:
        for number, (name, price) in enumerate(prices):
            canvas.setFont("Helvetica", 9)
            left, right = (canvas.stringWidth(text, "Helvetica", 9) for text in (name, price))
            dots = int((200 - left - right - 6) / canvas.stringWidth(dot, "Helvetica", 9))
            canvas.drawString(LEFT, top - 20 - 13 * number, name)
            canvas.drawRightString(LEFT + 198 - right, top - 20 - 13 * number, dot * dots)
            canvas.drawRightString(LEFT + 200, top - 20 - 13 * number, price)
        return top - 90

    return Kind(f"price list with '{dot}'", between_prose(draw), [Expected(["", ""], prices)])


UNRULED: list[Kind] = [
    *_in_every_place(BOLD_HEAD),
    simple("bold header", WEAPONS, BOLD_HEAD),
    simple("plain header over numbers", WEAPONS),
    simple("right-aligned numbers", WEAPONS, BOLD_HEAD, ("ALIGN", (1, 0), (-1, -1), "RIGHT")),
    simple("cells of several lines at the top", TALENTS.wrapped(), BOLD_HEAD),
    simple("cells of several lines in the middle", TALENTS.wrapped(), IN_THE_MIDDLE),
    simple("bold header of several lines", HIGH_HEADER, BOLD_HEAD, ("VALIGN", *FIRST_ROW, "BOTTOM")),
    simple("group header", GROUPED, ("FONT", (0, 0), (-1, 1), "Helvetica-Bold", 9), *GROUP_SPANS),
    simple(
        "bold section rows",
        SECTIONS,
        *(BOLD_HEAD, *(("FONT", (0, row), (0, row), "Helvetica-Bold", 9) for row in (1, 4))),
    ),
    Kind("outline entries are no rows", [_numbered_close], [], absent=HEADINGS),
    simple("a block of abilities", ABILITIES, ("ALIGN", *ALL, "CENTER")),
    _price_list("."),
    simple(
        "two columns, name and long text",
        replace(
            TALENTS.wrapped(),
            cells=[row[:2] for row in TALENTS.wrapped().cells],
            widths=[80, 220],
            expected=[Expected(TALENTS.cells[0][:2], [row[:2] for row in TALENTS.cells[1:]])],
        ),
    ),
    simple("one rule, below the header", SERVICES, RULE_BELOW_HEAD),
    Kind(
        "bold header not repeated on the next page, which has other margins",
        _over_two_pages(head=[BOLD_HEAD], again=False, x=LEFT + 14),
        [Expected(LONG[0], LONG[1:])],
    ),
]
