"""Numbers of a statement must stand in its quotes or the question, or be computed in sight."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.nodes.numbers import holds, numbers_in, unsupported_numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It costs 35 points.", {"35"}),
        ("1,000 gp or 1.000 po", {"1000"}),
        ("a roll of 10-11", {"10", "11"}),
        ("3D6+2 damage, -2 to hit", {"3d6+2", "-2"}),
        ("roll 5D+1", {"5d+1"}),
        ("thirty-five points", {"35"}),
        ("trinta e cinco pontos", {"35"}),
        ("one of the two", {"2"}),
        ("d12 damage, p. B417", {"d12", "b417"}),
        ("½ of it", {"1/2"}),
        ("vinte por cento", {"20"}),
        ("no quarto ao lado", set()),
        ("x3 damage", {"3"}),
        ("the 5th level", {"5"}),
        ("2.5% of it", {"2.5"}),
    ],
)
def test_numbers_are_read_in_one_spelling(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("It costs 30 points.", ["costs 30 points"]),
        ("Magery 3 costs 35 points (5 + 3 × 10 = 35).", ["5 points, plus 10 a level", "Magery 3?"]),
        ("The fall does 3d6 (3 × 1d6 = 3d6).", ["1d6 for each 10 feet", "a fall of 3 stories"]),
        ("A penalty of 2.", ["at a -2 penalty"]),
        ("Roll three dice.", ["roll 3d6"]),
        ("Two levels.", ["has 2 levels"]),
        ("It has 3 levels.", ["three levels"]),
        ("It deals 1d6.", ["it deals d6"]),
        ("On a 7 they are friendly.", ["6-8  friendly"]),
        ("Half: 0.5 yards.", ["½ yard"]),
        ("It is 21 stamps (3 × 7 stamps = 21 stamps).", ["7 stamps each", "3 of them?"]),
    ],
)
def test_supported_numbers_pass(statement: str, evidence: list[str]) -> None:
    assert unsupported_numbers(statement, evidence) == set()


@pytest.mark.parametrize(
    ("statement", "evidence", "invented"),
    [
        ("It costs 35 points.", ["costs 30 points"], {"35"}),
        ("It costs 5 points.", ["costs 35 points"], {"5"}),
        ("A bonus of +2.", ["at a -2 penalty"], {"+2"}),
        ("It costs thirty-five points.", ["costs 30 points"], {"35"}),
        ("It costs 36 (5 + 3 × 10 = 36).", ["5 points, plus 10 for each of 3 levels"], {"36"}),
        ("It costs 35 (5 + 6 × 5 = 35).", ["5 points a level"], {"35", "6"}),
        ("It does 2d6.", ["it does 1d6"], {"2d6"}),
        ("It does d12.", ["it does d6"], {"d12"}),
        ("It has two levels.", ["it has 5 levels"], {"2"}),
        ("Tem dois níveis.", ["it has 5 levels"], {"2"}),
        ("2 damage.", ["2/3 damage"], {"2"}),
        ("See B417.", ["see Powers"], {"b417"}),
        ("It needs ST13.", ["It needs ST 10"], {"st13"}),
    ],
)
def test_other_numbers_are_named(statement: str, evidence: list[str], invented: set[str]) -> None:
    assert unsupported_numbers(statement, evidence) == invented


@given(st.integers(0, 999), st.integers(0, 999), st.integers(0, 99))
def test_an_equation_holds_exactly_when_it_is_true(first: int, second: int, third: int) -> None:
    result = first + second * third
    assert holds(f"{first} + {second} × {third} = {result}")
    assert not holds(f"{first} + {second} × {third} = {result + 1}")


@pytest.mark.parametrize("line", ["1 / 0 = 1", "2 ** 9 = 512", "(3 + = 3", "1d6 × 1d6 = 1d6", "3 = x"])
def test_what_is_no_arithmetic_does_not_hold(line: str) -> None:
    assert not holds(line)
