"""One book of the sample game, set in type: source and printed numbers in, PDF out."""

import io
import re
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table
from reportlab.platypus.flowables import Flowable

from sample_game.ornaments import postmark, stamp, swell, tint
from sample_game.pages import HEIGHT, MARGIN, TOP, WIDTH, LaidOutPages
from sample_game.source import (
    REFERENCE,
    Block,
    BookSource,
    Bullets,
    Chapter,
    Sidebar,
    SourceHeading,
    SourceTable,
    Text,
)

# Not before a change of type: reportlab loses the space behind a word that may break there.
MAY_BREAK = re.compile(r"\b[A-Za-z]{6,}\b(?! ?\*)")

OPENER = 66.0
POSTMARK = 120.0
LINES_UNDER_HEADING = 39.0
TABLE_ROW = 17.0
GAME = "Letters at Low Water"


@dataclass(frozen=True, slots=True)
class Target:
    """Where an anchor stands: its book's code, printed page, heading, and chapter number."""

    code: str
    page: str
    heading: str
    chapter: int


@dataclass(frozen=True, slots=True)
class PrintedReference:
    """A reference as the page shows it."""

    file: str
    anchor: str
    shown: str


@dataclass(slots=True)
class Layout:
    """A set book: the PDF, the number printed on each of its pages, and what stands where."""

    pdf: bytes = b""
    labels: list[str] = field(default_factory=list)
    targets: dict[str, Target] = field(default_factory=dict)
    references: list[PrintedReference] = field(default_factory=list)
    contents: list[tuple[int, str, str]] = field(default_factory=list)
    index: dict[str, list[str]] = field(default_factory=dict)


class Typesetter:
    """Sets one book.

    `known` are the anchors of all books and `before` is the book itself, as the previous pass left
    them: contents, index and references print those numbers.
    """

    def __init__(
        self, source: BookSource, known: dict[str, Target], before: Layout, hyphenation: dict[str, str]
    ) -> None:
        self._source = source
        self._known = known
        self._before = before
        self._hyphenation = hyphenation
        self._layout = Layout()
        self._ink: Color = HexColor(source.front.colour)
        self._styles = styles(self._ink, source.front.columns)
        self._buffer = io.BytesIO()
        self._canvas = Canvas(self._buffer, pagesize=(WIDTH, HEIGHT), invariant=1)
        self._pages = LaidOutPages(self._canvas, source.front)
        self._chapter = 0

    def set(self) -> Layout:
        """Set the whole book once."""
        front = self._source.front
        self._canvas.setTitle(front.metadata_title)
        self._canvas.setAuthor("The Wet Post Sorting House")
        if front.outline:
            self._canvas.showOutline()
        self._title_page()
        self._imprint()
        self._contents()
        self._chapters()
        if front.index:
            self._index()
        self._pages.finish()
        self._canvas.save()
        self._layout.pdf = self._buffer.getvalue()
        self._layout.labels = self._pages.labels
        return self._layout

    # --- front matter -------------------------------------------------------------------------------

    def _title_page(self) -> None:
        front, canvas = self._source.front, self._canvas
        self._pages.begin()
        canvas.setFillColor(tint(self._ink, 0.07))
        canvas.rect(0, 0, WIDTH, HEIGHT, stroke=0, fill=1)
        canvas.setFillColor(self._ink)
        canvas.setFont("Helvetica-Bold", 10.5)
        canvas.drawCentredString(WIDTH / 2, HEIGHT - 58, GAME.upper(), charSpace=2.2)
        swell(canvas, WIDTH / 2 - 36, HEIGHT - 76, 72, self._ink)
        canvas.setFont("Times-Bold", 31)
        canvas.drawCentredString(WIDTH / 2, HEIGHT - 116, front.title)
        canvas.setFont("Times-Italic", 13)
        canvas.drawCentredString(WIDTH / 2, HEIGHT - 138, front.subtitle)
        stamp(canvas, WIDTH / 2 - 118, 86, 236, 320, self._ink, front.emblem)
        canvas.setFillColor(self._ink)
        canvas.setFont("Times-Roman", 10)
        canvas.drawCentredString(WIDTH / 2, 44, "Printed for the Wet Post, at the Sorting House, Pennyhithe")

    def _imprint(self) -> None:
        self._pages.begin()
        for block in self._source.imprint:
            if isinstance(block, SourceHeading):
                self._heading(block, LINES_UNDER_HEADING)
            else:
                self._block(block)

    def _contents(self) -> None:
        self._pages.begin(OPENER)
        self._opener("Contents", "")
        for level, text, page in self._before.contents:
            style = self._styles["contents" if level == 1 else "contents-section"]
            self._pages.put(self._contents_line(text, page, style), before=4 if level == 1 else 0)

    def _contents_line(self, text: str, page: str, style: ParagraphStyle) -> Flowable:
        """A line with dot leaders, as long as the column allows."""
        room = self._pages.column_width - style.leftIndent
        dot = stringWidth(" .", style.fontName, style.fontSize)
        used = stringWidth(f"{text}  {page}", style.fontName, style.fontSize)
        dots = " ." * max(2, int((room - used - 4) / dot))
        return Paragraph(f"{escape(text)}{dots} {page}", style)

    # --- body ---------------------------------------------------------------------------------------

    def _chapters(self) -> None:
        in_front = [chapter for chapter in self._source.chapters if "front" in chapter.heading.flags]
        for chapter in in_front:
            self._set_chapter(chapter)
        self._pages.start_body()
        for chapter in self._source.chapters:
            if chapter not in in_front:
                self._set_chapter(chapter)

    def _set_chapter(self, chapter: Chapter) -> None:
        heading = chapter.heading
        numbered = not heading.flags & {"front", "unnumbered"}
        self._chapter += numbered
        self._pages.begin(OPENER)
        title = f"Chapter {self._chapter}: {heading.text}" if numbered else heading.text
        self._opener(heading.text, str(self._chapter) if numbered else "")
        self._enter(heading, self._pages.label, title)
        for block, following in zip(chapter.blocks, (*chapter.blocks[1:], None), strict=True):
            self._block(block, following)
        self._pages.finish_chapter()

    def _opener(self, text: str, number: str) -> None:
        """A chapter's title across the page's top, under its postmark."""
        canvas, text = self._canvas, _quoted(text)
        self._pages.running_head = text
        postmark(canvas, MARGIN + 22, TOP - 18, number, self._ink)
        canvas.setFillColor(self._ink)
        room = WIDTH - 2 * MARGIN - POSTMARK
        size = min(21.0, 21.0 * room / stringWidth(text, "Times-Bold", 21))
        canvas.setFont("Times-Bold", size)
        canvas.drawRightString(WIDTH - MARGIN, TOP - 24, text)
        canvas.setStrokeColor(self._ink)
        canvas.setLineWidth(0.8)
        canvas.line(MARGIN, TOP - 46, WIDTH - MARGIN, TOP - 46)

    def _block(self, block: Block, following: Block | None = None) -> None:
        match block:
            case SourceHeading():
                self._enter(block, self._heading(block, _room_for(following)), block.text)
            case Text():
                label = self._pages.put(self._paragraph(block.text), 4)
                for term in block.terms:
                    self._index_entry(term, label)
            case Bullets():
                for item in block.items:
                    text = self._inline(item)
                    self._pages.put(Paragraph(text, self._styles["item"], bulletText="\N{BULLET}"), 2)
            case Sidebar():
                self._pages.put(self._sidebar(block), 9, whole=True)
            case SourceTable():
                self._grid(block)

    def _heading(self, heading: SourceHeading, keep: float) -> str:
        style = self._styles[f"heading-{heading.level}"]
        flowable = Paragraph(self._inline(heading.text, hyphens=False), style)
        return self._pages.put(flowable, style.spaceBefore, whole=True, keep=keep)

    def _paragraph(self, text: str) -> Flowable:
        return Paragraph(self._inline(text), self._styles["body"])

    def _sidebar(self, sidebar: Sidebar) -> Flowable:
        title, *paragraphs = sidebar.paragraphs
        style = self._styles["sidebar"]
        inner = [Paragraph(self._inline(title), self._styles["sidebar-title"])]
        inner += [Paragraph(self._inline(text), style) for text in paragraphs]
        commands = [
            ("BACKGROUND", (0, 0), (-1, -1), tint(self._ink, 0.11)),
            ("LINEBEFORE", (0, 0), (0, -1), 3, self._ink),
            *_padding(left=9, right=7, top=6, bottom=7),
        ]
        return Table([[inner]], colWidths=[self._pages.column_width], style=commands)

    def _grid(self, grid: SourceTable) -> None:
        if grid.wide and self._source.front.columns > 1:
            table = self._table(grid, WIDTH - 2 * MARGIN)
            self._pages.put_wide(table, lambda label: self._enter_table(grid, label))
        else:
            table = self._table(grid, self._pages.column_width)
            self._enter_table(grid, self._pages.put(table, 8, whole=True))

    def _table(self, grid: SourceTable, width: float) -> Flowable:
        """Caption, shaded column headings, and rows in two tones."""
        widths = _column_widths(grid.rows, width)
        head, *body = grid.rows
        cells: list[list[object]] = [[Paragraph(self._inline(grid.caption), self._styles["caption"])]]
        cells[0] += [""] * (len(head) - 1)
        cells.append([Paragraph(self._inline(cell), self._styles["column"]) for cell in head])
        cells += [[Paragraph(self._inline(cell), self._styles["cell"]) for cell in row] for row in body]
        commands = [
            ("SPAN", (0, 0), (-1, 0)),
            ("BACKGROUND", (0, 1), (-1, 1), self._ink),
            ("ROWBACKGROUNDS", (0, 2), (-1, -1), [white, tint(self._ink, 0.10)]),
            ("LINEBELOW", (0, -1), (-1, -1), 0.8, self._ink),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            *_padding(left=4, right=2, top=1.5, bottom=2.5),
        ]
        return Table(cells, colWidths=widths, style=commands)

    def _index(self) -> None:
        self._pages.begin(OPENER)
        self._opener("Index", "")
        self._layout.contents.append((1, "Index", self._pages.label))
        initial = ""
        for term in sorted(self._before.index, key=str.casefold):
            if term[0].upper() != initial:
                initial = term[0].upper()
                self._pages.put(Paragraph(initial, self._styles["index-letter"]), 7, whole=True, keep=13)
            pages = ", ".join(self._before.index[term])
            self._pages.put(Paragraph(f"{escape(_quoted(term))}, {pages}", self._styles["index"]))

    # --- numbers ------------------------------------------------------------------------------------

    def _enter(self, heading: SourceHeading, label: str, title: str) -> None:
        """Note where a heading stands: contents, outline, anchor, index."""
        front, canvas = self._source.front, self._canvas
        title = _quoted(title)
        if heading.level <= 2:
            self._layout.contents.append((heading.level, title, label))
        if front.outline:
            key = f"{front.code}-{len(self._layout.contents)}-{heading.text}"
            canvas.bookmarkPage(key)
            canvas.addOutlineEntry(title, key, level=heading.level - 1, closed=heading.level == 1)
        if heading.anchor:
            self._target(heading.anchor, heading.text, label)

    def _enter_table(self, grid: SourceTable, label: str) -> None:
        if grid.anchor:
            self._target(grid.anchor, grid.caption, label)

    def _target(self, anchor: str, text: str, label: str) -> None:
        if anchor in self._layout.targets:
            raise ValueError(f"two places have the anchor {anchor}")
        self._layout.targets[anchor] = Target(self._source.front.code, label, _quoted(text), self._chapter)
        self._index_entry(text, label)

    def _index_entry(self, term: str, label: str) -> None:
        term = re.sub(r"^(A|The) (.)(.+)", lambda part: f"{part[2].upper()}{part[3]}, {part[1]}", term)
        term = next((known for known in self._layout.index if known.casefold() == term.casefold()), term)
        pages = self._layout.index.setdefault(term, [])
        if label not in pages:
            pages.append(label)

    # --- inline text --------------------------------------------------------------------------------

    def _inline(self, text: str, hyphens: bool = True) -> str:
        """Source text as the paragraph markup of reportlab."""
        text = _quoted(REFERENCE.sub(self._shown, text))
        if hyphens:
            text = MAY_BREAK.sub(lambda word: self._hyphenated(word[0]), text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))
        return re.sub(r"\*(.+?)\*", r"<i>\1</i>", text)

    def _shown(self, match: re.Match[str]) -> str:
        kind, anchor = match.groups()
        target = self._known.get(anchor, Target("", "0", anchor, 0))
        shown = {
            "page": target.page,
            "code": f"{target.code}{target.page}",
            "chapter": f"Chapter {target.chapter}",
            "heading": target.heading,
        }[kind]
        self._layout.references.append(PrintedReference(self._source.front.file, anchor, shown))
        return shown

    def _hyphenated(self, word: str) -> str:
        soft = self._hyphenation.get(word.lower())
        if soft is None:
            return word
        return word[0] + soft[1:] if word[1:].islower() else word


def styles(ink: Color, columns: int) -> dict[str, ParagraphStyle]:
    """The type of a book, all in the standard fonts."""
    body = ParagraphStyle(
        "body", fontName="Times-Roman", fontSize=10, leading=12.8, alignment=TA_JUSTIFY,
        allowOrphans=0, allowWidows=0,
    )  # fmt: skip
    small = ParagraphStyle("cell", fontName="Helvetica", fontSize=8.1, leading=9.9)
    return {
        "body": body if columns > 1 else ParagraphStyle("body-1", body, fontSize=10.5, leading=13.6),
        "item": ParagraphStyle("item", body, leftIndent=11, bulletIndent=2),
        "heading-2": ParagraphStyle(
            "h2", fontName="Times-Bold", fontSize=14, leading=16, textColor=ink, spaceBefore=12
        ),
        "heading-3": ParagraphStyle(
            "h3", fontName="Helvetica-Bold", fontSize=9.6, leading=12, textColor=ink, spaceBefore=8
        ),
        "sidebar": ParagraphStyle("sidebar", body, fontSize=9.3, leading=11.6, spaceBefore=3),
        "sidebar-title": ParagraphStyle(
            "sidebar-title", fontName="Helvetica-Bold", fontSize=9.3, leading=12, textColor=ink
        ),
        "caption": ParagraphStyle("caption", small, fontName="Helvetica-Bold", textColor=ink, leading=11),
        "column": ParagraphStyle("column", small, fontName="Helvetica-Bold", textColor=white),
        "cell": small,
        "contents": ParagraphStyle("contents", fontName="Times-Bold", fontSize=9.6, leading=12),
        "contents-section": ParagraphStyle(
            "contents-section", fontName="Times-Roman", fontSize=9, leading=10.6, leftIndent=10
        ),
        "index": ParagraphStyle(
            "index", fontName="Times-Roman", fontSize=9.2, leading=11.2, leftIndent=10, firstLineIndent=-10
        ),
        "index-letter": ParagraphStyle(
            "letter", fontName="Times-Bold", fontSize=11, leading=13, textColor=ink, alignment=TA_CENTER
        ),
    }


def _room_for(following: Block | None) -> float:
    """What must fit under a heading: a few lines, or the table that comes at once, estimated."""
    if isinstance(following, SourceTable) and not following.wide:
        return TABLE_ROW * (len(following.rows) + 1)
    return LINES_UNDER_HEADING


def _padding(left: float, right: float, top: float, bottom: float) -> list[tuple[object, ...]]:
    sides = {"LEFT": left, "RIGHT": right, "TOP": top, "BOTTOM": bottom}
    return [(f"{side}PADDING", (0, 0), (-1, -1), width) for side, width in sides.items()]


def _column_widths(rows: tuple[tuple[str, ...], ...], width: float) -> list[float]:
    """Columns as wide as their longest cell where that fits; else the wordy ones share what is left."""
    columns = zip(*([REFERENCE.sub("W00", cell) for cell in row] for row in rows), strict=True)
    natural = [max(stringWidth(cell, "Helvetica-Bold", 8.1) for cell in column) + 8 for column in columns]
    if sum(natural) <= width:
        return [each * width / sum(natural) for each in natural]
    widths, left, unset = list(natural), width, sorted(range(len(natural)), key=natural.__getitem__)
    while unset:
        share = left / len(unset)
        column = unset.pop(0)
        widths[column] = min(natural[column], share)
        left -= widths[column]
    return widths


def _quoted(text: str) -> str:
    """Straight quotes and double hyphens as a typographer sets them."""
    text = re.sub(r"(^|[\s(])\"", "\\1\N{LEFT DOUBLE QUOTATION MARK}", text)
    text = text.replace('"', "\N{RIGHT DOUBLE QUOTATION MARK}")
    text = text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    return text.replace("--", "\N{EN DASH}")
