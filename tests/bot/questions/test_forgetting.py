"""What becomes of a question at work when somebody wants to be forgotten."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.answers.feedback import Feedback
from bot.answers.table import Answers
from bot.questions.answering import Answering
from bot.questions.forgetting import Forgetting, Forgotten
from bot.storage.kept_places import KeptPlaces
from tests.bot.questions.recorded_message import ASKED, RecordedMessage, answered, until_asked
from tests.bot.table import ScriptedRulesGraph

ANA, BIA = ASKED.asker, ASKED.asker + 1
Meanwhile = Callable[[int, Callable[[Forgetting], Coroutine[Any, Any, Any]]], Coroutine[Any, Any, Any]]


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(tmp_path, kept_days=90)


@pytest.fixture
def meanwhile(
    answering: Answering, rules_graph: ScriptedRulesGraph, answers: Answers, tmp_path: Path
) -> Meanwhile:
    """Has something forgotten while a question of somebody is at work; what that told."""

    feedback = Feedback(tmp_path, kept_days=90)
    places = KeptPlaces(tmp_path)

    async def run(asker: int, act: Callable[[Forgetting], Coroutine[Any, Any, Any]]) -> Any:
        rules_graph.gate = asyncio.Event()
        question = answered(answering, RecordedMessage(id=asker), replace(ASKED, asker=asker))
        task = asyncio.create_task(question)
        await until_asked(rules_graph, len(rules_graph.asked) + 1)
        told = await act(Forgetting(answers, feedback, answering, places))
        rules_graph.gate.set()
        await task
        return told

    return run


async def test_nothing_is_kept_of_the_question_of_whoever_wants_to_be_forgotten(
    meanwhile: Meanwhile, rules_graph: ScriptedRulesGraph, answers: Answers
) -> None:
    told = await meanwhile(ANA, lambda forgetting: forgetting.person(ANA))
    assert told == Forgotten(answers=0, conversations=1, at_work=1)
    assert answers.find(ANA) is None
    assert rules_graph.memory == {}


async def test_nothing_is_kept_of_the_question_of_a_server_that_the_bot_has_left_meanwhile(
    meanwhile: Meanwhile, rules_graph: ScriptedRulesGraph, answers: Answers
) -> None:
    assert ASKED.guild
    await meanwhile(ANA, lambda forgetting: forgetting.leave(ASKED.guild or 0, ()))
    assert (answers.find(ANA), rules_graph.memory) == (None, {})


async def test_a_question_at_work_brings_nothing_back_into_a_new_topic(
    meanwhile: Meanwhile, answering: Answering, rules_graph: ScriptedRulesGraph, answers: Answers
) -> None:
    async def begin_topic(_: Forgetting) -> None:
        answering.begin_topic(ASKED.thread_id)

    await meanwhile(ANA, begin_topic)
    assert rules_graph.memory == {}
    assert answers.find(ANA) is not None


async def test_nothing_is_kept_of_an_answer_shown_to_the_table_when_its_asker_was_forgotten(
    answering: Answering, rules_graph: ScriptedRulesGraph, answers: Answers
) -> None:
    await answered(answering, RecordedMessage(id=1))
    kept = answers.find(1)
    assert kept
    answering.forget_asker(ANA)
    await answering.repeat(kept, ASKED, RecordedMessage(id=2), "Six paces.")
    assert (answers.find(2), rules_graph.memory) == (None, {})


async def test_a_question_of_somebody_else_brings_nothing_back(
    meanwhile: Meanwhile, answering: Answering, rules_graph: ScriptedRulesGraph, answers: Answers
) -> None:
    await answered(answering, RecordedMessage(id=1))
    await meanwhile(BIA, lambda forgetting: forgetting.person(ANA))
    assert rules_graph.memory == {}
    assert answers.find(BIA) is not None


async def test_whoever_asks_again_afterwards_is_kept_again(
    meanwhile: Meanwhile, answering: Answering, answers: Answers
) -> None:
    await meanwhile(ANA, lambda forgetting: forgetting.person(ANA))
    await answered(answering, RecordedMessage(id=5), replace(ASKED, began=time.monotonic()))
    assert answers.find(5) is not None
