"""Of a statement that repeats a line it is known which words and numbers it changed or left out."""

import pytest

from rag.nodes.repeated_lines import (
    LONGEST_CHANGE,
    PAUSE,
    Change,
    changed_numbers,
    changes,
    left_out,
    loses_a_number,
    misplaces_a_number,
)

LINE = "A giant crab has a maximum of four claws and hides in wet sand."
OTHER = "Ropes are sold at the harbour by the yard, never by weight."


def test_the_words_that_stand_for_others_are_told() -> None:
    stated = "A giant crab has a minimum of four claws and hides in dry sand."
    assert changes(stated, [OTHER, LINE]) == [Change("maximum", "minimum"), Change("wet", "dry")]


def test_what_is_left_out_or_added_changes_no_word() -> None:
    assert changes("A giant crab has a maximum of four sharp claws.", [LINE]) == []


def test_who_tells_a_line_in_other_words_repeats_none() -> None:
    assert changes("Giant crabs own at least four pincers.", [LINE]) == []


def test_a_long_part_in_the_place_of_another_says_something_of_its_own() -> None:
    part, line = " ".join(["quick"] * (LONGEST_CHANGE + 1)), f"{LINE} {OTHER}"
    assert changes(line.replace("in wet sand", part), [line]) == []
    assert len(changes(line.replace("in wet sand", part.removeprefix("quick ")), [line])) == 1


@pytest.mark.parametrize(
    ("stated", "change"),
    [
        ("A giant crab has a maximum of six claws and hides in wet sand.", Change("4", "6")),
        ("A giant crab has a maximum of 4 claws and hides in wet sand.", None),
        ("A giant crab has a maximum of 2 + 5 = 7 claws.", Change("4", "2 + 5 = 7")),
        ("A giant crab has a maximum of 4 × 2 = 8 claws.", Change("", "× 2 = 8")),
        ("A giant crab has a maximum of four claws and hides in 3 wet sand.", None),
        ("A giant crab has a lot of claws and hides in wet sand.", None),
        ("Giant crabs own at least six pincers.", None),
    ],
)
def test_another_number_or_a_calculation_in_the_place_of_a_lines_number_is_told(
    stated: str, change: Change | None
) -> None:
    assert changed_numbers(stated, [OTHER, LINE]) == ([change] if change else [])


def test_a_number_written_in_another_way_is_none_other() -> None:
    line = "It costs 1,000 shells and half of the crew lives on it for one day."
    assert changed_numbers(line.replace("1,000", "1000").replace("half", "50%"), [line]) == []


def test_who_tells_of_another_thing_in_as_few_words_repeats_no_line() -> None:
    assert changed_numbers("A rope costs 5 marks.", ["A bell costs 9 marks."]) == []
    assert changed_numbers("A rope costs 5 marks.", ["A rope costs 9 marks."]) == [Change("9", "5")]


RAFT = "A raft carries six people in calm water or two mules on the reef."


@pytest.mark.parametrize(
    ("stated", "is_lost"),
    [
        ("A raft carries six mules on the reef.", True),
        ("A raft carries six people on the reef.", True),
        ("A raft carries people in calm water.", False),
        ("A raft carries two mules on the reef.", False),
        ("A raft carries six people in calm water.", False),
        ("A raft carries 6 people in calm water or 2 mules.", False),
        ("Two or three swim beside a raft.", False),
    ],
)
def test_a_number_that_is_left_out_between_another_and_the_rest_is_lost(stated: str, is_lost: bool) -> None:
    assert loses_a_number(stated, [OTHER, RAFT]) is is_lost


DIVE = "For every six points of the roll the diver stays one turn longer."


@pytest.mark.parametrize(
    ("stated", "is_misplaced"),
    [
        ("For every point of the roll the diver stays six turns longer.", True),
        ("For every six points of the roll the diver stays one turn longer.", False),
        ("For every point of the roll the diver stays 9 turns longer.", False),
        ("For every six points the diver stays longer.", False),
    ],
)
def test_a_number_that_is_put_in_the_place_of_another_is_misplaced(stated: str, is_misplaced: bool) -> None:
    assert misplaces_a_number(stated, [OTHER, DIVE]) is is_misplaced


def test_what_a_statement_leaps_over_is_told_with_its_pauses() -> None:
    line = "Eels hunt by day, and crabs hide in wet sand at low tide."
    leaped = ["hunt", "by", "day", PAUSE, "and", "crab"]
    assert left_out("Eels hide in wet sand.", [OTHER, line]) == [leaped]
    assert left_out("Eels hunt by day.", [OTHER, line]) == []
