"""Tables that go on at the top of the next page, with their header or without. Pure geometry."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from rag.library.readers.pdf.lines import Cell, Line
from rag.library.readers.pdf.tables.table import Table

_ALIGNED = 3.0  # points between the edges of a column on two pages
_FEWEST_COLUMNS = 2

PageTables = tuple[Sequence[Line], Sequence[Table]]
"""The lines of a page, and the tables among them."""


def continued_tables(pages: Sequence[PageTables]) -> list[list[Table]]:
    """The tables of each page; one that goes on from the page before has the column names of that one.

    It is one where both have the same columns, the first is the last thing on its page, the second the first
    thing on the next one, and has no names of its own, or the same.
    """
    found = [list(tables) for _, tables in pages]
    for number, ((lines_before, _), (lines, _)) in enumerate(pairwise(pages)):
        above = _at_edge(lines_before, found[number], is_last=True)
        below = _at_edge(lines, found[number + 1], is_last=False)
        if above and below and any(above.headings) and above.headings == below.headings:
            below.is_continued = True
        elif above and below and _goes_on(above, below):
            place = next(place for place, one in enumerate(found[number + 1]) if one is below)
            rows = [*below.header, *below.rows]
            found[number + 1][place] = replace(
                below, header=[], rows=rows, headings=above.headings, is_continued=True
            )
    return found


def _at_edge(lines: Sequence[Line], tables: Sequence[Table], *, is_last: bool) -> Table | None:
    """The table that a page ends with, or begins with: nothing else stands there, and no column beyond it."""
    for table in tables:
        own = set(map(id, table.lines))
        others = [line for line in lines if id(line) not in own]
        if not any(_is_beyond(line, table, is_last=is_last) for line in others):
            return table
    return None


def _is_beyond(line: Line, table: Table, *, is_last: bool) -> bool:
    """Whether a line is read after the first row of a table, or before its last one."""
    left, right = min(one.x0 for one in table.lines), max(one.x1 for one in table.lines)
    if line.x0 >= right or line.x1 <= left:
        return line.x0 >= right if is_last else line.x1 <= left
    heights = [one.baseline for one in table.lines]
    return line.baseline > min(heights) if is_last else line.baseline < max(heights)


def _goes_on(above: Table, below: Table) -> bool:
    is_named = any(below.headings)
    is_row = bool(below.header) and all(row.bold for row in above.header) and not below.header[0].bold
    if not any(above.headings) or (is_named and not (is_row and len(below.header) == 1)):
        return False
    return len(above.headings) == len(below.headings) >= _FEWEST_COLUMNS and _are_aligned(above, below)


def _are_aligned(above: Table, below: Table) -> bool:
    """Whether each column has its left edge, its right edge or its middle at the same place on both pages.

    Margins may differ between left and right pages: all columns may have moved together.
    """
    pairs = list(zip(_columns(above), _columns(below), strict=True))
    if not all(one and other for one, other in pairs):
        return False
    edges = [(_edges(one), _edges(other)) for one, other in pairs]
    return any(
        all(
            any(abs(x - y - moved) < _ALIGNED for x, y in zip(one, other, strict=True))
            for one, other in edges
        )
        for moved in (0.0, edges[0][0][0] - edges[0][1][0])
    )


def _columns(table: Table) -> list[list[Cell]]:
    """The cells of each column of a table."""
    columns: list[list[Cell]] = [[] for _ in table.headings]
    for line in table.lines:
        for cell in line.cells:
            columns[min(bisect_right(table.bounds, cell.middle), len(columns) - 1)].append(cell)
    return columns


def _edges(column: Sequence[Cell]) -> tuple[float, float, float]:
    return (
        median(cell.x0 for cell in column),
        median(cell.x1 for cell in column),
        median(cell.middle for cell in column),
    )
