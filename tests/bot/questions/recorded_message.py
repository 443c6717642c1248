"""What the tests of questions share: a question, and a message that remembers what it showed."""

import asyncio
import time
from dataclasses import dataclass, field

import discord

from bot.books.readers import Reader
from bot.questions.answering import Answering
from bot.questions.question import AskedQuestion
from bot.questions.queue import QuestionQueue
from bot.render.embeds import Content
from tests.bot.table import ScriptedRulesGraph

ASKED = AskedQuestion("How far?", "one", asker=100, guild=7, locale="en", reader=Reader("player", None))


@dataclass
class RecordedMessage:
    """A message that remembers what was shown on it, and when."""

    id: int = 1
    channel_id: int = 10
    permissions: discord.Permissions = field(default_factory=discord.Permissions.all)
    shown: Content | None = None
    told: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    refuses: Exception | None = None

    async def show(self, content: Content, view: discord.ui.View | None = None) -> None:
        if self.refuses:
            raise self.refuses
        self.shown = content
        self.told.append((content.embed and content.embed.description) or content.text or "")
        self.times.append(time.monotonic())


async def until_asked(rules_graph: ScriptedRulesGraph, times: int) -> None:
    while len(rules_graph.asked) < times:
        await asyncio.sleep(0)


async def answered(
    answering: Answering, message: RecordedMessage | None = None, asked: AskedQuestion = ASKED
) -> bool:
    """Whether a question is answered for which nothing waits."""
    with QuestionQueue().join(asked) as queue_entry:
        return await answering.answer(asked, message or RecordedMessage(), queue_entry)
