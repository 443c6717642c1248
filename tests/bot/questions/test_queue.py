"""Questions of one conversation wait for each other."""

import asyncio
from dataclasses import replace

from bot.questions.answering import Answering
from bot.questions.queue import ConversationQueues
from tests.bot.questions.recorded_message import ASKED, RecordedMessage
from tests.bot.table import ScriptedRulesGraph


async def test_questions_of_one_conversation_are_answered_in_the_order_they_came(
    answering: Answering, rules_graph: ScriptedRulesGraph
) -> None:
    queues = ConversationQueues()
    first, second = queues.join("one"), queues.join("one")

    async def ask(queue_entry: object, question: str, pause: float) -> None:
        with queue_entry:  # type: ignore[attr-defined]
            await asyncio.sleep(pause)
            await answering.answer(replace(ASKED, question=question), RecordedMessage(), queue_entry)  # type: ignore[arg-type]

    await asyncio.gather(ask(first, "slow", 0.05), ask(second, "quick", 0))
    assert [asked.question for asked in rules_graph.asked] == ["slow", "quick"]
    assert rules_graph.last.history == ("slow",)
