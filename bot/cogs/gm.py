"""`/gm …`: for game masters, in servers."""

import asyncio
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.buttons.feedback import export_feedback, show_feedback
from bot.buttons.ruling import game_named
from bot.cogs.completion import complete_books, complete_games
from bot.cogs.gm_books import BookCommands
from bot.cogs.gm_rulings import RulingCommands
from bot.cogs.library import LookUpCommands
from bot.errors import NotGm
from bot.messages.places import where
from bot.messages.reply_message import BY_ITSELF, Interaction, respond
from bot.operations.health import run_checks
from bot.questions.followups import LONGEST_QUESTION
from bot.render.embeds import list_embed
from bot.render.markdown import escaped
from bot.texts import texts_in
from bot.texts.command_translator import described

GMS = described("command-gm")
SETTING_UP = {"check", "game", "channel"}
"""What whoever manages the server may use, too: it shows nothing of the GM's books."""


@app_commands.default_permissions(manage_guild=True)
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
class Gm(RulingCommands, BookCommands, LookUpCommands, commands.GroupCog, name="gm", description=GMS):
    """What only game masters may do; answered privately."""

    async def interaction_check(self, interaction: discord.Interaction[Any]) -> bool:
        """Turn everyone else away, whatever the server's settings show them."""
        access, command = interaction.client.access, interaction.command
        is_allowed = access.may_set_up if command and command.name in SETTING_UP else access.is_gm
        if not is_allowed(interaction.user, interaction.permissions):
            raise app_commands.CheckFailure from NotGm()
        return True

    @app_commands.command(name="rules", description=described("command-gm-rules"), extras={BY_ITSELF: True})
    @app_commands.describe(question=described("option-question"), book=described("option-book"))
    @app_commands.autocomplete(book=complete_books)
    async def rules(
        self,
        interaction: Interaction,
        question: app_commands.Range[str, 1, LONGEST_QUESTION],
        book: str | None = None,
    ) -> None:
        """Ask the rules, the GM's books included."""
        asking = interaction.client.asking
        await asking.by_command(interaction, question, book=book, private=True, audience="gm")

    @app_commands.command(name="check", description=described("command-gm-check"))
    async def check(self, interaction: Interaction) -> None:
        """Find what is misconfigured, and say what to click."""
        texts = texts_in(interaction.locale.value)
        lines = [finding.line(texts) for finding in await run_checks(interaction.client, interaction)]
        await respond(interaction, embed=list_embed(texts("check-title"), lines, texts))

    @app_commands.command(name="game", description=described("command-gm-game"))
    @app_commands.describe(game=described("option-game"))
    @app_commands.autocomplete(game=complete_games)
    async def game(self, interaction: Interaction, game: str | None = None) -> None:
        """Bind this channel to a game; without one, to none."""
        bot, texts = interaction.client, texts_in(interaction.locale.value)
        bound = await game_named(interaction, game) if game else None
        await asyncio.to_thread(bot.places.bind, where(interaction.channel).home, bound)
        line = texts("game-bound", game=escaped(bound)) if bound else texts("game-unbound")
        await respond(interaction, content=line)

    @app_commands.command(name="feedback", description=described("command-gm-feedback"))
    @app_commands.describe(export=described("option-export"))
    async def feedback(self, interaction: Interaction, export: bool = False) -> None:
        """Show what people think of answers, one at a time; or send it as a question file."""
        await (export_feedback(interaction) if export else show_feedback(interaction, 0))

    @app_commands.command(name="channel", description=described("command-gm-channel"))
    @app_commands.describe(answers=described("option-answers"))
    @app_commands.choices(
        answers=[
            app_commands.Choice(name=described("option-answers-thread"), value="thread"),
            app_commands.Choice(name=described("option-answers-place"), value="place"),
        ]
    )
    async def channel(self, interaction: Interaction, answers: str) -> None:
        """Let answers in this channel open threads, or stand in it."""
        home, in_place = {where(interaction.channel).home}, interaction.client.places.answered_in_place
        channels = in_place.kept | home if answers == "place" else in_place.kept - home
        await asyncio.to_thread(in_place.keep, channels)
        key = "channel-in-place" if answers == "place" else "channel-in-threads"
        await respond(interaction, content=texts_in(interaction.locale.value)(key))
