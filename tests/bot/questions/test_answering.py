"""From a question to its message, the table of answers and the log."""

import asyncio
import sqlite3
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import aiohttp
import pytest

from bot.answers.table import Answers
from bot.budgets import AccountKind, Budgets
from bot.errors import MessageGone
from bot.questions.answering import Answering
from bot.questions.question import AskedQuestion
from bot.questions.queue import QuestionQueue
from bot.render.embeds import Content
from rag.config import StrategyName
from rag.errors import IndexUnreachable
from rag.state import Usage
from tests.bot.questions.recorded_message import ASKED, RecordedMessage, answered, until_asked
from tests.bot.table import ScriptedRulesGraph


async def test_questions_beyond_the_bound_wait_and_are_told_so(
    answering: Answering, rules_graph: ScriptedRulesGraph
) -> None:
    rules_graph.gate = asyncio.Event()
    messages = [RecordedMessage(), RecordedMessage()]
    queue = QuestionQueue(most_at_once=1)
    tasks = []

    async def ask(asked: AskedQuestion, message: RecordedMessage) -> None:
        with queue.join(asked) as entry:
            await answering.answer(asked, message, entry)

    for n in range(2):
        asked = replace(ASKED, thread_id=str(n), asker=100 + n)
        tasks.append(asyncio.create_task(ask(asked, messages[n])))
        await until_asked(rules_graph, 1)
    while not messages[1].told:
        await asyncio.sleep(0.01)
    assert "Waiting for my turn" in messages[1].told[0]
    assert len(rules_graph.asked) == 1
    rules_graph.gate.set()
    await asyncio.gather(*tasks)
    assert len(rules_graph.asked) == 2


async def test_an_answer_that_cannot_be_kept_is_shown_all_the_same(
    answering: Answering, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Answers, "keep", full)
    monkeypatch.setattr(Answers, "knows", full)
    message = RecordedMessage()
    await answered(answering, message)
    assert message.told[-1].startswith("**A storm lamp")
    assert "disk is full" in caplog.text


@pytest.mark.parametrize("failure", [IndexUnreachable(), None], ids=["failed", "answered"])
@pytest.mark.parametrize(
    ("refuses", "is_told_later"), [(MessageGone(), False), (aiohttp.ServerDisconnectedError(), True)]
)
async def test_of_a_question_of_which_nothing_can_be_said_the_next_start_tells_unless_its_message_is_gone(
    answering: Answering,
    rules_graph: ScriptedRulesGraph,
    refuses: Exception,
    is_told_later: bool,
    failure: IndexUnreachable | None,
) -> None:
    rules_graph.failure = failure
    assert not await answered(answering, RecordedMessage(refuses=refuses))
    assert [kept.question for kept in answering.answers.at_work()] == [ASKED.question] * is_told_later
    assert (answering.answers.find(1) is not None) == is_told_later


def after_calls(usage: Usage) -> IndexUnreachable:
    """A failure after some calls of the model."""
    failure = IndexUnreachable()
    failure.usage = usage
    return failure


@pytest.mark.parametrize(
    ("failure", "line"),
    [
        (RuntimeError(), "outcome=failed"),
        (asyncio.CancelledError(), "outcome=excused"),
        (after_calls(Usage(2, 900, 100)), "model_calls=2 tokens=1000"),
        (None, "model_calls=3 tokens=9300 usd=0.0041"),
    ],
)
async def test_every_question_leaves_its_line_in_the_log_with_calls_tokens_and_money(
    answering: Answering,
    rules_graph: ScriptedRulesGraph,
    failure: BaseException | None,
    line: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    rules_graph.failure, rules_graph.usage = failure, Usage(3, 9000, 300, money=Decimal("0.0041"))
    await answered(answering)
    assert line in caplog.text


async def test_the_words_of_a_question_are_logged_for_debugging_alone(
    answering: Answering, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="bot")
    await answered(answering)
    assert {one.levelname for one in caplog.records if ASKED.question in one.getMessage()} == {"DEBUG"}


async def test_after_a_deletion_the_next_answer_says_why_it_remembers_nothing(answering: Answering) -> None:
    message = RecordedMessage()
    for shown in (RecordedMessage(), message):
        await answered(answering, shown)
        answering.forget(["one"])
    assert "An answer of this conversation was deleted" in message.told[-1]
    assert "restarted" not in message.told[-1]


async def test_of_conversations_as_many_are_noted_as_are_remembered(answering: Answering) -> None:
    answering.threads_kept = 2
    for id in ("one", "two", "three", "one", "four"):
        await answered(answering, RecordedMessage(), replace(ASKED, thread_id=id))
    assert answering.forget_asker(ASKED.asker)[0] == ["one", "four"]


async def test_what_is_held_for_a_question_at_work_is_no_share_that_was_spent(
    tmp_path: Path, rules_graph: ScriptedRulesGraph
) -> None:
    budgets = Budgets(tmp_path, {AccountKind.USER: 20_000})
    answers = Answers(tmp_path, kept_days=90)
    answering = Answering(rules_graph, answers, budgets, StrategyName.MULTI_HOP, lambda reader: 1)
    message, queue = RecordedMessage(), QuestionQueue()
    rules_graph.gate = asyncio.Event()
    other = replace(ASKED, thread_id="two")
    with queue.join(ASKED) as first, queue.join(other) as second:
        at_work = asyncio.create_task(answering.answer(ASKED, RecordedMessage(), first))
        await until_asked(rules_graph, 1)
        beside = asyncio.create_task(answering.answer(other, message, second))
        await until_asked(rules_graph, 2)
        rules_graph.gate.set()
        await asyncio.gather(at_work, beside)
    assert [asked.with_model for asked in rules_graph.asked] == [True, False]
    assert "Your questions at work may need the rest" in message.told[-1]


async def test_a_picture_that_comes_when_its_message_shows_something_else_is_left_out(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    message, drawn = RecordedMessage(), asyncio.get_running_loop().create_future()
    monkeypatch.setattr(answering, "draw", lambda *_: drawn)
    await answered(answering, message)
    await message.show(Content(text="asked anew"))
    drawn.set_result({"page-1.png": b"a picture"})
    await asyncio.wait(answering._drawing)
    assert message.told[-1] == "asked anew"
