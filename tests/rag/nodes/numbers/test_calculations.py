"""A calculation of a statement is done again, and what it rests on must be proven."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.nodes.numbers.proven_numbers import NumberProof, prove_numbers

CALCULATED = [
    ("It costs 25 points (5 + 10 + 10 = 25).", ["5 points", "10 points"]),
    ("The fall does 3d6 (3 × 1d6 = 3d6).", ["1d6 for each 10 feet", "3 stories"]),
    ("3d6 averages 10.5.", ["does 3d6 damage"]),
    ("The average of 3d6 is 10.5.", ["does 3d6 damage"]),
    ("A média de 3d6 = 10,5.", ["does 3d6 damage"]),
    ("It does 3d6+2, on average 12.5.", ["does 3d6+2 damage"]),
    ("2d6 averages 7, so twice that is 14 (2 × 7 = 14).", ["2d6 damage, twice"]),
    ("20 % of 50 = 10.", ["20% of the price", "50 gp"]),
    ("20% de 50 = 10.", ["20% of the price", "50 gp"]),
    ("Half of 9 = 4.5.", ["half the level", "9th level"]),
    ("7 / 2 = 3.5, rounded down to 3.", ["7 points, divided by 2"]),
    ("7 / 2 = 3,5, arredondado para baixo para 3.", ["7 points, divided by 2"]),
    ("7 / 2 = 4 (rounded up).", ["7 points, divided by 2"]),
    ("It has 6 retainers (4 + 2).", ["at most 4 retainers", "+2"]),
    ("320 XP (240 + 2 x 40).", ["4 240 40", "2 asterisks"]),
    ("55% (75% − 20% = 55%).", ["a base chance of 75%", "a chance of 20%"]),
    ("(2 + 3) × 4 = 20.", ["2, 3 and 4"]),
    ("5 + 20 = 20 + 5 = 25.", ["5 gp", "20 gp"]),
    ("2 times 12 = 24 rounds.", ["2 times Constitution", "12"]),
    ("13 - 2 = 11.", ["13", "a -2 penalty"]),
    ("1 hour + 30 minutes = 90 minutes.", ["1 hour", "30 minutes"]),
    ("It is 21 stamps (3 × 7 stamps = 21 stamps).", ["7 stamps each", "3 of them?"]),
]

NOT_CALCULATED = [
    ("It costs 26 points (5 + 10 + 10 = 26).", ["5 points", "10 points"]),
    ("3 × 1d6 = 3d8.", ["1d6 for each 10 feet", "3 stories"]),
    ("3d6 averages 10.", ["does 3d6 damage"]),
    ("3D averages 10.5.", ["does 3D damage"]),
    ("4d6 averages 14.", ["does 3d6 damage"]),
    ("7 / 2 = 3.", ["7 points, divided by 2"]),
    ("7 / 2 = 3 (rounded up).", ["7 points, divided by 2"]),
    ("7 / 2 = 3,5, arredondado para cima para 3.", ["7 points, divided by 2"]),
    ("It has 7 retainers (4 + 2).", ["at most 4 retainers", "+2"]),
    ("It has 7 retainers (4 + 3).", ["at most 4 retainers", "+2"]),
    ("2 + 5 + 3 × 10 = 35.", ["5 points, plus 10", "2 and 3"]),
    ("3 hours × 2 = 6 days.", ["3 hours", "2"]),
    ("1 / 0 = 1.", ["1 level"]),
    ("2 ** 9 = 512.", ["2 or 9"]),
    ("1d6 × 1d6 = 36.", ["1d6"]),
    ("20% + 50 = 60.", ["20% of the price", "50 gp"]),
]


@pytest.mark.parametrize(("statement", "lines"), CALCULATED)
def test_a_calculation_that_holds_proves_its_result(statement: str, lines: list[str]) -> None:
    assert prove_numbers(statement, lines) == NumberProof(frozenset(), is_calculated=True)


@pytest.mark.parametrize(("statement", "lines"), NOT_CALCULATED)
def test_a_false_calculation_or_an_unproven_term_proves_nothing(statement: str, lines: list[str]) -> None:
    assert prove_numbers(statement, lines).unproven


@given(st.integers(0, 999), st.integers(0, 999), st.integers(2, 99))
def test_an_equation_proves_exactly_what_is_true(first: int, second: int, third: int) -> None:
    lines = [f"{first} points", f"{second} and {third}"]
    result = first + second * third
    assert prove_numbers(f"{first} + {second} × {third} = {result}", lines).unproven == set()
    assert prove_numbers(f"{first} + {second} × {third} = {result + 1}", lines).unproven
