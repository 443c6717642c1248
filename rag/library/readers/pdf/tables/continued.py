"""Tables that go on in the next column or page, with their header or without. Pure geometry."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rag.library.readers.pdf.layout import LayoutBlock
from rag.library.readers.pdf.tables.table import Table
from rag.rules import rule

_FEWEST_COLUMNS = 2


@rule(without=lambda blocks: None)
def continue_tables(blocks: Sequence[LayoutBlock]) -> None:
    """Mark the tables that go on from the one read right before, and give them its column names.

    `blocks` are those of all pages, in the order of reading. A table goes on where it has as many columns,
    no caption, and no column names of its own or the same. One that repeats all of it says nothing new.
    """
    for before, block in pairwise(blocks):
        above, below = before.table, block.table
        if above and below and _cells(above) == _cells(below):
            block.table = replace(below, header=[], rows=[], is_continued=True)
        elif above and below and any(above.headings) and not block.caption:
            is_alike = len(above.headings) == len(below.headings) >= _FEWEST_COLUMNS
            if above.headings == below.headings or (is_alike and not any(below.headings)):
                block.table = replace(below, headings=above.headings, is_continued=True)


def _cells(table: Table) -> list[list[str]]:
    return [table.headings, *(row.texts for row in table.rows)]
