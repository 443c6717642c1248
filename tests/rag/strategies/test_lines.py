"""A page as the lines that a statement may cite."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.books.page import TableRow
from rag.strategies.lines import lines_of, torn_sentence
from tests.scripted import TORN, found_page, linked, prompt_of, torn_pages

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


def test_where_no_heading_of_the_page_stands_above_it_is_the_one_in_force() -> None:
    (line,) = lines_of(found_page("Plain words.", headings=["Gear", "Weapons"]))
    assert line.heading == "Weapons"


def test_an_abbreviation_ends_no_sentence() -> None:
    (line,) = lines_of(found_page("A weapon (e.g. a sword) is as long as an arm."))
    assert line.printed == "A weapon (e.g. a sword) is as long as an arm."


@pytest.mark.parametrize(
    "sentence",
    [
        "It weighs approx. 30 lbs. and costs 2.5 gp.",
        "See vol. 2 (cf. Mr. Smith), ca. 12 ft. away.",
        "Use No. 7 of the 1st ed. rules.",
        "Veja a pág. 12, por ex. O Sr. Silva paga aprox. 30.",
        "Siehe S. 80, z.B. Nr. 3 oder ca. 5 m.",
        "“Halt!” cries the guard.",
        "Aiming (see p. 12) costs a turn.",
    ],
)
def test_no_sentence_ends_within(sentence: str) -> None:
    lines = lines_of(found_page(f"{sentence} Then another begins."))
    assert [line.printed for line in lines] == [sentence, "Then another begins."]


def test_a_word_that_only_shortens_before_a_number_may_end_a_sentence() -> None:
    lines = lines_of(found_page("Do they float? No. They sink at a weight of ten, at max. Swim."))
    assert [line.printed for line in lines] == [
        "Do they float?",
        "No.",
        "They sink at a weight of ten, at max.",
        "Swim.",
    ]


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


def test_of_a_torn_sentence_each_page_tells_its_own_words() -> None:
    first, second = (lines_of(page) for page in torn_pages())
    assert first[-1].printed == "Each round under water costs"
    assert second[0].printed == "one point of breath."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It takes 40 stones", "Swimmers sink."),
        ("It takes 40 stones", "climbing 2D, swimming 3D"),
        ("Charges: 3", "Sinks at once."),
        ("Each round costs", f"one point {'of breath ' * 90}."),
    ],
)
def test_what_surely_is_no_sentence_is_not_put_together(first: str, second: str) -> None:
    assert torn_sentence(first, second) is None


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


def test_the_pages_of_a_book_that_are_not_joined_share_no_sentence() -> None:
    alone = found_page(TORN[0], 41, next=linked(42, text=TORN[1]))
    assert lines_of(alone)[-1].text == "Each round under water costs"
