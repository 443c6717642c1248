"""A table as it was read: its rows, and the names of its columns."""

from dataclasses import dataclass

from rag.library.readers.pdf.lines import PrintedLine
from rag.library.readers.pdf.tables.cells import CellRow


@dataclass(slots=True)
class Table:
    """Rows under a header of some rows or none; `lines` are those it was made of.

    `headings` names each column, with all that the rows of the header say over it. `title` is one that
    stands inside the table. `is_continued`: it goes on from the one read right
    before it.
    """

    lines: list[PrintedLine]
    header: list[CellRow]
    rows: list[CellRow]
    headings: list[str]
    title: str = ""
    is_continued: bool = False
