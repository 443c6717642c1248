"""A rate that is printed makes a number of what the asker names."""

import pytest

from rag.nodes.numbers.proven_numbers import prove_numbers

FALL = "Whoever falls takes 1d6 damage per 10 feet, to a maximum of 20d6."
SCROLL = "It costs 50 gp per spell level, and takes 1 day per spell level."
FIZZLE = "The caster cannot work magic for a number of hours equal to 2 times the Fizzle Result."
APART = "The trap deals 2d6. Per 10 feet of a fall bones break."
FAR = "It deals 2d6 to whoever is so careless as to step on its plate, and gas spreads per 10 feet."
BOLT = "The bolt does 8d6 damage, and 1d6 more for each spell slot level above 3."
HALFWAY = "A climber who slips falls from about halfway up."


def unproven(statement: str, *lines: str, asked: str) -> frozenset[str]:
    return prove_numbers(statement, lines, [asked]).unproven


@pytest.mark.parametrize(
    ("statement", "lines", "asked"),
    [
        ("The fall does 3d6.", [FALL], "How much damage does a fall of 30 feet do?"),
        ("A queda causa 3d6.", [FALL], "Quanto dano causa uma queda de 30 pés?"),
        (
            "It costs 100 gp and takes 2 days.",
            [SCROLL],
            "What does a 2nd level spell cost my 9th level mage?",
        ),
        ("No magic for 18 hours.", [FIZZLE], "My Fizzle Result was 9. What happens?"),
        (
            "Sem magia por 18 horas.",
            [FIZZLE.replace("Fizzle", "Failure")],
            "Meu Resultado de Falha foi 9. O que acontece?",
        ),
        ("The bolt does 10d6.", [BOLT], "What does the bolt do with a 5th level slot?"),
        ("The bolt does 10d6.", [BOLT], "What does the bolt do cast at level 5?"),
        ("You take 5 damage.", ["1 damage for each 2 paces."], "How much is it for falling 10 paces?"),
        ("She falls 30 feet and takes 3d6.", [HALFWAY, FALL], "How bad is a slip on a 60-foot cliff?"),
        (
            "It heals 2d6+5.",
            ["It heals 2d6, plus 1 point per caster level."],
            "How much does my 5th level cleric heal?",
        ),
    ],
)
def test_a_rate_times_what_the_asker_names_is_proven(statement: str, lines: list[str], asked: str) -> None:
    proof = prove_numbers(statement, lines, [asked])
    assert proof.unproven == frozenset()
    assert proof.is_calculated


@pytest.mark.parametrize(
    ("statement", "lines", "asked"),
    [
        ("The fall does 4d6.", [FALL], "How much damage does a fall of 30 feet do?"),
        ("The fall does 30d6.", [FALL], "How much damage does a fall of 300 feet do?"),
        ("The fall does 3d6.", [FALL], "Does a fall of 30 feet do 3d6?"),
        ("The fall does 3d6.", [FALL], "How much damage does a fall of 30 yards do?"),
        ("It costs 450 gp.", [SCROLL], "What does a 2nd level spell cost my 9th level mage?"),
        ("No magic for 18 hours.", [FIZZLE], "I rolled 9 on my Luck. What happens?"),
        ("The fall does 6d6.", [APART], "How much damage does a fall of 30 feet do?"),
        ("The bolt does 12d6.", [BOLT], "What does the bolt do with a 5th level slot?"),
        ("The bolt does 8d6.", [BOLT.replace("8d6", "7d6")], "What does the bolt do with a 3rd level slot?"),
        ("You take 5 damage.", ["1 damage for each 2 paces."], "How much is it for falling 10 steps?"),
        ("The trap does 6d6.", [FAR], "How much damage does it do over 30 feet?"),
    ],
)
def test_another_number_unit_name_or_sentence_is_not(statement: str, lines: list[str], asked: str) -> None:
    assert unproven(statement, *lines, asked=asked)


def test_what_is_counted_by_something_else_is_a_rate_of_its_own() -> None:
    assert not unproven("No magic for 2 hours per point.", FIZZLE, asked="What happens?")


@pytest.mark.parametrize("statement", ["Half damage.", "O dano cai pela metade."])
def test_what_is_halved_is_half(statement: str) -> None:
    assert not unproven(statement, "A saving throw halves the damage.", asked="And with a save?")
