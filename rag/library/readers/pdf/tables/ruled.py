"""Ruled tables: cells told by the lines and filled bands between them. Pure geometry.

Where rules cross, they are the cells (as pdfplumber's `find_tables` takes them, after A. Nurminen, 2013).
Where only horizontal rules or bands stand over one another, they part the rows, and gaps the columns.
"""

from collections.abc import Collection, Sequence

from rag.library.readers.pdf.lines import PrintedLine, RawPage
from rag.library.readers.pdf.tables.extent import tables_in
from rag.library.readers.pdf.tables.grid import Grid
from rag.library.readers.pdf.tables.regions import parted_at, regions_of
from rag.library.readers.pdf.tables.rulings import DrawnLines
from rag.library.readers.pdf.tables.table import Table
from rag.library.readers.pdf.tables.unruled import find_tables
from rag.rules import rule

_MOST_RULES = 3_000  # of a page: more are a drawing


@rule(without=lambda lines, rulings, known: (lines, []))
def ruled_tables(
    lines: Sequence[PrintedLine], rulings: DrawnLines, known: Collection[str]
) -> tuple[list[PrintedLine], list[Table]]:
    """The lines of a page without its ruled tables, parted where one stands beside other text; and these."""
    rest, tables = list(lines), list[Table]()
    if len(rulings.horizontal) + len(rulings.vertical) > _MOST_RULES:
        return rest, []
    for region in regions_of(rulings):
        taken = {id(line) for table in tables for line in table.lines}
        for part in tables_in(region, [line for line in rest if id(line) not in taken]):
            rest, inside = parted_at(part, rest)
            grid = Grid(part, [line for line in inside if id(line) not in taken], rulings.bands)
            if grid.is_table:
                tables += grid.tables(known)
    taken = {id(line) for table in tables for line in table.lines}
    return [line for line in rest if id(line) not in taken], tables


def header_lines(raw_page: RawPage, among: Sequence[PrintedLine]) -> set[int]:
    """Identities of the lines `among` those of a page that head a table, ruled or bold.

    A table goes on at the top of the next page.
    """
    asked = [line for line in among if len(line.cells) > 1]
    if not asked:
        return set()
    free, ruled = ruled_tables(raw_page.lines, raw_page.rulings, ())
    heads = {id(line) for table in ruled if table.header for line in table.lines}
    if any(line.bold for line in asked):
        found = find_tables(free, ())
        heads |= {id(line) for table in found if table.header for line in table.lines if line.bold}
    return heads.intersection(map(id, asked))
