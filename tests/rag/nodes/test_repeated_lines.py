"""Of a statement that repeats a line it is known which words it changed."""

from rag.nodes.repeated_lines import LONGEST_CHANGE, Change, changes

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
