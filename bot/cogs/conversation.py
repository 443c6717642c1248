"""Messages: follow-ups in threads and direct messages, mentions, and what becomes of deleted answers."""

import logging
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from bot.access import PATIENT_SECONDS
from bot.buttons.answer_button import NO_ANSWER
from bot.buttons.rows import hint_row
from bot.messages.calls import silently
from bot.messages.error_replies import explained
from bot.messages.places import PlaceKind
from bot.messages.reply_message import may_embed, sending
from bot.messages.threads import is_own_thread, where
from bot.questions.followups import Decision, Heard, decision, question_in
from bot.render.embeds import Content, as_text
from bot.texts import texts_in
from bot.texts.command_translator import locale_of
from rag.library.language.identify import told_language

if TYPE_CHECKING:
    from bot.client import RulesBot

log = logging.getLogger(__name__)

TALK = (discord.MessageType.default, discord.MessageType.reply)


class Conversation(commands.Cog):
    """What people write, as far as it is meant for the bot."""

    def __init__(self, bot: "RulesBot") -> None:
        self.bot = bot
        self._hinted: set[int] = set()

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that is meant for the bot."""
        assert self.bot.user is not None
        heard = heard_in(message, self.bot.user.id)
        decided = decision(heard, reads_everything=self.bot.intents.message_content)
        if decided is Decision.IGNORE:
            return
        try:
            guild = message.guild.id if message.guild else None
            await self.bot.access.check(message.author, guild, self.bot.guilds, PATIENT_SECONDS)
            await self._act(decided, message, heard.text)
        except Exception as error:
            await self._explain(message, error)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """What is kept of an answer goes with its message."""
        await self.bot.forgetting.messages([payload.message_id])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """What is kept of answers goes with their messages."""
        await self.bot.forgetting.messages(list(payload.message_ids))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """What is kept of a thread's answers goes with the thread."""
        await self.bot.forgetting.channel(payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """What is kept of a channel's answers goes with the channel and its threads."""
        await self.bot.forgetting.channel(channel.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """What is kept of a server's answers goes when the bot leaves it."""
        await self.bot.forgetting.server(guild.id)

    async def _act(self, decided: Decision, message: discord.Message, question: str) -> None:
        if decided is Decision.QUESTION:
            await self.bot.asking.by_mention(message, question)
        elif decided is Decision.FOLLOW_UP:
            await self.bot.asking.by_message(message, question)
        else:
            await self._hint(message)

    async def _hint(self, message: discord.Message) -> None:
        """Say, once a thread, how to ask where Discord withholds what people write."""
        answer = _answered_in_channel(message)
        if (answer or message.channel.id) in self._hinted:
            return
        self._hinted.add(answer or message.channel.id)
        texts = texts_in(locale_of(message.guild))
        await silently(
            sending(
                message.channel,
                Content(text=texts("hint-no-text")),
                message.to_reference(fail_if_not_exists=False),
                hint_row(texts, answer),
            ),
            "send a hint",
        )

    async def _explain(self, message: discord.Message, error: Exception) -> None:
        embed = explained(error, told_language(message.content) or locale_of(message.guild))
        reference = message.to_reference(fail_if_not_exists=False)
        content = Content(embed) if may_embed(message.channel) else Content(text=as_text(embed))
        await silently(sending(message.channel, content, reference), "report a failure")


def heard_in(message: discord.Message, bot_id: int) -> Heard:
    """What the decision needs to know of a message."""
    replied = message.reference.resolved if message.reference else None
    replied_to = replied.author.id if isinstance(replied, discord.Message) else None
    mentioned = {user.id for user in message.mentions}
    says_it = any(mention in message.content for mention in (f"<@{bot_id}>", f"<@!{bot_id}>"))
    return Heard(
        by_bot=message.author.bot or message.webhook_id is not None,
        is_talk=message.type in TALK,
        place=where(message.channel).kind,
        in_own_thread=is_own_thread(message.channel, bot_id),
        mentions_bot=says_it or (bot_id in mentioned and replied_to != bot_id),
        mentions_others=bool(mentioned - {bot_id, replied_to}),
        answers_bot=replied_to == bot_id,
        answers_other=message.reference is not None and replied_to != bot_id,
        text=question_in(message.content, bot_id),
    )


def _answered_in_channel(message: discord.Message) -> int:
    """The answer in a plain channel that a message replies to, whose thread is meant."""
    if message.reference is None or where(message.channel).kind is not PlaceKind.CHANNEL:
        return NO_ANSWER
    return message.reference.message_id or NO_ANSWER


async def setup(bot: "RulesBot") -> None:
    """Add the cog."""
    await bot.add_cog(Conversation(bot))
