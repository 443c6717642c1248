"""Messages: follow-ups in threads and direct messages, mentions, and what becomes of deleted answers."""

import asyncio
import time
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import discord
from discord.ext import commands
from discord.utils import utcnow

from bot.buttons.commands import menu_of_commands, players_commands
from bot.buttons.rows import PRIMARY, button, row_of
from bot.buttons.sent import NO_ANSWER
from bot.errors import CannotWriteHere
from bot.messages.calls import silently
from bot.messages.error_replies import explained
from bot.messages.places import PlaceKind, shared_thread_id, where
from bot.messages.reply_message import sending
from bot.messages.threads import is_own_thread
from bot.questions.followups import Decision, Heard, decision, question_of
from bot.questions.wording import fitting, own_mentions, question_in
from bot.render.embeds import Content
from bot.texts import texts_in
from bot.texts.command_translator import locale_of
from rag.errors import RulesError
from rag.library.language.identify import told_language
from rag.library.questions.talk import has_words, language_of_chatter
from rag.library.questions.things import names_topic

if TYPE_CHECKING:
    from bot.client import RulesBot

CORRECTED_WITHIN = timedelta(minutes=1)
MOST_TAKEN = 100
TOLD_AGAIN_SECONDS = 60.0
TALK = (discord.MessageType.default, discord.MessageType.reply)


class Conversations(commands.Cog):
    """What people write, as far as it is meant for the bot."""

    def __init__(self, bot: "RulesBot") -> None:
        self.bot = bot
        self._told: dict[tuple[int, int, str], float] = {}
        self._taken: dict[int, int] = {}
        """A hash of the words of the messages that were answered last, by which a correction is known."""
        self._spoke_last: dict[int, int] = {}
        """Of each thread of the bot's, whose message was the newest."""

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that is meant for the bot."""
        heard = heard_in(message, self._id, players_commands(self.bot.tree))
        decided = decision(heard, reads_everything=self.bot.intents.message_content)
        spoke_last = self._spoke_last.get(message.channel.id)
        if heard.in_own_thread:
            self._spoke_last[message.channel.id] = message.author.id
        if decided is Decision.PERHAPS and not (spoke_last == self._id and await self._asked_last(message)):
            decided = Decision.IGNORE
        await self._take(message, heard, decided)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Ask anew what mentions the bot and was corrected within a minute."""
        message = payload.message
        heard = heard_in(message, self._id, players_commands(self.bot.tree))
        is_new = utcnow() - message.created_at < CORRECTED_WITHIN
        if is_new and heard.mentions_bot and hash(heard.text) != self._taken.get(message.id):
            await self._take(message, heard, decision(heard, reads_everything=False))

    @property
    def _id(self) -> int:
        assert self.bot.user is not None
        return self.bot.user.id

    async def _take(self, message: discord.Message, heard: Heard, decided: Decision) -> None:
        """Do what was decided about a message; whatever fails is told below it."""
        if decided is Decision.IGNORE:
            return
        self._taken = dict([*self._taken.items(), (message.id, hash(heard.text))][-MOST_TAKEN:])
        try:
            guild = message.guild.id if message.guild else None
            await self.bot.access.check(message.author, guild, self.bot.all_guilds)
            await self._act(decided, message, heard)
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
        self._spoke_last.pop(payload.thread_id, None)
        await self.bot.forgetting.thread(payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """What is kept of a channel's answers, and its game, goes with the channel and its threads."""
        await self.bot.forgetting.channel(channel.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """What is kept of a server's answers goes when the bot leaves it; the rest may be taken back."""
        await self.bot.forgetting.leave(guild.id, [channel.id for channel in guild.channels])

    async def _asked_last(self, message: discord.Message) -> bool:
        """Whether the newest answer of a thread was given to the author of a message."""
        thread_id = shared_thread_id(message.channel.id)
        newest = await self.bot.answers.looked_up(lambda: self.bot.answers.newest(thread_id))
        return newest is not None and newest.asker == message.author.id

    async def _names_topic(self, message: discord.Message, text: str) -> bool:
        """Whether words name what a book explains to the author of a message."""
        guild = message.guild.id if message.guild else None
        reader = await self.bot.readers.player(message.author, guild)
        library = self.bot.library.limited_to(reader.sees)
        return await asyncio.to_thread(lambda: names_topic(text, library.queries(reader.audience).explains))

    async def _act(self, decided: Decision, message: discord.Message, heard: Heard) -> None:
        match decided:
            case Decision.IN_REPLY if await self._names_topic(message, heard.text):
                alone = replace(heard, answers_other=False)
                await self._act(decision(alone, reads_everything=False), message, alone)
            case Decision.QUESTION:
                await self.bot.asking.by_mention(message, fitting(question_of(heard)))
            case Decision.FOLLOW_UP | Decision.PERHAPS:
                question, is_overheard = fitting(question_of(heard)), decided is Decision.PERHAPS
                await self.bot.asking.by_message(message, question, is_overheard=is_overheard)
            case Decision.SMALL_TALK:
                await self._say(message, "small-talk", language_of_chatter(message.content))
            case Decision.HELP | Decision.IN_REPLY:
                key = "hint-message-withheld" if heard.answers_other else "hint-how-to-ask"
                await self._say(message, key, has_button=True)
            case _:
                await self._say(message, "hint-no-text", has_button=True)

    async def _say(
        self, message: discord.Message, key: str, language: str | None = None, *, has_button: bool = False
    ) -> None:
        """Return a greeting, or say how to ask, with a button that does; to each at most once a minute."""
        if not self._is_told_now(message, key):
            return
        texts, replied = texts_in(language or locale_of(message.guild)), message.reference
        # In a plain channel the thread of the answer is meant that a message replies to.
        is_in_channel = where(message.channel).kind is PlaceKind.CHANNEL
        answer = (is_in_channel and replied and replied.message_id) or NO_ANSWER
        ask = button("followup", texts("button-followup"), answer, style=PRIMARY)
        row = row_of([ask, *menu_of_commands(self.bot.tree, texts)]) if has_button else None
        await _reply(message, Content(text=texts(key)), row)

    async def _explain(self, message: discord.Message, error: Exception) -> None:
        """Say below a message why it is not answered; the same refusal once a minute to each person there.

        Where the bot may not write, it is said to the author directly: nobody else would tell them.
        """
        if isinstance(error, RulesError) and not self._is_told_now(message, error.key):
            return
        embed = explained(error, told_language(message.content) or locale_of(message.guild))
        told = await _reply(message, Content(embed))
        if told is None and isinstance(error, CannotWriteHere):
            directly = Content(embed, message.jump_url)
            await silently(sending(message.author, directly), "report a failure directly")

    def _is_told_now(self, message: discord.Message, key: str) -> bool:
        """Whether a sentence is to be told: everyone there reads it, and many would fill the channel."""
        now, sentence = time.monotonic(), (message.channel.id, message.author.id, key)
        self._told = {told: at for told, at in self._told.items() if now - at < TOLD_AGAIN_SECONDS}
        is_told_now = sentence not in self._told
        self._told.setdefault(sentence, now)
        return is_told_now


async def _reply(
    message: discord.Message, content: Content, row: discord.ui.View | None = None
) -> discord.Message | None:
    """Reply to a message, if Discord lets the bot."""
    reference = message.to_reference(fail_if_not_exists=False)
    return await silently(sending(message.channel, content, reference, row), "reply to a message")


def heard_in(message: discord.Message, bot_id: int, commands: Collection[str] = ()) -> Heard:
    """What the decision needs to know of a message."""
    replied = message.reference.resolved if message.reference else None
    replied_to = replied.author.id if isinstance(replied, discord.Message) else None
    mentioned = {user.id for user in message.mentions}
    says_it = any(f"<{mention}>" in message.content for mention in own_mentions(message.guild, bot_id))
    names_role = message.guild is not None and message.guild.self_role in message.role_mentions
    return Heard(
        by_bot=message.author.bot or message.webhook_id is not None,
        is_talk=message.type in TALK,
        place=where(message.channel).kind,
        in_own_thread=is_own_thread(message.channel, bot_id),
        mentions_bot=says_it or names_role or (bot_id in mentioned and replied_to != bot_id),
        mentions_others=bool(mentioned - {bot_id, replied_to}),
        answers_bot=replied_to == bot_id,
        answers_other=message.reference is not None and replied_to != bot_id,
        text=(text := question_in(message, bot_id)),
        names_command=text.lstrip("/").casefold() in commands,
        quotes=_quoted(replied, bot_id),
        is_empty=not message.content,
    )


def _quoted(message: object, bot_id: int) -> str:
    """What a message of people asks that somebody points to; nothing where it has no word."""
    if not isinstance(message, discord.Message) or message.author.id == bot_id:
        return ""
    question = question_in(message, bot_id)
    return question if has_words(question) else ""
