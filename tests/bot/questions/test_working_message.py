"""While the models work: steps and proven statements on the message."""

import asyncio

import discord
import pytest

from bot.questions.answering import Answering
from bot.questions.working_message import WorkingMessage
from rag.state import Progress, Stage, Stated, StatementRole
from tests.bot.questions.recorded_message import ASKED, RecordedMessage, answered
from tests.bot.table import ScriptedRulesGraph

PROVEN = Stated("A storm lamp lights six paces.")
CHECKED = Stated("“Lamps are for the Post.”", is_checking=True)
CHECKING = "-# Still checking the ruling against these lines:\n\n“Lamps are for the Post.”"


@pytest.mark.parametrize("may_embed", [True, False])
@pytest.mark.parametrize(
    ("stated", "shown"), [(PROVEN, "**A storm lamp lights six paces.**"), (CHECKED, CHECKING)]
)
async def test_what_is_proven_or_checked_is_shown_until_the_answer_takes_its_place(
    answering: Answering,
    rules_graph: ScriptedRulesGraph,
    monkeypatch: pytest.MonkeyPatch,
    may_embed: bool,
    stated: Stated,
    shown: str,
) -> None:
    monkeypatch.setattr("bot.questions.working_message.SECONDS_BETWEEN_EDITS", 0.01)
    rules_graph.steps = [Progress(Stage.WRITING), stated]
    permissions = discord.Permissions(embed_links=may_embed)
    rules_graph.gate, message = asyncio.Event(), RecordedMessage(permissions=permissions)
    task = asyncio.create_task(answered(answering, message))
    while not message.told or not message.told[-1].startswith(f"{shown}\n\n🔎 "):
        await asyncio.sleep(0.01)
    rules_graph.gate.set()
    await task
    assert message.told[-1].startswith("**A storm lamp lights six paces.**")
    assert "🔎" not in message.told[-1]
    assert "checking" not in message.told[-1]


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
