"""Which words of a page's text a picture is to mark, and which header stands over a row."""

import pytest

from rag.library.books.page import TableRow
from rag.library.page_pictures.pages import header_over, quoted_on
from tests.rag.library.page_pictures.made_pages import text_page


@pytest.mark.parametrize(
    ("quote", "text"),
    [("The ferry", "The barge"), ("costs 3", "It costs 35 crowns"), ("Range ten.", "Range ten. Range ten.")],
)
def test_a_quotation_that_is_not_on_the_page_or_there_twice_is_nowhere(quote: str, text: str) -> None:
    assert quoted_on(quote, text_page(text)) is None


HEADER, FIRST, SECOND = "Weapon  Range  Cost", "Sling  50  2", "Bow  70  9"
TEXT = f"The smith sells these.\n\n{HEADER}\n{FIRST}\n{SECOND}"


def row(printed: str, reading: str) -> TableRow:
    start = TEXT.index(printed)
    return start, start + len(printed), reading


ROWS = (
    row(FIRST, "Arms — Weapon: Sling; Range: 50; Cost: 2"),
    row(SECOND, "Arms — Weapon: Bow; Range: 70; Cost: 9"),
)


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


@pytest.mark.parametrize(
    ("quote", "is_row", "header"), [(SECOND, True, HEADER), ("The smith sells these.", False, None)]
)
def test_a_row_is_quoted_with_its_header_and_prose_beside_it_without(
    quote: str, is_row: bool, header: str | None
) -> None:
    quoted = quoted_on(quote, text_page(TEXT, ROWS))
    assert quoted
    over = quoted.header and TEXT[quoted.header.start : quoted.header.end].strip()
    assert (quoted.is_row, over) == (is_row, header)


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
