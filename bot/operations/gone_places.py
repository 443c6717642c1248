"""Servers and channels that went while the bot was switched off: at its start what is kept of them goes, too.

An outage is no end: a server that Discord calls unavailable is left alone, and so is all that Discord does
not clearly call gone.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import discord

from bot.messages.calls import FAILURES, MISSING_PERMISSION, UNKNOWN_CHANNEL, persist, refusal

if TYPE_CHECKING:
    from bot.client import RulesBot

log = logging.getLogger(__name__)

MOST_LOOKED_UP = 100
"""Channels that Discord is asked for at a start."""


async def forget_gone_places(bot: "RulesBot") -> None:
    """Forget the servers that the bot has left, and the channels that were deleted."""
    if not bot.guilds:
        # An application that was just made is in no server yet: that says nothing of those before it.
        return
    servers, channels = await asyncio.to_thread(bot.forgetting.kept_places)
    for server in await _gone_servers(bot, servers):
        await bot.forgetting.server(server, [one for one in channels if channels[one] == server])
    for channel in _unknown_channels(bot, channels)[:MOST_LOOKED_UP]:
        if await _is_gone(bot, channel, channels[channel]):
            await bot.forgetting.channel(channel)


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


async def _is_gone(bot: "RulesBot", channel: int, server: int | None) -> bool:
    """Whether Discord calls a channel gone, or closes to the bot one of a server that is not known."""
    try:
        await persist(lambda: bot.fetch_channel(channel))
    except discord.HTTPException as error:
        is_closed = error.code in MISSING_PERMISSION
        is_left = server is None and is_closed and not bot.settings.is_one_of_several
        return error.code == UNKNOWN_CHANNEL or is_left
    except (discord.InvalidData, *FAILURES):
        return False
    return False
