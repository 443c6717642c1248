"""Which words of a page's text a picture is to mark, and which header stands over a row."""

import pytest

from rag.library.books.page import TableRow
from rag.library.page_pictures.pages import PageText, header_over, quoted_on


def test_a_quotation_that_is_not_on_the_page_is_nowhere() -> None:
    assert quoted_on("The ferry", PageText(1, 0, "The barge")) is None


def test_a_quotation_ends_where_words_end() -> None:
    assert quoted_on("costs 3", PageText(1, 0, "It costs 35 crowns")) is None


HEADER, FIRST, SECOND = "Weapon  Range  Cost", "Sling  50  2", "Bow  70  9"
TEXT = f"The smith sells these.\n\n{HEADER}\n{FIRST}\n{SECOND}"


def row(printed: str, reading: str) -> TableRow:
    start = TEXT.index(printed)
    return start, start + len(printed), reading


ROWS = (
    row(FIRST, "Arms — Weapon: Sling; Range: 50; Cost: 2"),
    row(SECOND, "Arms — Weapon: Bow; Range: 70; Cost: 9"),
)


def test_the_header_stands_over_the_first_row_of_the_table() -> None:
    span = header_over(TEXT, ROWS, ROWS[1])
    assert span
    assert TEXT[span.start : span.end].strip() == HEADER


def test_lines_that_print_more_than_column_names_are_no_header() -> None:
    rows = [(start, end, reading.replace("Cost", "Price")) for start, end, reading in ROWS]
    assert header_over(TEXT, rows, rows[1]) is None


GROUPED = f"{HEADER}\nOf leather\n{FIRST}\nOf wood\n{SECOND}"


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("quoted", [0, 1])
def test_the_header_stands_over_the_titles_of_groups_of_rows(gap: str, quoted: int) -> None:
    text = GROUPED.replace("\n", gap)
    rows = [
        (text.index(printed), text.index(printed) + len(printed), reading)
        for printed, (_, _, reading) in zip((FIRST, SECOND), ROWS, strict=True)
    ]
    span = header_over(text, rows, rows[quoted])
    assert span
    assert text[span.start : span.end].strip() == HEADER


def test_a_word_of_a_column_above_a_title_is_no_header() -> None:
    text = f"Cost\nOf leather\n{FIRST}"
    row = (text.index(FIRST), len(text), ROWS[0][2])
    assert header_over(text, [row], row) is None


def test_a_row_is_quoted_with_its_header() -> None:
    quoted = quoted_on(SECOND, PageText(1, 0, TEXT, ROWS))
    assert quoted
    assert quoted.is_row
    assert quoted.header is not None


def test_prose_beside_a_table_has_no_header() -> None:
    quoted = quoted_on("The smith sells these.", PageText(1, 0, TEXT, ROWS))
    assert quoted
    assert not quoted.is_row
    assert quoted.header is None


def test_the_header_of_another_table_above_is_no_header_of_this_one() -> None:
    """Both have a column of the same name, and the rows of each group stand under a title."""
    other, own = "Item  Cost\nRope  1\nTent  5", f"{HEADER}\n\nOf leather\n\n{FIRST}\n\nOf wood\n\n{SECOND}"
    text = f"{other}\n\nArms\n\n{own}"
    readings = {
        "Rope  1": "Item: Rope; Cost: 1",
        "Tent  5": "Item: Tent; Cost: 5",
        FIRST: "Arms › Of leather — Weapon: Sling; Range: 50; Cost: 2",
        SECOND: "Arms › Of wood — Weapon: Bow; Range: 70; Cost: 9",
    }
    rows = [(text.index(one), text.index(one) + len(one), reading) for one, reading in readings.items()]
    spans = [header_over(text, rows, row) for row in rows]
    headers = [text[span.start : span.end].strip() for span in spans if span]
    assert headers == ["Item  Cost", "Item  Cost", HEADER, HEADER]
