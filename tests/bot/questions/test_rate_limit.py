"""How much may be asked at once, and an orderly end."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from bot.errors import AlreadyAsked, Restarting, TooBusy, TooSoon
from bot.questions.answering import Answering
from bot.questions.queue import QuestionQueue
from bot.questions.rate_limit import (
    MOST_ADMITTED,
    MOST_OF_ONE_PERSON,
    QUESTIONS_A_MINUTE,
    AdmittedQuestions,
)
from tests.bot.questions.recorded_message import ASKED, RecordedMessage, until_asked
from tests.bot.table import ScriptedRulesGraph


@pytest.fixture
def admitted_questions() -> AdmittedQuestions:
    return AdmittedQuestions()


async def admitted(admitted_questions: AdmittedQuestions, work: Coroutine[Any, Any, object]) -> None:
    """A question from its admission to its end."""
    with admitted_questions.admit(100, is_gm=True):
        await work


async def test_at_the_end_a_running_question_may_finish(
    answering: Answering, rules_graph: ScriptedRulesGraph, admitted_questions: AdmittedQuestions
) -> None:
    rules_graph.gate = asyncio.Event()
    message = RecordedMessage()
    with QuestionQueue().join(ASKED) as queue_entry:
        task = asyncio.create_task(
            admitted(admitted_questions, answering.answer(ASKED, message, queue_entry))
        )
        await until_asked(rules_graph, 1)
        asyncio.get_running_loop().call_later(0.05, rules_graph.gate.set)
        await admitted_questions.finish(within=2, excuse_within=1)
        assert task.done()
    assert message.shown[-1].startswith("**A storm lamp")


async def test_at_the_end_a_question_that_takes_too_long_is_excused_in_place(
    answering: Answering, rules_graph: ScriptedRulesGraph, admitted_questions: AdmittedQuestions
) -> None:
    rules_graph.gate = asyncio.Event()
    message = RecordedMessage()
    with QuestionQueue().join(ASKED) as queue_entry:
        task = asyncio.create_task(
            admitted(admitted_questions, answering.answer(ASKED, message, queue_entry))
        )
        await until_asked(rules_graph, 1)
        await admitted_questions.finish(within=0.05, excuse_within=1)
    assert task.done()
    assert "I am being restarted" in message.shown[-1]


async def test_at_the_end_a_question_that_is_still_being_acknowledged_may_finish(
    admitted_questions: AdmittedQuestions,
) -> None:
    task = asyncio.create_task(admitted(admitted_questions, asyncio.sleep(0.05)))
    await asyncio.sleep(0)
    await admitted_questions.finish(within=2, excuse_within=1)
    assert task.done()
    assert task.exception() is None


async def test_at_the_end_a_question_without_a_message_yet_is_told_to_come_back(
    admitted_questions: AdmittedQuestions,
) -> None:
    task = asyncio.create_task(admitted(admitted_questions, asyncio.sleep(60)))
    await asyncio.sleep(0)
    await admitted_questions.finish(within=0.05, excuse_within=1)
    assert isinstance(task.exception(), Restarting)


async def test_a_user_may_ask_again_when_a_minute_is_over() -> None:
    now = [0.0]
    admitted_questions = AdmittedQuestions(lambda: now[0])

    def ask() -> None:
        with admitted_questions.admit(100, is_gm=False):
            """Answer at once."""

    for _ in range(QUESTIONS_A_MINUTE):
        ask()
    now[0] = 20.0
    with pytest.raises(TooSoon) as raised:
        ask()
    assert raised.value.values["seconds"] == 40
    now[0] = 60.0
    ask()


@pytest.mark.parametrize(("people", "bound"), [(60, MOST_ADMITTED), (1, MOST_OF_ONE_PERSON)])
async def test_of_many_at_once_only_as_many_as_the_bounds_are_admitted(
    admitted_questions: AdmittedQuestions, people: int, bound: int
) -> None:
    release = asyncio.Event()

    async def wait(person: int) -> None:
        with admitted_questions.admit(person, is_gm=True):
            await release.wait()

    tasks = [asyncio.create_task(wait(number % people)) for number in range(60)]
    await asyncio.sleep(0)
    release.set()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in ended].count(TooBusy) == 60 - bound


async def test_what_must_not_be_asked_twice_is_admitted_again_when_it_has_ended(
    admitted_questions: AdmittedQuestions,
) -> None:
    with admitted_questions.admit(100, is_gm=False, asked="the same"):
        with pytest.raises(AlreadyAsked), admitted_questions.admit(100, is_gm=False, asked="the same"):
            pytest.fail("it was admitted")
        with admitted_questions.admit(100, is_gm=False):
            pass
    with admitted_questions.admit(100, is_gm=False, asked="the same"):
        assert not admitted_questions.is_closed
