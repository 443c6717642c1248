"""Forgetting people, messages and places: kept answers with their ratings, and their conversations.

With a place goes what GMs said of it, too; of a server that the bot has left after thirty days.
"""

import asyncio
import logging
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord

from bot.answers.feedback import Feedback
from bot.answers.table import DAY, Answers
from bot.messages.calls import FAILURES, MISSING_PERMISSION, UNKNOWN_CHANNEL, persist, refusal
from bot.messages.places import shared_thread_id
from bot.questions.answering import Answering
from bot.storage.data_table import Of
from bot.storage.kept_places import KeptPlaces

if TYPE_CHECKING:
    from bot.client import RulesBot

log = logging.getLogger(__name__)

MOST_LOOKED_UP = 100
"""Channels that Discord is asked for at a time."""
LEFT_KEPT_SECONDS = 30 * DAY
"""How long a server that was left may come back to its rulings, ratings and games of channels."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was kept of somebody: answers, conversations in memory, questions at work, rated answers.

    `was_set_aside` tells of a damaged file in which there may have been more.
    """

    answers: int
    conversations: int
    at_work: int
    rated: int = 0
    was_set_aside: bool = False


@dataclass(eq=False)
class Forgetting:
    """Takes answers and ratings out of their tables and conversations out of memory, always all."""

    answers: Answers
    feedback: Feedback
    answering: Answering
    places: KeptPlaces

    async def person(self, user: int) -> Forgotten:
        """Forget all that somebody asked; what is being answered now will not be kept."""
        remembered, at_work = self.answering.forget_asker(user)
        count, thread_ids = await asyncio.to_thread(self.answers.drop, Of.ASKER, user)
        further = set(thread_ids).difference(remembered)
        self.answering.forget(further)
        rated = await asyncio.to_thread(self.feedback.forget, user)
        # Nobody can be taken out of a damaged file alone.
        was_set_aside = [await asyncio.to_thread(one.drop_set_aside) for one in (self.answers, self.feedback)]
        return Forgotten(count, len(remembered) + len(further), at_work, rated, any(was_set_aside))

    async def messages(self, messages: Iterable[int]) -> None:
        """Forget the answers of deleted messages."""
        await self._drop(Of.MESSAGE, *messages)

    async def thread(self, thread: int) -> None:
        """Forget what was said in a deleted thread."""
        await self._drop(Of.CHANNEL, thread)
        self.answering.forget([shared_thread_id(thread)])

    async def channel(self, channel: int) -> None:
        """Forget what was said in a deleted channel and its threads, and what GMs said of it."""
        await asyncio.to_thread(self.places.drop_channels, [channel])
        await self.thread(channel)

    async def leave(self, guild: int, channels: Collection[int]) -> None:
        """Forget the answers of a server that the bot has left; the rest stays for a time."""
        self.answering.forget_server(guild)
        await asyncio.to_thread(self.places.leave, guild, channels, time.time())
        _, thread_ids = await asyncio.to_thread(self.answers.drop, Of.SERVER, guild)
        self.answering.forget(thread_ids)

    async def server(self, guild: int) -> None:
        """Forget what was rated in a server, and what GMs said of it."""
        await asyncio.to_thread(self.places.drop_server, guild)
        await self._drop(Of.SERVER, guild)

    async def _drop(self, of: Of, *ids: int) -> None:
        """Drop answers with their ratings and conversations."""
        _, thread_ids = await asyncio.to_thread(self.answers.drop, of, *ids)
        self.answering.forget(thread_ids)
        await asyncio.to_thread(self.feedback.drop, of, *ids)

    def kept_places(self) -> tuple[set[int], dict[int, int | None]]:
        """The servers of which anything is kept, and the channels with their servers, as far as known."""
        asked_in = {*self.answers.places(), *self.feedback.places()}
        channels: dict[int, int | None] = dict.fromkeys(self.places.channels)
        channels |= {home: server for server, home in asked_in}
        left = self.places.left.kept.items()
        channels |= {channel: server for server, one in left for channel in one.channels}
        return {*self.places.servers, *(server for server, _ in asked_in)}, channels


async def forget_gone_places(bot: "RulesBot") -> None:
    """Forget the servers that the bot left long ago, and the channels that were deleted while it was off.

    The days of a server that it left while it was off count from now on.

    An outage is no end: a server that Discord calls unavailable is left alone, and so is all that Discord
    does not clearly call gone.
    """
    if not bot.guilds:
        # An application that was just made is in no server yet: that says nothing of those before it.
        return
    back = [channel for channel in bot.places.left.kept if bot.get_channel(channel)]
    bot.places.come_back([*back, *(guild.id for guild in bot.all_guilds)])
    servers, channels = await asyncio.to_thread(bot.forgetting.kept_places)
    for server in await _gone_servers(bot, servers):
        left = bot.places.left.kept.get(server)
        if left is None:
            await bot.forgetting.leave(server, [one for one in channels if channels[one] == server])
        elif left.when + LEFT_KEPT_SECONDS < time.time():
            await bot.forgetting.server(server)
    for channel in _unknown_channels(bot, channels)[:MOST_LOOKED_UP]:
        code = await _refused(bot, channel)
        if code == UNKNOWN_CHANNEL:
            await bot.forgetting.channel(channel)
        elif code in MISSING_PERMISSION and channels[channel] is None and not bot.settings.is_one_of_several:
            # Its server was left but is not known: the channel stands for it.
            await bot.forgetting.leave(channel, [channel])
            await bot.forgetting.thread(channel)


async def _gone_servers(bot: "RulesBot", kept: Collection[int]) -> set[int]:
    """Those servers that neither the gateway nor Discord's list names; none where that cannot be had."""
    unknown = {*kept} - {guild.id for guild in bot.all_guilds}
    if not unknown:
        return set()
    try:
        return unknown - {guild.id async for guild in bot.fetch_guilds(limit=None)}
    except FAILURES as error:
        log.info("Discord does not tell which servers are left: %s", refusal(error))
        return set()


def _unknown_channels(bot: "RulesBot", kept: Mapping[int, int | None]) -> list[int]:
    """Those channels that no server has which Discord has told of; of an unavailable one it tells nothing."""
    told = {guild.id for guild in bot.guilds if not guild.unavailable}
    has_told_all = len(told) == len(bot.guilds)
    unknown = [channel for channel in sorted(kept) if bot.get_channel(channel) is None]
    return [one for one in unknown if (has_told_all if kept[one] is None else kept[one] in told)]


async def _refused(bot: "RulesBot", channel: int) -> int | None:
    """The code with which Discord refuses a channel; None where it does not, or cannot be asked."""
    try:
        await persist(lambda: bot.fetch_channel(channel))
    except (discord.InvalidData, *FAILURES) as error:
        return getattr(error, "code", None)
    return None
