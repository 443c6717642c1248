"""While the models work: steps on the message, turns of a conversation, an orderly end."""

import asyncio
import sqlite3
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.access import MOST_AT_WORK, Counter
from bot.answers.table import Answers
from bot.budgets import Budgets
from bot.errors import MessageGone, Restarting, TooBusy, TooSoon
from bot.questions.answering import Answering, Query, WorkingMessage
from bot.questions.queue import Turns
from bot.render.embeds import Card
from rag.config import StrategyName
from rag.errors import IndexUnreachable
from rag.state import Progress, Stage, Stated, Usage
from tests.bot.table import ScriptedRulesGraph

QUERY = Query("How far?", "one", asker=100, guild=7, locale="en")


@dataclass
class Paper:
    """A sheet that remembers what was drawn on it, and when."""

    id: int = 1
    channel_id: int = 10
    may_embed: bool = True
    shown: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def show(self, card: Card, view: discord.ui.View | None = None) -> None:
        self.shown.append((card.embed and card.embed.description) or card.content or "")
        self.times.append(time.monotonic())


@pytest.fixture
def rules_graph() -> ScriptedRulesGraph:
    return ScriptedRulesGraph(steps=[Progress(Stage.FOLLOWING, 2, "Powers p. 100")])


@pytest.fixture
def answering(tmp_path: Path, rules_graph: ScriptedRulesGraph) -> Answering:
    answers = Answers(tmp_path, kept_days=90)
    budgets = Budgets(tmp_path, {})
    return Answering(rules_graph, answers, budgets, StrategyName.MULTI_HOP, lambda reader: 1)


@pytest.fixture
def counter() -> Counter:
    return Counter()


async def admitted(counter: Counter, work: Coroutine[Any, Any, object]) -> None:
    """A question at work as its door holds it."""
    with counter.admit(100, is_gm=True):
        await work


async def until_asked(rules_graph: ScriptedRulesGraph, times: int) -> None:
    while len(rules_graph.asked) < times:
        await asyncio.sleep(0)


async def test_the_working_message_says_what_is_being_done_and_where(
    answering: Answering, rules_graph: ScriptedRulesGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.questions.answering.SECONDS_BETWEEN_EDITS", 0.01)
    rules_graph.gate = asyncio.Event()
    paper = Paper()
    with Turns().take("one") as turn:
        task = asyncio.create_task(answering.answer(QUERY, paper, turn))
        while "🔎 Hop 2: following Powers p. 100" not in paper.shown:
            await asyncio.sleep(0.01)
        rules_graph.gate.set()
        await task
    assert paper.shown[-1].startswith("**A storm lamp")


@pytest.mark.parametrize("may_embed", [True, False])
async def test_the_working_message_shows_what_is_proven_before_the_answer(
    answering: Answering, rules_graph: ScriptedRulesGraph, monkeypatch: pytest.MonkeyPatch, may_embed: bool
) -> None:
    monkeypatch.setattr("bot.questions.answering.SECONDS_BETWEEN_EDITS", 0.01)
    rules_graph.steps = [Progress(Stage.WRITING), Stated("A storm lamp lights six paces.")]
    rules_graph.gate = asyncio.Event()
    paper = Paper(may_embed=may_embed)
    with Turns().take("one") as turn:
        task = asyncio.create_task(answering.answer(QUERY, paper, turn))
        while not paper.shown or "six paces" not in paper.shown[-1]:
            await asyncio.sleep(0.01)
        working = paper.shown[-1]
        rules_graph.gate.set()
        await task
    assert working.startswith("**A storm lamp lights six paces.**\n\n🔎 ")
    assert paper.shown[-1].startswith("**A storm lamp lights six paces.**")
    assert "🔎" not in paper.shown[-1]


async def test_there_is_at_most_one_edit_in_its_time_and_the_newest_step_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.questions.answering.SECONDS_BETWEEN_EDITS", 0.1)
    paper = Paper()
    async with WorkingMessage(paper, QUERY) as working:
        for number in range(50):
            working.report(f"step {number}")
            working.state(f"Rule {number}.")
            await asyncio.sleep(0.005)
    gaps = [after - before for before, after in zip(paper.times, paper.times[1:], strict=False)]
    assert len(paper.times) >= 2
    assert min(gaps) >= 0.095


async def test_questions_of_one_conversation_are_answered_in_the_order_they_came(
    answering: Answering, rules_graph: ScriptedRulesGraph
) -> None:
    turns = Turns()
    first, second = turns.take("one"), turns.take("one")

    async def ask(turn: object, question: str, pause: float) -> None:
        with turn:  # type: ignore[attr-defined]
            await asyncio.sleep(pause)
            await answering.answer(replace(QUERY, question=question), Paper(), turn)  # type: ignore[arg-type]

    await asyncio.gather(ask(first, "slow", 0.05), ask(second, "quick", 0))
    assert [asked.question for asked in rules_graph.asked] == ["slow", "quick"]
    assert rules_graph.last.history == ("slow",)


async def test_questions_beyond_the_bound_wait_and_are_told_so(
    answering: Answering, rules_graph: ScriptedRulesGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "_running", asyncio.Semaphore(1))
    rules_graph.gate = asyncio.Event()
    papers = [Paper(), Paper()]
    turns = Turns()
    tasks = [
        asyncio.create_task(
            answering.answer(replace(QUERY, conversation=str(n)), papers[n], turns.take(str(n)))
        )
        for n in range(2)
    ]
    await until_asked(rules_graph, 1)
    while not papers[1].shown:
        await asyncio.sleep(0.01)
    assert "Waiting for my turn" in papers[1].shown[0]
    assert len(rules_graph.asked) == 1
    rules_graph.gate.set()
    await asyncio.gather(*tasks)
    assert len(rules_graph.asked) == 2


async def test_at_the_end_a_running_question_may_finish(
    answering: Answering, rules_graph: ScriptedRulesGraph, counter: Counter
) -> None:
    rules_graph.gate = asyncio.Event()
    paper = Paper()
    with Turns().take("one") as turn:
        task = asyncio.create_task(admitted(counter, answering.answer(QUERY, paper, turn)))
        await until_asked(rules_graph, 1)
        asyncio.get_running_loop().call_later(0.05, rules_graph.gate.set)
        await counter.finish(within=2, excuse_within=1)
        assert task.done()
    assert paper.shown[-1].startswith("**A storm lamp")


async def test_at_the_end_a_question_that_takes_too_long_is_excused_in_place(
    answering: Answering, rules_graph: ScriptedRulesGraph, counter: Counter
) -> None:
    rules_graph.gate = asyncio.Event()
    paper = Paper()
    with Turns().take("one") as turn:
        task = asyncio.create_task(admitted(counter, answering.answer(QUERY, paper, turn)))
        await until_asked(rules_graph, 1)
        await counter.finish(within=0.05, excuse_within=1)
    assert task.done()
    assert "I am being restarted" in paper.shown[-1]


async def test_at_the_end_a_question_that_is_still_being_acknowledged_may_finish(counter: Counter) -> None:
    task = asyncio.create_task(admitted(counter, asyncio.sleep(0.05)))
    await asyncio.sleep(0)
    await counter.finish(within=2, excuse_within=1)
    assert task.done()
    assert task.exception() is None


async def test_at_the_end_a_question_without_a_message_yet_is_told_to_come_back(counter: Counter) -> None:
    task = asyncio.create_task(admitted(counter, asyncio.sleep(60)))
    await asyncio.sleep(0)
    await counter.finish(within=0.05, excuse_within=1)
    assert isinstance(task.exception(), Restarting)


# --- the table of answers -------------------------------------------------------------------------


async def test_an_answer_that_cannot_be_kept_is_shown_all_the_same(
    answering: Answering, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Answers, "keep", full)
    monkeypatch.setattr(Answers, "knows", full)
    paper = Paper()
    with Turns().take("one") as turn:
        await answering.answer(QUERY, paper, turn)
    assert paper.shown[-1].startswith("**A storm lamp")
    assert "disk is full" in caplog.text


async def test_nothing_is_kept_of_an_answer_whose_message_was_deleted(
    answering: Answering, tmp_path: Path
) -> None:
    class Gone(Paper):
        async def show(self, card: Card, view: discord.ui.View | None = None) -> None:
            raise MessageGone

    with Turns().take("one") as turn:
        assert await answering.answer(QUERY, Gone(), turn) is None
    assert Answers(tmp_path, kept_days=90).find(1) is None


@pytest.mark.parametrize(
    ("failure", "outcome"), [(RuntimeError(), "failed"), (asyncio.CancelledError(), "excused")]
)
async def test_a_question_without_an_answer_leaves_its_line_in_the_log_too(
    answering: Answering,
    rules_graph: ScriptedRulesGraph,
    failure: BaseException,
    outcome: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    rules_graph.failure = failure
    with Turns().take("one") as turn:
        await answering.answer(QUERY, Paper(), turn)
    assert f"outcome={outcome}" in caplog.text


async def test_the_line_of_a_question_tells_calls_tokens_and_money(
    answering: Answering, rules_graph: ScriptedRulesGraph, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    rules_graph.usage = Usage(3, 9000, 300, money=Decimal("0.0041"))
    with Turns().take("one") as turn:
        await answering.answer(QUERY, Paper(), turn)
    assert "model_calls=3 tokens=9300 usd=0.0041" in caplog.text


async def test_the_line_of_a_question_that_failed_tells_what_it_had_used(
    answering: Answering, rules_graph: ScriptedRulesGraph, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    rules_graph.failure = IndexUnreachable()
    rules_graph.failure.usage = Usage(2, 900, 100)
    with Turns().take("one") as turn:
        await answering.answer(QUERY, Paper(), turn)
    assert "outcome=failed" in caplog.text
    assert "model_calls=2 tokens=1000" in caplog.text


async def test_the_words_of_a_question_are_logged_for_debugging_alone(
    answering: Answering, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="bot")
    with Turns().take("one") as turn:
        await answering.answer(QUERY, Paper(), turn)
    assert {one.levelname for one in caplog.records if QUERY.question in one.getMessage()} == {"DEBUG"}


async def test_after_a_deletion_the_next_answer_says_why_it_remembers_nothing(
    answering: Answering,
) -> None:
    turns, paper = Turns(), Paper()
    for shown in (Paper(), paper):
        with turns.take("one") as turn:
            await answering.answer(QUERY, shown, turn)
        answering.forget(["one"])
    assert "were deleted by whoever asked" in paper.shown[-1]
    assert "restarted" not in paper.shown[-1]


# --- how much at once -----------------------------------------------------------------------------


async def test_a_user_may_ask_again_when_a_minute_is_over() -> None:
    now = [0.0]
    counter = Counter(lambda: now[0])
    for _ in range(12):
        with counter.admit(100, is_gm=False):
            pass
    now[0] = 20.0
    with pytest.raises(TooSoon) as raised, counter.admit(100, is_gm=False):
        pass
    assert raised.value.values["seconds"] == 40
    now[0] = 60.0
    with counter.admit(100, is_gm=False):
        pass


async def test_of_many_at_once_only_as_many_as_the_bound_are_admitted(counter: Counter) -> None:
    release = asyncio.Event()
    tasks = [asyncio.create_task(admitted(counter, release.wait())) for _ in range(60)]
    await asyncio.sleep(0)
    release.set()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in ended].count(TooBusy) == 60 - MOST_AT_WORK
