"""Sheets with two printed pages, a booklet's or a spread's, told by the numbers on them. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rag.library.readers.pdf.lines import Cell, Line, RawPage
from rag.library.readers.pdf.numbering.labels import AGREEMENT
from rag.library.readers.pdf.numbering.page_numbers import page_numbers

_FEWEST_SHEETS = 2

WHOLE, LEFT, RIGHT = 0, 1, 2
"""The half of a sheet that a printed page takes."""


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """One printed page: a whole page of the file, or one half of it."""

    raw: RawPage
    pdf_page: int
    half: int = WHOLE


class _Pair(NamedTuple):
    """Numbers that may be those of the two pages on a sheet, the left one first."""

    left: int
    right: int


@dataclass(frozen=True, slots=True, order=True)
class _Imposition:
    """How the pages of a book lie on its sheets.

    In a spread they follow each other. In a booklet, which is folded, the numbers of every sheet have one
    `total`, and odd numbers stand on the right. `first` is the lower number on the first page of the file.
    """

    total: int | None
    first: int

    def pair(self, index: int) -> _Pair:
        """The numbers on the sheet at `index` of the file."""
        if self.total is None:
            return _Pair(self.first + 2 * index, self.first + 2 * index + 1)
        low = self.first + index
        high = self.total - low
        return _Pair(high, low) if low % 2 else _Pair(low, high)


def printed_pages(raw_pages: Sequence[RawPage]) -> list[PrintedPage]:
    """The printed pages of a file in the order in which they are read."""
    whole = [PrintedPage(raw_page, number) for number, raw_page in enumerate(raw_pages, 1)]
    halves = [_halves(page) if page.raw.width > page.raw.height else () for page in whole]
    numbers = [[_numbers(half) for half in sheet] for sheet in halves]
    pairs = [_pairs(*sheet) if sheet else frozenset[_Pair]() for sheet in numbers]
    found = _imposition(pairs)
    if found is None:
        return whole
    showing = [index for index, own in enumerate(pairs) if found.pair(index) in own]
    first, last = showing[0], showing[-1]
    numbered = [
        (number, half)
        for index in range(first, last + 1)
        for number, half in zip(found.pair(index), halves[index] or whole[index : index + 1], strict=False)
    ]
    ordered = [half for _, half in sorted(numbered, key=lambda one: one[0])]
    return [*whole[:first], *ordered, *whole[last + 1 :]]


def _imposition(pairs: Sequence[frozenset[_Pair]]) -> _Imposition | None:
    """The imposition that nearly all sheets with two numbers agree on, where there is one."""
    votes = Counter(
        imposition for index, own in enumerate(pairs) for pair in own for imposition in _told_by(index, pair)
    )
    if not votes:
        return None
    likeliest = min(votes, key=lambda one: (-votes[one], one.total or 0, one.first))
    agreeing = [index for index, own in enumerate(pairs) if likeliest.pair(index) in own]
    numbered = sum(bool(own) for own in pairs[agreeing[0] : agreeing[-1] + 1])
    is_agreed = len(agreeing) >= max(_FEWEST_SHEETS, AGREEMENT * numbered)
    return likeliest if is_agreed else None


def _told_by(index: int, pair: _Pair) -> list[_Imposition]:
    found = [_Imposition(pair.left + pair.right, min(pair) - index)]
    if pair.right == pair.left + 1:
        found.append(_Imposition(None, pair.left - 2 * index))
    return [one for one in found if one.pair(index) == pair]


def _pairs(left: Sequence[int], right: Sequence[int]) -> frozenset[_Pair]:
    return frozenset(_Pair(one, other) for one in left for other in right)


def _numbers(half: PrintedPage) -> list[int]:
    return [int(number) for number in page_numbers(half.raw) if number.isdecimal()]


def _halves(page: PrintedPage) -> tuple[PrintedPage, PrintedPage]:
    """The left and the right half of a sheet, each with its own lines and rulings."""
    width, height, middle = page.raw.width, page.raw.height, page.raw.width / 2
    (left, right), rulings = _parted(page.raw.lines, middle), page.raw.rulings
    halves = (
        RawPage(left, middle, height, rulings=rulings.between(0.0, middle)),
        RawPage(
            [_moved(line, -middle) for line in right],
            middle,
            height,
            rulings=rulings.between(middle, width),
        ),
    )
    return PrintedPage(halves[0], page.pdf_page, LEFT), PrintedPage(halves[1], page.pdf_page, RIGHT)


def _parted(of_sheet: Sequence[Line], middle: float) -> tuple[list[Line], list[Line]]:
    """The lines left and right of the middle; one across it is parted between its cells."""
    parted: tuple[list[Line], list[Line]] = ([], [])
    for line in of_sheet:
        sides: tuple[list[Cell], list[Cell]] = ([], [])
        for cell in line.cells:
            sides[cell.middle > middle].append(cell)
        for lines, cells in zip(parted, sides, strict=True):
            if cells:
                lines.append(Line(cells, line.baseline, line.size))
    return parted


def _moved(line: Line, by: float) -> Line:
    """A line so many points further right."""
    cells = [
        Cell([replace(word, x0=word.x0 + by, x1=word.x1 + by) for word in cell.words]) for cell in line.cells
    ]
    return Line(cells, line.baseline, line.size)
