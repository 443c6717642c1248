"""Tables: rows found by what stands under one another, each cell with its column heading. Pure geometry.

Only gaps tell columns apart here; `ruled_tables` has taken what lines and bands tell.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rag.library.readers.pdf.hyphenation import join_cell
from rag.library.readers.pdf.lines import HYPHEN, Cell, Line, Word
from rag.library.readers.pdf.tables.columns import columns_of
from rag.library.readers.pdf.tables.levels import levels_of
from rag.library.readers.pdf.tables.rulings import Rule
from rag.library.readers.pdf.tables.table import Row, Table

_ALIGNED = 3.0  # points
_SAME_ROW = 3.0  # points between baselines
_LOOK_BACK = 3  # rows above, one of which a row must stand under
_ROW_STEP = 5.0  # in font sizes: rows further apart are not one table
_HEADER_STEP = 2.0  # in font sizes: from a line of the header to the next
_WRAP_STEP = 1.45  # in font sizes: from a line of a cell to the next
_FARTHER = 1.3  # times the usual distance of rows: the next table's caption
_CLOSER = 0.85  # times the usual distance of rows: lines of one cell
_HIGHER = 4.0  # in font sizes: a cell may begin above one drawn before it
_OUTDENT = 2.0  # in font sizes: how far the name of a group of rows may stand out
_OTHER_SIZE, _SIMILAR = 0.06, 0.1  # differences of font size, relative
_MANY = 0.6  # of the cells stand under another
_BROAD = 0.3  # of the row
_SHORT = 20  # characters
_MOST_LINES = 12  # in a row; more are columns of prose
_TYPICAL = 0.4  # times as often as the commonest number of cells
_MOSTLY = 0.75  # of the rows hold numbers, their heading none
_MOST_HEADER_LEVELS = 3
_SPLITS = 0.38  # in font sizes: wider than a space, between headings that stand close

NUMBERED_HEADING = re.compile(r"(?:\d+\.|\d+(?:\.\d+)+\.?|[IVX]+\.|\d+\))\s+[^\W\d_]{2}")
"""How a numbered heading begins: "1. Movement", "3.2 Attack", "IV. Rally"."""


def find_tables(
    lines: Sequence[Line],
    known: Collection[str],
    titles: Collection[str] = (),
    rules: Sequence[Rule] = (),
) -> list[Table]:
    """The tables among the lines of a page, which come in drawing order.

    `titles` are those of the outline; they and numbered bold lines are headings, never rows. `rules` are the
    horizontal ones of the page: one may part the header from the rows.
    """
    tables: list[Table] = []
    free = {id(line): line for line in lines}
    keys = {_key(title) for title in titles}
    drawn = _drawn_rows(lines)
    for row in drawn:
        if row.is_heading(keys):
            for line in row.lines:
                del free[id(line)]
    for rows in _row_groups(drawn, keys):
        if all(id(line) in free for row in rows for line in row.lines):
            grid = _Grid(rows, rules)
            taken = grid.lines_of(list(free.values()))
            tables.append(grid.table(taken, known))
            for line in taken:
                del free[id(line)]
    return tables


@dataclass(slots=True)
class _DrawnRow:
    """Lines drawn one after the other that stand side by side, or below one another in the last cell."""

    lines: list[Line]
    cells: list[Cell]

    @classmethod
    def of(cls, line: Line) -> "_DrawnRow":
        return cls([line], [Cell(list(cell.words)) for cell in line.cells])

    @property
    def size(self) -> float:
        return self.lines[0].size

    @property
    def top(self) -> float:
        return min(line.baseline for line in self.lines)

    @property
    def bottom(self) -> float:
        return max(line.baseline for line in self.lines)

    @property
    def is_bold(self) -> bool:
        return all(line.bold for line in self.lines)

    @property
    def is_prose(self) -> bool:
        """Whether columns of prose stand side by side: each cell has several lines and is broad."""
        width = self.cells[-1].x1 - self.cells[0].x0
        return all(not cell.text and cell.x1 - cell.x0 > _BROAD * width for cell in self.cells)

    def is_heading(self, titles: Collection[str]) -> bool:
        """Whether it is a heading: in the outline, or bold with its number before it."""
        text = " ".join(line.text for line in self.lines)
        is_numbered = self.is_bold and len(self.cells) <= 2 and bool(NUMBERED_HEADING.match(text))
        return is_numbered or _key(text) in titles

    def add(self, line: Line) -> bool:
        """Take a line that wraps the last cell or begins a cell to the right; False if it does neither."""
        size = max(self.size, line.size)
        if len(self.lines) >= _MOST_LINES or abs(line.size - self.size) > _SIMILAR * size:
            return False
        if self._is_beside(line):
            new = line.cells
        elif self._wraps(line):
            self.cells[-1] = _wider(self.cells[-1], line.cells[0])
            new = line.cells[1:]
        else:
            return False
        self.cells += [Cell(list(cell.words)) for cell in new]
        self.lines.append(line)
        return True

    def _is_beside(self, line: Line) -> bool:
        """Whether a line begins a cell of this row; a lone short cell may be centred beside a taller one."""
        is_lone = len(self.cells) == len(self.lines) == 1
        if line.x0 <= max(cell.x1 for cell in self.cells):
            return False
        higher = _HIGHER if is_lone and len(self.cells[0].text) <= _SHORT else 1.0
        return self.top - higher * line.size < line.baseline < self.bottom + line.size

    def _wraps(self, line: Line) -> bool:
        """Whether a line goes on with the last cell, below it."""
        if len(line.cells) > 1 and len(self.cells) == 1:
            return False
        step = line.baseline - self.lines[-1].baseline
        last, first = self.cells[-1], line.cells[0]
        left = self.cells[-2].x1 if len(self.cells) > 1 else last.x0 - _ALIGNED
        return 0 < step < _WRAP_STEP * line.size and left < first.x0 < last.x1 and first.x1 > last.x0


def _wider(one: Cell, other: Cell) -> Cell:
    words = one.words + other.words
    return Cell([Word("", min(word.x0 for word in words), max(word.x1 for word in words), words[0].bold)])


def _drawn_rows(lines: Sequence[Line]) -> list[_DrawnRow]:
    """The lines as rows, as far as their drawing order tells; a paragraph is a row of one cell."""
    rows: list[_DrawnRow] = []
    for line in lines:
        if not rows or not rows[-1].add(line):
            rows.append(_DrawnRow.of(line))
    return rows


def _row_groups(rows: Sequence[_DrawnRow], titles: Collection[str]) -> Iterator[list[_DrawnRow]]:
    """Rows of several cells that stand in columns below one another.

    A heading between them ends the table; a row with a cell over several columns is passed over.
    """
    group: list[_DrawnRow] = []
    for row in rows:
        is_heading = row.is_heading(titles)
        is_under = not is_heading and any(_stands_under(above, row) for above in group[-_LOOK_BACK:])
        if group and not is_under and (is_heading or not _may_interrupt(group, row)):
            if len(group) > 1:
                yield group
            group = []
        if len(row.cells) > 1 and not is_heading and not row.is_prose and (is_under or not group):
            group.append(row)
    if len(group) > 1:
        yield group


def _may_interrupt(group: Sequence[_DrawnRow], row: _DrawnRow) -> bool:
    """Whether a row leaves those before and after it one table: wrapped, a group's name, or spanning."""
    above = group[-1]
    is_like = abs(row.size - above.size) < _OTHER_SIZE * row.size
    if not is_like or row.top - above.bottom > _ROW_STEP * row.size:
        return False
    if len(row.cells) > 1:
        return row.top > above.top and _aligned(row.cells[0], above.cells[0])
    if row.is_bold and not above.is_bold and len(group) > 1:
        usual = median(after.top - before.bottom for before, after in pairwise(group))
        if row.top - above.bottom > _FARTHER * usual:
            return False
    left = min(one.cells[0].x0 for one in group)
    right = max(one.cells[-1].x1 for one in group)
    return left - _OUTDENT * row.size < row.cells[0].x0 and row.cells[0].x1 < right + _ALIGNED


def _stands_under(above: _DrawnRow, row: _DrawnRow) -> bool:
    if not above.bottom < row.top < above.bottom + _ROW_STEP * row.size:
        return False
    twins = sum(any(_aligned(cell, other) for other in above.cells) for cell in row.cells)
    return twins >= max(2, _MANY * min(len(row.cells), len(above.cells)))


def _aligned(one: Cell, other: Cell) -> bool:
    offset = min(abs(one.x0 - other.x0), abs(one.x1 - other.x1), abs(one.middle - other.middle))
    return offset < _ALIGNED


class _Grid:
    """The columns of a table, told by its rows with several cells (`seeds`, from top to bottom)."""

    def __init__(self, seeds: Sequence[_DrawnRow], rules: Sequence[Rule]) -> None:
        self._seeds = seeds
        self._rules = [rule.at for rule in rules if _is_over(rule, seeds)]
        self._top, self._bottom = seeds[0].top - _SAME_ROW, seeds[-1].bottom + _SAME_ROW
        counts = Counter(len(row.cells) for row in seeds)
        common = max(count for count, rows in counts.items() if rows >= _TYPICAL * max(counts.values()))
        columns = zip(*(row.cells for row in seeds if len(row.cells) == common), strict=True)
        spans = [(median(cell.x0 for cell in cells), median(cell.x1 for cell in cells)) for cells in columns]
        gaps = [after[0] - before[1] for before, after in pairwise(spans)]
        middles = [before[1] + gap / 2 for before, gap in zip(spans, gaps, strict=False)]
        self._bounds = max(self._clear_gaps(), middles, key=len)
        self._row_step = median(after.top - before.bottom for before, after in pairwise(seeds))
        self._left = min(cell.x0 for row in seeds for cell in row.cells) - max(_ALIGNED, gaps[0] / 2)
        self._right = max(cell.x1 for row in seeds for cell in row.cells) + max(_ALIGNED, gaps[-1] / 2)

    def _clear_gaps(self) -> list[float]:
        """Where columns part by the gaps that run through nearly all rows."""
        return columns_of(levels_of([line for row in self._seeds for line in row.lines]))

    def lines_of(self, lines: Sequence[Line]) -> list[Line]:
        """The lines of the table in drawing order: its rows, what is wrapped after them, its header."""
        inside = [line for line in lines if line.x0 > self._left and line.x1 < self._right]
        taken = [line for line in inside if self._top <= line.baseline <= self._bottom]
        for level in _levels([line for line in inside if line.baseline > self._bottom]):
            if not self._wraps(taken, level):
                break
            taken += level
        for level in reversed(_levels([line for line in inside if line.baseline < self._top])):
            if not self._heads(taken, level):
                break
            taken += level
        identities = set(map(id, taken))
        return [line for line in inside if id(line) in identities]

    def _wraps(self, taken: Sequence[Line], level: Sequence[Line]) -> bool:
        """Whether a level below the last row goes on with its cells, the first excepted."""
        step = level[0].baseline - max(other.baseline for other in taken)
        return step < _WRAP_STEP * level[0].size and self._starts_late(level)

    def _heads(self, taken: Sequence[Line], level: Sequence[Line]) -> bool:
        """Whether a level above the first row belongs to the header."""
        size = level[0].size
        step = min(other.baseline for other in taken) - level[-1].baseline
        if abs(size - self._seeds[0].size) > _SIMILAR * size or level[-1].text.endswith((".", ":", ",")):
            return False
        if _has_several_cells(level) or self._has_word_a_column(level[0]):
            return step < _HEADER_STEP * size
        top = _levels(taken)[0]
        if _has_several_cells(top) and not self._starts_late(level) and self._is_over_columns(level):
            return False
        if _has_several_cells(top) and _is_bold(top) and abs(size - top[0].size) > _OTHER_SIZE * size:
            return False
        below = [cell for other in taken for cell in self._cells(other)]
        return step < _WRAP_STEP * size and any(_aligned(level[0].cells[0], cell) for cell in below)

    def _is_over_columns(self, level: Sequence[Line]) -> bool:
        """Whether a level of one cell goes over a place where columns part, as a title does."""
        return self._column(level[0].x0) != self._column(level[0].x1)

    def _has_word_a_column(self, line: Line) -> bool:
        """Whether a line of close words has one over each column."""
        columns = [self._column((word.x0 + word.x1) / 2) for word in line.words]
        return columns == list(range(len(self._bounds) + 1))

    def table(self, lines: Sequence[Line], known: Collection[str]) -> Table:
        """The table made of `lines`, which come in drawing order."""
        levels = _levels(lines)
        first = self._first_row(levels)
        header = [line for level in levels[:first] for line in level]
        identities = set(map(id, header))
        body = [line for line in lines if id(line) not in identities]
        rows = [self._row(row, known) for row in self._rows(body)]
        groups = levels[: first - 1] if first else []
        if any(self._is_over(group, below) for group, below in pairwise(levels[:first])):
            heads = [self._row(level, known) for level in levels[:first]]
            headings = self._headings(groups, heads[-1].cells, known)
        else:
            heads = [self._row(header, known)] if header else []
            headings = heads[0].cells if heads else [""] * len(rows[0].cells)
        return Table(list(lines), heads, rows, headings, bounds=self._bounds)

    def _is_over(self, group: Sequence[Line], below: Sequence[Line]) -> bool:
        """Whether a cell stands over several columns, each with a cell of its own below."""
        if sum(len(line.cells) for line in group) >= sum(len(line.cells) for line in below):
            return False
        named = {self._column(cell.middle) for line in below for cell in self._cells(line)}
        return any(
            word.x0 + 1 < bound < word.x1 - 1 and {number, number + 1} <= named
            for line in group
            for word in line.words
            for number, bound in enumerate(self._bounds)
        )

    def _headings(
        self, groups: Sequence[Sequence[Line]], names: Sequence[str], known: Collection[str]
    ) -> list[str]:
        """The name of each column, after that of the group of columns over it."""
        headings = [""] * len(names)
        for cell in [cell for level in groups for line in level for cell in line.cells]:
            for column in range(self._column(cell.x0), self._column(cell.x1) + 1):
                headings[column] = join_cell(headings[column], cell.text, known)
        return [join_cell(group, name, known) for group, name in zip(headings, names, strict=True)]

    def _rows(self, body: Sequence[Line]) -> list[list[Line]]:
        """Rows as they were drawn; by their height where the drawing order tells nothing."""
        drawn = _drawn_rows(body)
        is_in_order = all(before.bottom < after.top for before, after in pairwise(drawn))
        candidates = [row.lines for row in drawn] if is_in_order else _levels(body)
        rows: list[list[Line]] = []
        for candidate in candidates:
            if rows and self._goes_on(rows[-1], candidate):
                rows[-1] += candidate
            else:
                rows.append(list(candidate))
        return rows

    def _first_row(self, levels: Sequence[list[Line]]) -> int:
        """How many levels the header has: bold ones, those above the first seed or without a first cell,
        or one of words over rows with numbers."""
        count = 0
        body_is_bold = _is_bold(levels[-1])
        while count < len(levels) - 1 and (
            levels[count][0].baseline < self._top
            or (not body_is_bold and _is_bold(levels[count]))
            or (self._starts_late(levels[count]) and not self._starts_late(levels[count + 1]))
        ):
            is_plain = count and _is_bold(levels[0]) and not _is_bold(levels[count])
            if is_plain or (count and self._is_name(levels[count])):
                break
            count += 1
        if count or len(self._seeds) < 3:
            return count
        if ruled := self._levels_above_rule(levels):
            return ruled
        if _is_in_capitals(self._seeds[0]) and not any(map(_is_in_capitals, self._seeds[1:])):
            return 1
        numbered = sum(_has_digit(row) for row in self._seeds[1:])
        if _has_digit(self._seeds[0]) or numbered < _MOSTLY * (len(self._seeds) - 1):
            return 0
        is_torn = any(cell.text.endswith(HYPHEN) for line in levels[0] for cell in line.cells)
        return 1 + (is_torn and not _has_several_cells(levels[1]))

    def _levels_above_rule(self, levels: Sequence[list[Line]]) -> int:
        """How many levels stand above the only rule of the table; 0 where there is none, or they are many."""
        inside = [at for at in self._rules if levels[0][0].baseline - levels[0][0].size < at < self._bottom]
        above = [level for level in levels if inside and level[0].baseline < inside[0] + _SAME_ROW]
        return len(above) if len(inside) == 1 and len(above) <= _MOST_HEADER_LEVELS else 0

    def _is_name(self, level: Sequence[Line]) -> bool:
        """Whether a level names the rows below it: one bold cell in the first column."""
        if level[0].baseline < self._top or level[0].text[:1].islower():
            return False
        return not _has_several_cells(level) and not self._starts_late(level) and level[0].bold

    def _starts_late(self, level: Sequence[Line]) -> bool:
        return min(self._column(cell.middle) for line in level for cell in line.cells) > 0

    def _goes_on(self, row: Sequence[Line], level: Sequence[Line]) -> bool:
        """Whether a level continues a cell of the row above: nothing but that, and closer than rows are."""
        if _has_several_cells(level) or (level[0].bold and not row[-1].bold):
            return False
        step = level[0].baseline - max(line.baseline for line in row)
        return self._starts_late(level) or level[0].text[:1].islower() or step < _CLOSER * self._row_step

    def _row(self, lines: Sequence[Line], known: Collection[str]) -> Row:
        """Lines that make one row: the words of each column joined from top to bottom."""
        cells = [""] * (len(self._bounds) + 1)
        for line in lines:
            for cell in self._cells(line):
                column = self._column(cell.middle)
                cells[column] = join_cell(cells[column], cell.text, known)
        return Row(cells, lines[0].size, all(line.bold for line in lines))

    def _cells(self, line: Line) -> Iterator[Cell]:
        """The cells of a line, split where a column begins in a gap wider than a space."""
        for cell in line.cells:
            part: list[Word] = [cell.words[0]]
            for before, word in pairwise(cell.words):
                crosses = self._column(before.x1) != self._column(word.x0)
                if crosses and word.x0 - before.x1 > _SPLITS * line.size:
                    yield Cell(part)
                    part = []
                part.append(word)
            yield Cell(part)

    def _column(self, x: float) -> int:
        return bisect_right(self._bounds, x)


def _levels(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines from top to bottom, those on one baseline together from left to right."""
    levels: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.baseline):
        if levels and line.baseline - levels[-1][0].baseline <= _SAME_ROW:
            levels[-1].append(line)
        else:
            levels.append([line])
    return [sorted(level, key=lambda line: line.x0) for level in levels]


def _key(text: str) -> str:
    """A title for comparison: letters and digits alone."""
    return "".join(filter(str.isalnum, text)).casefold()


def _is_over(rule: Rule, rows: Sequence[_DrawnRow]) -> bool:
    """Whether a rule runs over most of the width of some rows, and not far beyond them."""
    left = min(row.cells[0].x0 for row in rows)
    right = max(row.cells[-1].x1 for row in rows)
    is_own = rule.start > left - (right - left) / 2 and rule.end < right + (right - left)
    return is_own and min(rule.end, right) - max(rule.start, left) > _MOSTLY * (right - left)


def _is_in_capitals(row: _DrawnRow) -> bool:
    """Whether every cell is a word in capitals."""
    return all(len(line.text) > 1 and line.text.isupper() for line in row.lines)


def _has_digit(row: _DrawnRow) -> bool:
    return any(character.isdigit() for line in row.lines for character in line.text)


def _has_several_cells(level: Sequence[Line]) -> bool:
    return sum(len(line.cells) for line in level) > 1


def _is_bold(level: Sequence[Line]) -> bool:
    return any(line.bold for line in level)
