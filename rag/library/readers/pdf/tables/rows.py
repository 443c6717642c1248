"""The rows of a table, given where its columns part: by the rules between them, else by their distance."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from rag.library.readers.pdf.lines import PrintedLine
from rag.library.readers.pdf.tables.levels import SAME_LEVEL, Level
from rag.library.readers.runs import in_runs

_SIMILAR = 0.12  # difference of font sizes within a table, relative
_FARTHER = 1.25  # times the distance of lines: that of rows
_MOST_HEADER_LINES = 4
_FEW_BANDS = 2  # a header and all rows, which may be drawn by columns
_NEARLY_ALL, _HALF = 0.8, 0.5

Band = Sequence[Level]
"""The levels between two rules."""


def rows_of(
    bands: Sequence[Band], columns: Sequence[float], lines: Sequence[PrintedLine]
) -> Iterator[list[Level]]:
    """The rows between the rules: one, or several where rules only part the header from the rest.

    `lines` are those of the table in drawing order: what was drawn cell by cell between two rules is one row.
    """
    cells = [len(bands) > _FEW_BANDS and _is_drawn_by_cells(band, columns, lines) for band in bands]
    body = [band for band in bands[1:] if len(band) > 1 or len(band[0].runs) > 1]
    several = [band for band in body if len(_unruled_rows(band, columns)) > 1 < _full_levels(band, columns)]
    is_mostly = len(several) > _HALF * len(body)
    for number, band in enumerate(bands):
        is_first = number == 0 and len(bands) > 1 and len(band) <= _MOST_HEADER_LINES
        holds_rows = is_mostly and any(band is one for one in several)
        if is_first:
            yield from _header_and_rows(band, columns)
        elif cells[number] or (
            number and not holds_rows and _full_levels(band, columns) < _MOST_HEADER_LINES
        ):
            yield list(band)
        else:
            yield from _unruled_rows(band, columns)


def _is_drawn_by_cells(band: Band, columns: Sequence[float], lines: Sequence[PrintedLine]) -> bool:
    """Whether the lines of a band were drawn column after column, at a stretch, each with lines of its own.

    A cell that goes over several bands may be drawn apart. Columns of lines at the same heights are rows.
    """
    top, bottom = band[0].baseline, band[-1].baseline + SAME_LEVEL
    runs = groupby(lines, key=lambda line: top <= line.baseline <= bottom)
    own = max((list(run) for is_inside, run in runs if is_inside), key=len)
    drawn = [bisect_right(columns, line.cells[0].middle) for line in own]
    heights = [
        [round(line.baseline) for line, at in zip(own, drawn, strict=True) if at == column]
        for column in sorted(set(drawn))
    ]
    return (
        all(len(line.cells) == 1 for line in own)
        and sum(len(column) > 1 for column in heights) > 1
        and any(column != heights[0] for column in heights)
    )


def is_title(level: Level, below: Level) -> bool:
    """Whether a level is one name, set otherwise than the names of columns below it."""
    is_other = abs(level.size - below.size) >= _SIMILAR * below.size or level.is_bold != below.is_bold
    return len(level.runs) == 1 < len(below.runs) and level.runs[0].x0 < below.runs[1].x0 and is_other


def _header_and_rows(band: Band, columns: Sequence[float]) -> list[list[Level]]:
    """The first band: a header, perhaps under a title or the names of groups of columns, and what no rule
    parts from it: a row of numbers, a section's name.
    """
    begins = []
    for place, (above, level) in enumerate(pairwise(band), start=1):
        is_numbers = level.numbers > _HALF * len(level.runs) and not above.numbers
        is_named = above is band[0] and is_title(above, level)
        is_section = level.filled(columns) == {0} and level.is_bold
        begins.append(is_numbers or is_section or is_named or _is_group(above, band[place:], columns))
    return _cut_where(band, begins)


def _is_group(level: Level, below: Band, columns: Sequence[float]) -> bool:
    """Whether a level has a name over several columns, each of which is named below it."""
    named = set[int]().union(*(one.filled(columns) for one in below))
    return any(
        run.x0 < x < run.x1 and {column, column + 1} <= named
        for run in level.runs
        for column, x in enumerate(columns)
    )


def _full_levels(band: Band, columns: Sequence[float]) -> int:
    """How many levels fill all columns but one."""
    return sum(len(level.filled(columns)) >= max(2, len(columns)) for level in band)


def _unruled_rows(band: Band, columns: Sequence[float]) -> list[list[Level]]:
    """The rows of a band without rules: every full level, else by their distance or first cell."""
    begins_row = [0 in level.filled(columns) for level in band[1:]]
    if _full_levels(band, columns) >= _NEARLY_ALL * len(band):
        return _cut_where(band, begins_row)
    steps = [after.baseline - before.baseline for before, after in pairwise(band)]
    least, most = min(steps, default=0.0), max(steps, default=0.0)
    if most > _FARTHER * least:
        rows = _cut_where(band, [step > (least + most) / 2 for step in steps])
        if all(any(0 in level.filled(columns) for level in row) for row in rows):
            return rows
    return _cut_where(band, begins_row)


def _cut_where(band: Band, begins: Sequence[bool]) -> list[list[Level]]:
    """The levels of a band in rows, given for each after the first whether a row begins with it."""
    marked = in_runs(zip(band, [True, *begins], strict=True), lambda _, marked: not marked[1])
    return [[level for level, _ in row] for row in marked]
