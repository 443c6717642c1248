"""What a request of Discord's means: who reads, what is asked in which books, which answer is meant."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypedDict, Unpack

import discord
from discord.utils import snowflake_time, utcnow

from bot.access import Access
from bot.answers.table import Answers, KeptAnswer
from bot.books.readers import Reader, Readers
from bot.books.scope import games, is_all, narrowed_to, scope
from bot.errors import AnswerGone, GameClosed, NotGm, NotYours, OtherGame, Refused
from bot.messages.places import Place, PlaceKind, shared_thread_id, where
from bot.messages.threads import is_own_thread
from bot.questions.question import AskedQuestion, Notice
from bot.questions.wording import named
from bot.render.embeds import Asker
from bot.storage.kept_places import KeptPlaces
from bot.texts.command_translator import locale_of
from rag.config import Audience
from rag.errors import UnknownBook
from rag.library.books.book import BookSummary
from rag.state import thread_id


class Chosen(TypedDict, total=False):
    """What somebody chose beside the words of a question."""

    book: str | None
    private: bool
    audience: Audience
    book_only: bool


@dataclass(eq=False)
class Requests:
    """Understands requests; `Asking` answers them. `books` are those that a reader can ask."""

    answers: Answers
    access: Access
    places: KeptPlaces
    readers: Readers
    books: Callable[[Reader], Sequence[BookSummary]]
    began: datetime = field(default_factory=utcnow, init=False)

    # --- who reads, and which answer is meant -----------------------------------------------------

    async def kept(self, interaction: discord.Interaction, answer: int) -> KeptAnswer:
        """What is kept of an answer, for somebody who may see it. Raises `AnswerGone` or `NotGm`.

        An answer of another server is gone here; so is one of a direct message whose person has come to see
        other games since.
        """
        kept = await asyncio.to_thread(self.answers.find, answer)
        if kept is None or kept.guild != interaction.guild_id:
            raise AnswerGone
        reader = await self.reader(interaction, kept.audience)
        if kept.guild is None:
            place, user = where(interaction.channel), interaction.user.id
            own = {thread_id_of_place(place, user, reader, private=private) for private in (False, True)}
            if kept.thread_id not in own:
                raise AnswerGone
        return kept

    async def own(self, interaction: discord.Interaction, answer: int) -> KeptAnswer:
        """What is kept of an answer, for its asker and for moderators. Raises `NotYours`, too."""
        kept = await self.kept(interaction, answer)
        if not self.owns(interaction, kept):
            raise NotYours
        return kept

    def owns(self, interaction: discord.Interaction, kept: KeptAnswer) -> bool:
        """Whether somebody asked for an answer, or is a moderator."""
        is_moderator = interaction.guild_id is not None and interaction.permissions.manage_messages
        return interaction.user.id == kept.asker or is_moderator

    async def reader(self, interaction: discord.Interaction, audience: Audience) -> Reader:
        """Who reads the answer of an interaction. Raises `NotGm` or `GmBooksClosed`."""
        if audience == "player":
            return await self.readers.player(interaction.user, interaction.guild_id)
        if not self.access.is_gm(interaction.user, interaction.permissions):
            raise NotGm
        return self.readers.gm(interaction.guild_id)

    # --- questions --------------------------------------------------------------------------------

    async def from_interaction(
        self, interaction: discord.Interaction, question: str, **chosen: Unpack[Chosen]
    ) -> AskedQuestion:
        """The question of an interaction, those it mentions not named yet. Raises whatever refuses it.

        Of a question in a server nothing is looked up for that.
        """
        user, place = interaction.user, where(interaction.channel)
        book, audience = chosen.get("book"), chosen.get("audience", "player")
        private = chosen.get("private", False)
        reader = await self.reader(interaction, audience)
        is_private = private or audience == "gm"
        asked = AskedQuestion(
            question=question,
            thread_id=thread_id_of_place(place, user.id, reader, private=private),
            asker=user.id,
            guild=interaction.guild_id,
            place=place.kind,
            home=place.home,
            reader=reader,
            private=is_private,
            book_only=chosen.get("book_only", False),
            locale=interaction.locale.value,
            resumes=not is_private and self._resumes(interaction.channel, interaction.client.user),
            is_by_gm=self.access.is_gm(interaction.user, interaction.permissions),
        )
        return self._narrowed(asked, None if book is None or is_all(book) else book, place)

    async def from_message(
        self, message: discord.Message, question: str, thread_id: str | None = None
    ) -> AskedQuestion:
        """The question of a message; without a `thread_id`, in the conversation of its place."""
        place, guild = where(message.channel), message.guild.id if message.guild else None
        author = message.author
        permissions = getattr(author, "guild_permissions", discord.Permissions.none())
        reader = await self.readers.player(author, guild)
        asked = AskedQuestion(
            question=question,
            thread_id=thread_id or thread_id_of_place(place, author.id, reader, private=False),
            asker=author.id,
            guild=guild,
            place=place.kind,
            home=place.home,
            reader=reader,
            place_locale=locale_of(message.guild),
            is_by_message=True,
            resumes=message.guild is not None and self._resumes(message.channel, message.guild.me),
            is_by_gm=self.access.is_gm(author, permissions),
        )
        return self._narrowed(asked, None, place)

    def scoped(self, reader: Reader, book: str | None, place: Place) -> str | None:
        """In which book or game a place is asked. Raises `GameClosed` and what `scope` raises."""
        books, bound = self.books(reader), self.places.game_of(place.home)
        if bound and reader.games is not None and bound not in {*reader.games, *games(books)}:
            raise GameClosed
        return scope(books, book, bound)

    def _resumes(self, channel: discord.abc.Snowflake | None, bot: discord.abc.User | None) -> bool:
        """Whether a place is a thread that the bot opened before this process began."""
        is_own = bot is not None and is_own_thread(channel, bot.id)
        return is_own and channel is not None and snowflake_time(channel.id) < self.began

    async def anew(
        self, interaction: discord.Interaction, question: str, answer: KeptAnswer, book: str | None = None
    ) -> AskedQuestion:
        """A question in the conversation of an answer, and in its book as far as that can be asked here.

        Where a choice holds for its question alone, it holds whenever that is asked again; that a table's own
        rules are left out does so everywhere.
        """
        is_same = question == answer.question
        goes_on = is_same or keeps_choices(where(interaction.channel), private=answer.private)
        chosen = answer.book if goes_on else None
        if chosen and not book:
            # It may have left the library, or the channel plays another game by now.
            with suppress(OtherGame, UnknownBook):
                reader = await self.reader(interaction, answer.audience)
                self.scoped(reader, chosen, where(interaction.channel))
                book = chosen
        asked = await self.from_interaction(
            interaction, question, book=book, private=answer.private, audience=answer.audience
        )
        if chosen and not book:
            left = Notice("notice-book-left", {"book": chosen, "asked": asked.book or "none"})
            asked = replace(asked, notices=(left,))
        return replace(asked, thread_id=answer.thread_id, book_only=answer.book_only and is_same)

    async def in_conversations_book(self, asked: AskedQuestion, place: Place) -> AskedQuestion:
        """A question in the book that was chosen last in its thread, as far as that can be asked here.

        Elsewhere a choice holds for its question alone: nobody would know of it later.
        """
        if not keeps_choices(place, private=asked.private):
            return asked
        newest = await self.answers.looked_up(lambda: self.answers.newest(asked.thread_id))
        with suppress(Refused, UnknownBook):
            return self._narrowed(asked, newest.book if newest else None, place)
        return asked

    def _narrowed(self, asked: AskedQuestion, chosen: str | None, place: Place) -> AskedQuestion:
        """A question in the book that was chosen, or in the channel's game. Raises what `scoped` raises."""
        scoped = self.scoped(asked.reader, chosen, place)
        name = narrowed_to(self.books(asked.reader), scoped)
        key = "narrowed-in-thread" if keeps_choices(place, private=asked.private) else "narrowed-once"
        key = "narrowed-by-channel" if chosen is None else key
        narrowing = None if name is None else Notice(key, {"name": name})
        return replace(asked, book=scoped, chosen=chosen, narrowing=narrowing)


async def with_names(asked: AskedQuestion, interaction: discord.Interaction) -> AskedQuestion:
    """A question with the names of those it mentions; Discord may have to be asked for them.

    It bears its asker's own where others will read it and Discord does not say who asked.
    """
    question, user = await named(asked.question, interaction), interaction.user
    is_known = asked.private or interaction.type is discord.InteractionType.application_command
    asker = Asker(question, user.display_avatar.url, "" if is_known else user.display_name)
    return replace(asked, question=question, shown_asker=asker)


def keeps_choices(place: Place, *, private: bool) -> bool:
    """Whether a book chosen for a question is kept for those that follow: in a thread, where all see it."""
    return place.kind in (PlaceKind.THREAD, PlaceKind.CHANNEL) and not private


def thread_id_of_place(place: Place, user: int, reader: Reader, *, private: bool) -> str:
    """The `thread_id` of the conversation that somebody has in a place.

    A GM's is their own: no player's question ever reaches it. In a direct message with somebody who sees
    other games than before it is another one: what was said of a game is not remembered without it.
    """
    if reader.audience == "gm":
        return thread_id(f"gm:{place.id}:{user}")
    if place.kind is PlaceKind.DIRECT and (reader.games is not None or reader.uploaders):
        seen = [sorted(reader.games or ()), private, *sorted(reader.uploaders)]
        return thread_id(json.dumps([place.id, *seen]))
    if private:
        return thread_id(f"private:{place.id}:{user}")
    return shared_thread_id(place.id)
