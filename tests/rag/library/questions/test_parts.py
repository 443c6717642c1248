"""A question that asks for two things is searched as two."""

import pytest

from rag.library.questions.parts import parts_of

NAMES = {"lightning bolt", "clerics vs undead table", "dodge", "parry"}


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("pilot vs navigator pay", ["pilot pay", "navigator pay"]),
        ("heavy pistol vs needle pistol dmg", ["heavy pistol dmg", "needle pistol dmg"]),
        ("fighter lvl 5 vs lvl 6 xp", ["fighter lvl 5 xp", "fighter lvl 6 xp"]),
        (
            "o que é melhor, arco longo ou besta pesada",
            ["o que é melhor, arco longo", "o que é melhor, besta pesada"],
        ),
        ("price of a lugger and what do I pay rowers", ["price of a lugger", "what do I pay rowers"]),
        ("dodge or parry? which is better", ["dodge? which is better", "parry? which is better"]),
        ("one hand or two? how much dmg", ["one hand or two?", "one hand or two? how much dmg"]),
        ("How far do elves see? In fog?", ["How far do elves see?", "How far do elves see? In fog?"]),
        (
            "how much does a torch cost and how long does it burn",
            ["how much does a torch cost", "how much does a torch cost how long does it burn"],
        ),
        ("What bonus and what drawback does a charge have?", []),
        ("What happens when both dice are alike and I fail?", []),
        ("fireball vs lightning bolt", ["fireball", "lightning bolt"]),
        ("clerics vs undead table", []),
        ("dodge in the old book or in the new book", ["dodge in the old book", "dodge in the new book"]),
        ("diferença entre adaga e maça", ["diferença entre adaga", "diferença entre maça"]),
    ],
)
def test_each_part_of_a_question_is_whole(question: str, parts: list[str]) -> None:
    assert parts_of(question, lambda name: name in NAMES) == parts
