"""A table that goes on in the next column or page, and what only looks like it."""

from rag.library.books.page import TITLE_END
from rag.library.readers.pdf.layout import LayoutBlock
from rag.library.readers.pdf.lines import Cell, Line, Word
from rag.library.readers.pdf.paragraphs import paragraphs
from rag.library.readers.pdf.tables.continued import continue_tables
from rag.library.readers.pdf.tables.table import Row, Table

NAMES = ["Roll", "Omen"]
NONE = ["", ""]


def line(*words: str, baseline: float, left: float = 50.0, step: float = 60.0) -> Line:
    places = [left + step * number for number in range(len(words))]
    cells = [Cell([Word(word, x, x + 20, False)]) for word, x in zip(words, places, strict=True)]
    return Line(cells, baseline, 9)


def table(
    first: float, names: list[str], left: float = 50.0, step: float = 60.0, *, bold: bool = True
) -> Table:
    """A table of three rows from a height on, under a header if its columns have names."""
    rows = [[str(number), "gulls"] for number in range(3)]
    written = [names, *rows] if any(names) else rows
    lines = [line(*row, baseline=first + 12 * at, left=left, step=step) for at, row in enumerate(written)]
    header = [Row(names, 9, bold)] if any(names) else []
    return Table(lines, header, [Row(row, 9, False) for row in rows], names)


def block(*lines: Line) -> LayoutBlock:
    return LayoutBlock(list(lines))


def as_read(*parts: Table | LayoutBlock) -> list[LayoutBlock]:
    """The blocks of a book after its continued tables were found."""
    blocks = [LayoutBlock(list(one.lines), one) if isinstance(one, Table) else one for one in parts]
    continue_tables(blocks)
    return blocks


def names_on_last(*parts: Table | LayoutBlock) -> list[str]:
    last = as_read(*parts)[-1].table
    assert last
    return last.headings


def test_rows_read_right_after_a_table_have_its_names_wherever_they_stand() -> None:
    below = as_read(table(500, NAMES), table(40, NONE, left=62.0))[-1].table

    assert below
    assert (below.headings, below.is_continued, len(below.rows)) == (NAMES, True, 3)


def test_a_table_goes_on_over_several_columns_and_pages() -> None:
    in_next_column = table(500, NONE, left=300.0)

    assert names_on_last(table(500, NAMES), in_next_column, table(40, NONE, left=62.0)) == NAMES


def test_another_number_of_columns_is_another_table() -> None:
    assert names_on_last(table(500, NAMES), table(40, [*NONE, ""])) == [*NONE, ""]


def test_text_between_them_parts_two_tables() -> None:
    between = block(line("The end.", baseline=600))

    assert names_on_last(table(500, NAMES), between, table(40, NONE)) == NONE


def test_a_table_with_a_caption_of_its_own_does_not_go_on() -> None:
    below = LayoutBlock(table(40, NONE).lines, table(40, NONE), caption=line("Winds", baseline=25))

    assert names_on_last(table(500, NAMES), below) == NONE


def test_a_table_with_a_header_like_the_one_before_keeps_its_own() -> None:
    other = ["Wind", "Speed"]

    assert names_on_last(table(500, NAMES), table(40, other)) == other
    assert names_on_last(table(500, NAMES, bold=False), table(40, other, bold=False)) == other


def test_a_first_row_that_is_not_set_as_the_header_was_is_a_row() -> None:
    below = as_read(table(500, NAMES), table(40, ["9", "seal"], bold=False))[-1].table

    assert below
    assert (below.headings, below.rows[0].cells) == (NAMES, ["9", "seal"])


def test_a_repeated_header_tells_that_a_table_goes_on() -> None:
    above, below = (one.table for one in as_read(table(500, NAMES), table(40, NAMES)))

    assert above
    assert below
    assert (above.is_continued, below.is_continued) == (False, True)


def test_rows_after_a_break_stay_in_the_group_of_those_before_it() -> None:
    above, below = table(500, NAMES), table(40, NONE)
    above.title, above.rows[1] = "Omens", Row(["At sea", ""], 9, True)
    below.rows[1] = Row(["On land", ""], 9, True)
    readings = [one.reading for one in paragraphs(as_read(above, below), ()) if one.reading]

    assert [reading.split(TITLE_END)[0] for reading in readings] == [
        "Omens",
        "Omens › At sea",
        "Omens › At sea",
        "Omens › On land",
    ]
