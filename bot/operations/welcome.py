"""The welcome: what to do first, once in each server, where the bot may write."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import discord
from discord.utils import utcnow

from bot.errors import NotHere
from bot.messages.calls import silently
from bot.messages.reply_message import sending
from bot.render.embeds import Content, list_embed
from bot.render.markdown import escaped
from bot.storage.json_file import JsonFile
from bot.texts import texts_in
from bot.texts.command_translator import locale_of
from rag.texts import Texts

NEW_FOR = timedelta(days=1)
"""Where the bot has been for longer, people know it: also where what is kept of its welcome was lost."""

WELCOME = ("welcome-books", "welcome-list", "welcome-ask", "welcome-check", "welcome-help")


async def welcome(
    guild: discord.Guild,
    welcomed: JsonFile[frozenset[int]],
    to_try: Callable[[str | None], Awaitable[Sequence[str]]],
    notices: Sequence[str] = (),
) -> None:
    """Welcome a server that has just invited the bot, unless it was welcomed; `notices` stand below.

    `to_try` makes questions to try, in the language of a locale.
    A bot may be invited before it is first started, so this is tried at each start, too.
    """
    joined = guild.me.joined_at
    if guild.id in welcomed.kept or (joined and utcnow() - joined >= NEW_FOR):
        return
    texts = texts_in(locale_of(guild))
    examples = lines_to_try(await to_try(locale_of(guild)), texts)
    lines = [*(texts(key) for key in WELCOME), *examples, *(f"-# {texts(key)}" for key in notices)]
    await _tell_once(guild, welcomed, Content(list_embed(texts("welcome-title"), lines, texts)))


async def tell_not_served(guild: discord.Guild, told: JsonFile[frozenset[int]]) -> None:
    """Say in a server that invited the bot that it answers nothing there, unless it was told."""
    await _tell_once(guild, told, Content(text=texts_in(locale_of(guild))(NotHere.key)))


async def _tell_once(guild: discord.Guild, told: JsonFile[frozenset[int]], said: Content) -> None:
    """Say something in a server once; where Discord refuses, it is tried at the next start."""
    channel = welcome_channel(guild)
    if channel is None or guild.id in told.kept:
        return
    await asyncio.to_thread(told.keep, told.kept | {guild.id})
    if await silently(sending(channel, said), "tell a server something") is None:
        await asyncio.to_thread(told.keep, told.kept - {guild.id})


def lines_to_try(questions: Sequence[str], texts: Texts) -> list[str]:
    """Questions to try, under a line of their own where there are any."""
    return [texts("help-try"), *(f"• {escaped(question)}" for question in questions)] if questions else []


def welcome_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """The channel of the server's own notices, else the first in which the bot may write."""
    channels = [*filter(None, [guild.system_channel]), *guild.text_channels]
    allowed = ((one, one.permissions_for(guild.me)) for one in channels)
    return next((one for one, may in allowed if may.view_channel and may.send_messages), None)
