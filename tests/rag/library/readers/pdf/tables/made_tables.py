"""Tables as makers of rulebooks draw them, each with what a reader must find in it.

`RULED` are drawn with lines or filled bands, `UNRULED` with gaps alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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
        return [
            "; ".join(
                f"{name}: {cell}" if name else cell
                for name, cell in zip(self.header, row, strict=True)
                if cell
            )
            for row in self.rows
        ]


@dataclass(frozen=True)
class Kind:
    """A file of one kind of table."""

    name: str
    pages: Sequence[Draw]
    tables: Sequence[Expected]
    rotation: int = 0
    absent: Sequence[str] = field(default=())

    def pdf(self) -> bytes:
        """The file: each page with a running head, prose around the tables and a number."""
        buffer = BytesIO()
        canvas = Canvas(buffer, pagesize=(WIDTH, HEIGHT))
        for number, draw in enumerate([_plain, *self.pages, _plain, _plain], start=11):
            canvas.setFont("Helvetica", 8)
            canvas.drawString(LEFT, HEIGHT - 35, "Letters at Low Water")
            canvas.drawCentredString(WIDTH / 2, 25, str(number))
            if self.rotation and draw is not _plain:
                canvas.setPageRotation(self.rotation)
            draw(canvas)
            canvas.showPage()
            canvas.setPageRotation(0)
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


WEAPONS = [
    ["Weapon", "Cost", "Damage", "Range"],
    ["Harpoon", "12", "1d8", "20"],
    ["Boat hook", "3", "1d4", "5"],
    ["Net", "7", "none", "10"],
    ["Flare pistol", "60", "2d6", "40"],
    ["Oar", "1", "1d6", "5"],
]
WIDE = [90.0, 60.0, 70.0, 60.0]
EXPECTED = Expected(WEAPONS[0], WEAPONS[1:])
BOLD_HEAD = ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 9)
GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)


def simple(
    name: str, *style: Any, cells: Cells = WEAPONS, widths: Sequence[float] = WIDE, **more: Any
) -> Kind:
    """A page with prose, a table and prose."""

    def draw(canvas: Canvas) -> None:
        below = prose(canvas, TOP)
        below = place(canvas, cells, style, widths, below - 6)
        prose(canvas, below - 20)

    return Kind(name, [draw], more.pop("tables", [Expected(cells[0], cells[1:])]), **more)


def wrapped(cells: Sequence[Sequence[str]], *, bold_head: bool = True) -> Cells:
    return [
        [Paragraph(cell, _BOLD if bold_head and not number else _BODY) for cell in row]
        for number, row in enumerate(cells)
    ]


TALENTS = [
    ["Talent", "What it does", "Cost"],
    [
        "Sea legs",
        "You never fall on a moving deck and may act while others are holding on to ropes",
        "4 points",
    ],
    ["Weather eye", "Once a day the keeper must tell you tomorrow's wind", "6 points or a favour owed"],
    ["Swim", "Move at half speed", "2 points"],
    ["Knots", "Ropes that you tie hold until you untie them, whatever the weather is like", "1 point"],
]
TALENT_WIDTHS = [70.0, 180.0, 70.0]
TALENTS_EXPECTED = Expected(TALENTS[0], TALENTS[1:])

SERVICES = [
    ["Service", "Harbour", "Village"],
    ["Caulking", "daily", "weekly"],
    ["Rigging", "always", "rarely"],
    ["Pilot", "asked for", "never"],
    ["Ferry", "hourly", "daily"],
]
GROUPED = [
    ["Boat", "Crew", "", "Cargo", ""],
    ["", "Least", "Most", "Dry", "Wet"],
    ["Skiff", "1", "4", "10", "5"],
    ["Cutter", "3", "9", "40", "30"],
    ["Ketch", "4", "14", "90", "60"],
]
GROUPED_EXPECTED = Expected(["Boat", "Crew Least", "Crew Most", "Cargo Dry", "Cargo Wet"], GROUPED[2:])
SECTIONS = [
    ["Gear", "Cost", "Weight"],
    ["Ropes", "", ""],
    ["Hawser", "12", "30"],
    ["Line", "2", "4"],
    ["Lights", "", ""],
    ["Lantern", "8", "2"],
    ["Candle", "1", "0"],
]
SECTIONS_EXPECTED = Expected(SECTIONS[0], [row for row in SECTIONS[1:] if row[1]])
NAMELESS_FIRST = [
    ["", "Calm", "Gale", "Storm"],
    ["Rowing", "4", "2", "0"],
    ["Sailing", "6", "8", "1"],
    ["Drifting", "1", "3", "5"],
]
NAMELESS_LAST = [
    ["Fish", "Weight", "Price", ""],
    ["Herring", "1", "2", "in shoals"],
    ["Cod", "9", "14", "deep water"],
    ["Eel", "2", "6", "by night"],
]
EMPTY = [
    ["Port", "Toll", "Pilot", "Repairs"],
    ["Ness", "5", "", "slow"],
    ["Wick", "", "yes", ""],
    ["Skerry", "2", "", ""],
    ["Holm", "", "", "good"],
    ["Voe", "9", "yes", "fast"],
]
LONG = [
    ["Roll", "Omen", "Wait"],
    *[
        [str(number), omen, f"{number % 5 + 1} days"]
        for number, omen in enumerate(
            islice(
                cycle(
                    ["Gulls", "Seal on the slip", "Red moon", "Still water", "Far bell", "Broken mast", "Fog"]
                ),
                60,
            ),
            1,
        )
    ],
]


def _rule(canvas: Canvas, x0: float, x1: float, y: float, width: float = 0.5) -> None:
    canvas.setLineWidth(width)
    canvas.line(x0, y, x1, y)


def _over_two_pages(*style: Any, title: str = "") -> list[Draw]:
    first, rest = LONG[:36], [LONG[0], *LONG[36:]]

    def begin(canvas: Canvas) -> None:
        below = prose(canvas, TOP, 3)
        heading(canvas, title, below - 2)
        place(canvas, first, style, [50, 120, 60], below - 6)

    def go_on(canvas: Canvas) -> None:
        # As high as the head of other pages: a table goes on at the very top.
        place(canvas, rest, style, [50, 120, 60], HEIGHT - 45)
        prose(canvas, 200)

    return [begin, go_on]


def _without_second_header(*style: Any, head: Any, cells: Cells = LONG) -> list[Draw]:
    """A table that goes on without its header, on a page with other margins."""

    def begin(canvas: Canvas) -> None:
        below = prose(canvas, TOP, 3)
        place(canvas, cells[:36], [*style, head], [50, 120, 60], below - 6)

    def go_on(canvas: Canvas) -> None:
        place(canvas, cells[36:], style, [50, 120, 60], HEIGHT - 45, x=LEFT + 14)
        prose(canvas, 200)

    return [begin, go_on]


def _over_many_pages(*style: Any) -> list[Draw]:
    def page(first: int) -> Draw:
        def draw(canvas: Canvas) -> None:
            rows = LONG[first : first + 12]
            below = place(canvas, [LONG[0], *rows], style, [50, 120, 60], HEIGHT - 45)
            prose(canvas, below - 20, 8)

        return draw

    return [page(first) for first in range(1, 61, 12)]


def _side_by_side(*style: Any) -> Kind:
    crews = [["Crew", "Morale"], ["Whalers", "8"], ["Smugglers", "6"], ["Pilgrims", "4"]]
    winds = [["Wind", "Speed", "Drift"], ["Breeze", "4", "0"], ["Gale", "9", "2"], ["Storm", "1", "7"]]

    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        heading(canvas, "Crews at Sea", top)
        heading(canvas, "Winds of the Sound", top, x=270)
        place(canvas, crews, style, [80, 50], top - 6)
        below = place(canvas, winds, style, [60, 50, 50], top - 6, x=264)
        prose(canvas, below - 20)

    name = "side by side, each with its title"
    return Kind(
        name,
        [draw],
        [
            Expected(crews[0], crews[1:], "Crews at Sea"),
            Expected(winds[0], winds[1:], "Winds of the Sound"),
        ],
    )


def _in_a_column(*style: Any) -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        below = prose(canvas, TOP, 8, characters=38)
        below = place(canvas, WEAPONS, style, [65, 35, 50, 40], below - 6)
        prose(canvas, below - 20, 12, characters=38)
        prose(canvas, TOP, 30, x=265, characters=38)

    return [draw]


def _over_the_columns(*style: Any) -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        prose(canvas, TOP, 8, characters=38)
        below = prose(canvas, TOP, 8, x=265, characters=38)
        below = place(canvas, WEAPONS, style, [130, 90, 100, 80], below - 10)
        prose(canvas, below - 20, 10, characters=38)
        prose(canvas, below - 20, 10, x=265, characters=38)

    return [draw]


def _captioned(*style: Any) -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        below = prose(canvas, TOP) - 8
        heading(canvas, "Table 4: Arms of the Coast", below)
        prose(canvas, place(canvas, WEAPONS, style, WIDE, below - 6) - 36)

    return [draw]


def _under_a_wider_caption() -> Kind:
    """As LaTeX sets it: centred over a narrow table, the letters at the very top of the first row."""
    title = "Arms of the Coast and of the Outer Islands"
    widths = [62, 30, 44, 38]

    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        canvas.setFont("Helvetica", 10)
        canvas.drawCentredString(LEFT + 100 + sum(widths) / 2, top, f"Table 4.1: {title}")
        prose(canvas, place(canvas, WEAPONS, [GRID], widths, top - 1, x=LEFT + 100) - 20)

    return Kind("under a wider caption", [draw], [Expected(WEAPONS[0], WEAPONS[1:], title)])


TITLED = Expected(WEAPONS[0], WEAPONS[1:], "Arms of the Coast")


def _dotted() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 6
        below = place(canvas, wrapped(TALENTS, bold_head=False), [], TALENT_WIDTHS, top)
        for y in (top, top - 16, below):
            x = LEFT
            while x < LEFT + sum(TALENT_WIDTHS):
                _rule(canvas, x, x + 1.2, y)
                x += 3.0
        prose(canvas, below - 20)

    return [draw]


def _striped_cell_by_cell() -> Kind:
    """Every other row is filled, each of its cells by itself."""

    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 6
        canvas.setFillGray(0.9)
        for row in range(1, len(WEAPONS), 2):
            x = LEFT
            for width in WIDE:
                canvas.rect(x, top - 16 * (row + 1), width, 16, stroke=0, fill=1)
                x += width
        canvas.setFillGray(0)
        for number, cells in enumerate(WEAPONS):
            canvas.setFont("Helvetica-Bold" if not number else "Helvetica", 9)
            x = LEFT
            for cell, width in zip(cells, WIDE, strict=True):
                canvas.drawString(x + 4, top - 16 * number - 11, cell)
                x += width
        prose(canvas, top - 16 * len(WEAPONS) - 14)

    return Kind("striped cell by cell", [draw], [EXPECTED])


def _sections_between_column_lines() -> Kind:
    """Column lines that the names of sections interrupt, with no rule between the rows."""
    edges = [
        ("BOX", (0, 0), (-1, -1), 0.5, colors.black),
        *[
            ("LINEBEFORE", (1, first), (-1, last), 0.5, colors.black)
            for first, last in ((0, 0), (2, 3), (5, 6))
        ],
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        *[("FONT", (0, row), (0, row), "Helvetica-Bold", 9) for row in (1, 4)],
    ]
    return simple(
        "sections between column lines",
        *edges,
        BOLD_HEAD,
        cells=SECTIONS,
        widths=[90, 50, 50],
        tables=[SECTIONS_EXPECTED],
    )


def _rotated() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.translate(WIDTH, 0)
        canvas.rotate(90)
        place(canvas, wrapped(TALENTS, bold_head=False), [GRID], [100, 250, 100], 400, x=60)
        canvas.restoreState()

    return [draw]


def _framed_page() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        canvas.rect(20, 15, WIDTH - 40, HEIGHT - 30)
        canvas.rect(LEFT - 8, 100, WIDTH - 2 * LEFT + 16, 120)
        prose(canvas, 200, 6)
        below = prose(canvas, TOP)
        _rule(canvas, LEFT, WIDTH - LEFT, below)
        below = place(canvas, SERVICES, [GRID], [90, 60, 60], below - 12)
        _rule(canvas, LEFT, WIDTH - LEFT, below - 20)
        prose(canvas, below - 40)

    return [draw]


def _form() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        below = prose(canvas, TOP)
        canvas.beginForm("table", 0, 0, WIDTH, HEIGHT)
        place(canvas, SERVICES, [GRID], [90, 60, 60], 300, x=20)
        canvas.endForm()
        canvas.saveState()
        canvas.translate(30, below - 310)
        canvas.doForm("table")
        canvas.restoreState()
        prose(canvas, below - 150)

    return [draw]


def _boxes_under_bands() -> Kind:
    """A character sheet: boxes of several lines, each under a band with its name, and one box beside all."""
    sheet = [
        ["Agility 2D", "Wits 3D", "Gear"],
        [
            "climbing 3D\nrunning 4D\nswimming\ndiving\nfalling",
            "reading\nhealing 4D\ntrading\nknots",
            "Rope, knife\n(damage +1),\nlantern and\nsalted fish,\nwhistle,\na coat of\ntar\nand feathers",
        ],
        ["Courage 4D", "Charm 2D", ""],
        ["boarding\nsteering 5D\nrowing", "singing\nbluff 3D", ""],
    ]
    boxes = [[text.replace("\n", " ") for text in row] for row in (sheet[1], sheet[3])]
    return simple(
        "boxes under bands, one beside all",
        GRID,
        ("SPAN", (2, 1), (2, 3)),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey),
        ("BACKGROUND", (0, 2), (1, 2), colors.lightgrey),
        cells=sheet,
        widths=[80, 80, 80],
        tables=[Expected(sheet[0], boxes[:1]), Expected(sheet[2], boxes[1:])],
    )


CREWS = [["Crew", "Morale"], ["Whalers", "8"], ["Smugglers", "6"], ["Pilgrims", "4"]]
SPEEDS = [["Wind", "Speed"], ["Breeze", "4"], ["Gale", "9"], ["Storm", "1"]]
ROPES = [["Rope", "Holds"], ["Hemp", "3"], ["Wire", "7"], ["Kelp", "2"]]
BAND_HEAD = ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey)
THREE_RULES = [
    ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black),
    ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
    ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black),
]


def _stacked(name: str, *style: Any, third: Cells | None = None) -> Kind:
    tables = {"Crews at Sea": CREWS, "Winds of the Sound": SPEEDS}
    if third:
        tables["Ropes of the Floor"] = third

    def draw(canvas: Canvas) -> None:
        below = prose(canvas, TOP) - 14
        for title, cells in tables.items():
            heading(canvas, title, below)
            below = place(canvas, cells, style, [80, 50], below - 4) - 14
        prose(canvas, below - 10)

    return Kind(
        name,
        [draw],
        [Expected(cells[0], cells[1:], title) for title, cells in tables.items()],
    )


def _titled_in_its_first_band() -> Kind:
    def draw(canvas: Canvas) -> None:
        below = prose(canvas, TOP) - 8
        heading(canvas, "Table 4: Arms of the Coast", below - 14, size=12)
        _rule(canvas, LEFT, LEFT + sum(WIDE), below)
        rows = [BOLD_HEAD, ("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.black)]
        cells = [WEAPONS[0], ["", "", "none", "0"], *WEAPONS[1:]]
        below = place(canvas, cells, rows, WIDE, below - 16)
        prose(canvas, below - 20)

    return Kind(
        "title over the header in one band",
        [draw],
        [Expected(WEAPONS[0], [["", "", "none", "0"], *WEAPONS[1:]], "Arms of the Coast")],
    )


def _in_every_place(*style: Any) -> list[Kind]:
    """What tables do with rules and without: columns without names, places on a page, further pages."""
    return [
        Kind(
            "header repeated on the next page",
            _over_two_pages(*style),
            [Expected(LONG[0], LONG[1:])],
            absent=["Roll: Roll"],
        ),
        Kind("header repeated on five pages", _over_many_pages(*style), [Expected(LONG[0], LONG[1:])]),
        Kind(
            "captioned, header repeated on the next page",
            _over_two_pages(*style, title="Omens of the Sound"),
            [Expected(LONG[0], LONG[1:], "Omens of the Sound")],
        ),
        _side_by_side(*style),
        simple("nameless first column", *style, cells=NAMELESS_FIRST, widths=[70, 50, 50, 50]),
        simple("nameless last column", *style, cells=NAMELESS_LAST, widths=[70, 50, 50, 80]),
        simple("empty cells", *style, cells=EMPTY, widths=[70, 50, 50, 60]),
        Kind("in one column of two", _in_a_column(*style), [EXPECTED]),
        Kind("full width over two columns", _over_the_columns(*style), [EXPECTED]),
        Kind("captioned", _captioned(*style), [TITLED]),
    ]


RULED: list[Kind] = [
    *_in_every_place(GRID),
    _under_a_wider_caption(),
    simple("full grid, plain header", GRID, cells=SERVICES, widths=[90, 60, 60]),
    simple(
        "full grid, cells of several lines",
        GRID,
        cells=wrapped(TALENTS),
        widths=TALENT_WIDTHS,
        tables=[TALENTS_EXPECTED],
    ),
    simple(
        "horizontal rules only, three of them",
        ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black),
        cells=SERVICES,
        widths=[90, 60, 60],
    ),
    simple(
        "a rule under every row, cells of several lines, centred",
        ("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.grey),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        cells=wrapped(TALENTS, bold_head=False),
        widths=TALENT_WIDTHS,
        tables=[TALENTS_EXPECTED],
    ),
    simple(
        "filled header band",
        ("BACKGROUND", (0, 0), (-1, 0), colors.darkblue),
        ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
        cells=SERVICES,
        widths=[90, 60, 60],
    ),
    simple(
        "zebra",
        ("ROWBACKGROUNDS", (0, 0), (-1, -1), [None, colors.lightgrey]),
        cells=wrapped(TALENTS, bold_head=False),
        widths=TALENT_WIDTHS,
        tables=[TALENTS_EXPECTED],
    ),
    _striped_cell_by_cell(),
    _sections_between_column_lines(),
    simple(
        "zebra under a header band",
        ("BACKGROUND", (0, 0), (-1, 0), colors.black),
        ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
        ("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.white, colors.lightgrey]),
        cells=SERVICES,
        widths=[90, 60, 60],
    ),
    simple(
        "header of three lines",
        GRID,
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        cells=[
            ["Name of\nthe fish", "Weight\nwhen fully\ngrown", "Price"],
            ["Herring", "1", "2"],
            ["Cod", "9", "14"],
            ["Eel", "2", "6"],
        ],
        widths=[70, 70, 50],
        tables=[
            Expected(
                ["Name of the fish", "Weight when fully grown", "Price"],
                [["Herring", "1", "2"], ["Cod", "9", "14"], ["Eel", "2", "6"]],
            )
        ],
    ),
    simple(
        "second row of names, as plain as the cells",
        GRID,
        BOLD_HEAD,
        cells=[
            ["Keeper", "Gull", "Heron"],
            ["Rank", "1 Feather", "2 Feathers"],
            ["1", "13", "17"],
            ["2", "11", "15"],
            ["3", "9", "No"],
        ],
        widths=[70, 70, 70],
        tables=[
            Expected(
                ["Keeper Rank", "Gull 1 Feather", "Heron 2 Feathers"],
                [["1", "13", "17"], ["2", "11", "15"], ["3", "9", "No"]],
            )
        ],
    ),
    simple(
        "first row of words over numbers",
        GRID,
        BOLD_HEAD,
        cells=[
            ["Rank", "Gull", "Heron"],
            ["None", "No", "No"],
            ["1", "13", "No"],
            ["2", "No", "15"],
            ["3", "9", "15"],
        ],
        widths=[70, 70, 70],
    ),
    simple("centred cells", GRID, ("ALIGN", (0, 0), (-1, -1), "CENTER"), cells=SERVICES, widths=[90, 90, 90]),
    simple(
        "group header over columns",
        GRID,
        ("SPAN", (0, 0), (0, 1)),
        ("SPAN", (1, 0), (2, 0)),
        ("SPAN", (3, 0), (4, 0)),
        ("ALIGN", (1, 0), (-1, -1), "CENTER"),
        cells=GROUPED,
        widths=[70, 40, 40, 40, 40],
        tables=[GROUPED_EXPECTED],
    ),
    simple(
        "section rows",
        GRID,
        ("SPAN", (0, 1), (-1, 1)),
        ("SPAN", (0, 4), (-1, 4)),
        cells=SECTIONS,
        widths=[90, 50, 50],
        tables=[SECTIONS_EXPECTED],
    ),
    Kind("written sideways", _rotated(), [TALENTS_EXPECTED]),
    Kind("rotated page", _in_a_column(GRID), [EXPECTED], rotation=90),
    simple(
        "double rules",
        ("LINEABOVE", (0, 0), (-1, 0), 0.5, colors.black, None, None, None, 2, 2),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black, None, None, None, 2, 2),
        ("LINEBELOW", (0, -1), (-1, -1), 0.5, colors.black, None, None, None, 2, 2),
        cells=SERVICES,
        widths=[90, 60, 60],
    ),
    Kind("dotted lines of short strokes", _dotted(), [TALENTS_EXPECTED]),
    simple(
        "right-aligned numbers in a frame with column lines",
        ("BOX", (0, 0), (-1, -1), 0.5, colors.black),
        ("INNERGRID", (0, 0), (-1, 0), 0.5, colors.black),
        ("LINEBEFORE", (1, 0), (-1, -1), 0.5, colors.black),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
    ),
    simple(
        "title inside the table",
        GRID,
        ("SPAN", (0, 0), (-1, 0)),
        ("BACKGROUND", (0, 0), (-1, 0), colors.black),
        ("TEXTCOLOR", (0, 0), (-1, 0), colors.white),
        cells=[["Arms of the Coast", "", "", ""], *WEAPONS],
        tables=[TITLED],
    ),
    simple(
        "a name beside several rows",
        GRID,
        ("SPAN", (0, 1), (0, 2)),
        ("SPAN", (0, 3), (0, 5)),
        ("VALIGN", (0, 0), (0, -1), "MIDDLE"),
        cells=[
            ["Class", "Boat", "Crew"],
            ["Light", "Skiff", "4"],
            ["", "Punt", "2"],
            ["Heavy", "Ketch", "14"],
            ["", "Barque", "40"],
            ["", "Brig", "60"],
        ],
        widths=[70, 70, 50],
        tables=[
            Expected(
                ["Class", "Boat", "Crew"],
                [
                    ["Light", "Skiff", "4"],
                    ["Light", "Punt", "2"],
                    ["Heavy", "Ketch", "14"],
                    ["Heavy", "Barque", "40"],
                    ["Heavy", "Brig", "60"],
                ],
            )
        ],
    ),
    Kind("on a framed page with boxes and rules", _framed_page(), [Expected(SERVICES[0], SERVICES[1:])]),
    simple(
        "rules between rows alone, centred",
        ("LINEBELOW", (0, 0), (-1, -2), 0.5, colors.grey),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        cells=wrapped(TALENTS, bold_head=False),
        widths=TALENT_WIDTHS,
        tables=[TALENTS_EXPECTED],
    ),
    simple(
        "group header over short rules",
        *THREE_RULES[::2],
        ("LINEBELOW", (1, 0), (2, 0), 0.4, colors.black),
        ("LINEBELOW", (3, 0), (4, 0), 0.4, colors.black),
        ("LINEBELOW", (0, 1), (-1, 1), 0.5, colors.black),
        ("SPAN", (1, 0), (2, 0)),
        ("SPAN", (3, 0), (4, 0)),
        ("ALIGN", (1, 0), (-1, -1), "CENTER"),
        cells=GROUPED,
        widths=[70, 45, 45, 45, 45],
        tables=[GROUPED_EXPECTED],
    ),
    simple(
        "section rows filled, the others not",
        BOLD_HEAD,
        ("BACKGROUND", (0, 1), (-1, 1), colors.lightgrey),
        ("BACKGROUND", (0, 4), (-1, 4), colors.lightgrey),
        cells=SECTIONS,
        widths=[90, 50, 50],
        tables=[SECTIONS_EXPECTED],
    ),
    _stacked("one over another, each with a filled header", BAND_HEAD),
    _stacked("one over another, each with three rules", *THREE_RULES),
    _stacked(
        "one over another, each with a rule below its header",
        BOLD_HEAD,
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        third=ROPES,
    ),
    _titled_in_its_first_band(),
    simple(
        "a further header between the rows",
        ("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.grey),
        BOLD_HEAD,
        ("FONT", (0, 4), (-1, 4), "Helvetica-Bold", 9),
        cells=[*CREWS, *SPEEDS],
        widths=[80, 50],
        tables=[Expected(CREWS[0], CREWS[1:]), Expected(SPEEDS[0], SPEEDS[1:])],
    ),
    Kind(
        "header not repeated on the next page",
        _without_second_header(GRID, head=BOLD_HEAD),
        [Expected(LONG[0], LONG[1:])],
    ),
    Kind("in a form of its own", _form(), [Expected(SERVICES[0], SERVICES[1:])]),
    _boxes_under_bands(),
]


def _by_columns(
    cells: Sequence[Sequence[str]], lefts: Sequence[float], *, bold: bool = True, step: float = 14
) -> list[Draw]:
    """Drawn column by column, as some programs do."""

    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        for column, x in enumerate(lefts):
            for number, row in enumerate(cells):
                canvas.setFont("Helvetica-Bold" if bold and not number else "Helvetica", 9)
                canvas.drawString(x, top - step * number, row[column])
        prose(canvas, top - step * len(cells) - 16)

    return [draw]


def _numbered() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        for number, words in enumerate(["Movement", "Attack", "Morale", "Rally"], start=1):
            heading(canvas, f"{number}.", top)
            heading(canvas, words, top, x=LEFT + 30)
            top = prose(canvas, top - 14, 2) - 10

    return [draw]


def _numbered_close() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        for number, words in enumerate(["Movement", "Attack", "Morale", "Rally"], start=1):
            heading(canvas, f"3.{number}", top)
            heading(canvas, words, top, x=LEFT + 30)
            canvas.bookmarkPage(words)
            canvas.addOutlineEntry(f"3.{number} {words}", words)
            top -= 16
        prose(canvas, top - 14, 2)

    return [draw]


def _spells() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        for name, reach in (("Calm Sea", "30 feet"), ("Find Wrecks", "touch"), ("Hail", "90 feet")):
            for words, x in ((name, LEFT), ("Range:", LEFT + 150), (reach, LEFT + 200)):
                heading(canvas, words, top, x=x)
            canvas.bookmarkPage(name)
            canvas.addOutlineEntry(f"{name} Range: {reach}", name)
            canvas.setFont("Helvetica", 9)
            for words, x in (("Keeper 2", LEFT), ("Duration:", LEFT + 150), ("3 turns", LEFT + 200)):
                canvas.drawString(x, top - 12, words)
            top = prose(canvas, top - 26, 2) - 10

    return [draw]


def _stat_block() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        place(
            canvas,
            [["STR", "DEX", "CON", "INT"], ["14", "9", "12", "7"], ["+2", "-1", "+1", "-2"]],
            [("ALIGN", (0, 0), (-1, -1), "CENTER")],
            [40] * 4,
            top,
        )
        prose(canvas, top - 80)

    return [draw]


def _price_list(dot: str) -> Kind:
    """Names and prices with dots between them."""
    prices = [
        ["Torch", "1 cp"],
        ["Rope", "12 sp"],
        ["Lantern", "5 gp"],
        ["Oil", "3 cp"],
        ["Healer, a day", "4 gp"],
    ]

    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        for number, (name, price) in enumerate(prices):
            canvas.setFont("Helvetica", 9)
            left, right = (canvas.stringWidth(text, "Helvetica", 9) for text in (name, price))
            dots = int((200 - left - right - 6) / canvas.stringWidth(dot, "Helvetica", 9))
            canvas.drawString(LEFT, top - 13 * number, name)
            canvas.drawRightString(LEFT + 198 - right, top - 13 * number, dot * dots)
            canvas.drawRightString(LEFT + 200, top - 13 * number, price)
        prose(canvas, top - 90)

    return Kind(f"price list with '{dot}'", [draw], [Expected(["", ""], prices)])


def _leader_dots() -> list[Draw]:
    def draw(canvas: Canvas) -> None:
        top = prose(canvas, TOP) - 20
        for number, (name, cost, weight) in enumerate(
            [
                ("Item", "Cost", "Weight"),
                ("Hawser", "12", "30"),
                ("Line", "2", "4"),
                ("Lantern", "8", "2"),
                ("Candle", "1", "0"),
            ]
        ):
            canvas.setFont("Helvetica-Bold" if not number else "Helvetica", 9)
            y = top - 13 * number
            canvas.drawString(LEFT, y, name)
            canvas.drawString(LEFT + 120, y, cost)
            canvas.drawString(LEFT + 180, y, weight)
        prose(canvas, top - 90)

    return [draw]


LEFTS = [LEFT, LEFT + 90, LEFT + 150, LEFT + 220]

UNRULED: list[Kind] = [
    *_in_every_place(BOLD_HEAD),
    simple("bold header", BOLD_HEAD),
    simple("plain header over numbers"),
    simple("bold header, words only", BOLD_HEAD, cells=SERVICES, widths=[90, 60, 60]),
    simple("right-aligned numbers", BOLD_HEAD, ("ALIGN", (1, 0), (-1, -1), "RIGHT")),
    simple("centred columns", BOLD_HEAD, ("ALIGN", (1, 0), (-1, -1), "CENTER")),
    simple("all centred", BOLD_HEAD, ("ALIGN", (0, 0), (-1, -1), "CENTER")),
    simple(
        "cells of several lines at the top",
        BOLD_HEAD,
        cells=wrapped(TALENTS),
        widths=TALENT_WIDTHS,
        tables=[TALENTS_EXPECTED],
    ),
    simple(
        "cells of several lines in the middle",
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        cells=wrapped(TALENTS),
        widths=TALENT_WIDTHS,
        tables=[TALENTS_EXPECTED],
    ),
    simple(
        "cells of several lines, rows apart",
        ("BOTTOMPADDING", (0, 0), (-1, -1), 8),
        cells=wrapped(TALENTS),
        widths=TALENT_WIDTHS,
        tables=[TALENTS_EXPECTED],
    ),
    simple(
        "bold header of two lines",
        BOLD_HEAD,
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        cells=[
            ["Name of\nthe fish", "Weight\nfully grown", "Price"],
            ["Herring", "1", "2"],
            ["Cod", "9", "14"],
            ["Eel", "2", "6"],
        ],
        widths=[90, 90, 50],
        tables=[
            Expected(
                ["Name of the fish", "Weight fully grown", "Price"],
                [["Herring", "1", "2"], ["Cod", "9", "14"], ["Eel", "2", "6"]],
            )
        ],
    ),
    simple(
        "group header, unruled",
        ("FONT", (0, 0), (-1, 1), "Helvetica-Bold", 9),
        ("SPAN", (1, 0), (2, 0)),
        ("SPAN", (3, 0), (4, 0)),
        ("ALIGN", (1, 0), (-1, -1), "CENTER"),
        cells=GROUPED,
        widths=[70, 45, 45, 45, 45],
        tables=[GROUPED_EXPECTED],
    ),
    simple(
        "bold section rows",
        BOLD_HEAD,
        ("FONT", (0, 1), (0, 1), "Helvetica-Bold", 9),
        ("FONT", (0, 4), (0, 4), "Helvetica-Bold", 9),
        cells=SECTIONS,
        widths=[90, 50, 50],
        tables=[SECTIONS_EXPECTED],
    ),
    Kind("drawn by columns", _by_columns(WEAPONS, LEFTS), [EXPECTED]),
    Kind("drawn by columns, plain header", _by_columns(WEAPONS, LEFTS, bold=False), [EXPECTED]),
    Kind(
        "numbered bold lines over prose are no rows",
        _numbered(),
        [],
        absent=["Movement", "Attack", "Morale", "Rally"],
    ),
    Kind(
        "outline entries are no rows", _numbered_close(), [], absent=["Movement", "Attack", "Morale", "Rally"]
    ),
    Kind(
        "outline entries of several cells are no rows",
        _spells(),
        [],
        absent=["Calm Sea", "Find Wrecks", "Hail"],
    ),
    Kind(
        "a block of abilities",
        _stat_block(),
        [Expected(["STR", "DEX", "CON", "INT"], [["14", "9", "12", "7"], ["+2", "-1", "+1", "-2"]])],
    ),
    _price_list("."),
    _price_list(" ."),
    Kind(
        "gaps of leaders",
        _leader_dots(),
        [
            Expected(
                ["Item", "Cost", "Weight"],
                [["Hawser", "12", "30"], ["Line", "2", "4"], ["Lantern", "8", "2"], ["Candle", "1", "0"]],
            )
        ],
    ),
    simple(
        "two columns, name and long text",
        cells=wrapped([[row[0], row[1]] for row in TALENTS]),
        widths=[80, 220],
        tables=[Expected(TALENTS[0][:2], [row[:2] for row in TALENTS[1:]])],
    ),
    simple(
        "narrow gaps",
        BOLD_HEAD,
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
        cells=SERVICES,
        widths=[42, 45, 40],
    ),
    simple(
        "one rule, below the header",
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        cells=SERVICES,
        widths=[90, 60, 60],
    ),
    simple(
        "header in capitals",
        cells=[[name.upper() for name in SERVICES[0]], *SERVICES[1:]],
        widths=[90, 60, 60],
    ),
    _stacked("one over another, unruled", BOLD_HEAD),
    Kind(
        "bold header not repeated on the next page",
        _without_second_header(head=BOLD_HEAD),
        [Expected(LONG[0], LONG[1:])],
    ),
    simple("rows far apart", BOLD_HEAD, ("BOTTOMPADDING", (0, 0), (-1, -1), 16)),
]


def kinds() -> Iterator[Kind]:
    yield from RULED
    yield from UNRULED
