"""`/library books` and `/library page`."""

import asyncio
from typing import TYPE_CHECKING

import discord
from babel import Locale, UnknownLocaleError
from discord import app_commands
from discord.ext import commands

from bot.books.readers import Reader
from bot.books.scope import games, within
from bot.cogs.completion import complete_sections, complete_titles
from bot.messages.calls import persist
from bot.messages.reply_message import acknowledge
from bot.messages.threads import where
from bot.render.embeds import list_embed, page_embeds
from bot.render.markdown import escaped
from bot.texts import texts_in
from bot.texts.command_translator import described
from rag.errors import EmptyLibrary
from rag.library.books.book import BookSummary
from rag.library.language.language import UNKNOWN
from rag.texts import Texts, locale_for
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
    async def books(self, interaction: discord.Interaction) -> None:
        """List the books a player may ask."""
        await acknowledge(interaction, private=True)
        texts = texts_in(interaction.locale.value)
        reader = await self.bot.readers.player(interaction.user, interaction.guild_id)
        books = self.bot.open_books(reader)
        if not books:
            raise EmptyLibrary
        embed = list_embed(
            texts("books-title"),
            [
                *(f"-# {texts(key)}" for key in self.bot.standing_notices),
                *book_lines(books, texts, interaction.locale.value),
            ],
            lambda count: texts("sources-more", count=count),
        )
        await persist(lambda: interaction.edit_original_response(embed=embed))

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


def book_lines(books: list[BookSummary], texts: Texts, locale: str) -> list[str]:
    """A line a book, under its game where there are several."""
    several = len(games(books)) > 1
    lines: list[str] = []
    game = None
    for book in books:
        if several and book.game != game:
            game = book.game
            lines.append(f"### {escaped(game)}" if game else "")
        lines.append(_book_line(book, texts, locale))
    return lines


def _book_line(book: BookSummary, texts: Texts, locale: str) -> str:
    codes = f" ({', '.join(map(escaped, book.codes))})" if book.codes else ""
    facts = [
        texts("books-sections", count=book.sections)
        if book.sections
        else texts("books-pages", count=book.pages)
    ]
    if book.first_label and book.last_label:
        facts.append(texts("books-printed", first=escaped(book.first_label), last=escaped(book.last_label)))
    facts.append(language_name(book.language, locale))
    return f"**{escaped(book.title)}**{codes}\n-# {' · '.join(facts)}"


def language_name(language: str, locale: str) -> str:
    """A language by its name in another, "Portuguese" for "pt"; the code where it has none."""
    if language == UNKNOWN:
        return texts_in(locale)("language-unknown")
    try:
        name = Locale.parse(language).get_display_name(locale_for(locale).replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        name = None
    return name or language


async def setup(bot: "RulesBot") -> None:
    """Add the cog."""
    await bot.add_cog(LibraryCog(bot))
