"""Two printed pages on one sheet: a booklet's, a spread's, and what is neither."""

from collections.abc import Sequence

import pytest

from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, RawPage, Word
from rag.library.readers.pdf.numbering.sheets import LEFT, RIGHT, printed_pages

WIDTH, HEIGHT = 842.0, 595.0
Sheet = tuple[str, str]


def line(text: str, x: float, baseline: float) -> PrintedLine:
    return PrintedLine([PrintedCell([Word(text, x, x + 12, False)])], baseline, 10)


def sheet(left: str, right: str, width: float = WIDTH) -> RawPage:
    """A sheet with text in both halves and a number, perhaps none, under each."""
    numbers = [line(text, x, HEIGHT - 20) for text, x in ((left, width / 4), (right, 3 * width / 4)) if text]
    text = [
        line(f"{side}{row}", x, 100 + 14 * row) for row in range(20) for side, x in (("l", 40), ("r", 500))
    ]
    return RawPage([*text, *numbers], width, HEIGHT)


def order(sheets: Sequence[Sheet]) -> list[tuple[int, int]]:
    """Position and half of each printed page, in the order in which they are read."""
    return [(page.pdf_page, page.half) for page in printed_pages([sheet(*numbers) for numbers in sheets])]


@pytest.mark.parametrize("missing", [("", "5"), ("4", ""), ("", "")])
def test_a_spread_between_others_is_parted_though_it_lacks_a_number(missing: Sheet) -> None:
    assert order([("2", "3"), missing, ("6", "7"), ("8", "9")])[2:4] == [(2, LEFT), (2, RIGHT)]


@pytest.mark.parametrize(
    "sheets",
    [
        [("1", ""), ("2", ""), ("3", "")],
        [("1", "12"), ("2", "40"), ("3", "7")],
        [("3", "4"), ("3", "4"), ("3", "4")],
        [("2", "3")],
        [("", "")] * 3,
    ],
)
def test_other_numbers_part_no_sheet(sheets: list[Sheet]) -> None:
    assert [half for _, half in order(sheets)] == [0] * len(sheets)


def test_pairs_that_sheets_between_them_contradict_part_none() -> None:
    assert [half for _, half in order([("2", "3"), ("9", "40"), ("7", "31"), ("8", "9")])] == [0] * 4
