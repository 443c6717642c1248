"""A calculation of a statement is done again, and what it rests on must be proven."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.nodes.numbers.proven_numbers import NumberProof, prove_numbers
from tests.rows import rows

CALCULATED = rows("rag/nodes/rows/calculated.txt")

NOT_CALCULATED = rows("rag/nodes/rows/not_calculated.txt")


@pytest.mark.parametrize(("statement", "lines"), CALCULATED)
def test_a_calculation_that_holds_proves_its_result(statement: str, lines: str) -> None:
    assert prove_numbers(statement, lines.split(" / ")) == NumberProof(frozenset(), is_calculated=True)


@pytest.mark.parametrize(("statement", "lines"), NOT_CALCULATED)
def test_a_false_calculation_or_an_unproven_term_proves_nothing(statement: str, lines: str) -> None:
    assert prove_numbers(statement, lines.split(" / ")).unproven


@given(st.integers(0, 999), st.integers(0, 999), st.integers(2, 99))
def test_an_equation_proves_exactly_what_is_true(first: int, second: int, third: int) -> None:
    lines = [f"{first} points", f"{second} and {third}"]
    result = first + second * third
    assert prove_numbers(f"{first} + {second} × {third} = {result}", lines).unproven == set()
    assert prove_numbers(f"{first} + {second} × {third} = {result + 1}", lines).unproven
