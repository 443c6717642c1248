"""Numbers of a statement stand in its lines, are computed in sight, or repeat the asker's case."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rag.nodes.numbers.proven_numbers import PAGE_REFERENCE, UNREAD, prove_numbers
from tests.rag.nodes.numbers.test_amounts import FALSE_PAIRS, TRUE_PAIRS
from tests.rag.nodes.numbers.test_calculations import CALCULATED

CASES = [
    ("With ST 12 you lift 29 lb.", "BL 29 lb", "How much can I lift with ST 12?"),
    ("With ST 12 you lift 29 lb.", "BL 29 lb", "My ST is 12. How much can I lift?"),
    ("Com ST 12 você levanta 29 libras.", "29 lb", "Quanto eu levanto com ST 12?"),
    ("A 5th level thief needs 45%.", "45 40 50",
     "What percentage does a 5th level Thief need to open a lock?"),
    ("Your 5th level thief may not use shields.", "nor may they use shields",
     "Can my 5th level thief use shields?"),
    ("No, your 5th-level thief may not use shields.", "nor may they use shields",
     "Can my 5th-level thief use shields?"),
    ("Não, seu ladrão de 5º nível não pode usar escudos.", "nor may they use shields",
     "Meu ladrão de 5º nível pode usar escudo?"),
    ("A 30-foot fall deals 3d6 (3 × 1d6 = 3d6).", "1d6 per 10' fallen / for 3 rounds",
     "How much damage does a character take from a 30-foot fall?"),
    ("A fall of 30 feet deals 3d6 (30 / 10 × 1d6 = 3d6).", "1d6 per 10' fallen",
     "How much damage does a character take from a 30-foot fall?"),
    ("Magery 3 costs 35 points (5 + 3 × 10 = 35).", "5 points, plus 10 a level",
     "How much does Magery 3 cost?"),
    ("Magery 3 custa 35 pontos (5 + 3 × 10 = 35).", "5 points, plus 10 a level", "Quanto custa Magery 3?"),
    ("With a Failure Result of 9 you lose magic for 18 hours (2 × 9 = 18).",
     "a number of hours equal to 2 times", "My spell failed and the Failure Result was 9. What happens?"),
    ("A character with Constitution 12 can run for 24 rounds (2 × 12 = 24).", "2 times Constitution",
     "How many rounds can a character with Constitution 12 keep running?"),
    ("Uma queda de 30 pés causa 3d6 (30 / 10 × 1d6 = 3d6).", "1d6 per 10' fallen",
     "Quanto dano um personagem sofre ao cair de 30 pés?"),
    ("At 5th level you have 3 spells.", "3 2 1", "How many spells at 5th level?"),
    ("For a 30-foot fall you take 3d6.", "3d6", "What damage for a 30-foot fall?"),
    ("If you have ST 14, you lift 39 lb.", "39 lb", "I have ST 14. How much do I lift?"),
    ("Se tiver ST 14, você levanta 39 lb.", "39 lb", "Tenho ST 14. Quanto levanto?"),
]  # fmt: skip

NO_CASES = [
    ("A torch burns for 999 turns.", "Normal torches burn for 1d4+4 turns",
     "Does a torch burn for 999 turns?"),
    ("Yes, a torch burns 999 turns.", "1d4+4 turns", "Does a torch burn 999 turns?"),
    ("Yes: 999 turns.", "1d4+4 turns", "Does a torch burn 999 turns?"),
    ("A torch burns for 999 turns and lights 30 feet.", "a 30' radius",
     "Does a torch burn for 999 turns and light 30 feet?"),
    ("A torch lights 30 feet for 999 turns.", "a 30' radius", "How far does a torch light for 999 turns?"),
    ("A torch burns for 999 turns and lights 30 feet.", "a 30' radius",
     "How long does a torch burn, 999 turns?"),
    ("Uma tocha queima por 999 turnos.", "1d4+4", "Uma tocha queima por 999 turnos?"),
    ("Sim, uma tocha queima 999 turnos e ilumina 30 pés.", "30' radius", "Uma tocha queima 999 turnos?"),
    ("Sim, 999 turnos.", "1d4+4", "Uma tocha queima 999 turnos?"),
    ("Fighters get a second attack at 7th level.", "attacks",
     "Do fighters get a second attack at 7th level?"),
    ("Fighters get 2 attacks at 7th level.", "2 attacks", "Do fighters get 2 attacks at 7th level?"),
    ("It costs 41 points (5 + 3 × 12 = 41).", "5 points, 3 levels", "Does each level cost 12 points?"),
    ("A torch burns for 999 turns because it is oiled.", "oil", "Why does a torch burn for 999 turns?"),
    ("A torch burns 999 turns (999 × 1 = 999).", "1 torch", "How bright is a torch that burns 999 turns?"),
    ("The longbow requires ST 12.", "longbow", "Does my ST 12 meet the requirement of the longbow?"),
    ("Strength 18 is needed to lift 30 lb.", "30 lb", "Is Strength 18 needed?"),
    ("Costs 999 gp and weighs 2 lb.", "2 lb", "Does it cost 999 gp?"),
    ("It costs 999 gp and weighs 2 lb.", "2 lb", "What does it cost, 999 gp?"),
    ("A torch burns 999 turns.", "1d4+4", "A torch burns for 999 turns. Is that true?"),
    ("A torch burns for 999 turns.", "1d4+4", "A torch burns for 999 turns, right?"),
    ("You need 12 torches with 999 turns each.", "1d4+4", "Does a torch burn 999 turns?"),
    ("A sword deals 12 damage.", "sword", "With ST 12, how much damage does a sword deal?"),
    ("You lift 12 lb with ST 29.", "29", "How much do I lift with ST 12?"),
    ("You lift 12 lb.", "lb", "How much do I lift with ST 12?"),
    ("At 6th level you have 3 spells.", "5 3 2 1", "How many spells at 5th level?"),
    ("Custa 999 po e pesa 2 libras.", "2 lb", "Quanto custa, 999 po?"),
    ("Os guerreiros ganham 2 ataques no 7º nível.", "2 attacks",
     "Os guerreiros ganham 2 ataques no 7º nível?"),
    ("The target number is 25 for 2 rounds.", "2 rounds", "Is the target number 25?"),
    ("A character can hire 9 retainers with Charisma 16.", "16-17 +2",
     "Can I hire 9 retainers with Charisma 16?"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "line", "case"), CASES)
def test_a_statement_may_repeat_the_case_of_who_asks(statement: str, line: str, case: str) -> None:
    assert prove_numbers(statement, [line], [case]).unproven == set()
    assert prove_numbers(statement, [line]).unproven


@pytest.mark.parametrize(("statement", "line", "case"), NO_CASES)
def test_a_number_that_is_asked_about_is_no_proof(statement: str, line: str, case: str) -> None:
    assert prove_numbers(statement, [line], [case]).unproven


STATEMENTS = st.sampled_from([*TRUE_PAIRS, *((text, " ".join(lines)) for text, lines in CALCULATED)])
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
