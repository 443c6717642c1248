"""What the tests of questions share: a question, and a message that remembers what it showed."""

import asyncio
import time
from dataclasses import dataclass, field

import discord

from bot.books.readers import Reader
from bot.questions.question import AskedQuestion
from bot.render.embeds import Content
from tests.bot.table import ScriptedRulesGraph

ASKED = AskedQuestion("How far?", "one", asker=100, guild=7, locale="en", reader=Reader("player", None))


@dataclass
class RecordedMessage:
    """A message that remembers what was shown on it, and when."""

    id: int = 1
    channel_id: int = 10
    may_embed: bool = True
    shown: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def show(self, content: Content, view: discord.ui.View | None = None) -> None:
        self.shown.append((content.embed and content.embed.description) or content.text or "")
        self.times.append(time.monotonic())


async def until_asked(rules_graph: ScriptedRulesGraph, times: int) -> None:
    while len(rules_graph.asked) < times:
        await asyncio.sleep(0)
