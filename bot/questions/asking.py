"""The doors through which questions come in: commands, messages, buttons. Each becomes a query on a sheet."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

import discord
from discord.utils import utcnow

from bot.access import Access, Counter
from bot.answers.table import Answers, KeptAnswer
from bot.books.channel_games import ChannelGames
from bot.books.scope import scope
from bot.errors import AnswerGone, CannotWriteHere, MayNotOpenThread, NotGm, Refused
from bot.messages.calls import silently
from bot.messages.places import Place, PlaceKind, gm_conversation, private_conversation, shared_conversation
from bot.messages.reply_message import ChannelSheet, InteractionSheet, Sheet, Writable, acknowledge, may_embed
from bot.messages.threads import conversation_channel, is_older, is_own_thread, open_thread, where, writable
from bot.questions.answering import Answered, Answering, Query, log_question
from bot.questions.queue import Turn, Turns
from bot.render.embeds import Asker, Card, working_embed
from bot.render.markdown import fitted
from bot.texts import texts_in
from bot.texts.command_translator import locale_of
from rag.config import Audience
from rag.errors import UnknownBook
from rag.library.books.book import BookSummary

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
        self._began = utcnow()

    # --- commands ---------------------------------------------------------------------------------

    async def by_command(self, interaction: discord.Interaction, wish: Wish) -> None:
        """A slash command or message menu: acknowledged at once, answered where it was used."""
        query = self._query(interaction, wish)
        with self._admitted(query, self._is_gm(interaction)):
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
        """Open the thread by the message's id, which outlives the interaction's fifteen minutes."""
        message = writable(interaction.channel).get_partial_message(sheet.id)
        texts = texts_in(answered.query.locale)
        try:
            await open_thread(message, answered.query.question, texts("thread-name"))
        except MayNotOpenThread:
            await self._answering.tell_missing(answered, sheet, MISSING_THREADS)

    # --- messages ---------------------------------------------------------------------------------

    async def by_mention(self, message: discord.Message, question: str) -> None:
        """A question in a plain channel: the thread opens on the player's message."""
        query = self._query_of(message, shared_conversation(message.id), question)
        thread, is_allowed = None, True
        with self._admitted(query, self._wrote_gm(message)), self._turns.take(query.conversation) as turn:
            try:
                thread = await open_thread(message, question, texts_in(query.locale)("thread-name"))
            except MayNotOpenThread:
                is_allowed = False
            answered, sheet = await self._write(message, thread, query, turn)
            if answered and not is_allowed:
                await self._answering.tell_missing(answered, sheet, MISSING_THREADS)

    async def by_message(self, message: discord.Message, question: str) -> None:
        """A follow-up in a thread, a direct message or a channel without threads.

        In a plain channel it is a reply to an answer, and goes on with the conversation of that answer.
        """
        home = message.channel.id
        conversation = shared_conversation(home)
        replied = message.reference and message.reference.message_id
        if replied and where(message.channel).kind is PlaceKind.CHANNEL:
            home = replied
            conversation = await self._conversation_of(replied)
        query = await self._with_last_book(self._query_of(message, conversation, question), message)
        with self._admitted(query, self._wrote_gm(message)), self._turns.take(query.conversation) as turn:
            channel = await conversation_channel(message.channel, message.guild, home)
            thread = None if channel.id == message.channel.id else channel
            await self._write(message, thread, query, turn)

    async def _with_last_book(self, query: Query, message: discord.Message) -> Query:
        """A query that goes on in the book its conversation was about, as far as that can be asked here."""
        book = await self._answers.looked_up(lambda: self._answers.last_book(query.conversation))
        with suppress(Refused, UnknownBook):
            return replace(query, book=self._scope(Wish(query.question, book), where(message.channel)))
        return query

    async def _conversation_of(self, answer: int) -> str:
        """The conversation that an answer in a plain channel belongs to."""
        kept = await self._answers.looked_up(lambda: self._answers.find(answer))
        return kept.conversation if kept and not kept.private else shared_conversation(answer)

    async def _write(
        self, message: discord.Message, thread: Writable | None, query: Query, turn: Turn
    ) -> tuple[Answered | None, Sheet]:
        """Answer a message in a thread, or below it where there is none to write in."""
        sheet = await self._sheet_for(message, thread, query)
        return await self._answering.answer(query, sheet, turn), sheet

    async def _sheet_for(
        self, message: discord.Message, thread: Writable | None, query: Query
    ) -> ChannelSheet:
        if thread:
            with suppress(CannotWriteHere):
                return await ChannelSheet.write(thread, _working(query, thread))
        channel, reference = writable(message.channel), message.to_reference(fail_if_not_exists=False)
        return await ChannelSheet.write(channel, _working(query, channel), reference)

    # --- buttons ----------------------------------------------------------------------------------

    async def beside(
        self, interaction: discord.Interaction, question: str, answer: KeptAnswer | None
    ) -> None:
        """A question from a button: it goes on with an answer's conversation, or with the place's."""
        wish = Wish(question, answer.book, answer.private, answer.audience) if answer else Wish(question)
        query = self._query(interaction, wish)
        if answer:
            query = replace(query, conversation=answer.conversation)
        with self._admitted(query, self._is_gm(interaction)):
            if query.private:
                await self._in_response(interaction, query)
            elif answer is None and where(interaction.channel).kind is PlaceKind.CHANNEL:
                await self._with_thread(interaction, query)
            else:
                await self._in_conversation(interaction, query, answer.message if answer else None)

    async def follow_up(self, interaction: discord.Interaction, question: str, answer: int) -> None:
        """A question typed under an answer; where that is no longer kept, place and id tell how to go on."""
        await acknowledge(interaction, private=True)
        try:
            kept = await self.kept(interaction, answer)
        except AnswerGone:
            await self._follow_up_by_id(interaction, question, answer)
        else:
            await self.beside(interaction, question, kept)

    async def _follow_up_by_id(self, interaction: discord.Interaction, question: str, answer: int) -> None:
        shown = interaction.message
        query = self._query(interaction, Wish(question, private=shown is not None and shown.flags.ephemeral))
        if not query.private and where(interaction.channel).kind is PlaceKind.CHANNEL:
            query = replace(query, conversation=shared_conversation(answer))
        with self._admitted(query, self._is_gm(interaction)):
            if query.private:
                await self._in_response(interaction, query)
            else:
                await self._in_conversation(interaction, query, answer)

    async def _in_conversation(
        self, interaction: discord.Interaction, query: Query, answer: int | None
    ) -> None:
        """An ordinary message where the conversation goes on, to which the response points."""
        with self._turns.take(query.conversation) as turn:
            await acknowledge(interaction, private=True)
            channel = await conversation_channel(interaction.channel, interaction.guild, answer)
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

    @contextmanager
    def _admitted(self, query: Query, is_gm: bool) -> Iterator[None]:
        """A question at work, from before it is acknowledged until its thread is open."""
        try:
            with self._counter.admit(query.asker, is_gm=is_gm):
                yield
        except Refused as error:
            log_question(query, type(error).__name__, 0.0)
            raise

    def _is_gm(self, interaction: discord.Interaction) -> bool:
        return self._access.is_gm(interaction.user, interaction.permissions)

    def _wrote_gm(self, message: discord.Message) -> bool:
        author = message.author
        permissions = author.guild_permissions if isinstance(author, discord.Member) else NO_PERMISSIONS
        return self._access.is_gm(author, permissions)

    def _query(self, interaction: discord.Interaction, wish: Wish) -> Query:
        """The query of an interaction. Raises whatever refuses it, before anything is acknowledged."""
        user, place = interaction.user, where(interaction.channel)
        if wish.reader == "gm" and not self._is_gm(interaction):
            raise NotGm
        book = self._scope(wish, place)
        private = wish.private or wish.reader == "gm"
        return Query(
            question=wish.question,
            conversation=_conversation(place, user.id, wish),
            asker=user.id,
            guild=interaction.guild_id,
            home=place.home,
            reader=wish.reader,
            book=book,
            private=private,
            locale=interaction.locale.value,
            resumes=not private and self._resumes(interaction.channel, interaction.application_id),
            shown_asker=Asker(wish.question, user.display_avatar.url),
        )

    def _query_of(self, message: discord.Message, conversation: str, question: str) -> Query:
        """The query of a message."""
        place = where(message.channel)
        return Query(
            question=question,
            conversation=conversation,
            asker=message.author.id,
            guild=message.guild.id if message.guild else None,
            home=place.home,
            book=self._scope(Wish(question), place),
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
