"""The rows of a table, given where its columns part: by the rules between them, else by their distance."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rag.library.readers.pdf.tables.levels import Level, are_near

_FARTHER = 1.25  # times the distance of lines: that of rows
_MOST_HEADER_LINES = 4
_NEARLY_ALL, _HALF = 0.8, 0.5

Band = Sequence[Level]
"""The levels between two rules."""


def rows_of(bands: Sequence[Band], columns: Sequence[float]) -> Iterator[list[Level]]:
    """The rows between the rules: one, or several where rules only part the header from the rest."""
    body = [band for band in bands[1:] if len(band) > 1 or len(band[0].runs) > 1]
    several = [band for band in body if _holds_rows(band, columns)]
    is_mostly = len(several) > _HALF * len(body)
    for number, band in enumerate(bands):
        is_first = number == 0 and len(bands) > 1 and len(band) <= _MOST_HEADER_LINES
        holds_rows = is_mostly and any(band is one for one in several)
        if is_first:
            yield from _header_and_rows(band, columns)
        elif number and not holds_rows and _full_levels(band, columns) < _MOST_HEADER_LINES:
            yield list(band)
        else:
            yield from _unruled_rows(band, columns)


def is_title(level: Level, below: Level) -> bool:
    """Whether a level is one name, set otherwise than the names of columns below it."""
    is_other = not are_near(level.size, below.size) or level.is_bold != below.is_bold
    return len(level.runs) == 1 < len(below.runs) and level.runs[0].x0 < below.runs[1].x0 and is_other


def _header_and_rows(band: Band, columns: Sequence[float]) -> list[list[Level]]:
    """The first band: a header, perhaps under a title or the names of groups of columns, and what no rule
    parts from it: a row of numbers, a section's name.
    """
    begins = []
    for place, (above, level) in enumerate(pairwise(band), start=1):
        is_numbers = level.numbers > _HALF * len(level.runs) and not above.numbers
        is_named = above is band[0] and is_title(above, level)
        is_section = level.filled(columns) == {0} and len(above.filled(columns)) > 2 and level.is_bold
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


def _holds_rows(band: Band, columns: Sequence[float]) -> bool:
    """Whether a band has several levels that fill most columns, apart from wrapped lines."""
    return len(_unruled_rows(band, columns)) > 1 and _full_levels(band, columns) > 1


def _full_levels(band: Band, columns: Sequence[float]) -> int:
    """How many levels fill all columns but one."""
    return sum(_is_full(level, columns) for level in band)


def _is_full(level: Level, columns: Sequence[float]) -> bool:
    return len(level.filled(columns)) >= max(2, len(columns))


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
    rows = [[band[0]]]
    for level, is_new in zip(band[1:], begins, strict=True):
        if is_new:
            rows.append([])
        rows[-1].append(level)
    return rows
