"""Numbers of a statement stand in its lines, are computed in sight, or repeat the asker's case."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rag.nodes.numbers.proven_numbers import PAGE_REFERENCE, UNREAD, prove_numbers
from tests.rag.nodes.numbers.test_amounts import FALSE_PAIRS, TRUE_PAIRS
from tests.rag.nodes.numbers.test_calculations import CALCULATED
from tests.rows import rows

CASES = rows("rag/nodes/rows/askers_case.txt")

NO_CASES = rows("rag/nodes/rows/askers_claim.txt")


@pytest.mark.parametrize(("statement", "line", "case"), CASES)
def test_a_statement_may_repeat_the_case_of_who_asks(statement: str, line: str, case: str) -> None:
    assert prove_numbers(statement, [line], [case]).unproven == set()
    assert prove_numbers(statement, [line]).unproven


@pytest.mark.parametrize(("statement", "line", "case"), NO_CASES)
def test_a_number_that_is_asked_about_is_no_proof(statement: str, line: str, case: str) -> None:
    assert prove_numbers(statement, [line], [case]).unproven


STATEMENTS = st.sampled_from([*TRUE_PAIRS, *CALCULATED])
ALL_PAIRS = st.sampled_from([*TRUE_PAIRS, *FALSE_PAIRS])


@given(STATEMENTS, ALL_PAIRS)
def test_more_evidence_never_makes_a_statement_unproven(
    pair: tuple[str, str], other: tuple[str, str]
) -> None:
    statement, line = pair
    assert prove_numbers(statement, [line, *other]).unproven == set()


@given(ALL_PAIRS, st.integers(0, 20), st.integers(10_001, 99_999))
def test_a_number_that_stands_nowhere_is_unproven(pair: tuple[str, str], at: int, number: int) -> None:
    statement, line = pair
    # Behind a decimal point more digits may be the same number: 2.5, 2.50000.
    places = list(re.finditer(r"(?<![.\d])\d+", statement))
    assume(places)
    place = places[at % len(places)]
    changed = f"{statement[: place.start()]}{number}{statement[place.end() :]}"
    assert prove_numbers(changed, [line, statement], ["How much is it with ST 12?"]).unproven


@given(st.text(st.sampled_from("0123456789dD+-–/.,%'x×=() ½²einsto"), max_size=60))
def test_no_digit_goes_unread(text: str) -> None:
    statement = f"{text} 70707"
    assert not prove_numbers(statement, [statement]).unproven or "=" in text or "(" in text
    if any("1" <= character <= "9" for character in text):
        assert prove_numbers(text, []).unproven


HOSTILE = [
    "9",
    "one ",
    "um e ",
    "1+",
    "1 + ",
    "1=",
    "1+1=2 ",
    "4 (2+2) ",
    "(",
    "1.",
    "1,",
    "1/",
    "1d6+",
    "1 ",
    " ",
]


@pytest.mark.parametrize(
    "part", [*HOSTILE, "half a ", "AB ", "a", "a day ", "3d6 averages 10.5 ", "\n", "-", "d1"]
)
def test_hostile_text_is_read_before_the_test_runs_out_of_time(part: str) -> None:
    text = (part * 10_000)[:10_000]
    assert prove_numbers(text, [text], [text]).unproven == {UNREAD}
    prove_numbers(text[:2_000], [text], [text])


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("p. 10", "p. 10"),
        ("(p. W17)", "p. W17"),
        ("page 12", "page 12"),
        ("pág. iv", "pág. iv"),
        ("p10", "p10"),
    ]
    + [(text, None) for text in ("1d6 por 10 pés", "1 plus 1 more", "pay 3 gp", "por 1d4+4 turnos")],
)
def test_a_page_is_told_from_a_word_that_begins_alike(text: str, page: str | None) -> None:
    found = PAGE_REFERENCE.search(text)
    assert (found and found[0]) == page
