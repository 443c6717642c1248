"""Threads: opening one on an answer, finding the one in which a conversation goes on."""

import logging
from typing import Literal

import discord

from bot.messages.calls import THREAD_EXISTS, persist, refusal, silently
from bot.messages.places import PlaceKind, Writable, may_open_thread, permissions_of_bot, where, writable
from bot.render.markdown import one_line

log = logging.getLogger(__name__)

LONGEST_NAME = 100
ARCHIVE_AFTER_MINUTES: Literal[1440] = 1440


async def open_thread(
    message: discord.Message | discord.PartialMessage, question: str, fallback: str
) -> discord.Thread | None:
    """The thread on a message, named after the question; the one that is there if somebody was faster.

    None where it may not be opened, or Discord could not.
    """
    if not may_open_thread(permissions_of_bot(message.channel)):
        return None
    name = one_line(question, LONGEST_NAME) or fallback
    try:
        return await persist(
            lambda: message.create_thread(name=name, auto_archive_duration=ARCHIVE_AFTER_MINUTES)
        )
    except discord.HTTPException as error:
        if error.code == THREAD_EXISTS and message.guild:
            return await thread_of(message.guild, message.id)
        log.warning("no thread opened in channel %s: %s", message.channel.id, refusal(error))
        return None


async def thread_of(guild: discord.Guild, message_id: int) -> discord.Thread | None:
    """The thread opened on a message: it has the message's id."""
    if known := guild.get_thread(message_id):
        return known
    found = await silently(lambda: guild.fetch_channel(message_id), "find a thread")
    return found if isinstance(found, discord.Thread) else None


async def conversation_channel(
    channel: discord.abc.Snowflake | None, guild: discord.Guild | None, answer: int | None
) -> Writable:
    """Where a follow-up to an answer is written: in the thread on it, else where it stands."""
    here = writable(channel)
    if answer and guild and where(here).kind is PlaceKind.CHANNEL:
        return await thread_of(guild, answer) or here
    return here


def is_own_thread(channel: discord.abc.Snowflake | None, bot_id: int) -> bool:
    """Whether the bot opened a thread."""
    return isinstance(channel, discord.Thread) and channel.owner_id == bot_id
