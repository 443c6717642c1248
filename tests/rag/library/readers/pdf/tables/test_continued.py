"""A table that goes on in the next column or page, and what only looks like it."""

import pytest

from rag.library.readers.pdf.layout import LayoutBlock
from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, Word
from rag.library.readers.pdf.tables.continued import continue_tables
from rag.library.readers.pdf.tables.table import Row, Table

NAMES, OTHERS, NONE = ["Roll", "Omen"], ["Wind", "Speed"], ["", ""]


def line(text: str) -> PrintedLine:
    return PrintedLine([PrintedCell([Word(text, 50, 70, False)])], 100, 9)


def block(names: list[str], *, bold: bool = True, caption: str = "") -> LayoutBlock:
    """A table of three rows, under a header if its columns have names."""
    rows = [Row([str(number), "gulls", *names[2:]], 9, False) for number in range(3)]
    table = Table([line("0")], [Row(names, 9, bold)] if any(names) else [], rows, names)
    return LayoutBlock(table.lines, table, line(caption) if caption else None)


def last_of(*blocks: LayoutBlock) -> Table:
    """The last of some blocks of a book, after its continued tables were found."""
    continue_tables(blocks)
    assert blocks[-1].table
    return blocks[-1].table


@pytest.mark.parametrize(
    ("blocks", "names"),
    [
        pytest.param([block(NAMES), block(NONE)], NAMES, id="right after it"),
        pytest.param([block(NAMES), block(NONE), block(NONE)], NAMES, id="over several pages"),
        pytest.param([block(NAMES), block([*NONE, ""])], [*NONE, ""], id="another number of columns"),
        pytest.param([block(NAMES), LayoutBlock([line("End.")]), block(NONE)], NONE, id="text between"),
        pytest.param([block(NAMES), block(NONE, caption="Winds")], NONE, id="a caption of its own"),
        pytest.param([block(NAMES), block(OTHERS)], OTHERS, id="names of its own"),
        pytest.param(
            [block(NAMES, bold=False), block(OTHERS, bold=False)], OTHERS, id="plain names of its own"
        ),
    ],
)
def test_rows_read_right_after_a_table_have_its_names(blocks: list[LayoutBlock], names: list[str]) -> None:
    assert last_of(*blocks).headings == names


def test_a_first_row_that_is_not_set_as_the_header_was_is_a_row() -> None:
    below = last_of(block(NAMES), block(["9", "seal"], bold=False))

    assert (below.headings, below.rows[0].cells) == (NAMES, ["9", "seal"])
