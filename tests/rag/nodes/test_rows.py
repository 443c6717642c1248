"""A table tells which value stands under which column in which row."""

import pytest

from rag.nodes.rows import Telling, is_named, telling

CASE = "Item: Map case; Price: 1 gp; Weight: 2"
TABLE = [
    "Item: Silver mirror; Price: 7 gp; Weight: 1",
    "Item: Very large map case; Price: 9 gp; Weight: 4",
]
SIXTH = "Level: 6; Poison: 9; Spells: 14"
LEVELS = ["Level: 7; Poison: 8; Spells: 13", "Level: 8-9; Poison: 7; Spells: 12"]


def told(statement: str, row: str = CASE, others: list[str] = TABLE, asker: str = "en") -> Telling:
    return telling(statement, row, others, [asker, "en"])


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("A map case costs 1 gp.", Telling.SAYS),
        ("The price of a map case is 1 gp.", Telling.SAYS),
        ("A map case has a weight of 2 and a price of 1 gp.", Telling.SAYS),
        ("O preço do map case é 1 gp.", Telling.SAYS),
        ("The price of a map case is 2.", Telling.DENIES),
        ("A map case has a weight of 1.", Telling.DENIES),
        ("A silver mirror costs 1 gp.", Telling.DENIES),
        ("A very large map case has a price of 1 gp.", Telling.DENIES),
        ("The price of a map case is 30 gp.", Telling.OPEN),
        ("A map case is made of leather.", Telling.OPEN),
        ("It costs 1 gp.", Telling.OPEN),
        ("A map case costs 1 gp, weighs 2 and holds 12.", Telling.OPEN),
    ],
)
def test_a_value_is_said_under_its_column_in_its_row_alone(statement: str, found: Telling) -> None:
    assert told(statement, asker="pt" if "preço" in statement else "en") is found


def test_rows_of_numbers_are_told_apart_by_them() -> None:
    assert told("At level 6 you save against poison with 9.", SIXTH, LEVELS) is Telling.SAYS
    assert told("At level 8 you save against poison with 9.", SIXTH, LEVELS) is Telling.DENIES


def test_a_language_without_a_list_is_left_open() -> None:
    assert (
        telling("Eine Kartenhülle kostet 1 gp, sagt der Händler.", CASE, TABLE, ["de", "en"]) is Telling.OPEN
    )


@pytest.mark.parametrize(
    ("statement", "is_so"),
    [("A crab bites twice.", True), ("A giant bites twice.", False), ("A giant eel bites twice.", False)],
)
def test_a_row_is_named_by_the_words_that_are_its_own(statement: str, is_so: bool) -> None:
    others = [f"Beast: {name}; Bites: 1" for name in ("Giant eel", "Giant rat", "Heron", "Owl", "Seal")]
    assert is_named(statement, "Beast: Giant crab; Bites: 2", others, ["en", "en"]) is is_so
