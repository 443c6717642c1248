"""Sheets with two printed pages, a booklet's or a spread's, told by the numbers on them. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from rag.library.readers.pdf.lines import PrintedCell, RawPage
from rag.library.readers.pdf.numbering.labels import AGREEMENT
from rag.library.readers.pdf.numbering.margin_numbers import margin_numbers

_FEWEST_SHEETS = 2
_MOSTLY = 0.5
"""Of all sheets with a number on each half: what fewer agree on is chance, as in a table that counts."""
WHOLE, LEFT, RIGHT = 0, 1, 2
"""The half of a sheet that a printed page takes."""


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """One printed page: a whole page of the file, or one half of it."""

    raw: RawPage
    pdf_page: int
    half: int = WHOLE


_Pair = tuple[int, int]
"""Numbers that may be those of the two pages on a sheet, the left one first."""


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
            return self.first + 2 * index, self.first + 2 * index + 1
        low = self.first + index
        high = self.total - low
        return (high, low) if low % 2 else (low, high)


def printed_pages(raw_pages: Sequence[RawPage]) -> list[PrintedPage]:
    """The printed pages of a file in the order in which they are read."""
    whole = [PrintedPage(raw_page, number) for number, raw_page in enumerate(raw_pages, 1)]
    halves = [_halves(page) if page.raw.width > page.raw.height else () for page in whole]
    divided = [index for index, sheet in enumerate(halves) if sheet]
    left, right = (margin_numbers([halves[index][side].raw for index in divided]) for side in (0, 1))
    pairs = [frozenset[_Pair]()] * len(whole)
    for index, *numbers in zip(divided, left, right, strict=True):
        of_left, of_right = ([int(one) for one in found.all if one.isdecimal()] for found in numbers)
        pairs[index] = frozenset(product(of_left, of_right))
    imposition = _imposition(pairs)
    if imposition is None:
        return whole
    showing = [index for index, own in enumerate(pairs) if imposition.pair(index) in own]
    first, last = showing[0], showing[-1]
    numbered = [
        (number, half)
        for index in range(first, last + 1)
        for number, half in zip(imposition.pair(index), halves[index] or [whole[index]], strict=False)
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
    between = sum(map(bool, pairs[agreeing[0] : agreeing[-1] + 1]))
    numbered = sum(map(bool, pairs))
    is_agreed = len(agreeing) >= max(_FEWEST_SHEETS, AGREEMENT * between, _MOSTLY * numbered)
    return likeliest if is_agreed else None


def _told_by(index: int, pair: _Pair) -> list[_Imposition]:
    left, right = pair
    found = [_Imposition(left + right, min(pair) - index)]
    if right == left + 1:
        found.append(_Imposition(None, left - 2 * index))
    return [one for one in found if one.pair(index) == pair]


def _halves(page: PrintedPage) -> tuple[PrintedPage, PrintedPage]:
    """The left and the right half of a sheet, each with its own lines and rulings."""
    width, middle = page.raw.width, page.raw.width / 2
    left, right = _part(page.raw, 0.0, middle), _part(page.raw, middle, width)
    return PrintedPage(left, page.pdf_page, LEFT), PrintedPage(right, page.pdf_page, RIGHT)


def _part(sheet: RawPage, left: float, right: float) -> RawPage:
    """What stands on a sheet between two vertical edges, seen from the left one."""
    lines = [
        replace(line, cells=[_moved(cell, -left) for cell in cells])
        for line in sheet.lines
        if (cells := [cell for cell in line.cells if (cell.middle > sheet.width / 2) == (left > 0)])
    ]
    return RawPage(lines, right - left, sheet.height, rulings=sheet.rulings.between(left, right))


def _moved(cell: PrintedCell, by: float) -> PrintedCell:
    """A cell so many points further right."""
    return PrintedCell([replace(word, x0=word.x0 + by, x1=word.x1 + by) for word in cell.words])
