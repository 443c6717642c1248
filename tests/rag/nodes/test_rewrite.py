"""The rewrite node: a question of a conversation becomes one that stands alone."""

from typing import Any

import pytest

from rag.library.search.named_books import NamedBooks
from rag.nodes.rewrite import accepted, asks_anything, quoted_by, standalone_question
from rag.state import Exchange
from tests.scripted import ScriptedModel

RAPID_STRIKE = Exchange(question="What is Rapid Strike?", answer="A technique that makes two attacks.")


async def test_first_question_is_returned_unmodified_without_a_model_call() -> None:
    model = ScriptedModel()
    assert await standalone_question(model, "  What is Rapid Strike? ", []) == "  What is Rapid Strike? "
    assert model.prompts == []


async def test_a_follow_up_is_spelled_out() -> None:
    model = ScriptedModel(
        script={"Rewrite": {"standalone": False, "question": "How many levels does Rapid Strike have?"}}
    )
    rewritten = await standalone_question(model, "How many levels does it have?", [RAPID_STRIKE])
    assert rewritten == "How many levels does Rapid Strike have?"


async def test_a_question_that_stands_alone_is_returned_byte_for_byte() -> None:
    model = ScriptedModel(script={"Rewrite": {"standalone": True, "question": "what is magery?"}})
    assert await standalone_question(model, "whats  MAGERY ?", [RAPID_STRIKE]) == "whats  MAGERY ?"


@pytest.mark.parametrize("rewrite", ["", "   ", "x" * 301])
def test_an_empty_or_far_too_long_rewrite_is_refused(rewrite: str) -> None:
    assert accepted(rewrite, "How many levels does it have?") == "How many levels does it have?"


@pytest.mark.parametrize(
    ("reply", "is_asked"),
    [
        ({"standalone": True, "question": "", "asks": False}, False),
        ({"standalone": True, "question": "", "asks": True}, True),
        ({"standalone": True, "question": ""}, True),
        (ConnectionError("refused"), True),
    ],
)
async def test_what_the_model_does_not_call_small_talk_asks_something(reply: Any, is_asked: bool) -> None:
    model = ScriptedModel(script={"Rewrite": reply})
    assert await asks_anything(model, "I attack the ogre", [RAPID_STRIKE]) is is_asked


async def test_a_failed_rewrite_is_the_raw_question() -> None:
    model = ScriptedModel(script={"Rewrite": ConnectionError("refused")})
    assert await standalone_question(model, "And the cost?", [RAPID_STRIKE]) == "And the cost?"


async def test_without_a_model_the_previous_question_is_put_before_it() -> None:
    question = await standalone_question(None, "How many levels does it have?", [RAPID_STRIKE])
    assert question == "What is Rapid Strike? How many levels does it have?"


async def test_without_a_model_the_name_of_a_book_alone_asks_the_question_before_of_it() -> None:
    history = [Exchange(question="on page 12", answer="")]
    named = {"Tide Lore": NamedBooks((frozenset({"tide.pdf"}),), "", ("tide.pdf",), is_all=True)}
    question = await standalone_question(
        None, "Tide Lore", history, named_books=lambda text: named.get(text, NamedBooks((), text))
    )
    assert question == "on page 12 Tide Lore"


async def test_without_a_model_a_chain_of_questions_keeps_what_it_is_about() -> None:
    asked = ["What is Rapid Strike?", "And at level 2?", "And at level 3?"]
    history = [Exchange(question=question, answer="") for question in asked]
    question = await standalone_question(None, "Why?", history)
    assert question == "What is Rapid Strike? And at level 3? Why?"


@pytest.mark.parametrize("question", ["turn undead", "p 45", "Como funciona expulsar mortos-vivos?"])
async def test_without_a_model_a_question_that_says_enough_stands_alone(question: str) -> None:
    lantern = Exchange(question="what does a lantern cost?", answer="10 gp")
    assert await standalone_question(None, question, [lantern]) == question


@pytest.mark.parametrize(("question", "is_new"), [("Ogre", True), ("and the ogre?", False), ("gp", False)])
async def test_without_a_model_a_bare_name_that_the_answer_does_not_speak_of_stands_alone(
    question: str, is_new: bool
) -> None:
    lantern = Exchange(question="what does a lantern cost?", answer="10 gp")
    alone = await standalone_question(None, question, [lantern], explains={"ogre", "gp"}.__contains__)
    assert (alone == question) is is_new


@pytest.mark.parametrize(
    "question", ["Why?", "how long?", "Can they wear metal armor?", "Quanto dano isso causa num dragão?"]
)
async def test_without_a_model_a_question_that_leans_on_another_is_put_behind_it(question: str) -> None:
    lantern = Exchange(question="what does a lantern cost?", answer="10 gp")
    expected = f"what does a lantern cost? {question}"
    assert await standalone_question(None, question, [lantern]) == expected


async def test_without_a_model_another_page_of_the_same_book_is_asked_for() -> None:
    history = [Exchange(question="O que diz a página 9 do Powers?", answer="")]
    assert await standalone_question(None, "e na 10?", history) == "O que diz a página 10 do Powers?"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["cleric spells per day lvl 7", "and at level 5?"], "cleric spells per day lvl 5"),
        (["10 coins at level 7", "e no nível 5?"], "10 coins at level 7 e no nível 5?"),
        (["spells lvl 7", "and at level 5?", "and a druid?"], "spells lvl 5 and a druid?"),
        (["spells lvl 7", "show page 63"], "show page 63"),
        (["what does page 9 say?", "and page 10?"], "what does page 10 say?"),
        (["which knots are there?", "just the lowest one?"], "which knots are there? just the lowest one?"),
    ],
)
async def test_without_a_model_a_number_that_changed_takes_the_place_of_the_one_before(
    asked: list[str], expected: str
) -> None:
    history = [Exchange(question=question, answer="") for question in asked[:-1]]
    assert await standalone_question(None, asked[-1], history) == expected


def test_without_a_model_the_numbers_asked_on_from_choose_the_row_still() -> None:
    on = "and to move without any noise?"
    assert quoted_by(on, f"can a thief of level 7 hide {on}") == f"{on} level 7"
    assert quoted_by(f"{on} level 8", f"level 7? {on} level 8") == f"{on} level 8"
