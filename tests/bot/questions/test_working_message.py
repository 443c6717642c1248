"""While the models work: steps and proven statements on the message."""

import asyncio

import pytest

from bot.questions.answering import Answering
from bot.questions.queue import QuestionQueue
from bot.questions.working_message import WorkingMessage
from rag.state import Progress, Stage, Stated, StatementRole
from tests.bot.questions.recorded_message import ASKED, RecordedMessage
from tests.bot.table import ScriptedRulesGraph


@pytest.mark.parametrize("may_embed", [True, False])
async def test_the_working_message_shows_what_is_proven_before_the_answer(
    answering: Answering, rules_graph: ScriptedRulesGraph, monkeypatch: pytest.MonkeyPatch, may_embed: bool
) -> None:
    monkeypatch.setattr("bot.questions.working_message.SECONDS_BETWEEN_EDITS", 0.01)
    rules_graph.steps = [Progress(Stage.WRITING), Stated("A storm lamp lights six paces.")]
    rules_graph.gate = asyncio.Event()
    message = RecordedMessage(may_embed=may_embed)
    with QuestionQueue().join(ASKED) as queue_entry:
        task = asyncio.create_task(answering.answer(ASKED, message, queue_entry))
        while not message.shown or "six paces" not in message.shown[-1]:
            await asyncio.sleep(0.01)
        working = message.shown[-1]
        rules_graph.gate.set()
        await task
    assert working.startswith("**A storm lamp lights six paces.**\n\n🔎 ")
    assert message.shown[-1].startswith("**A storm lamp lights six paces.**")
    assert "🔎" not in message.shown[-1]


@pytest.mark.parametrize("may_embed", [True, False])
async def test_a_ruling_under_check_shows_its_lines_until_the_answer_takes_their_place(
    answering: Answering, rules_graph: ScriptedRulesGraph, monkeypatch: pytest.MonkeyPatch, may_embed: bool
) -> None:
    monkeypatch.setattr("bot.questions.working_message.SECONDS_BETWEEN_EDITS", 0.01)
    rules_graph.steps = [Progress(Stage.WRITING), Stated("“Lamps are for the Post.”", is_checking=True)]
    rules_graph.gate = asyncio.Event()
    message = RecordedMessage(may_embed=may_embed)
    with QuestionQueue().join(ASKED) as queue_entry:
        task = asyncio.create_task(answering.answer(ASKED, message, queue_entry))
        while not message.shown or "Lamps" not in message.shown[-1]:
            await asyncio.sleep(0.01)
        working = message.shown[-1]
        rules_graph.gate.set()
        await task
    checking = "-# Still checking the ruling against these lines:"
    assert working.startswith(f"{checking}\n\n“Lamps are for the Post.”\n\n🔎 ")
    assert message.shown[-1].startswith("**A storm lamp lights six paces.**")
    assert "checking" not in message.shown[-1]


async def test_there_is_at_most_one_edit_in_its_time_and_the_newest_step_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.questions.working_message.SECONDS_BETWEEN_EDITS", 0.1)
    message = RecordedMessage()
    async with WorkingMessage(message, ASKED) as working:
        for number in range(50):
            working.report(f"step {number}")
            working.state(Stated(f"Rule {number}.", role=StatementRole.NOTE))
            await asyncio.sleep(0.005)
    gaps = [after - before for before, after in zip(message.times, message.times[1:], strict=False)]
    assert len(message.times) >= 2
    assert min(gaps) >= 0.095
