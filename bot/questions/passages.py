"""The passages behind an answer, read again from the index for whoever asks to see them."""

import asyncio
from collections.abc import Awaitable, Callable

import discord

from bot.answers.buttons import passages_view
from bot.answers.table import KeptAnswer, KeptSource
from bot.books.book_list import Library, Page
from bot.errors import PassageGone
from bot.messages.reply_message import acknowledge
from bot.render.embeds import passage_embeds
from bot.texts import texts_in
from rag.errors import LibraryError
from rag.texts import Texts
from rag.texts.blocks import citation

Kept = Callable[[discord.Interaction, int], Awaitable[KeptAnswer]]


class Passages:
    """Shows the full page of each source, the quotation in bold, privately and one message at a time.

    A page too long for a message is several; they are numbered through, over all sources of an answer.
    """

    def __init__(self, library: Library, kept: Kept) -> None:
        self._library = library
        self._kept = kept

    async def open(self, interaction: discord.Interaction, answer: int) -> None:
        """Show the first passage of an answer in a private message."""
        await acknowledge(interaction, private=True)
        await self._show(interaction, answer, 0)

    async def turn(self, interaction: discord.Interaction, answer: int, number: int) -> None:
        """Show another passage, or another part of one, in the same message."""
        await interaction.response.defer()
        await self._show(interaction, answer, number)

    async def _show(self, interaction: discord.Interaction, answer: int, number: int) -> None:
        kept = await self._kept(interaction, answer)
        texts = texts_in(interaction.locale.value)
        shown = await asyncio.to_thread(self._shown, kept, texts)
        number = min(number, len(shown) - 1)
        embed = shown[number]
        if isinstance(embed, PassageGone):
            raise embed
        view = passages_view(answer, number, len(shown), texts)
        await interaction.edit_original_response(embed=embed, view=view)

    def _shown(self, kept: KeptAnswer, texts: Texts) -> list[discord.Embed | PassageGone]:
        """What can be turned through: the parts of each passage, or that its book is gone."""
        shown: list[discord.Embed | PassageGone] = []
        for number, source in enumerate(kept.sources, start=1):
            footer = texts("passage-footer", number=number, total=len(kept.sources))
            title = citation(source.book, source.page, source.pdf_page, texts)
            try:
                page = self._read(source, kept)
            except PassageGone as gone:
                shown.append(gone)
            else:
                shown += passage_embeds(title, page.page_content, source.quote, footer)
        return shown

    def _read(self, source: KeptSource, kept: KeptAnswer) -> Page:
        """The page of a source. Raises `PassageGone` where the index holds it no longer."""
        try:
            return self._library.page_at(source.file, source.pdf_page, kept.audience)
        except LibraryError as error:
            raise PassageGone(book=source.book) from error
