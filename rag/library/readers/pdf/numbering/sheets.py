"""Sheets with two printed pages, a booklet's or a spread's, told by the numbers on them. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rag.library.language.grammar_words import one_of
from rag.library.language.language import PAGES
from rag.library.language.numerals import from_roman
from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, RawPage, Word
from rag.library.readers.pdf.numbering.labels import AGREEMENT
from rag.library.readers.pdf.numbering.line_numbers import PAGE_WORD
from rag.library.readers.pdf.numbering.margin_numbers import band_lines, margin_numbers, shows_panels

_FEWEST_SHEETS, _LONE = 2, 1
_MOSTLY = 0.5
"""Of all sheets with a number on each half: what fewer agree on is chance, as in a table that counts."""
_PAIR = re.compile(
    rf"\W*(?:{one_of([PAGE_WORD, *PAGES.plural])}\s*)?(?P<left>\d{{1,4}})[\s\W]+(?P<right>\d{{1,4}})\W*",
    re.IGNORECASE,
)
"""The numbers of both halves in one place: "2 – 3", "Pages 2/3"."""

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


class _Section(NamedTuple):
    """The sheets from `first` to `last`, numbered in one way."""

    first: int
    last: int
    imposition: _Imposition


def printed_pages(raw_pages: Sequence[RawPage]) -> list[PrintedPage]:
    """The printed pages of a file in the order in which they are read.

    Its roman numbers may stand in pairs as its Arabic ones do, on sheets of their own.
    """
    whole = [PrintedPage(raw_page, number) for number, raw_page in enumerate(raw_pages, 1)]
    halves = [_halves(page) if _is_spread(page.raw) else () for page in whole]
    divided = [index for index, sheet in enumerate(halves) if sheet]
    left, right = (margin_numbers([halves[index][side].raw for index in divided]) for side in (0, 1))
    sections: list[_Section] = []
    for value in (_arabic, from_roman):
        pairs = [frozenset[_Pair]()] * len(whole)
        for index, *numbers in zip(divided, left, right, strict=True):
            pairs[index] = _pairs(*([value(number) for number in found.all] for found in numbers))
        sections += _section(pairs, sections)
    pages: list[PrintedPage] = []
    behind = 0
    for first, last, imposition in sorted(sections):
        numbered = [
            (number, half)
            for index in range(first, last + 1)
            for number, half in zip(
                imposition.pair(index), halves[index] or whole[index : index + 1], strict=False
            )
        ]
        pages += whole[behind:first]
        pages += [half for _, half in sorted(numbered, key=lambda one: one[0])]
        behind = last + 1
    return [*pages, *whole[behind:]]


def _is_spread(sheet: RawPage) -> bool:
    """Whether a sheet may hold two pages: it is wide, and not folded into more panels."""
    return sheet.width > sheet.height and not shows_panels(sheet)


def _arabic(number: str) -> int | None:
    return int(number) if number.isdecimal() else None


def _section(pairs: Sequence[frozenset[_Pair]], others: Sequence[_Section]) -> list[_Section]:
    """The sheets that these pairs number, if they do and no other section lies among them.

    Beside another section a lone sheet may be one, where its numbers follow each other: "ii" and "iii".
    """
    found = _imposition(pairs, _LONE if others else _FEWEST_SHEETS)
    if found is None:
        return []
    showing = [index for index, own in enumerate(pairs) if found.pair(index) in own]
    first, last = showing[0], showing[-1]
    is_doubtful = len(showing) == _LONE and found.total is not None
    if is_doubtful or any(other.first <= last and first <= other.last for other in others):
        return []
    return [_Section(first, last, found)]


def _imposition(pairs: Sequence[frozenset[_Pair]], fewest: int) -> _Imposition | None:
    """The imposition that nearly all sheets with two numbers agree on, where there is one."""
    votes = Counter(
        imposition for index, own in enumerate(pairs) for pair in own for imposition in _told_by(index, pair)
    )
    if not votes:
        return None
    likeliest = min(votes, key=lambda one: (-votes[one], one.total or 0, one.first))
    agreeing = [index for index, own in enumerate(pairs) if likeliest.pair(index) in own]
    between = sum(bool(own) for own in pairs[agreeing[0] : agreeing[-1] + 1])
    numbered = sum(map(bool, pairs))
    is_agreed = len(agreeing) >= max(fewest, AGREEMENT * between, _MOSTLY * numbered)
    return likeliest if is_agreed else None


def _told_by(index: int, pair: _Pair) -> list[_Imposition]:
    found = [_Imposition(pair.left + pair.right, min(pair) - index)]
    if pair.right == pair.left + 1:
        found.append(_Imposition(None, pair.left - 2 * index))
    return [one for one in found if one.pair(index) == pair]


def _pairs(left: Sequence[int | None], right: Sequence[int | None]) -> frozenset[_Pair]:
    return frozenset(
        _Pair(one, other) for one in left for other in right if one is not None and other is not None
    )


def _halves(page: PrintedPage) -> tuple[PrintedPage, PrintedPage]:
    """The left and the right half of a sheet, each with its own lines, rulings and links."""
    left, right = _divided(page.raw)
    return PrintedPage(left, page.pdf_page, LEFT), PrintedPage(right, page.pdf_page, RIGHT)


def _divided(sheet: RawPage) -> tuple[RawPage, RawPage]:
    middle, pairs = sheet.width / 2, {id(line) for line in band_lines(sheet)}
    left, right = _parted(sheet.lines, middle, pairs)
    turned = [_divided_turned(page) for page in sheet.turned]
    return (
        RawPage(
            left,
            middle,
            sheet.height,
            turned=tuple(one for one, _ in turned),
            rulings=sheet.rulings.between(0.0, middle),
            links=tuple(link for link in sheet.links if link.x <= middle),
        ),
        RawPage(
            [_moved(line, -middle) for line in right],
            middle,
            sheet.height,
            turned=tuple(other for _, other in turned),
            rulings=sheet.rulings.between(middle, sheet.width),
            links=tuple(link for link in sheet.links if link.x > middle),
        ),
    )


def _divided_turned(page: RawPage) -> tuple[RawPage, RawPage]:
    """What is written in another direction on the left and on the right half of a sheet."""
    if page.turned_by == 2:
        right, left = _divided(page)
        return left, right
    middle = page.height / 2
    upper = [line for line in page.lines if line.baseline <= middle]
    lower = [replace(line, baseline=line.baseline - middle) for line in page.lines if line.baseline > middle]
    halves = (
        RawPage(upper, page.width, middle, turned_by=page.turned_by),
        RawPage(lower, page.width, middle, turned_by=page.turned_by),
    )
    return halves if page.turned_by == 1 else halves[::-1]


def _parted(
    of_sheet: Sequence[PrintedLine], middle: float, of_margins: Collection[int]
) -> tuple[list[PrintedLine], list[PrintedLine]]:
    """The lines left and right of the middle; one across it is parted between its cells.

    Of two numbers in the margins, which stand as one for both halves ("2 – 3"), each half has its own.
    """
    parted: tuple[list[PrintedLine], list[PrintedLine]] = ([], [])
    for line in of_sheet:
        sides: tuple[list[PrintedCell], list[PrintedCell]] = ([], [])
        if id(line) in of_margins and (pair := _PAIR.fullmatch(line.text)) and _is_pair(pair):
            sides[LEFT - 1].append(_number(pair["left"], 0.0, middle))
            sides[RIGHT - 1].append(_number(pair["right"], middle, 2 * middle))
        else:
            for cell in line.cells:
                sides[cell.middle > middle].append(cell)
        for lines, cells in zip(parted, sides, strict=True):
            if cells:
                lines.append(PrintedLine(cells, line.baseline, line.size))
    return parted


def _is_pair(numbers: re.Match[str]) -> bool:
    return int(numbers["right"]) == int(numbers["left"]) + 1


def _number(number: str, left: float, right: float) -> PrintedCell:
    """A page number in the middle of its half."""
    middle = (left + right) / 2
    return PrintedCell([Word(number, middle, middle, bold=False)])


def _moved(line: PrintedLine, by: float) -> PrintedLine:
    """A line so many points further right."""
    cells = [
        PrintedCell([replace(word, x0=word.x0 + by, x1=word.x1 + by) for word in cell.words])
        for cell in line.cells
    ]
    return PrintedLine(cells, line.baseline, line.size)
