"""While the models work: steps on the message, turns of a conversation, an orderly end."""

import asyncio
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import discord
import pytest

from bot.access import Counter
from bot.answering import Answering, Query, WorkingMessage
from bot.answers import Answers
from bot.errors import TooBusy, TooSoon
from bot.render import Card
from bot.turns import Turns
from rag.config import StrategyName
from rag.progress import Progress, Stage
from tests.bot.table import ScriptedReferee

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
def referee() -> ScriptedReferee:
    return ScriptedReferee(steps=[Progress(Stage.FOLLOWING, 2, "Powers p. 100")])


@pytest.fixture
def answering(tmp_path: Path, referee: ScriptedReferee) -> Answering:
    answers = Answers(tmp_path, kept_days=90)
    return Answering(referee, answers, Counter(), StrategyName.MULTI_HOP, lambda reader: 1)


async def until_asked(referee: ScriptedReferee, times: int) -> None:
    while len(referee.asked) < times:
        await asyncio.sleep(0)


async def test_the_working_message_says_what_is_being_done_and_where(
    answering: Answering, referee: ScriptedReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.answering.SECONDS_BETWEEN_EDITS", 0.01)
    referee.gate = asyncio.Event()
    paper = Paper()
    with Turns().take("one") as turn:
        task = asyncio.create_task(answering.answer(QUERY, paper, turn))
        while "🔎 Hop 2: following Powers p. 100" not in paper.shown:
            await asyncio.sleep(0.01)
        referee.gate.set()
        await task
    assert paper.shown[-1].startswith("**A storm lamp")


async def test_there_is_at_most_one_edit_in_its_time_and_the_newest_step_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.answering.SECONDS_BETWEEN_EDITS", 0.1)
    paper = Paper()
    async with WorkingMessage(paper, QUERY) as working:
        for number in range(50):
            working.report(f"step {number}")
            await asyncio.sleep(0.005)
    gaps = [after - before for before, after in zip(paper.times, paper.times[1:], strict=False)]
    assert len(paper.times) >= 2
    assert min(gaps) >= 0.095


async def test_questions_of_one_conversation_are_answered_in_the_order_they_came(
    answering: Answering, referee: ScriptedReferee
) -> None:
    turns = Turns()
    first, second = turns.take("one"), turns.take("one")

    async def ask(turn: object, question: str, pause: float) -> None:
        with turn:  # type: ignore[attr-defined]
            await asyncio.sleep(pause)
            await answering.answer(replace(QUERY, question=question), Paper(), turn)  # type: ignore[arg-type]

    await asyncio.gather(ask(first, "slow", 0.05), ask(second, "quick", 0))
    assert [asked.question for asked in referee.asked] == ["slow", "quick"]
    assert referee.last.history == ("slow",)


async def test_questions_beyond_the_bound_wait_and_are_told_so(
    answering: Answering, referee: ScriptedReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "_running", asyncio.Semaphore(1))
    referee.gate = asyncio.Event()
    papers = [Paper(), Paper()]
    turns = Turns()
    tasks = [
        asyncio.create_task(
            answering.answer(replace(QUERY, conversation=str(n)), papers[n], turns.take(str(n)))
        )
        for n in range(2)
    ]
    await until_asked(referee, 1)
    while not papers[1].shown:
        await asyncio.sleep(0.01)
    assert "Waiting for my turn" in papers[1].shown[0]
    assert len(referee.asked) == 1
    referee.gate.set()
    await asyncio.gather(*tasks)
    assert len(referee.asked) == 2


async def test_at_the_end_a_running_question_may_finish(
    answering: Answering, referee: ScriptedReferee
) -> None:
    referee.gate = asyncio.Event()
    paper = Paper()
    with Turns().take("one") as turn:
        task = asyncio.create_task(answering.answer(QUERY, paper, turn))
        await until_asked(referee, 1)
        asyncio.get_running_loop().call_later(0.05, referee.gate.set)
        await answering.finish(within=2, excuse_within=1)
        assert task.done()
    assert paper.shown[-1].startswith("**A storm lamp")


async def test_at_the_end_a_question_that_takes_too_long_is_excused_in_place(
    answering: Answering, referee: ScriptedReferee
) -> None:
    referee.gate = asyncio.Event()
    paper = Paper()
    with Turns().take("one") as turn:
        asyncio.get_running_loop().create_task(answering.answer(QUERY, paper, turn))
        await until_asked(referee, 1)
        await answering.finish(within=0.05, excuse_within=1)
    assert "I am being restarted" in paper.shown[-1]


# --- how much at once -----------------------------------------------------------------------------


def test_a_user_may_ask_again_when_a_minute_is_over() -> None:
    now = [0.0]
    counter = Counter(lambda: now[0])
    for _ in range(12):
        counter.admit(100, is_gm=False)
    now[0] = 20.0
    with pytest.raises(TooSoon) as raised:
        counter.admit(100, is_gm=False)
    assert raised.value.values["seconds"] == 40
    now[0] = 60.0
    counter.admit(100, is_gm=False)


def test_beyond_the_bound_of_questions_at_work_nobody_is_admitted() -> None:
    counter = Counter()
    counter.at_work = 40
    with pytest.raises(TooBusy):
        counter.admit(100, is_gm=True)
