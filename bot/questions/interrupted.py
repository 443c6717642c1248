"""Questions at which the process was killed: at the next start their askers are told, each once."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.answers.table import KeptAnswer
from bot.books.readers import Reader
from bot.errors import Interrupted, InterruptedInPrivate
from bot.messages.calls import silently
from bot.messages.error_replies import explained
from bot.messages.reply_message import ChannelMessage, Writable, sending
from bot.questions.question import AskedQuestion
from bot.render.embeds import Asker, Content
from bot.texts.command_translator import locale_of
from rag.library.language.identify import told_language

if TYPE_CHECKING:
    from bot.client import RulesBot

FIRST_SHARD = 0
"""Of several processes the one with this shard has the direct messages."""


async def tell_interrupted(bot: "RulesBot", questions: Sequence[KeptAnswer]) -> None:
    """Tell the askers of interrupted questions, as far as they are this process's to answer."""
    for kept in questions:
        if _is_ours(bot, kept):
            await (_tell_directly(bot, kept) if kept.private else _tell_in_place(bot, kept))


def _is_ours(bot: "RulesBot", kept: KeptAnswer) -> bool:
    if kept.guild is not None:
        return bot.get_guild(kept.guild) is not None
    return not bot.shard_ids or FIRST_SHARD in bot.shard_ids


async def _tell_in_place(bot: "RulesBot", kept: KeptAnswer) -> None:
    """Say it on the message of the question, where it can be tried again."""
    known = bot.get_channel(kept.channel)
    unnamed = bot.get_partial_messageable(kept.channel, guild_id=kept.guild)
    # Discord names no direct messages at the start.
    channel = known if isinstance(known, Writable) else unnamed
    asked = AskedQuestion(
        question=kept.question,
        thread_id=kept.thread_id,
        asker=kept.asker,
        guild=kept.guild,
        reader=Reader(kept.audience, None),
        home=kept.home,
        chosen=kept.book,
        book_only=kept.book_only,
        place_locale=locale_of(bot.get_guild(kept.guild or 0)),
        shown_asker=Asker(kept.question),
    )
    message = ChannelMessage(channel.get_partial_message(kept.message), Content())
    await bot.answering.excuse(asked, message, Interrupted())


async def _tell_directly(bot: "RulesBot", kept: KeptAnswer) -> None:
    """Write to the asker: what only they saw cannot be changed by another process."""
    embed = explained(InterruptedInPrivate(), told_language(kept.question), typed=kept.question)
    await asyncio.to_thread(bot.answers.drop_messages, [kept.message])
    user = await silently(lambda: bot.fetch_user(kept.asker), "find who asked")
    if user:
        await silently(sending(user, Content(embed)), "tell of an interrupted question")
