"""Amounts are read in one spelling, and proven by lines that say them in other words."""

import pytest

from rag.nodes.numbers.amounts import amounts_in
from rag.nodes.numbers.proven_numbers import NumberProof, prove_numbers
from rag.nodes.numbers.spelling import WEAK, normalized, plain_text
from tests.rows import rows


@pytest.mark.parametrize(("text", "numbers"), rows("rag/nodes/rows/amounts.txt"))
def test_numbers_are_read_in_one_spelling(text: str, numbers: str) -> None:
    amounts = amounts_in(normalized(plain_text(text), WEAK))
    read = {number for amount in amounts for number in amount.spelled.split("–")}
    assert (" ".join(sorted(read)) or "none") == numbers


TRUE_PAIRS = rows("rag/nodes/rows/amounts_proven.txt")

FALSE_PAIRS = rows("rag/nodes/rows/amounts_unproven.txt")


@pytest.mark.parametrize(("statement", "line"), TRUE_PAIRS)
def test_what_a_line_says_in_other_words_is_proven(statement: str, line: str) -> None:
    assert prove_numbers(statement, [line]) == NumberProof(frozenset(), is_calculated=False)


@pytest.mark.parametrize(("statement", "line"), FALSE_PAIRS)
def test_what_no_line_says_is_unproven(statement: str, line: str) -> None:
    assert prove_numbers(statement, [line]).unproven


def test_a_number_with_a_sign_is_none_within_a_range() -> None:
    assert prove_numbers("It suffers -3 to Initiative.", ["surprised on 1-4 on 1d6"]).unproven == {"-3"}
    assert prove_numbers("It is surprised on a 3.", ["surprised on 1-4 on 1d6"]).unproven == set()
