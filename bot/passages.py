"""The passages behind an answer, read again from the index for whoever asks to see them."""

import asyncio
from collections.abc import Awaitable, Callable

import discord

from bot.answers import KeptAnswer, KeptSource
from bot.bookshelf import Library, Page
from bot.errors import PassageGone
from bot.render import passage_embed
from bot.sheets import acknowledge
from bot.texts import texts_in
from bot.views import passages_view
from rag.errors import LibraryError
from rag.present import citation

Kept = Callable[[discord.Interaction, int], Awaitable[KeptAnswer]]


class Passages:
    """Shows the full page of each source, the quotation in bold, privately and one at a time."""

    def __init__(self, library: Library, kept: Kept) -> None:
        self._library = library
        self._kept = kept

    async def open(self, interaction: discord.Interaction, answer: int) -> None:
        """Show the first passage of an answer in a private message."""
        await acknowledge(interaction, private=True)
        embed, view = await self._page(interaction, answer, 0)
        await interaction.edit_original_response(embed=embed, view=view)

    async def turn(self, interaction: discord.Interaction, answer: int, number: int) -> None:
        """Show another passage in the same message."""
        await interaction.response.defer()
        embed, view = await self._page(interaction, answer, number)
        await interaction.edit_original_response(embed=embed, view=view)

    async def _page(
        self, interaction: discord.Interaction, answer: int, number: int
    ) -> tuple[discord.Embed, discord.ui.View]:
        kept = await self._kept(interaction, answer)
        texts = texts_in(interaction.locale.value)
        number = min(number, len(kept.sources) - 1)
        source = kept.sources[number]
        page = await asyncio.to_thread(self._read, source, kept)
        embed = passage_embed(
            citation(source.book, source.page, source.pdf_page, texts),
            page.page_content,
            source.quote,
            texts("passage-footer", number=number + 1, total=len(kept.sources)),
        )
        return embed, passages_view(answer, number, len(kept.sources), texts)

    def _read(self, source: KeptSource, kept: KeptAnswer) -> Page:
        """The page of a source. Raises `PassageGone` where the index holds it no longer."""
        try:
            return self._library.page_at(source.file, source.pdf_page, kept.audience)
        except LibraryError as error:
            raise PassageGone(book=source.book) from error
