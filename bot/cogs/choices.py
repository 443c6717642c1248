"""Completion of the options that name a book or a game."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.books.scope import games
from bot.cogs.completion import Choice, book_choices, game_choices
from bot.messages.threads import where
from rag.config import Audience
from rag.library.books.book import BookSummary

if TYPE_CHECKING:
    from bot.client import RulesBot

Choices = list[app_commands.Choice[str]]


async def complete_books(interaction: "discord.Interaction[RulesBot]", typed: str) -> Choices:
    """Books and games for players."""
    return _listed(book_choices(_books(interaction, "player"), typed))


async def complete_titles(interaction: "discord.Interaction[RulesBot]", typed: str) -> Choices:
    """Books for players, without games."""
    return _listed(book_choices(_books(interaction, "player"), typed, with_games=False))


async def complete_gm_books(interaction: "discord.Interaction[RulesBot]", typed: str) -> Choices:
    """Books and games for GMs, the GM's books included; a player is shown a player's."""
    is_gm = interaction.client.access.is_gm(interaction.user, interaction.permissions)
    return _listed(book_choices(_books(interaction, "gm" if is_gm else "player"), typed))


async def complete_games(interaction: "discord.Interaction[RulesBot]", typed: str) -> Choices:
    """The games of the library."""
    return _listed(game_choices(games(interaction.client.bookshelf.books("player")), typed))


def _books(interaction: "discord.Interaction[RulesBot]", reader: Audience) -> list[BookSummary]:
    """The books that may be asked in this channel."""
    bot = interaction.client
    books = bot.bookshelf.books(reader)
    bound = bot.channel_games.game_of(where(interaction.channel).home)
    return [book for book in books if book.game == bound] or books


def _listed(choices: list[Choice]) -> Choices:
    return [app_commands.Choice(name=choice.name, value=choice.value) for choice in choices]
