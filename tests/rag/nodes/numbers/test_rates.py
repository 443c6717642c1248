"""A rate that is printed makes a number of what the asker names."""

import pytest

from rag.nodes.numbers.proven_numbers import prove_numbers
from tests.rows import rows

FIZZLE = "The caster cannot work magic for a number of hours equal to 2 times the Fizzle Result."


def unproven(statement: str, *lines: str, asked: str) -> frozenset[str]:
    return prove_numbers(statement, lines, [asked]).unproven


@pytest.mark.parametrize(("statement", "lines", "asked"), rows("rag/nodes/rows/rates.txt"))
def test_a_rate_times_what_the_asker_names_is_proven(statement: str, lines: str, asked: str) -> None:
    proof = prove_numbers(statement, lines.split(" / "), [asked])
    assert proof.unproven == frozenset()
    assert proof.is_calculated


@pytest.mark.parametrize(("statement", "lines", "asked"), rows("rag/nodes/rows/not_rates.txt"))
def test_another_number_unit_name_or_sentence_is_not(statement: str, lines: str, asked: str) -> None:
    assert unproven(statement, *lines.split(" / "), asked=asked)


def test_what_is_counted_by_something_else_is_a_rate_of_its_own() -> None:
    assert not unproven("No magic for 2 hours per point.", FIZZLE, asked="What happens?")


@pytest.mark.parametrize("statement", ["Half damage.", "O dano cai pela metade."])
def test_what_is_halved_is_half(statement: str) -> None:
    assert not unproven(statement, "A saving throw halves the damage.", asked="And with a save?")
