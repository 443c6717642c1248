"""A page as the lines that a statement may cite."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.books.page import TableRow
from rag.strategies.lines import lines_of
from tests.scripted import found_page, prompt_of, torn_pages

TEXT = "Weapons\nA club is cheap. A sword is not.\nClub 3 gp 4 lb\nSword 10 gp 6 lb\nArmor\nPlate is heavy."
READING = "Weapon: Sword | Cost: 10 gp | Weight: 6 lb"


def row(printed: str, reading: str) -> TableRow:
    start = TEXT.index(printed)
    return start, start + len(printed), reading


PAGE = found_page(
    TEXT,
    headings=["Gear", "Weapons"],
    sections=[(0, "Weapons"), (TEXT.index("Armor"), "Armor")],
    rows=[
        row("Club 3 gp 4 lb", "Weapon: Club | Cost: 3 gp | Weight: 4 lb"),
        row("Sword 10 gp 6 lb", READING),
    ],
)


def test_every_sentence_and_every_row_is_a_line_once() -> None:
    assert [line.printed for line in lines_of(PAGE)] == [
        "Weapons",
        "A club is cheap.",
        "A sword is not.",
        "Club 3 gp 4 lb",
        "Sword 10 gp 6 lb",
        "Armor",
        "Plate is heavy.",
    ]
    assert [line.number for line in lines_of(PAGE)] == list(range(1, 8))


def test_a_row_reads_under_its_column_names_and_keeps_the_printed_words() -> None:
    sword = lines_of(PAGE)[4]
    assert (sword.text, sword.printed, sword.is_row) == (READING, "Sword 10 gp 6 lb", True)
    assert f"[1.5] {READING}" in prompt_of(PAGE).render()


def test_a_line_knows_the_nearest_heading_above_it() -> None:
    assert [line.heading for line in lines_of(PAGE)] == ["Weapons"] * 5 + ["Armor"] * 2


def test_an_abbreviation_ends_no_sentence() -> None:
    (line,) = lines_of(found_page("A weapon (e.g. a sword) is as long as an arm."))
    assert line.printed == "A weapon (e.g. a sword) is as long as an arm."


@pytest.mark.parametrize("title", ["Riposte.", "Ward of Stone.", "3.", "No."])
def test_a_title_or_number_that_begins_a_paragraph_stays_with_its_sentence(title: str) -> None:
    text = f"Nobody parries.\n{title} Once a round you may strike back. It costs a point."
    told = ["Nobody parries.", f"{title} Once a round you may strike back.", "It costs a point."]
    assert [line.printed for line in lines_of(found_page(text))] == told


pieces = st.lists(st.text("ab1.!? \n\t…“”", min_size=1, max_size=12), min_size=1, max_size=12)


@given(pieces=pieces, table=st.tuples(st.integers(0, 11), st.integers(0, 11)))
def test_lines_cover_all_that_is_printed_once_and_in_order(pieces: list[str], table: tuple[int, int]) -> None:
    text = "".join(pieces)
    ends = [len("".join(pieces[:count])) for count in range(len(pieces) + 1)]
    rows = [
        (start, end, "Column: cell")
        for number, (start, end) in enumerate(pairwise(ends))
        if number in table and text[start:end].strip()
    ]
    lines = lines_of(found_page(text, rows=rows))
    covered = [text[line.span.start : line.span.end] for line in lines]
    assert "".join("".join(covered).split()) == "".join(text.split())
    assert all(one.span.end <= other.span.start for one, other in pairwise(lines))
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert [line.is_row for line in lines].count(True) == len(rows)


@pytest.mark.parametrize("here", [0, 1])
def test_a_torn_sentence_is_shown_whole_on_both_of_its_pages(here: int) -> None:
    torn = [line.text for line in lines_of(torn_pages()[here]) if line.before or line.after]
    assert torn == ["Each round under water costs one point of breath."]


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        (
            "Whoever reads the",
            "Thief Table knows.",
            "Whoever reads the Thief Table knows.",
        ),
        ("Roll a save (but", "see Falling). Then rest.", "Roll a save (but see Falling)."),
        ("Quem cai na água perde um ponto", "por rodada.", "Quem cai na água perde um ponto por rodada."),
        ("The curse ends by dis-", "enchantment.", "The curse ends by dis-enchantment."),
        ("A room may hold a monster", "(which may sleep).", "A room may hold a monster (which may sleep)."),
    ],
)
def test_a_sentence_that_surely_goes_on_is_put_together(first: str, second: str, whole: str) -> None:
    assert lines_of(torn_pages(first, second)[0])[-1].text == whole
