"""Tables: rows found by what stands under one another, each cell with its column heading. Pure geometry.

Only gaps tell columns apart here; `ruled_tables` has taken what lines and bands tell.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, Word
from rag.library.readers.pdf.tables.columns import columns_of, is_prose
from rag.library.readers.pdf.tables.extent import extended
from rag.library.readers.pdf.tables.grid import Grid
from rag.library.readers.pdf.tables.levels import SAME_LEVEL, levels_of
from rag.library.readers.pdf.tables.regions import Region
from rag.library.readers.pdf.tables.rulings import DrawnLine
from rag.library.readers.pdf.tables.table import Table
from rag.rules import rule

_ALIGNED = 3.0  # points
_LOOK_BACK = 3  # rows above, one of which a row must stand under
_ROW_STEP = 5.0  # in font sizes: rows further apart are not one table
_WRAP_STEP = 1.45  # in font sizes: from a line of a cell to the next
_CLOSER = 0.85  # times the usual distance of rows: lines of one cell
_HIGHER = 4.0  # in font sizes: a cell may begin above one drawn before it
_OTHER_SIZE, _SIMILAR = 0.06, 0.1  # differences of font size, relative
_MANY = 0.6  # of the cells stand under another
_TYPICAL = 0.4  # times as often as the commonest number of cells

NUMBERED_HEADING = re.compile(r"(?:\d+\.|\d+(?:\.\d+)+\.?|[IVX]+\.|\d+\))\s+[^\W\d_]{2}")
"""How a numbered heading begins: "1. Movement", "3.2 Attack", "IV. Rally"."""


@rule(without=lambda lines, known, titles=(), rules=(): [])
def find_tables(
    lines: Sequence[PrintedLine],
    known: Collection[str],
    titles: Collection[str] = (),
    rules: Sequence[DrawnLine] = (),
) -> list[Table]:
    """The tables among the lines of a page, which come in drawing order.

    `titles` are the keys of those of the outline; they and numbered bold lines are headings, never rows.
    `rules` are the horizontal ones of the page: one may part the header from the rows.
    """
    tables: list[Table] = []
    drawn = [row for row in _drawn_rows(lines) if not (row.is_heading(titles) or row.is_prose)]
    free = {id(line): line for row in drawn for line in row.lines}
    for rows in _row_groups(drawn):
        if all(id(line) in free for row in rows for line in row.lines):
            tables += _tables(rows, list(free.values()), rules, known)
            taken = {id(line) for table in tables for line in table.lines}
            free = {key: line for key, line in free.items() if key not in taken}
    return tables


@dataclass(slots=True)
class _DrawnRow:
    """Lines drawn one after the other that stand side by side, or below one another in the last cell."""

    lines: list[PrintedLine]
    cells: list[PrintedCell]

    @property
    def size(self) -> float:
        return self.lines[0].size

    @property
    def top(self) -> float:
        return min(line.baseline for line in self.lines)

    @property
    def bottom(self) -> float:
        return max(line.baseline for line in self.lines)

    def is_heading(self, titles: Collection[str]) -> bool:
        """Whether it is a heading: in the outline, or bold with its number before it."""
        text = " ".join(line.text for line in self.lines)
        is_bold = all(line.bold for line in self.lines)
        return (is_bold and bool(NUMBERED_HEADING.match(text))) or title_key(text) in titles

    @property
    def is_prose(self) -> bool:
        """Whether its cells are columns of running text that stand side by side."""
        gaps = [(cell.x1 + after.x0) / 2 for cell, after in pairwise(self.cells)]
        return bool(gaps) and is_prose(levels_of(self.lines), gaps)

    def add(self, line: PrintedLine) -> bool:
        """Take a line that wraps the last cell or begins a cell to the right; False if it does neither."""
        size = max(self.size, line.size)
        if abs(line.size - self.size) > _SIMILAR * size:
            return False
        if self._is_beside(line):
            new = line.cells
        elif self._wraps(line):
            self.cells[-1] = _wider(self.cells[-1], line.cells[0])
            new = line.cells[1:]
        else:
            return False
        self.cells += new
        self.lines.append(line)
        return True

    def _is_beside(self, line: PrintedLine) -> bool:
        """Whether a line begins a cell of this row, which may be centred beside a taller one."""
        if line.x0 <= max(cell.x1 for cell in self.cells):
            return False
        return self.top - _HIGHER * line.size < line.baseline < self.bottom + line.size

    def _wraps(self, line: PrintedLine) -> bool:
        """Whether a line goes on with the last cell, below it."""
        if len(line.cells) > 1 and len(self.cells) == 1:
            return False
        step = line.baseline - self.lines[-1].baseline
        last, first = self.cells[-1], line.cells[0]
        left = self.cells[-2].x1 if len(self.cells) > 1 else last.x0 - _ALIGNED
        return 0 < step < _WRAP_STEP * line.size and left < first.x0 < last.x1


def _wider(one: PrintedCell, other: PrintedCell) -> PrintedCell:
    words = one.words + other.words
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    return PrintedCell([Word("", left, right, words[0].bold)])


def _drawn_rows(lines: Sequence[PrintedLine]) -> list[_DrawnRow]:
    """The lines as rows, as far as their drawing order tells; a paragraph is a row of one cell."""
    rows: list[_DrawnRow] = []
    for line in lines:
        if not rows or not rows[-1].add(line):
            rows.append(_DrawnRow([line], list(line.cells)))
    return rows


def _row_groups(rows: Sequence[_DrawnRow]) -> list[list[_DrawnRow]]:
    """Rows of several cells that stand in columns below one another; what spans several is passed over."""
    groups: list[list[_DrawnRow]] = [[]]
    for row in rows:
        is_under = any(_stands_under(above, row) for above in groups[-1][-_LOOK_BACK:])
        if groups[-1] and not is_under and not _may_interrupt(groups[-1], row):
            groups.append([])
        if len(row.cells) > 1 and (is_under or not groups[-1]):
            groups[-1].append(row)
    return [group for group in groups if len(group) > 1]


def _may_interrupt(group: Sequence[_DrawnRow], row: _DrawnRow) -> bool:
    """Whether a row leaves those before and after it one table: wrapped, a group's name, or spanning."""
    above = group[-1]
    is_like = abs(row.size - above.size) < _OTHER_SIZE * row.size
    if not is_like or row.top - above.bottom > _ROW_STEP * row.size:
        return False
    if len(row.cells) > 1:
        return row.top > above.top and _aligned(row.cells[0], above.cells[0])
    return row.cells[0].x1 < max(one.cells[-1].x1 for one in group) + _ALIGNED


def _stands_under(above: _DrawnRow, row: _DrawnRow) -> bool:
    if not above.bottom < row.top < above.bottom + _ROW_STEP * row.size:
        return False
    twins = sum(any(_aligned(cell, other) for other in above.cells) for cell in row.cells)
    return twins >= max(2, _MANY * min(len(row.cells), len(above.cells)))


def _aligned(one: PrintedCell, other: PrintedCell) -> bool:
    offset = min(abs(one.x0 - other.x0), abs(one.x1 - other.x1), abs(one.middle - other.middle))
    return offset < _ALIGNED


def _tables(
    rows: Sequence[_DrawnRow],
    lines: Sequence[PrintedLine],
    rules: Sequence[DrawnLine],
    known: Collection[str],
) -> list[Table]:
    """The table of some rows among the lines of a page, with its header and what is wrapped after them."""
    own = levels_of(line for row in rows for line in row.lines)
    spans = _spans(rows)
    gaps = [after[0] - before[1] for before, after in pairwise(spans)]
    middles = [before[1] + gap / 2 for before, gap in zip(spans, gaps, strict=False)]
    columns = max(columns_of(own), middles, key=len)
    left = min(cell.x0 for row in rows for cell in row.cells) - max(_ALIGNED, gaps[0] / 2)
    right = max(cell.x1 for row in rows for cell in row.cells) + max(_ALIGNED, gaps[-1] / 2)
    within = [line for line in lines if line.x0 > left and line.x1 < right]
    levels = extended(own, levels_of(within))
    top, bottom = levels[0].baseline - SAME_LEVEL, levels[-1].baseline + SAME_LEVEL
    taken = [line for line in within if top <= line.baseline <= bottom]
    region = Region(_between(taken, rows, columns), [], left, right, top, bottom, columns, is_ruled=False)
    inside = [rule.at for rule in rules if top - own[0].size < rule.at < bottom]
    region.head = inside[0] if len(inside) == 1 else 0.0
    return Grid(region, taken).tables(known)


def _spans(rows: Sequence[_DrawnRow]) -> list[tuple[float, float]]:
    """The left and the right edge of each column, by the rows that have most of them."""
    counts = Counter(len(row.cells) for row in rows)
    common = max(count for count, times in counts.items() if times >= _TYPICAL * max(counts.values()))
    columns = zip(*(row.cells for row in rows if len(row.cells) == common), strict=True)
    return [(median(cell.x0 for cell in cells), median(cell.x1 for cell in cells)) for cells in columns]


def _between(
    lines: Sequence[PrintedLine], seeds: Sequence[_DrawnRow], columns: Sequence[float]
) -> list[DrawnLine]:
    """Rules between the rows as they were drawn."""
    drawn = _drawn_rows(lines)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    usual = median(after.top - before.bottom for before, after in pairwise(seeds))
    return [
        DrawnLine(row.top - row.size, left, right)
        for above, row in pairwise(drawn)
        if not _goes_on(above, row, usual, columns[0])
    ]


def _goes_on(above: _DrawnRow, row: _DrawnRow, usual: float, column: float) -> bool:
    """Whether a row continues a cell of the one above: nothing but that, and closer than rows are."""
    if len(row.cells) > 1 or row.lines[0].bold > above.lines[-1].bold:
        return False
    return row.cells[0].middle > column or row.top - above.bottom < _CLOSER * usual


def title_key(text: str) -> str:
    """A title for comparison: letters and digits alone, no case."""
    return "".join(filter(str.isalnum, text)).casefold()
