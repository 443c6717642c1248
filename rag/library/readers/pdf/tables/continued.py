"""Tables that go on in the next column or page, with their header or without. Pure geometry."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from rag.library.readers.pdf.layout import LayoutBlock
from rag.library.readers.pdf.lines import Cell
from rag.library.readers.pdf.tables.table import Table

_ALIGNED = 3.0  # points between the edges of a column in two places
_FEWEST_COLUMNS = 2


def continue_tables(blocks: Sequence[LayoutBlock]) -> None:
    """Mark the tables that go on from the one read right before, and give them its column names.

    `blocks` are those of all pages, in the order of reading. A table goes on where it has the same columns,
    no title, and no column names of its own or the same.
    """
    for before, block in pairwise(blocks):
        above, below = before.table, block.table
        if above and below and any(above.headings) and not block.caption:
            block.table = _continued(above, below)


def _continued(above: Table, below: Table) -> Table:
    """The second of two tables, as it is read if it goes on from the first."""
    if above.headings == below.headings:
        return replace(below, is_continued=True)
    if not _goes_on(above, below):
        return below
    rows = [*below.header, *below.rows]
    return replace(below, header=[], rows=rows, headings=above.headings, is_continued=True)


def _goes_on(above: Table, below: Table) -> bool:
    is_row = bool(below.header) and all(row.bold for row in above.header) and not below.header[0].bold
    if any(below.headings) and not (is_row and len(below.header) == 1):
        return False
    return len(above.headings) == len(below.headings) >= _FEWEST_COLUMNS and _are_aligned(above, below)


def _are_aligned(above: Table, below: Table) -> bool:
    """Whether each column has its left edge, its right edge or its middle at the same place in both.

    In another column, or on a page with other margins, all have moved together.
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
