"""A number that nobody calculates in writing may follow from others; it is then inferred, not printed."""

import pytest

from rag.nodes.numbers.proven_numbers import NumberProof, prove_numbers
from tests.rows import rows

INFERRED = NumberProof(frozenset(), is_calculated=True, is_inferred=True)


@pytest.mark.parametrize(("statement", "lines", "asked"), rows("rag/nodes/rows/inferred.txt"))
def test_what_follows_in_one_step_is_inferred(statement: str, lines: str, asked: str) -> None:
    assert prove_numbers(statement, lines.split(" / "), [asked]) == INFERRED


@pytest.mark.parametrize(("statement", "lines", "asked"), rows("rag/nodes/rows/not_inferred.txt"))
def test_another_result_unit_die_or_operand_is_not(statement: str, lines: str, asked: str) -> None:
    assert prove_numbers(statement, lines.split(" / "), [asked]).unproven


def test_what_is_printed_or_written_out_is_not_inferred() -> None:
    assert not prove_numbers("It has 6 (4 + 2).", ["at most 4", "+2"]).is_inferred
    assert not prove_numbers("The range is 100 feet, or 400 feet.", ["Range 100/400"]).is_inferred
