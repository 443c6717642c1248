"""`/library books`, `/library search` and `/library page`."""

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.books.scope import within
from bot.buttons.lists import LONGEST_SEARCH, show_books, show_places
from bot.buttons.pages import show_page
from bot.cogs.completion import audience_of, complete_books, complete_sections, complete_titles
from bot.messages.places import where
from bot.messages.reply_message import Interaction
from bot.questions.wording import named
from bot.texts.command_translator import described

LONGEST_PLACE = 100
"""Of a printed number, or the name of a section: as long as a choice of Discord may be."""


class LookUpCommands(commands.Cog):
    """The books and their pages, privately: a group's books stay the group's."""

    @app_commands.command(name="books", description=described("command-library-books"))
    async def books(self, interaction: Interaction) -> None:
        """List the books that somebody may ask, a page at a time."""
        await show_books(interaction, 0, audience_of(interaction))

    @app_commands.command(name="page", description=described("command-library-page"))
    @app_commands.describe(book=described("option-page-book"), page=described("option-page-page"))
    @app_commands.autocomplete(book=complete_titles, page=complete_sections)
    async def page(
        self, interaction: Interaction, book: str, page: app_commands.Range[str, 1, LONGEST_PLACE]
    ) -> None:
        """Show the text of a printed page, or of a section."""
        bot = interaction.client
        reader = await bot.asking.reader(interaction, audience_of(interaction))
        books = bot.open_books(reader)
        bound = bot.places.game_of(where(interaction.channel).home)
        # Of a book that several games have, the one of the channel's game is meant.
        name = (bound and within(books, book, bound)) or book
        library = bot.library.limited_to(reader.sees)
        found = await asyncio.to_thread(library.page, name, page, reader.audience)
        await show_page(interaction, found, reader.audience)


class LibraryCog(LookUpCommands, commands.GroupCog, name="library", description=described("command-library")):
    """The books of players."""

    @app_commands.command(name="search", description=described("command-library-search"))
    @app_commands.describe(text=described("option-search-text"), book=described("option-book"))
    @app_commands.autocomplete(book=complete_books)
    async def search(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, LONGEST_SEARCH],
        book: str | None = None,
    ) -> None:
        """Tell where the books speak of something, a page of places at a time."""
        bot, user = interaction.client, interaction.user
        is_gm = bot.access.is_gm(user, interaction.permissions)
        with bot.asking.queue.admit(user.id, is_gm=is_gm):
            await show_places(interaction, await named(text, interaction), book, 0)
