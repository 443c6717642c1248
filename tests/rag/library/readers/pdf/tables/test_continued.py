"""A table that goes on over a page, and what only looks like it."""

from rag.library.readers.pdf.lines import Cell, Line, Word
from rag.library.readers.pdf.tables.continued import PageTables, continued_tables
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
    return Table(lines, header, [Row(row, 9, False) for row in rows], names, bounds=[left + step - 10])


def page(one: Table, *others: Line) -> PageTables:
    return [*one.lines, *others], [one]


def names_on_second(above: PageTables, below: PageTables) -> list[str]:
    return continued_tables([above, below])[1][0].headings


def test_rows_at_the_top_of_a_page_have_the_names_above_those_at_the_foot_of_the_page_before() -> None:
    [[_], [below]] = continued_tables([page(table(500, NAMES)), page(table(40, NONE, left=62.0))])

    assert (below.headings, below.is_continued, len(below.rows)) == (NAMES, True, 3)


def test_other_columns_are_another_table() -> None:
    assert names_on_second(page(table(500, NAMES)), page(table(40, NONE, step=90.0))) == NONE


def test_text_between_them_parts_two_tables() -> None:
    below, above = page(table(40, NONE)), page(table(500, NAMES))

    assert names_on_second(page(above[1][0], line("The end.", baseline=600)), below) == NONE
    assert names_on_second(above, page(below[1][0], line("Winds", baseline=25))) == NONE


def test_a_table_with_a_header_like_the_one_before_keeps_its_own() -> None:
    other = ["Wind", "Speed"]

    assert names_on_second(page(table(500, NAMES)), page(table(40, other))) == other
    assert names_on_second(page(table(500, NAMES, bold=False)), page(table(40, other, bold=False))) == other


def test_a_first_row_that_is_not_set_as_the_header_was_is_a_row() -> None:
    [_, [below]] = continued_tables([page(table(500, NAMES)), page(table(40, ["9", "seal"], bold=False))])

    assert below.headings == NAMES
    assert below.rows[0].cells == ["9", "seal"]


def test_the_same_header_again_at_the_top_of_a_page_goes_on_with_the_table() -> None:
    [[above], [below]] = continued_tables([page(table(500, NAMES)), page(table(40, NAMES))])

    assert (above.is_continued, below.is_continued) == (False, True)


def test_a_table_at_the_foot_of_the_last_column_goes_on_beside_a_column_of_text() -> None:
    text = line("The tide", baseline=600, left=50.0)
    above = page(table(500, NAMES, left=250.0), text)

    assert names_on_second(above, page(table(40, NONE, left=250.0))) == NAMES
