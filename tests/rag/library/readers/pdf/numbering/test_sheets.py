"""Two printed pages on one sheet: a booklet's, a spread's, and what is neither."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag.library.readers.pdf.annotations import LinkArea
from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, RawPage, Word
from rag.library.readers.pdf.numbering.margin_numbers import margin_numbers
from rag.library.readers.pdf.numbering.sheets import LEFT, RIGHT, printed_pages
from rag.library.readers.pdf.tables.rulings import Band, DrawnLine, DrawnLines

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


def test_a_booklets_cover_sheets_stay_whole() -> None:
    found = order([("", ""), ("", "9"), ("8", "1"), ("2", "7"), ("6", "3"), ("4", "5")])

    assert found[:3] == [(1, 0), (2, 0), (3, RIGHT)]


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


def test_an_upright_page_is_one_page_whatever_numbers_stand_on_it() -> None:
    pages = [sheet(str(number), str(number + 1), width=400) for number in (2, 4, 6)]

    assert [page.half for page in printed_pages(pages)] == [0, 0, 0]


def test_a_line_that_runs_across_the_fold_is_parted_between_its_cells() -> None:
    raw = sheet("2", "3")
    words = [Word("left", 50, 90, False), Word("right", 600, 640, False)]
    raw.lines.append(PrintedLine([PrintedCell(words[:1]), PrintedCell(words[1:])], 300, 10))
    left, right = printed_pages([raw, sheet("4", "5")])[:2]

    assert "left" in [one.text for one in left.raw.lines]
    assert "right" in [one.text for one in right.raw.lines]


def test_a_link_stands_on_the_half_that_its_words_stand_on() -> None:
    links = (LinkArea("l3", 9, x=50), LinkArea("r4", 8, x=500))
    left, right = printed_pages([replace(sheet("2", "3"), links=links), sheet("4", "5")])[:2]

    assert (left.raw.links, right.raw.links) == (links[:1], links[1:])


def test_pairs_that_agree_by_chance_on_a_few_sheets_part_none() -> None:
    pairs = [("9", "1"), ("2", "8"), *[(str(20 + number), "3") for number in range(9)]]

    assert [half for _, half in order(pairs)] == [0] * 11


def test_pairs_that_sheets_between_them_contradict_part_none() -> None:
    assert [half for _, half in order([("2", "3"), ("9", "40"), ("7", "31"), ("8", "9")])] == [0] * 4


def test_each_half_has_its_own_rulings_seen_from_its_edge_as_its_lines_are() -> None:
    ruled = DrawnLines(
        horizontal=(DrawnLine(90, 20, 400), DrawnLine(90, 440, 800), DrawnLine(300, 400, 500)),
        vertical=(DrawnLine(20, 90, 200), DrawnLine(461, 90, 200)),
        bands=(Band(461, 90, 800, 110, 0),),
    )
    sheets = [replace(sheet("2", "3"), rulings=ruled), sheet("4", "5")]
    left, right = (page.raw for page in printed_pages(sheets)[:2])

    assert left.rulings == DrawnLines(
        (DrawnLine(90, 20, 400), DrawnLine(300, 400, 421)), (DrawnLine(20, 90, 200),)
    )
    assert right.rulings == DrawnLines(
        (DrawnLine(90, 19, 379), DrawnLine(300, 0, 79)),
        (DrawnLine(40, 90, 200),),
        (Band(40, 90, 379, 110, 0),),
    )
    assert right.lines[0].x0 == 500 - 421
