"""The lines of one PDF page in drawing order, with their boxes, as PDFium's text page gives them."""

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, pairwise
from math import atan2, hypot, inf, pi
from operator import itemgetter
from statistics import median_low as median

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from rag.library.readers.pdf.symbol_fonts import SymbolTable, symbol_table
from rag.library.readers.pdf.tables.rulings import DrawnLines, read_rulings
from rag.library.readers.runs import T, in_runs

HYPHEN = "\u00ad"
"""Ends a line whose last word may run on into the next one."""

_SECOND_SURROGATES = frozenset(map(chr, range(0xDC00, 0xE000)))
_PDFIUM_HYPHENS = "\x02\ufffe\u00ad"
_REPLACED = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
    | dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\0", "")
    | dict.fromkeys(_PDFIUM_HYPHENS, HYPHEN)
)
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_BOLD_NAME = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_BOLD_WEIGHT = 680  # some regular fonts claim 580
CELL_GAP = 1.1  # in font sizes: what separates cells, at least
_WIDER = 2.6  # times the line's median space: two stretched spaces after a sentence are less
_FEW_GAPS = 3
_EVEN = 1.2
_STRETCHED = 3.0  # in font sizes
_MOST_STRETCHED = 4.0  # in font sizes, where all spaces are equal
_SMALLEST = 2.0  # points: a font of bitmaps tells a smaller size, and is as large as most
_USUAL_SIZE = 10.0  # points
_SPACE_GAP = 0.2  # in font sizes: letters of one word rarely stand so far apart
_NO_GAP = 0.04  # in font sizes: a space never is so narrow
_SAME_LINE = 0.55  # in font sizes: superscripts are raised by less
_FEWEST_GAPS = 2  # within a stretch: by one nobody can tell spaced letters from words, or spaces from cells
_SMALLER, _HIGHER = 0.85, 0.2  # in font sizes of the word before it: what is raised
INITIAL_LARGER = 1.7  # times the size of the text beside it
_LONGEST_INITIAL = 2  # characters
_EQUAL = 0.03  # in font sizes: by how much the spaces of a justified line differ


# Asked of every letter: with mere addresses in place of objects in half the time.
_FindsObject = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_text_object = ctypes.cast(pdfium.FPDFText_GetTextObject, _FindsObject)
_FindsBox = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_loose_box = ctypes.cast(pdfium.FPDFText_GetLooseCharBox, _FindsBox)

Box = tuple[float, float]
"""Left and right edge, in points."""

_Sides = npt.NDArray[np.float64]
"""The left, upper, right and lower edge of each character, in points of the PDF."""

Style = tuple[float, bool]
"""Font size in points, and whether bold."""


@dataclass(slots=True)
class Word:
    """Letters between two spaces; `x0` and `x1` in points from the left edge."""

    text: str
    x0: float
    x1: float
    bold: bool


@dataclass(slots=True)
class PrintedCell:
    """Words of a line without a wide gap between them."""

    words: list[Word]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return self.words[-1].x1

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(slots=True)
class PrintedLine:
    """Cells on one baseline. `baseline` in points from the upper edge, `size` the font's, in points.

    Its text, which is asked for some twenty times, is kept: only `begin_with` changes a word of a line.
    """

    cells: list[PrintedCell]
    baseline: float
    size: float
    _text: str = field(default="", init=False, repr=False, compare=False)

    @property
    def x0(self) -> float:
        return self.cells[0].x0

    @property
    def x1(self) -> float:
        return self.cells[-1].x1

    @property
    def top(self) -> float:
        return self.baseline - self.size

    @property
    def words(self) -> list[Word]:
        return [word for cell in self.cells for word in cell.words]

    @property
    def bold(self) -> bool:
        return all(word.bold for word in self.words)

    @property
    def text(self) -> str:
        if not self._text:
            self._text = " ".join(cell.text for cell in self.cells)
        return self._text

    def begin_with(self, word: str) -> None:
        """Put another first word in place of its own."""
        self.words[0].text = word
        self._text = ""


def parted(line: PrintedLine, side: Callable[[Word], T]) -> list[tuple[T, PrintedLine]]:
    """A line in pieces whose words are on one side each; itself where all of them are."""
    cells = [(at, PrintedCell(list(own))) for cell in line.cells for at, own in groupby(cell.words, key=side)]
    pieces = [(at, [cell for _, cell in own]) for at, own in groupby(cells, key=itemgetter(0))]
    return [(at, line if len(pieces) == 1 else replace(line, cells=own)) for at, own in pieces]


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page as it was drawn: lines in drawing order; width and height in points.

    `turned` holds what is written in each other direction, as a page turned upright. `rulings` is what is
    ruled on the page. `turns` are the quarter turns, anticlockwise, that put the page upright as it is shown.
    """

    lines: list[PrintedLine]
    width: float
    height: float
    turned: "tuple[RawPage, ...]" = ()
    rulings: DrawnLines = field(default=DrawnLines())
    turns: int = 0


@dataclass(frozen=True, slots=True)
class _Font:
    size: float
    bold: bool
    angle: int  # of the writing direction, in quarter turns anticlockwise
    symbols: SymbolTable | None


@dataclass(slots=True)
class _Piece:
    """Letters of one text object without a space between them, in upright coordinates."""

    text: str
    x0: float
    x1: float
    baseline: float
    font: _Font
    spaced: bool  # PDFium saw a space before it
    breaks: bool  # PDFium saw a line end before it


def read_page(page: pypdfium2.PdfPage) -> RawPage:
    """The page's text as lines, turned upright if most of it is written sideways.

    Text outside the page as it is shown (a printer's slug) is left out. PDFium tells text that is drawn twice
    over itself, as a false bold is, once.
    """
    textpage = page.get_textpage()
    characters = _characters(textpage.raw)
    sides = _sides(textpage.raw, len(characters))
    runs = _runs(textpage.raw, characters)
    lengths = [sum(len(run.text) for run in runs if run.font.angle == angle) for angle in range(4)]
    main, *others = sorted(range(4), key=lambda angle: -lengths[angle])
    turned = [_direction(page, textpage, runs, sides, angle) for angle in others if lengths[angle]]
    upright = _direction(page, textpage, runs, sides, main)
    frame = _Frame(page.get_bbox(), main)
    textpage.close()
    rulings = read_rulings(page, frame.place, frame.width, frame.height)
    turns = (page.get_rotation() // 90 - main) % 4
    return replace(upright, turned=tuple(turned), rulings=rulings, turns=turns)


def _direction(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    runs: "Sequence[_Run]",
    sides: _Sides,
    angle: int,
) -> RawPage:
    """What is written in one direction, as an upright page."""
    frame = _Frame(page.get_bbox(), angle)
    own = [run for run in runs if run.font.angle == angle]
    boxes = frame.across(sides)
    stretches = in_runs(own, lambda _, run: not (run.spaced or run.breaks))
    pieces = [piece for stretch in stretches for piece in _pieces(textpage.raw, stretch, boxes, frame)]
    shown = [piece for piece in pieces if piece.text and frame.shows(piece)]
    return RawPage(list(map(_line, in_runs(shown, _goes_on))), frame.width, frame.height)


@dataclass(slots=True)
class _Run:
    """Consecutive characters `first` to `first + length - 1` of one text object, without spaces."""

    first: int
    text: str
    font: _Font
    spaced: bool
    breaks: bool


class _Frame:
    """Turns PDF coordinates into upright ones with the origin at the upper left corner."""

    def __init__(self, box: tuple[float, float, float, float], turns: int) -> None:
        self._cos, self._sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[turns]
        self._left = self._top = 0.0
        corners = [self.place(box[0], box[1]), self.place(box[2], box[3])]
        self._left, right = sorted(x for x, _ in corners)
        top, bottom = sorted(y for _, y in corners)
        self._top = -top
        self.width, self.height = right - self._left, bottom - top

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Points from the left edge and from the upper edge."""
        return self._cos * x + self._sin * y - self._left, self._sin * x - self._cos * y + self._top

    def across(self, sides: _Sides) -> list[Box]:
        """Left and right edge of each character."""
        left, top, right, bottom = sides.T
        ones = self._cos * left + self._sin * bottom - self._left
        others = self._cos * right + self._sin * top - self._left
        return list(zip(np.minimum(ones, others).tolist(), np.maximum(ones, others).tolist(), strict=True))

    def shows(self, piece: _Piece) -> bool:
        """Whether a piece stands within the box, if only in part."""
        is_level = 0 < piece.baseline < self.height + _SAME_LINE * piece.font.size
        return is_level and piece.x0 < self.width and piece.x1 > 0


def _runs(textpage: pdfium.FPDF_TEXTPAGE, characters: str) -> list[_Run]:
    """Split the character stream at spaces, line ends and changes of text object."""
    runs: list[_Run] = []
    fonts: dict[int, _Font] = {}
    page = ctypes.addressof(textpage.contents)
    owner, is_open, spaced, breaks = 0, False, False, False
    for index, character in enumerate(characters):
        if character.isspace():
            is_open, spaced, breaks = False, True, breaks or character in "\r\n"
            continue
        address = _text_object(page, index) or owner
        if is_open and address == owner:
            runs[-1].text += character
        else:
            font = fonts.get(address) or fonts.setdefault(address, _font(textpage, index))
            runs.append(_Run(index, character, font, spaced, breaks))
        owner, is_open, spaced = address, character not in _PDFIUM_HYPHENS, False
        breaks = not is_open
    return runs


def _sides(textpage: pdfium.FPDF_TEXTPAGE, count: int) -> _Sides:
    """The box of each of so many characters."""
    rectangles = (pdfium.FS_RECTF * count)()
    page, first = ctypes.addressof(textpage.contents), ctypes.addressof(rectangles)
    for index in range(count):
        _loose_box(page, index, first + index * ctypes.sizeof(pdfium.FS_RECTF))
    return np.frombuffer(rectangles, np.float32).reshape(count, 4).astype(np.float64)


def _characters(textpage: pdfium.FPDF_TEXTPAGE) -> str:
    """One character per index of the text page, where one beyond U+FFFF takes two: its surrogates."""
    count = pdfium.FPDFText_CountChars(textpage)
    buffer = (ctypes.c_ushort * (count + 1))()
    if pdfium.FPDFText_GetText(textpage, 0, count, buffer) == count + 1:
        return "".join(map(chr, buffer[:count]))
    return "".join(chr(pdfium.FPDFText_GetUnicode(textpage, index)) for index in range(count))


def _font(textpage: pdfium.FPDF_TEXTPAGE, index: int) -> _Font:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(textpage, index, matrix)
    scale = hypot(matrix.c, matrix.d) or 1.0
    angle = round(atan2(matrix.b, matrix.a) / (pi / 2)) % 4
    weight = pdfium.FPDFText_GetFontWeight(textpage, index)
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(textpage, index, name, 128, ctypes.c_int())
    spelled = name.value.decode("utf-8", "ignore")
    bold = weight >= _BOLD_WEIGHT or bool(_BOLD_NAME.search(spelled))
    if not bold and (handle := pdfium.FPDFText_GetTextObject(textpage, index)):
        bold = pdfium.FPDFTextObj_GetTextRenderMode(handle) == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE
    size = pdfium.FPDFText_GetFontSize(textpage, index) * scale
    return _Font(size if size > _SMALLEST else _USUAL_SIZE, bold, angle, symbol_table(spelled))


def _pieces(
    textpage: pdfium.FPDF_TEXTPAGE, stretch: Sequence[_Run], boxes: Sequence[Box], frame: _Frame
) -> Iterator[_Piece]:
    """The words of a stretch, which some programs part by gaps alone, without a space.

    In a heading with spaced letters every gap is wide, so a word begins where one is also wider than usual.
    """
    of_runs = [boxes[run.first : run.first + len(run.text)] for run in stretch]
    gaps = [after[0] - before[1] for before, after in pairwise(chain.from_iterable(of_runs))]
    # Nearly all words are no wider spaced than that.
    is_close = max(gaps, default=0.0) <= _SPACE_GAP * min(run.font.size for run in stretch)
    # Of too few gaps nobody can tell which is usual.
    usual = max(0.0, median(gaps)) if len(gaps) >= _FEWEST_GAPS else inf
    x, y = ctypes.c_double(), ctypes.c_double()
    for run, own in zip(stretch, of_runs, strict=True):
        pdfium.FPDFText_GetCharOrigin(textpage, run.first, x, y)
        _, baseline = frame.place(x.value, y.value)
        starts = [0] if is_close else _word_starts(run.text, own, _SPACE_GAP * run.font.size + usual)
        for start, end in pairwise([*starts, len(run.text)]):
            text = _printed(run.text[start:end], run.font.symbols)
            right = max(own[start][1], own[end - 1][1])
            spaced, breaks = (run.spaced, run.breaks) if start == 0 else (True, False)
            yield _Piece(text, own[start][0], right, baseline, run.font, spaced, breaks)


def _printed(text: str, symbols: SymbolTable | None) -> str:
    """The characters that are seen on the page."""
    shown = "".join(symbols.get(character, character) for character in text) if symbols else text
    if not shown.isascii():
        shown = shown.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return shown.translate(_REPLACED)


def _word_starts(text: str, boxes: Sequence[Box], widest: float) -> list[int]:
    """Where words begin, as indexes: after every gap that is wider than `widest`, but within no character."""
    gaps = enumerate((after[0] - before[1] for before, after in pairwise(boxes)), start=1)
    return [0, *(index for index, gap in gaps if gap > widest and text[index] not in _SECOND_SURROGATES)]


def _goes_on(row: Sequence[_Piece], piece: _Piece) -> bool:
    """Whether a piece follows those of a line on its baseline, from left to right."""
    before = row[-1]
    size = max(before.font.size, piece.font.size)
    is_level = abs(before.baseline - piece.baseline) < _SAME_LINE * size
    is_behind = piece.x0 > before.x1 - _SAME_LINE * size
    is_large = len(row) == 1 and before.font.size > INITIAL_LARGER * piece.font.size
    # A large initial may hang down beside lines further on.
    return is_level and is_behind and not (is_large and is_initial(before.text))


def is_initial(text: str) -> bool:
    """Whether a text is one letter, perhaps after a quotation mark."""
    return len(text) <= _LONGEST_INITIAL and sum(map(str.isalpha, text)) == 1


def _line(row: list[_Piece]) -> PrintedLine:
    main = max(row, key=lambda piece: len(piece.text))
    words = _words(row)
    gaps = [after.x0 - before.x1 for before, after in pairwise(words)]
    widest = _widest_space(words, gaps, main.font.size)
    return PrintedLine(cells_of(words, widest), main.baseline, main.font.size)


def cells_of(words: Sequence[Word], widest: float) -> list[PrintedCell]:
    """The words of a line in cells; `widest` is the widest gap that is still a space."""
    return [PrintedCell(cell) for cell in in_runs(words, lambda cell, word: word.x0 - cell[-1].x1 <= widest)]


def _words(row: list[_Piece]) -> list[Word]:
    words: list[Word] = []
    for before, piece in zip([None, *row], row, strict=False):
        if before and _is_one_word(before, piece):
            last = words[-1]
            last.text += piece.text.translate(_RAISED) if _is_raised(before, piece) else piece.text
            last.x1 = max(last.x1, piece.x1)
        else:
            words.append(Word(piece.text, piece.x0, piece.x1, piece.font.bold))
    return words


def _is_raised(before: _Piece, piece: _Piece) -> bool:
    """Whether a piece is the mark of a note behind a word, or an exponent: smaller, and higher."""
    size = before.font.size
    return piece.font.size < _SMALLER * size and before.baseline - piece.baseline > _HIGHER * size


def _is_one_word(before: _Piece, piece: _Piece) -> bool:
    """Small capitals change the font within a word: there PDFium sees spaces that are none."""
    gap = (piece.x0 - before.x1) / max(before.font.size, piece.font.size)
    if piece.spaced or piece.breaks:
        return gap < _NO_GAP and before.font != piece.font
    return gap < _SPACE_GAP


def _widest_space(words: list[Word], gaps: list[float], size: float) -> float:
    """The widest gap that is still a space: stretched lines have wide ones, after a sentence wider."""
    narrow = [gap for gap in gaps if gap < CELL_GAP * size]
    if len(narrow) >= _FEW_GAPS:
        return max(CELL_GAP * size, _WIDER * median(narrow))
    letters = sum(word.text[:1].isalpha() for word in words)
    is_even = len(gaps) >= _FEW_GAPS and max(gaps) < min(_EVEN * min(gaps), _STRETCHED * size)
    if (is_even or _is_justified(words, gaps, size)) and letters > len(words) / 2:
        return max(gaps)
    return CELL_GAP * size


def _is_justified(words: Sequence[Word], gaps: Sequence[float], size: float) -> bool:
    """Whether all gaps of a line are one stretched space, between words of different lengths."""
    if len(gaps) < _FEWEST_GAPS or max(gaps) > _MOST_STRETCHED * size:
        return False
    steps = [after.x0 - before.x0 for before, after in pairwise(words)]
    return max(gaps) - min(gaps) < _EQUAL * size < max(steps) - min(steps)
