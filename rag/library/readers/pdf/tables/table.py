"""A table as it was read: its rows, each cell under the name of its column."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag.library.readers.pdf.lines import PrintedLine


@dataclass(slots=True)
class Row:
    """The cells of a row by column, empty ones as ""."""

    cells: list[str]
    size: float
    bold: bool
    is_whole: bool = False
    joins_above: Sequence[bool] = ()

    @property
    def is_title(self) -> bool:
        """Whether the row names the rows below it."""
        return (self.bold or self.is_whole) and bool(self.cells[0]) and not any(self.cells[1:])

    def reading(self, headings: Sequence[str], above: Sequence[str] = ()) -> str:
        """The row with each cell under its column's heading: "Level: 3; Open Locks: 35"."""
        named = zip(headings, self.complete(above), strict=True)
        return "; ".join(f"{heading}: {cell}" if heading else cell for heading, cell in named if cell)

    def complete(self, above: Sequence[str]) -> list[str]:
        """The cells, with those that go on from the row above."""
        if not above or not any(self.joins_above):
            return list(self.cells)
        joined = zip(self.cells, above, self.joins_above, strict=True)
        return [cell or (over if joins else "") for cell, over, joins in joined]


@dataclass(slots=True)
class Table:
    """Rows under a header of some rows or none; `lines` are those it was made of.

    `headings` names each column, with all that the rows of the header say over it. `title` is one that
    stands inside the table. `is_continued`: it goes on
    from the one read right before it.
    """

    lines: list[PrintedLine]
    header: list[Row]
    rows: list[Row]
    headings: list[str]
    title: str = ""
    is_continued: bool = False
