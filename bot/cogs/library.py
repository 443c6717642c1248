"""`/library books` and `/library page`."""

import asyncio
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.books.readers import Reader
from bot.books.scope import within
from bot.buttons.book_pages import show_books
from bot.cogs.completion import complete_sections, complete_titles
from bot.messages.calls import persist
from bot.messages.reply_message import acknowledge
from bot.messages.threads import where
from bot.render.embeds import page_embeds
from bot.texts import texts_in
from bot.texts.command_translator import described
from rag.texts.blocks import citation

if TYPE_CHECKING:
    from bot.client import RulesBot

LONGEST_PLACE = 100
"""Of a printed number, or the name of a section: as long as a choice of Discord may be."""


class LibraryCog(commands.GroupCog, name="library", description=described("command-library")):
    """The books, privately: a group's books stay the group's."""

    def __init__(self, bot: "RulesBot") -> None:
        self.bot = bot

    @app_commands.command(name="books", description=described("command-library-books"))
    async def books(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """List the books a player may ask, a page at a time."""
        await acknowledge(interaction, private=True)
        await show_books(interaction, 0)

    @app_commands.command(name="page", description=described("command-library-page"))
    @app_commands.describe(book=described("option-page-book"), page=described("option-page-page"))
    @app_commands.autocomplete(book=complete_titles, page=complete_sections)
    async def page(
        self, interaction: discord.Interaction, book: str, page: app_commands.Range[str, 1, LONGEST_PLACE]
    ) -> None:
        """Show the text of a printed page, or of a section."""
        await acknowledge(interaction, private=True)
        reader = await self.bot.readers.player(interaction.user, interaction.guild_id)
        name = self._named(book, reader, where(interaction.channel).home)
        library = self.bot.library.limited_to(reader.games)
        found = await asyncio.to_thread(library.page, name, page, reader.audience)
        texts = texts_in(interaction.locale.value)
        title = citation(found.book, found.label, found.pdf_page, texts, found.section)
        first, *further = page_embeds(title, found.text)
        await persist(lambda: interaction.edit_original_response(embed=first))
        for embed in further:
            await interaction.followup.send(embed=embed, ephemeral=True)

    def _named(self, book: str, reader: Reader, channel: int) -> str:
        """The book of that name; where several games have one, that of the channel's game."""
        books = self.bot.open_books(reader)
        bound = self.bot.channel_games.game_of(channel)
        return (bound and within(books, book, bound)) or book


async def setup(bot: "RulesBot") -> None:
    """Add the cog."""
    await bot.add_cog(LibraryCog(bot))
