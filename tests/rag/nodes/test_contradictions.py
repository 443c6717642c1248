"""What goes against its lines as far as code can tell: a line changed, another row, another unit or bound."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rag.nodes.contradictions import (
    changes_a_line,
    contradict,
    counts_otherwise,
    gives_a_reason,
    is_of_another_column,
    is_of_another_row,
    loses_a_refusal,
    turns_a_bound,
)

TORCH = "A torch burns for 6 turns and lights 30 feet."
CRABS = "Crabs may not hide in sand."


@pytest.mark.parametrize(
    ("statement", "line", "language"),
    [
        ("A torch burns for 5 turns and lights 30 feet.", TORCH, "en"),
        ("A torch burns for 30 turns and lights 6 feet.", TORCH, "en"),
        ("Crabs may hide in sand.", CRABS, "en"),
        ("A torch never burns for 6 turns.", TORCH, "en"),
        ("The save is at a +4 bonus here.", "The save is at a -4 bonus here.", "en"),
        ("Crabs can hide in sand.", "Crabs cannot hide in sand.", "en"),
        ("Crabs can hide in sand.", "Crabs can't hide in sand.", "en"),
        ("Quem bebe pode rolar o dado.", "Quem bebe não pode rolar o dado.", "pt"),
        ("Thieves may wear plate armor.", "No thieves may wear plate armor.", "en"),
        ("Gaste mais de 3 pontos.", "Nunca gaste mais de 3 pontos.", "pt"),
    ],
)
def test_a_line_repeated_with_another_number_or_refusal_is_changed(
    statement: str, line: str, language: str
) -> None:
    assert changes_a_line(statement, [(line, language)])


@pytest.mark.parametrize(
    ("statement", "language", "lines", "is_lost"),
    [
        ("Yes, shops buy magic rings.", "en", ["They never buy magical goods."], True),
        ("Sim, protege contra flechas.", "pt", ["It does not protect against missiles."], True),
        ("Eine Gruppe mit Fackeln überrascht.", "de", ["A party with torches cannot surprise."], True),
        ("Com tochas o grupo não surpreende.", "en", ["A party with torches cannot surprise."], False),
        ("To get free, reach 5.", "en", ["The net does not roll: to get free, reach 5."], False),
        ("It gives +2.", "en", ["It gives +2.", "It never stacks."], False),
        ("You sink deeper lying flat.", "en", ["Lying flat helps: you sink no deeper."], True),
        ("A day of hunger costs 2.", "en", ["A day without food costs 2."], False),
        ("Wet coats weigh twice.", "en", ["Wet coats weigh twice and never warm."], False),
    ],
)
def test_a_statement_that_refuses_nothing_where_its_lines_refuse_loses_a_not(
    statement: str, language: str, lines: list[str], is_lost: bool
) -> None:
    assert loses_a_refusal(statement, language, [(line, "en") for line in lines]) is is_lost


@pytest.mark.parametrize(
    ("one", "other", "do_contradict"),
    [
        ("A lamp lights two paces in fog.", "Fog is thick. In fog it lights three.", True),
        ("Sangramento não causa dano por turno.", "O sangramento causa dano por turno.", True),
        ("In fog it lights three.", "A lamp lights three in fog.", False),
        ("Bleeding costs 2 a turn.", "No bandage stops bleeding.", False),
    ],
)
def test_texts_of_the_same_words_with_other_numbers_or_refusals_contradict_each_other(
    one: str, other: str, do_contradict: bool
) -> None:
    assert contradict(one, other) is do_contradict
    assert contradict(other, one) is do_contradict


@pytest.mark.parametrize(
    ("statement", "is_invented"),
    [
        ("No, because gas counts as magic.", True),
        ("Não, porque a droga apaga a memória.", True),
        ("No, because metal armour prevents casting.", False),
        ("Não, porque armadura de metal impede.", False),
        ("No, metal armour does not burn.", False),
    ],
)
def test_a_reason_of_which_no_line_speaks_is_invented(statement: str, is_invented: bool) -> None:
    assert gives_a_reason(statement, "Metal armour prevents casting.", "en") is is_invented


@pytest.mark.parametrize(
    ("statement", "line", "language"),
    [
        (TORCH, TORCH, "en"),
        ("a TORCH burns for six turns", TORCH, "en"),
        ("A torch lights 30 feet for 6 turns.", TORCH, "en"),
        ("Burns for 7 turns.", "It is 6 turns.", "en"),
        ("Crabs may not hide.", CRABS, "en"),
        ("The save is at a penalty of 4.", "The save is at a penalty of -4.", "en"),
        ("Uma tocha arde por 7 turnos.", TORCH, "en"),
    ],
)
def test_the_same_or_other_words_change_no_line(statement: str, line: str, language: str) -> None:
    assert not changes_a_line(statement, [(line, language)])


def test_what_repeats_one_of_its_lines_changes_no_other() -> None:
    lines = [(f"A level {level} elf may cast {level + 1} spells.", "en") for level in range(1, 4)]
    assert not changes_a_line("A level 2 elf may cast 3 spells.", lines)
    assert changes_a_line("A level 2 elf may cast 4 spells.", lines)


REFUSALS = ("not", "cannot", "never", "não")
WORDS = st.sampled_from(
    [*REFUSALS, "the", "torch", "may", "burns", "for", "6", "1d4+1", "1,000", "-2", "half"]
)


@given(
    said=st.lists(WORDS, min_size=1, max_size=14), others=st.lists(st.lists(WORDS, max_size=14), max_size=3)
)
def test_a_statement_that_is_a_line_never_changes_it(said: list[str], others: list[list[str]]) -> None:
    lines = [(" ".join(one), "en") for one in (*others, said)]
    assert not changes_a_line(" ".join(said), lines)


@given(said=st.lists(WORDS, min_size=1, max_size=14), cut=st.tuples(st.integers(0, 14), st.integers(0, 14)))
def test_a_part_of_a_line_changes_it_only_behind_a_refusal(said: list[str], cut: tuple[int, int]) -> None:
    first, last = min(cut), max(cut)
    assume(not first or said[min(first, len(said)) - 1] not in REFUSALS)
    assert not changes_a_line(" ".join(said[first:last]), [(" ".join(said), "en")])


CASE = "Item: Map case; Price: 1 gp; Weight: 2"
ITEMS = ["Item: Silver mirror; Price: 7 gp; Weight: 1", "Item: Very large map case; Price: 9 gp; Weight: 4"]
SIXTH = "Level: 6; Poison: 9; Spells: 14"
LEVELS = ["Level: 7; Poison: 8; Spells: 13", "Level: 8-9; Poison: 7; Spells: 12"]
DRUG = "Drug: Slow drug; Turns: 12"
DRUGS = ["Drug: Combat drug; Turns: 30"]


@pytest.mark.parametrize(
    ("statement", "question", "row", "others", "is_other"),
    [
        ("A silver mirror costs 1 gp.", "?", CASE, ITEMS, True),
        ("A map case costs 1 gp.", "?", CASE, ITEMS, False),
        ("It costs 1 gp.", "What does a silver mirror cost?", CASE, ITEMS, True),
        ("A map case costs less than a silver mirror.", "?", CASE, ITEMS, False),
        ("Level 8 saves with 9.", "?", SIXTH, LEVELS, True),
        ("Level 6 saves with 9.", "?", SIXTH, LEVELS, False),
        ("A hero of this rank saves with 9.", "?", SIXTH, LEVELS, False),
        ("You save with 9.", "What of level 9?", SIXTH, LEVELS, True),
        ("The combat drug lasts 12 turns.", "?", DRUG, DRUGS, True),
        ("The drug lasts 12 turns.", "?", DRUG, DRUGS, False),
    ],
)
def test_a_value_is_of_the_row_that_is_named(
    statement: str, question: str, row: str, others: list[str], is_other: bool
) -> None:
    assert is_of_another_row(statement, question, [row], others, "en") is is_other


@pytest.mark.parametrize(
    ("statement", "row", "language", "is_other"),
    [
        ("The price of a map case is 1 gp.", CASE, "en", False),
        ("The price of a map case is 2.", CASE, "en", True),
        ("A map case has a weight of 2 and a price of 1 gp.", CASE, "en", False),
        ("The price of a map case is 30 gp.", CASE, "en", False),
        ("At level 6 the poison save is 14.", SIXTH, "en", True),
        ("At level 6 the poison save is 6.", SIXTH, "en", True),
        ("O peso da maleta é 2.", "Item: Maleta; Preço: 1 po; Peso: 2", "pt", False),
        ("O peso da maleta é 1.", "Item: Maleta; Preço: 1 po; Peso: 2", "pt", True),
    ],
)
def test_a_value_is_of_the_column_that_is_named(
    statement: str, row: str, language: str, is_other: bool
) -> None:
    assert is_of_another_column(statement, row, language, language) is is_other


@pytest.mark.parametrize(
    ("statement", "language", "said", "is_otherwise"),
    [
        ("It lasts 6 hours.", "en", "It lasts 6 turns.", True),
        ("It lasts 6 hours.", "en", "It lasts 6 hrs.", False),
        ("A range of 30 feet", "en", "30' radius", False),
        ("It may do so 3 times a day.", "en", "3/Day", False),
        ("In the hour of need it has 3 lives.", "en", "It has 3 lives.", False),
        ("1d4 per turn", "en", "1d4 at the start of each of its turns", False),
        ("Dura 6 horas.", "pt", "It lasts 6 turns.", True),
        ("Dura 6 horas.", "pt", "It lasts 6 hours.", False),
        ("Alcance de 9 metros", "pt", "a range of 30 feet", True),
        ("Perde 1 PV por dia.", "pt", "loses 1 hp per hour", True),
    ],
)
def test_a_unit_that_no_line_prints_is_told(
    statement: str, language: str, said: str, is_otherwise: bool
) -> None:
    assert counts_otherwise(statement, language, said) is is_otherwise


@pytest.mark.parametrize(
    ("statement", "said", "is_turned"),
    [
        ("It needs at most 6 rowers.", "It needs at least 6 rowers.", True),
        ("Up to 6 rowers", "6 rowers or more", True),
        ("At most 6 rowers", "At least 2 and at most 6 rowers", False),
        ("Drink before the fight.", "Drink after the fight.", True),
        ("No máximo 6 remadores", "At least 6 rowers", True),
        ("Beba antes da luta.", "Beba depois da luta.", True),
        ("Fight after you drink.", "Drink before the fight.", False),
    ],
)
def test_a_bound_that_is_turned_round_is_told(statement: str, said: str, is_turned: bool) -> None:
    assert turns_a_bound(statement, "en", said) is is_turned
