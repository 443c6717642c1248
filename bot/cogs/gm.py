"""`/gm …`: for game masters, in servers."""

import asyncio
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.books.scope import games
from bot.buttons.book_pages import show_books
from bot.buttons.feedback import export_feedback, show_feedback
from bot.cogs.completion import (
    complete_books,
    complete_games,
    complete_sections,
    complete_titles,
)
from bot.cogs.gm_rulings import RulingCommands
from bot.cogs.library import LONGEST_PLACE, open_page
from bot.errors import NotGm, UnknownGame
from bot.messages.reply_message import acknowledge, respond
from bot.messages.threads import where
from bot.operations.health import run_checks
from bot.questions.followups import LONGEST_QUESTION
from bot.render.embeds import list_embed
from bot.render.markdown import escaped
from bot.texts import texts_in
from bot.texts.command_translator import described
from rag.library.books.catalog import plain

if TYPE_CHECKING:
    from bot.client import RulesBot


SETTING_UP = {"check", "game", "channel"}
"""What whoever manages the server may use, too: it shows nothing of the GM's books."""


@app_commands.default_permissions(manage_guild=True)
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
class Gm(commands.GroupCog, name="gm", description=described("command-gm")):
    """What only game masters may do; answered privately."""

    def __init__(self, bot: "RulesBot") -> None:
        self.bot = bot

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        """Turn everyone else away, whatever the server's settings show them."""
        access, command = self.bot.access, interaction.command
        is_allowed = access.may_set_up if command and command.name in SETTING_UP else access.is_gm
        if not is_allowed(interaction.user, interaction.permissions):
            raise app_commands.CheckFailure from NotGm()
        return True

    @app_commands.command(name="rules", description=described("command-gm-rules"))
    @app_commands.describe(question=described("option-question"), book=described("option-book"))
    @app_commands.autocomplete(book=complete_books)
    async def rules(
        self,
        interaction: discord.Interaction,
        question: app_commands.Range[str, 1, LONGEST_QUESTION],
        book: str | None = None,
    ) -> None:
        """Ask the rules, the GM's books included."""
        await self.bot.asking.by_command(interaction, question, book=book, private=True, audience="gm")

    @app_commands.command(name="books", description=described("command-gm-books"))
    async def books(self, interaction: "discord.Interaction[RulesBot]") -> None:
        """List all books, the GM's included, a page at a time."""
        await acknowledge(interaction, private=True)
        await show_books(interaction, 0, "gm")

    @app_commands.command(name="page", description=described("command-gm-page"))
    @app_commands.describe(book=described("option-page-book"), page=described("option-page-page"))
    @app_commands.autocomplete(book=complete_titles, page=complete_sections)
    async def page(
        self,
        interaction: "discord.Interaction[RulesBot]",
        book: str,
        page: app_commands.Range[str, 1, LONGEST_PLACE],
    ) -> None:
        """Show the text of a printed page, or of a section, of the GM's books too."""
        await open_page(interaction, book, page, "gm")

    @app_commands.command(name="check", description=described("command-gm-check"))
    async def check(self, interaction: discord.Interaction) -> None:
        """Find what is misconfigured, and say what to click."""
        await acknowledge(interaction, private=True)
        texts = texts_in(interaction.locale.value)
        lines = [finding.line(texts) for finding in await run_checks(self.bot, interaction)]
        await respond(interaction, embed=list_embed(texts("check-title"), lines, texts))

    @app_commands.command(name="game", description=described("command-gm-game"))
    @app_commands.describe(game=described("option-game"))
    @app_commands.autocomplete(game=complete_games)
    async def game(self, interaction: discord.Interaction, game: str | None = None) -> None:
        """Bind this channel to a game; without one, to none."""
        await acknowledge(interaction, private=True)
        reader = await self.bot.readers.player(interaction.user, interaction.guild_id)
        known = {plain(name): name for name in games(self.bot.book_list.books(reader))}
        bound = known.get(plain(game)) if game else None
        if game and bound is None:
            raise UnknownGame(game=game)
        home = where(interaction.channel).home
        await asyncio.to_thread(self.bot.places.bind, home, bound)
        texts = texts_in(interaction.locale.value)
        await respond(
            interaction, content=texts("game-bound", game=escaped(bound)) if bound else texts("game-unbound")
        )

    @app_commands.command(name="feedback", description=described("command-gm-feedback"))
    @app_commands.describe(export=described("option-export"))
    async def feedback(self, interaction: "discord.Interaction[RulesBot]", export: bool = False) -> None:
        """Show what people think of answers, one at a time; or send it as a question file."""
        await acknowledge(interaction, private=True)
        if export:
            await export_feedback(interaction)
        else:
            await show_feedback(interaction, 0)

    @app_commands.command(name="channel", description=described("command-gm-channel"))
    @app_commands.describe(answers=described("option-answers"))
    @app_commands.choices(
        answers=[
            app_commands.Choice(name=described("option-answers-thread"), value="thread"),
            app_commands.Choice(name=described("option-answers-place"), value="place"),
        ]
    )
    async def channel(self, interaction: discord.Interaction, answers: str) -> None:
        """Let answers in this channel open threads, or stand in it."""
        await acknowledge(interaction, private=True)
        home, in_place = {where(interaction.channel).home}, self.bot.places.answered_in_place
        channels = in_place.kept | home if answers == "place" else in_place.kept - home
        await asyncio.to_thread(in_place.keep, channels)
        key = "channel-in-place" if answers == "place" else "channel-in-threads"
        await respond(interaction, content=texts_in(interaction.locale.value)(key))


async def setup(bot: "RulesBot") -> None:
    """Add the cog."""
    cog = Gm(bot)
    assert cog.app_command is not None
    cog.app_command.add_command(RulingCommands(bot))
    await bot.add_cog(cog)
