"""Numbers within hyphened words are held against what the lines count of the same."""

import pytest

from rag.nodes.numbers.proven_numbers import prove_numbers


@pytest.mark.parametrize(
    ("text", "line", "unproven"),
    [
        ("A halberd is a one-handed weapon.", "A halberd is a two-handed weapon.", {"one-handed"}),
        ("A one-handed halberd does 1d10.", "Two-handed halberd: 1d10", {"one-handed"}),
        ("A four-horse wagon is slow.", "A wagon drawn by two horses is slow.", {"four-horse"}),
        ("A two-handed halberd.", "A halberd is a two-handed weapon.", set()),
        ("Two-handed, not one-handed.", "A halberd is a two-handed weapon.", set()),
        ("A two-handed flail.", "A two- or three-handed flail.", set()),
        ("A two-handed flail is heavy.", "A flail is heavy.", set()),
        ("A twenty-five-man crew.", "A crew of 25 men.", set()),
    ],
)
def test_the_number_of_a_hyphened_word_is_not_another_one_than_the_lines_count(
    text: str, line: str, unproven: set[str]
) -> None:
    assert prove_numbers(text, [line]).unproven == unproven


@pytest.mark.parametrize(
    ("text", "line", "is_proven"),
    [
        ("It needs 2 hands.", "A halberd is a two-handed weapon.", True),
        ("Exige duas mãos.", "A halberd is a two-handed weapon.", True),
        ("It needs 3 hands.", "A halberd is a two-handed weapon.", False),
        ("It costs 2 gp.", "A halberd is a two-handed weapon.", False),
        ("It needs 2.", "A halberd is a two-handed weapon.", False),
        ("It has +2 hands.", "A halberd is a two-handed weapon.", False),
        ("Roll 1d6.", "Roll a 6-sided die.", True),
        ("Roll a 6-sided die.", "Roll a six-sided die.", True),
    ],
)
def test_a_hyphened_word_proves_how_many_there_are_of_the_same_and_of_nothing_else(
    text: str, line: str, is_proven: bool
) -> None:
    assert (prove_numbers(text, [line]).unproven == frozenset()) is is_proven


def test_what_the_asker_says_in_a_hyphened_word_is_disputed_by_lines_that_count_otherwise() -> None:
    line, question = "Only one-handed weapons go with a shield.", "Can I use a two-handed sword?"
    proof = prove_numbers("No two-handed sword goes with a shield.", [line], [question])
    assert (proof.unproven, proof.is_disputed) == (frozenset(), True)
    assert not prove_numbers("One-handed weapons go with a shield.", [line], [question]).is_disputed


def test_a_number_in_digits_that_stands_for_something_else_in_the_lines_is_disputed() -> None:
    line = "A halberd, 1 foot long, is a two-handed weapon."
    assert prove_numbers("A halberd is a 1-handed weapon.", [line]).is_disputed
    assert not prove_numbers("A halberd is a 2-handed weapon.", [line]).is_disputed
