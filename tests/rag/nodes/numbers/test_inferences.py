"""A number that nobody calculates in writing may follow from others; it is then inferred, not printed."""

import pytest

from rag.nodes.numbers.proven_numbers import NumberProof, prove_numbers

INFERRED = NumberProof(frozenset(), is_calculated=True, is_inferred=True)
WIND = "You regain hit points equal to 1d10 plus your Fighter level."
BOLT = "It deals 8d6 lightning damage, half of it on a save."
MORE = "The damage increases by 1d6 for each spell slot level above 3."
VIGOUR = "Vigour is twice Grit plus 6."
SHIELD = "The target's speed is doubled, and it gains a +2 bonus to armor."
DEBT = "A debt that is not paid grows by a fifth."
SLOT = "How much does the bolt do with a 5th level slot?"
BREW = "Brewing takes 25 gp of herbs over the course of 1 day."


@pytest.mark.parametrize(
    ("statement", "lines", "asked"),
    [
        ("A barque has a crew of 20, 14 more than a lugger with 6.", ["crew of 20", "crew of 6"], ""),
        ("It costs 10 gp, twice the price of the other.", ["10 GP", "5 GP"], ""),
        ("Each of the 4 gets 450 XP of the 1,800 XP.", ["1,800 XP for 4"], ""),
        ("It costs 11, which is 1 less than the other.", ["11 marks", "12 marks"], ""),
        ("You get 3 marks, or 4 with a promise.", ["3 marks, and 1 more for a promise"], ""),
        ("You get 12 marks.", ["every player gets 3 marks"], "What do we get? We are 4 players."),
        ("You regain 1d10 + 5 hit points.", [WIND], "How much does it heal my 5th level fighter?"),
        (
            "You regain 1d10 + 5 hit points, 10.5 on average.",
            [WIND],
            "What does it heal my 5th level fighter?",
        ),
        ("Em média são 75 (35 + 40).", ["takes 10d6 + 40 force damage"], ""),
        ("It does 10d6 (8d6 + 2d6).", [BOLT, MORE], "How much does the bolt do?"),
        ("It does 10d6: 8d6 plus 1d6 for each of the two levels above 3.", [BOLT, MORE], SLOT),
        ("You have 14.", [VIGOUR], "What is the Vigour of somebody with Grit 4?"),
        ("Your speed rises from 30 to 60.", [SHIELD], "I have speed 30. What does haste do?"),
        ("Your armor is 17 instead of 15.", [SHIELD], "I have armor 15. What does haste do?"),
        ("Your 100 shells become 120.", [DEBT], "I owe 100 shells. What happens?"),
        ("Seus 100 shells viram 120.", [DEBT], "Devo 100 shells. O que acontece?"),
        ("It takes 2 days and 50 gp.", [BREW], "How long do 2 brews take, and what do they cost?"),
    ],
)
def test_what_follows_in_one_step_is_inferred(statement: str, lines: list[str], asked: str) -> None:
    assert prove_numbers(statement, lines, [asked]) == INFERRED


@pytest.mark.parametrize(
    ("statement", "lines", "asked"),
    [
        ("A barque has a crew of 20, 15 more than a lugger with 6.", ["crew of 20", "crew of 6"], ""),
        ("It costs 10 gp, three times the price of the other.", ["10 GP", "5 GP"], ""),
        ("It costs 10 gp, twice the price of the other.", ["10 GP", "5 SP"], ""),
        ("You regain 1d10 + 6 hit points.", [WIND], "How much does it heal my 5th level fighter?"),
        ("You regain 1d8 + 5 hit points.", [WIND], "How much does it heal my 5th level fighter?"),
        ("It does 75 (35 + 40).", ["takes 10d6 + 40 force damage"], ""),
        ("It does 10d8 (8d8 + 2d8).", [BOLT, MORE], SLOT),
        ("It does 2d6.", ["It does 1d6."], ""),
        ("It costs 11, which is 2 less than the other.", ["11 marks", "12 marks"], ""),
        ("It costs 11, and 1 guard.", ["11 marks", "12 marks"], ""),
        ("You get 12 shells.", ["every player gets 3 marks"], "What do we get? We are 4 players."),
        ("You have 15.", [VIGOUR], "What is the Vigour of somebody with Grit 4?"),
        ("Your speed rises from 40 to 55 (40 + 15).", [SHIELD], "I have speed 40 and armor 15. What now?"),
        ("It suffers -3 to its armor.", ["a -2 penalty to armor"], "What does one blow do?"),
        ("Your 100 shells become 130.", [DEBT], "I owe 100 shells. What happens?"),
        ("Your 100 shells are safe.", [DEBT], "I owe 200 shells. What happens?"),
        ("It takes 2 days and 75 gp.", [BREW], "How long do 2 brews take, and what do they cost?"),
        ("It has -5 to its armor.", ["a -2 penalty to armor"], "My armor is at -3. What does one blow do?"),
        ("It does 29d6 (8d6 + 21d6).", [BOLT, MORE], "How much does the bolt do?"),
        ("It suffers 3.", ["a +2 bonus to armor"], "What does 1 blow do?"),
        ("It lasts 19 rounds.", ["It lasts 20 rounds, or 1 with a save."], ""),
    ],
)
def test_another_result_unit_die_or_operand_is_not(statement: str, lines: list[str], asked: str) -> None:
    assert prove_numbers(statement, lines, [asked]).unproven


def test_what_is_printed_or_written_out_is_not_inferred() -> None:
    assert not prove_numbers("It has 6 (4 + 2).", ["at most 4", "+2"]).is_inferred
    assert not prove_numbers("The range is 100 feet, or 400 feet.", ["Range 100/400"]).is_inferred
