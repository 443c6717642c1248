"""Two printed pages on one sheet: a booklet's, a spread's, and what is neither."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag.library.readers.pdf.annotations import LinkArea
from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, RawPage, Word
from rag.library.readers.pdf.numbering.margin_numbers import margin_numbers
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


def test_the_halves_of_spreads_follow_each_other() -> None:
    assert order([("2", "3"), ("4", "5"), ("6", "7")]) == [
        (1, LEFT), (1, RIGHT), (2, LEFT), (2, RIGHT), (3, LEFT), (3, RIGHT),
    ]  # fmt: skip


def test_the_pages_of_a_booklet_are_read_in_the_order_of_their_numbers() -> None:
    assert order([("8", "1"), ("2", "7"), ("6", "3"), ("4", "5")]) == [
        (1, RIGHT), (2, LEFT), (3, RIGHT), (4, LEFT), (4, RIGHT), (3, LEFT), (2, RIGHT), (1, LEFT),
    ]  # fmt: skip


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


def test_a_leaflet_folded_into_three_panels_has_neither_halves_nor_numbers() -> None:
    def leaflet(*panels: str) -> RawPage:
        numbers = [line(text, (2 * at + 1) * WIDTH / 6, HEIGHT - 20) for at, text in enumerate(panels)]
        return replace(sheet("", ""), lines=[*sheet("", "").lines, *numbers])

    pages = printed_pages([leaflet("5", "6", "1"), leaflet("2", "3", "4")])

    assert [page.half for page in pages] == [0, 0]
    assert [found.all for found in margin_numbers([page.raw for page in pages])] == [frozenset()] * 2


def test_a_link_stands_on_the_half_that_its_words_stand_on() -> None:
    links = (LinkArea("l3", 9, x=50), LinkArea("r4", 8, x=500))
    left, right = printed_pages([replace(sheet("2", "3"), links=links), sheet("4", "5")])[:2]

    assert (left.raw.links, right.raw.links) == (links[:1], links[1:])


def test_pairs_that_sheets_between_them_contradict_part_none() -> None:
    assert [half for _, half in order([("2", "3"), ("9", "40"), ("7", "31"), ("8", "9")])] == [0] * 4
