"""A calculation that a model writes down is done again: its value, its terms, what it is said to equal."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.nodes.numbers import LONGEST_EXPRESSION, bracketed_in, calculated, equations_in


@pytest.mark.parametrize(
    ("expression", "value"),
    [("40 / 10 * 1d6", "4d6"), ("10 / 2 * 1D6", "5d6"), ("8d6 + (5 - 3) * 1d6", "10d6"),
     ("2d6 + 5", "2d6 + 5"), ("1d6 + 1d8", "1d6 + 1d8"), ("4D + 1D", "5d"), ("2 * d%", "2d100"),
     ("3 - 4", "-1"), ("25 / 2", "12.5"), ("10 / 3", "10/3"), ("600,000 * 2", "1200000"),
     ("20 * 50%", "10"), ("240 + 2 x 40", "320"), ("1.500 * 2", "3000"), ("floor(25 / 2)", "12"),
     ("max(3, 7) - min(2, 1)", "6"), ("+3 + -4", "-1")],
)  # fmt: skip
def test_numbers_shares_and_dice_are_calculated(expression: str, value: str) -> None:
    assert str(calculated(expression)) == f"{expression} = {value}"


@pytest.mark.parametrize(
    "expression",
    ["", "7", "1d6", "2 ** 9", "1 / 0", "1d6 * 1d6", "6 / 1d6", "floor(1d6)", "3 apples + 4", "((1 + 2)",
     "1 +", "__import__('os').getcwd()", "abs(3)", "f(2)", "t9 + 1", "floor(n=2)", "max()", "(" * 150,
     "2 if 1 else 3", "[1][0] + 1", "lambda: 1"],
)  # fmt: skip
def test_what_is_no_arithmetic_is_not_calculated(expression: str) -> None:
    assert calculated(expression) is None


@pytest.mark.parametrize(
    ("written", "is_right"),
    [
        ("4 × 1d6 = 4d6", True),
        ("4 × 1d6 = 3d6", False),
        ("5 + 20 = 20 + 5 = 26", False),
        ("25 / 2 = 12", True),
        ("25 / 2 = 14", False),
        ("75% - 20% = 55%", True),
        ("2 + 2 = a lot", True),
    ],
)
def test_what_is_written_behind_the_sign_must_be_equal_perhaps_rounded(written: str, is_right: bool) -> None:
    found = calculated(written)
    assert found is not None
    assert found.is_right is is_right


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It deals 4d6 (4 × 1d6 = 4d6).", ["4 * 1d6 = 4d6"]),
        ("It costs 25 (5 + 10 + 10 = 25), 2 + 2 = 4 more.", ["5 + 10 + 10 = 25", "2 + 2 = 4"]),
        ("(2 + 3) × 4 = 20.", ["(2 + 3) * 4 = 20"]),
        ("Custa 35 pontos (5 + 3 × 10 = 35).", ["5 + 3 * 10 = 35"]),
    ],
)
def test_equations_in_a_text_are_found(text: str, found: list[str]) -> None:
    assert list(map(str, equations_in(text))) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It costs 320 XP (240 + 2 × 40).", ["240 + 2 * 40 = 320"]),
        ("A lamp (30 feet) burns (for 2-3 hours).", []),
    ],
)
def test_sums_in_brackets_are_found(text: str, found: list[str]) -> None:
    assert list(map(str, bracketed_in(text))) == found


def test_the_terms_and_the_values_on_the_way_are_told() -> None:
    found = calculated("40 / 10 * 1d6")
    assert found is not None
    assert [one.spelled for one in found.terms] == ["40", "10", "1d6"]
    assert [(int(max(one.values)), one.sides) for one in found.results] == [(4, "6"), (4, None), (4, "6")]


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    """An expression of whole numbers that Python reads as we do."""
    if not depth or draw(st.booleans()):
        return str(draw(st.integers(0, 500)))
    sign = draw(st.sampled_from([" + ", " - ", " * ", " / "]))
    left, right = draw(expressions(depth=depth - 1)), draw(expressions(depth=depth - 1))
    return f"({left}{sign}{right})"


@given(expressions())
def test_the_value_of_an_expression_is_pythons(expression: str) -> None:
    try:
        expected = eval(
            "".join(
                f"F({one})" if one.isdigit() else one
                for one in expression.replace("(", " ( ").replace(")", " ) ").split()
            ),
            {"F": Fraction},
        )
    except ZeroDivisionError:
        expected = None
    found = calculated(expression)
    if len(expression) > LONGEST_EXPRESSION or expression.isdigit() or expected is None:
        assert found is None
    else:
        assert found is not None
        assert found.value.get("", 0) == expected


@given(count=st.integers(1, 30), factor=st.integers(1, 30), sides=st.sampled_from([4, 6, 8, 100]))
def test_so_many_times_some_dice_are_that_many_more(count: int, factor: int, sides: int) -> None:
    found = calculated(f"{factor} * {count}d{sides}")
    assert found is not None
    assert found.value == {str(sides): factor * count}


@given(st.text(max_size=220) | st.text(st.sampled_from("0123456789dD+-*/()%=., xfloorminmax"), max_size=220))
def test_whatever_is_written_is_calculated_or_not(text: str) -> None:
    found = [calculated(text), *equations_in(text), *bracketed_in(text)]
    assert all(one.terms for one in found if one)
