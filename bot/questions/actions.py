"""What the buttons under an answer do: show its passages, follow up, ask again, delete."""

import asyncio
from dataclasses import replace

import discord

from bot.answers.buttons import (
    GMS,
    NO_ANSWER,
    Action,
    FollowUpModal,
    menu_view,
    number_of_game,
    passages_view,
)
from bot.answers.table import Answers, KeptAnswer, KeptSource
from bot.books.book_list import BookLibrary
from bot.books.readers import Reader
from bot.errors import CannotWriteHere, NotYours, OtherGameGone, PassageGone
from bot.messages.calls import GONE, THREAD_ARCHIVED, persist
from bot.messages.reply_message import acknowledge, reopened
from bot.questions.asking import Asking
from bot.questions.forgetting import Forgetting
from bot.render.embeds import passage_embeds
from bot.texts import texts_in
from rag.errors import LibraryError
from rag.library.books.found_page import FoundPage
from rag.texts import Texts
from rag.texts.blocks import citation


class Actions:
    """Does what a button of an answer says, for somebody who may have it done."""

    def __init__(
        self, asking: Asking, answers: Answers, library: BookLibrary, forgetting: Forgetting
    ) -> None:
        self._asking = asking
        self._answers = answers
        self._library = library
        self._forgetting = forgetting

    async def serve(self, interaction: discord.Interaction, action: Action, answer: int, page: int) -> None:
        """Do an action; `page` is the passage that is turned to, or the number of a game."""
        match action:
            case Action.SOURCES:
                await self._open_passages(interaction, answer)
            case Action.TURN_PAGE:
                await self._turn_page(interaction, answer, page)
            case Action.FOLLOW_UP:
                texts = texts_in(interaction.locale.value)
                await interaction.response.send_modal(FollowUpModal(answer, texts, by_gm=page == GMS))
            case Action.MORE:
                await self._open_menu(interaction, answer)
            case Action.AGAIN:
                await self._ask_again(interaction, answer)
            case Action.OTHER_GAME:
                await self._ask_other_game(interaction, answer, page)
            case Action.DELETE:
                await self._delete(interaction, answer)

    async def follow_up(
        self, interaction: discord.Interaction, question: str, answer: int, *, by_gm: bool
    ) -> None:
        """Answer a question that was typed into a modal, where its conversation goes on."""
        if answer == NO_ANSWER:
            await self._asking.by_button(interaction, question, None)
        else:
            await self._asking.by_follow_up(interaction, question, answer, by_gm=by_gm)

    # --- the passages behind an answer, read again from the index ----------------------------------

    async def _open_passages(self, interaction: discord.Interaction, answer: int) -> None:
        """Show the first passage of an answer in a private message."""
        await acknowledge(interaction, private=True)
        await self._show_passage(interaction, answer, 0)

    async def _turn_page(self, interaction: discord.Interaction, answer: int, number: int) -> None:
        """Show another passage, or another part of one, in the same message."""
        await interaction.response.defer()
        await self._show_passage(interaction, answer, number)

    async def _show_passage(self, interaction: discord.Interaction, answer: int, number: int) -> None:
        kept = await self._asking.kept(interaction, answer)
        texts = texts_in(interaction.locale.value)
        reader = await self._asking.reader(interaction, kept.audience)
        passages = await asyncio.to_thread(self._passages, kept, reader, texts)
        number = min(number, len(passages) - 1)
        embed = passages[number]
        if isinstance(embed, PassageGone):
            raise embed
        view = passages_view(answer, number, len(passages), texts)
        await interaction.edit_original_response(embed=embed, view=view)

    def _passages(self, kept: KeptAnswer, reader: Reader, texts: Texts) -> list[discord.Embed | PassageGone]:
        """The full page of each source, the quotation in bold, or that its book is gone.

        A page too long for a message is several; all are numbered through.
        """
        passages: list[discord.Embed | PassageGone] = []
        for number, source in enumerate(kept.sources, start=1):
            footer = texts("passage-footer", number=number, total=len(kept.sources))
            title = citation(source.book, source.page, source.pdf_page, texts, source.section)
            try:
                page = self._page(source, reader)
            except PassageGone as gone:
                passages.append(gone)
            else:
                passages += passage_embeds(title, page.text, source.quote, footer)
        return passages

    def _page(self, source: KeptSource, reader: Reader) -> FoundPage:
        """The page of a source. Raises `PassageGone` where the index holds none for this reader."""
        library = self._library.limited_to(reader.games)
        try:
            return library.page_at(source.file, source.pdf_page, reader.audience, source.page, source.section)
        except LibraryError as error:
            raise PassageGone(book=source.book) from error

    # --- another game -------------------------------------------------------------------------------

    async def _ask_other_game(self, interaction: discord.Interaction, answer: int, number: int) -> None:
        """Ask the question of an answer in another game. Raises `OtherGameGone` where there is none."""
        await acknowledge(interaction, private=True)
        kept = await self._asking.kept(interaction, answer)
        reader = await self._asking.reader(interaction, kept.audience)
        books = self._library.limited_to(reader.games).books(reader.audience)
        games = {book.own_game for book in books}
        game = next((game for game in games if number_of_game(game) == number), None)
        if game is None:
            raise OtherGameGone
        await self._asking.by_button(interaction, kept.question, replace(kept, book=game))

    # --- the menu of the asker and of moderators ----------------------------------------------------

    async def _open_menu(self, interaction: discord.Interaction, answer: int) -> None:
        """Show the menu, privately, to those who may use it."""
        await acknowledge(interaction, private=True)
        await self._own(interaction, answer)
        texts = texts_in(interaction.locale.value)
        await persist(
            lambda: interaction.edit_original_response(
                content=texts("more-menu"), view=menu_view(answer, texts)
            )
        )

    async def _ask_again(self, interaction: discord.Interaction, answer: int) -> None:
        """Ask the question of an answer once more."""
        await acknowledge(interaction, private=True)
        kept = await self._own(interaction, answer)
        await self._asking.by_button(interaction, kept.question, kept)

    async def _delete(self, interaction: discord.Interaction, answer: int) -> None:
        """Delete the message of an answer, and what is kept of it."""
        await interaction.response.defer()
        kept = await self._own(interaction, answer)
        if not kept.private:
            await _delete_message(interaction, kept)
        await self._forgetting.messages([answer])
        key = "answer-deleted-privately" if kept.private else "answer-deleted"
        line = texts_in(interaction.locale.value)(key)
        await interaction.edit_original_response(content=line, view=None)

    async def _own(self, interaction: discord.Interaction, answer: int) -> KeptAnswer:
        """What is kept of an answer, for its asker and for moderators. Raises `NotYours`."""
        kept = await self._asking.kept(interaction, answer)
        is_moderator = interaction.guild_id is not None and interaction.permissions.manage_messages
        if interaction.user.id != kept.asker and not is_moderator:
            raise NotYours
        return kept


async def _delete_message(interaction: discord.Interaction, kept: KeptAnswer) -> None:
    """Delete the message of an answer, in an archived thread too. Raises `CannotWriteHere`."""
    client = interaction.client
    channel = client.get_partial_messageable(kept.channel, guild_id=interaction.guild_id)
    message = channel.get_partial_message(kept.message)
    try:
        await persist(message.delete)
    except discord.HTTPException as error:
        if error.code in GONE:
            return
        if error.code != THREAD_ARCHIVED or not await reopened(await client.fetch_channel(kept.channel)):
            raise CannotWriteHere from error
        await persist(message.delete)
