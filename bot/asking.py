"""The doors through which questions come in: commands, messages, buttons. Each becomes a query on a sheet."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import discord
from discord.utils import utcnow

from bot.access import Access, Counter
from bot.answering import Answered, Answering, Query
from bot.answers import Answers, KeptAnswer
from bot.calls import refusal, silently
from bot.channel_games import ChannelGames
from bot.errors import AnswerGone, CannotWriteHere, NotGm
from bot.places import Place, PlaceKind, gm_conversation, private_conversation, shared_conversation
from bot.render import Asker, Card, fitted, working_embed
from bot.scope import scope
from bot.sheets import ChannelSheet, InteractionSheet, Sheet, Writable, acknowledge, may_embed
from bot.texts import texts_in
from bot.threads import conversation_channel, is_older, is_own_thread, open_thread, where, writable
from bot.translation import locale_of
from bot.turns import Turn, Turns
from rag.library.shelf import BookSummary
from rag.state import Audience

log = logging.getLogger(__name__)

QUESTION_LINE = 1500

MISSING_THREADS = "missing-threads"


@dataclass(frozen=True, slots=True)
class Wish:
    """A question as somebody put it, with what they chose."""

    question: str
    book: str | None = None
    private: bool = False
    reader: Audience = "player"


class Asking:
    """Turns what Discord delivers into queries, and opens threads on the answers."""

    def __init__(
        self,
        answering: Answering,
        answers: Answers,
        access: Access,
        counter: Counter,
        channel_games: ChannelGames,
        books: Callable[[Audience], Sequence[BookSummary]],
    ) -> None:
        self._answering = answering
        self._answers = answers
        self._access = access
        self._counter = counter
        self._channel_games = channel_games
        self._books = books
        self._turns = Turns()
        self._told: set[tuple[int, str]] = set()
        self._began = utcnow()

    # --- commands ---------------------------------------------------------------------------------

    async def by_command(self, interaction: discord.Interaction, wish: Wish) -> None:
        """A slash command or message menu: acknowledged at once, answered where it was used."""
        query = self._query(interaction, wish)
        match where(interaction.channel).kind:
            case _ if query.private:
                await self._in_response(interaction, query)
            case PlaceKind.DIRECT:
                await self._in_response(interaction, query)
            case PlaceKind.CHANNEL:
                await self._with_thread(interaction, query)
            case _:
                await self._below(interaction, query)

    async def _in_response(self, interaction: discord.Interaction, query: Query) -> None:
        """The answer is the response itself: private ones, and direct messages."""
        with self._turns.take(query.conversation) as turn:
            sheet = await InteractionSheet.defer(interaction, private=query.private)
            await self._answering.answer(query, sheet, turn)

    async def _with_thread(self, interaction: discord.Interaction, query: Query) -> None:
        """The response opens a thread on itself, whose id it has from the first moment."""
        sheet = await InteractionSheet.defer(interaction)
        query = replace(query, conversation=shared_conversation(sheet.id))
        with self._turns.take(query.conversation) as turn:
            answered = await self._answering.answer(query, sheet, turn)
        if answered:
            await self._open_thread(interaction, answered, sheet)

    async def _below(self, interaction: discord.Interaction, query: Query) -> None:
        """The response holds the question; the answer below is an ordinary message, open to replies."""
        with self._turns.take(query.conversation) as turn:
            asked = await InteractionSheet.defer(interaction)
            query, sheet = await self._sheet_below(interaction, query, asked)
            await self._answering.answer(query, sheet, turn)

    async def _sheet_below(
        self, interaction: discord.Interaction, query: Query, asked: InteractionSheet
    ) -> tuple[Query, Sheet]:
        line = texts_in(query.locale)("asked", question=fitted(query.question, QUESTION_LINE))
        try:
            channel = writable(interaction.channel)
            await asked.show(Card(content=line))
            below = replace(query, shown_asker=None)
            reference = discord.MessageReference(
                message_id=asked.id, channel_id=channel.id, guild_id=query.guild, fail_if_not_exists=False
            )
            return below, await ChannelSheet.write(channel, _working(below, channel), reference)
        except CannotWriteHere:
            return query, asked

    async def _open_thread(
        self, interaction: discord.Interaction, answered: Answered, sheet: InteractionSheet
    ) -> None:
        message = await silently(interaction.original_response, "read the answer back")
        if message is None:
            return
        texts = texts_in(answered.query.locale)
        try:
            await open_thread(message, answered.query.question, texts("thread-name"))
        except discord.HTTPException as error:
            log.warning("no thread opened in channel %s: %s", sheet.channel_id, refusal(error))
            await self._tell_missing(answered, sheet)

    async def _tell_missing(self, answered: Answered, sheet: Sheet) -> None:
        """Say on an answer, once a channel, that threads may not be opened there."""
        if (sheet.channel_id, MISSING_THREADS) in self._told:
            return
        self._told.add((sheet.channel_id, MISSING_THREADS))
        notice = texts_in(answered.query.locale)(MISSING_THREADS)
        await self._answering.redraw(answered, sheet, notice)

    # --- messages ---------------------------------------------------------------------------------

    async def by_mention(self, message: discord.Message, question: str) -> None:
        """A question in a plain channel: the thread opens on the player's message."""
        query = self._query_of(message, message.id, question)
        texts = texts_in(query.locale)
        with self._turns.take(query.conversation) as turn:
            try:
                thread = await open_thread(message, question, texts("thread-name"))
            except discord.HTTPException as error:
                log.warning("no thread opened in channel %s: %s", message.channel.id, refusal(error))
                thread = None
            answered, sheet = await self._write(message, thread, query, turn)
        if answered and thread is None:
            await self._tell_missing(answered, sheet)

    async def by_message(self, message: discord.Message, question: str) -> None:
        """A follow-up in a thread, a direct message or a channel without threads.

        In a plain channel it is a reply to an answer, and goes on in the thread of that answer.
        """
        home = message.channel.id
        replied = message.reference and message.reference.message_id
        if replied and where(message.channel).kind is PlaceKind.CHANNEL:
            home = replied
        query = self._query_of(message, home, question)
        with self._turns.take(query.conversation) as turn:
            channel = await conversation_channel(message.channel, message.guild, home)
            thread = None if channel.id == message.channel.id else channel
            await self._write(message, thread, query, turn)

    async def _write(
        self, message: discord.Message, thread: Writable | None, query: Query, turn: Turn
    ) -> tuple[Answered | None, Sheet]:
        """Answer a message in a thread, or below it where there is none."""
        reference = None if thread else message.to_reference(fail_if_not_exists=False)
        channel = thread or writable(message.channel)
        sheet = await ChannelSheet.write(channel, _working(query, channel), reference)
        return await self._answering.answer(query, sheet, turn), sheet

    # --- buttons ----------------------------------------------------------------------------------

    async def beside(
        self, interaction: discord.Interaction, question: str, answer: KeptAnswer | None
    ) -> None:
        """A question from a button: it goes on with an answer's conversation, or with the place's."""
        wish = Wish(question, answer.book, answer.private, answer.audience) if answer else Wish(question)
        query = self._query(interaction, wish)
        if answer:
            query = replace(query, conversation=answer.conversation)
        if query.private:
            await self._in_response(interaction, query)
        elif answer is None and where(interaction.channel).kind is PlaceKind.CHANNEL:
            await self._with_thread(interaction, query)
        else:
            await self._in_conversation(interaction, query, answer)

    async def _in_conversation(
        self, interaction: discord.Interaction, query: Query, answer: KeptAnswer | None
    ) -> None:
        """An ordinary message where the conversation goes on, to which the response points."""
        with self._turns.take(query.conversation) as turn:
            await acknowledge(interaction, private=True)
            channel = await conversation_channel(
                interaction.channel, interaction.guild, answer.message if answer else None
            )
            sheet = await ChannelSheet.write(channel, _working(query, channel))
            line = texts_in(query.locale)("answered-there", link=sheet.link)
            await silently(lambda: interaction.edit_original_response(content=line), "point to an answer")
            await self._answering.answer(query, sheet, turn)

    async def kept(self, interaction: discord.Interaction, answer: int) -> KeptAnswer:
        """What is kept of an answer, for somebody who may see it. Raises `AnswerGone` or `NotGm`."""
        kept = await asyncio.to_thread(self._answers.find, answer)
        if kept is None:
            raise AnswerGone
        if kept.audience == "gm" and not self._access.is_gm(interaction.user, interaction.permissions):
            raise NotGm
        return kept

    # --- queries ----------------------------------------------------------------------------------

    def _query(self, interaction: discord.Interaction, wish: Wish) -> Query:
        """The query of an interaction. Raises whatever refuses it, before anything is acknowledged."""
        user, place = interaction.user, where(interaction.channel)
        is_gm = self._access.is_gm(user, interaction.permissions)
        if wish.reader == "gm" and not is_gm:
            raise NotGm
        book = self._scope(wish, place)
        self._counter.admit(user.id, is_gm=is_gm)
        private = wish.private or wish.reader == "gm"
        return Query(
            question=wish.question,
            conversation=_conversation(place, user.id, wish),
            asker=user.id,
            guild=interaction.guild_id,
            reader=wish.reader,
            book=book,
            private=private,
            locale=interaction.locale.value,
            resumes=not private and self._resumes(interaction.channel, interaction.application_id),
            shown_asker=Asker(wish.question, user.display_avatar.url),
        )

    def _query_of(self, message: discord.Message, home: int, question: str) -> Query:
        """The query of a message, whose conversation is that of the thread or place `home`."""
        author, wish = message.author, Wish(question)
        permissions = author.guild_permissions if isinstance(author, discord.Member) else NO_PERMISSIONS
        book = self._scope(wish, where(message.channel))
        self._counter.admit(author.id, is_gm=self._access.is_gm(author, permissions))
        return Query(
            question=question,
            conversation=shared_conversation(home),
            asker=author.id,
            guild=message.guild.id if message.guild else None,
            book=book,
            locale=locale_of(message.guild),
            resumes=message.guild is not None and self._resumes(message.channel, message.guild.me.id),
        )

    def _scope(self, wish: Wish, place: Place) -> str | None:
        return scope(self._books(wish.reader), wish.book, self._channel_games.game_of(place.home))

    def _resumes(self, channel: discord.abc.Snowflake | None, bot_id: int) -> bool:
        """Whether a place is a thread that the bot opened before this process began."""
        return channel is not None and is_own_thread(channel, bot_id) and is_older(channel, self._began)


NO_PERMISSIONS = discord.Permissions.none()


def _conversation(place: Place, user: int, wish: Wish) -> str:
    if wish.reader == "gm":
        return gm_conversation(place.id, user)
    if wish.private:
        return private_conversation(place.id, user)
    return shared_conversation(place.id)


def _working(query: Query, channel: discord.abc.Snowflake) -> Card:
    embed = working_embed(texts_in(query.locale)("working"), query.shown_asker)
    return Card(embed) if may_embed(channel) else Card(content=embed.description)
