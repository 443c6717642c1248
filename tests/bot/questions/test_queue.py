"""How much may be asked at once, whose question comes next, and an orderly end."""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import AlreadyAsked, Restarting, TooBusy, TooSoon
from bot.questions.answering import Answering
from bot.questions.question import AskedQuestion
from bot.questions.queue import (
    MOST_ADMITTED,
    MOST_ADMITTED_OF_ONE,
    QUESTIONS_A_MINUTE,
    QuestionQueue,
    QueueEntry,
)
from tests.bot.questions.recorded_message import ASKED, RecordedMessage, until_asked
from tests.bot.table import ScriptedRulesGraph

ANA, BIA, CAI = 1, 2, 3


def question(thread_id: str, asker: int) -> AskedQuestion:
    return replace(ASKED, thread_id=thread_id, asker=asker)


async def begun(queue: QuestionQueue, questions: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The questions, each a conversation and its asker, in the order in which they get their turn."""
    order = []

    async def ask(thread_id: str, asker: int) -> None:
        with queue.join(question(thread_id, asker)) as entry:
            async with entry.turn():
                order.append((thread_id, asker))
                await asyncio.sleep(0)

    await asyncio.gather(*(ask(*each) for each in questions))
    return order


async def _hold(entry: QueueEntry) -> None:
    async with entry.turn():
        await asyncio.Event().wait()


async def test_who_asks_once_does_not_wait_for_all_that_somebody_else_asked() -> None:
    many = [(f"of Ana {number}", ANA) for number in range(6)]
    order = await begun(QuestionQueue(most_at_once=1), [*many, ("of Bia", BIA), ("of Cai", CAI)])
    assert [asker for _, asker in order[:4]] == [ANA, BIA, CAI, ANA]


async def test_a_question_that_is_given_up_keeps_nobody_waiting() -> None:
    queue = QuestionQueue(most_at_once=1)
    with queue.join(ASKED) as at_work, queue.join(question("two", BIA)) as given_up:
        async with at_work.turn():
            waiting = asyncio.create_task(_hold(given_up))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
        assert await asyncio.wait_for(begun(queue, [("three", CAI)]), 1) == [("three", CAI)]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 3)), max_size=12), st.integers(1, 4))
def test_every_question_gets_its_turn_and_conversations_keep_their_order(
    questions: list[tuple[str, int]], at_once: int
) -> None:
    order = asyncio.run(begun(QuestionQueue(at_once), questions))
    for thread_id in "abc":
        of_one = [one for one in questions if one[0] == thread_id]
        assert [one for one in order if one[0] == thread_id] == of_one


@pytest.mark.parametrize("people", [1, 5])
async def test_never_more_are_at_work_than_the_bounds_allow(people: int) -> None:
    queue, at_work, most = QuestionQueue(most_at_once=4), [0] * people, [0, 0]

    async def ask(number: int) -> None:
        asker = number % people
        with queue.join(question(str(number), asker)) as entry:
            async with entry.turn():
                at_work[asker] += 1
                most[:] = max(most[0], sum(at_work)), max(most[1], *at_work)
                await asyncio.sleep(0)
                at_work[asker] -= 1

    await asyncio.gather(*(ask(number) for number in range(20)))
    assert most == [min(4, 2 * people), 2 if people == 1 else most[1]]
    assert most[1] <= 2


# --- how much is admitted, and an orderly end ----------------------------------------------------


@pytest.fixture
def queue() -> QuestionQueue:
    return QuestionQueue()


async def admitted(queue: QuestionQueue, work: Coroutine[Any, Any, object]) -> None:
    """A question from its admission to its end."""
    with queue.admit(100, is_gm=True):
        await work


@pytest.mark.parametrize(
    ("takes", "told"), [(0.05, "**A storm lamp"), (60, "I am being restarted")], ids=["finished", "excused"]
)
async def test_at_the_end_a_running_question_may_finish_within_its_time_or_is_excused(
    answering: Answering, rules_graph: ScriptedRulesGraph, queue: QuestionQueue, takes: float, told: str
) -> None:
    rules_graph.gate, message = asyncio.Event(), RecordedMessage()
    with queue.join(ASKED) as queue_entry:
        task = asyncio.create_task(admitted(queue, answering.answer(ASKED, message, queue_entry)))
        await until_asked(rules_graph, 1)
        asyncio.get_running_loop().call_later(takes, rules_graph.gate.set)
        await queue.finish(within=0.5, excuse_within=1)
    assert task.done()
    assert told in message.told[-1]


async def test_at_the_end_a_question_without_a_message_yet_is_told_to_come_back(queue: QuestionQueue) -> None:
    task = asyncio.create_task(admitted(queue, asyncio.sleep(60)))
    await asyncio.sleep(0)
    await queue.finish(within=0.05, excuse_within=1)
    assert isinstance(task.exception(), Restarting)


async def test_a_user_may_ask_again_when_a_minute_is_over() -> None:
    now = [0.0]
    queue = QuestionQueue(clock=lambda: now[0])

    def ask() -> None:
        with queue.admit(100, is_gm=False):
            """Answer at once."""

    for _ in range(QUESTIONS_A_MINUTE):
        ask()
    now[0] = 20.0
    with pytest.raises(TooSoon) as raised:
        ask()
    assert raised.value.values["seconds"] == 40
    now[0] = 60.0
    ask()


@pytest.mark.parametrize(("people", "bound"), [(60, MOST_ADMITTED), (1, MOST_ADMITTED_OF_ONE)])
async def test_of_many_at_once_only_as_many_as_the_bounds_are_admitted(
    queue: QuestionQueue, people: int, bound: int
) -> None:
    release = asyncio.Event()

    async def wait(person: int) -> None:
        with queue.admit(person, is_gm=True):
            await release.wait()

    tasks = [asyncio.create_task(wait(number % people)) for number in range(60)]
    await asyncio.sleep(0)
    release.set()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in ended].count(TooBusy) == 60 - bound


async def test_what_must_not_be_asked_twice_is_admitted_again_when_it_has_ended(queue: QuestionQueue) -> None:
    with queue.admit(100, is_gm=False, asked="the same"):
        with pytest.raises(AlreadyAsked), queue.admit(100, is_gm=False, asked="the same"):
            pytest.fail("it was admitted")
        with queue.admit(100, is_gm=False):
            pass
    with queue.admit(100, is_gm=False, asked="the same"):
        assert not queue.is_closed
