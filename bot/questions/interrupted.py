"""Questions at which the process was killed: at the next start their askers are told, each once."""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.answers.table import KeptAnswer
from bot.books.readers import Reader
from bot.errors import Interrupted, InterruptedInPrivate
from bot.messages.calls import FAILURES, persist, refusal
from bot.messages.error_replies import explained
from bot.messages.places import Writable
from bot.messages.reply_message import ChannelMessage, sending
from bot.questions.answering import AS_ASKED
from bot.questions.question import AskedQuestion
from bot.render.embeds import Asker, Content
from bot.storage.data_table import Of
from bot.texts.command_translator import locale_of

if TYPE_CHECKING:
    from bot.client import RulesBot

log = logging.getLogger(__name__)

FIRST_SHARD = 0
"""Of several processes the one with this shard has the direct messages."""


async def tell_interrupted(bot: "RulesBot", questions: Sequence[KeptAnswer]) -> None:
    """Tell the askers of interrupted questions, as far as they are this process's to answer."""
    has_direct_messages = not bot.shard_ids or FIRST_SHARD in bot.shard_ids
    for kept in questions:
        if has_direct_messages if kept.guild is None else bot.get_guild(kept.guild):
            await (_give_back(bot, kept) if kept.private else _tell_in_place(bot, kept))


async def _tell_in_place(bot: "RulesBot", kept: KeptAnswer) -> None:
    """Say it on the message of the question, where it can be tried again."""
    known = bot.get_channel(kept.channel)
    unnamed = bot.get_partial_messageable(kept.channel, guild_id=kept.guild)
    # Discord names no direct messages at the start.
    channel = known if isinstance(known, Writable) else unnamed
    message = ChannelMessage(channel.get_partial_message(kept.message), Content())
    await bot.answering.excuse(_asked(bot, kept), message, Interrupted())


async def _give_back(bot: "RulesBot", kept: KeptAnswer) -> None:
    """Write a private question to its asker: what only they saw cannot be changed by another process."""
    await asyncio.to_thread(bot.answers.drop, Of.MESSAGE, kept.message)
    embed = explained(InterruptedInPrivate(), _asked(bot, kept).early_locale, typed=kept.question)
    try:
        user = await persist(lambda: bot.fetch_user(kept.asker))
        await persist(sending(user, Content(embed)))
    except FAILURES as error:
        log.info("nobody could be told of an interrupted question: %s", refusal(error))


def _asked(bot: "RulesBot", kept: KeptAnswer) -> AskedQuestion:
    """A question as it was asked, as far as that is kept."""
    return AskedQuestion(
        reader=Reader(kept.audience, None),
        chosen=kept.book,
        place_locale=locale_of(bot.get_guild(kept.guild or 0)),
        shown_asker=Asker(kept.question),
        **{name: getattr(kept, name) for name in AS_ASKED},
    )
