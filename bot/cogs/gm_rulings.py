"""`/gm ruling add|list|end|export`: what the table decided, kept by its GMs."""

import asyncio
from contextlib import suppress

import discord
from discord import app_commands
from discord.ext import commands

from bot.buttons import ruling as rulings
from bot.buttons.ruling import game_here, game_named, open_window, show_rulings
from bot.buttons.sent import Sent
from bot.cogs.completion import Choices, complete_games, name_choices, names_meant
from bot.errors import NothingRuled, Refused, RulingGone
from bot.messages.reply_message import BY_ITSELF, Interaction, respond, respond_with_files
from bot.questions.wording import question_in
from bot.render.embeds import Content
from bot.render.markdown import escaped
from bot.texts import texts_in
from bot.texts.command_translator import described
from rag.errors import quoted
from rag.library.books.catalog import plain
from rag.library.books.ruling import identity_of


async def complete_rulings(interaction: Interaction, typed: str) -> Choices:
    """What holds in the game that is played here, or in the one that the option names."""
    with suppress(Refused):
        game = await _game_meant(interaction, getattr(interaction.namespace, "game", None))
        return name_choices(await _headings(interaction, game), typed)
    return []


async def _game_meant(interaction: Interaction, option: str | None) -> str:
    """The game that an option names, else the one played here. Raises `UnknownGame` or `GameUnnamed`."""
    return await (game_here(interaction) if option is None else game_named(interaction, option))


async def _headings(interaction: Interaction, game: str) -> list[str]:
    """The headings of the rulings that hold in a game, the newest first."""
    rulings = interaction.client.rulings
    holding = await asyncio.to_thread(rulings.holding, interaction.guild_id, [game])
    return [ruling.heading for ruling in reversed(holding)]


@app_commands.context_menu(name=described("menu-rule"), extras={BY_ITSELF: True})
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
async def make_it_a_ruling(interaction: Interaction, message: discord.Message) -> None:
    """Open the window for a ruling on an answer, or filled in with what somebody wrote."""
    rulings.require_gm(interaction)
    if message.author.id == interaction.application_id:
        await rulings.open_for_answer(interaction, Sent("ruling", message.id, 0))
        return
    said = question_in(message, interaction.application_id)
    await open_window(interaction, await game_here(interaction), text=said)


class RulingCommands(commands.Cog):
    """The rulings of a server, for its GMs; answered privately."""

    ruling = app_commands.Group(name="ruling", description=described("command-gm-ruling"))

    @ruling.command(name="add", description=described("command-gm-ruling-add"), extras={BY_ITSELF: True})
    @app_commands.describe(game=described("option-ruling-game"))
    @app_commands.autocomplete(game=complete_games)
    async def add(self, interaction: Interaction, game: str | None = None) -> None:
        """Open the window for a ruling."""
        await open_window(interaction, await _game_meant(interaction, game))

    @ruling.command(name="list", description=described("command-gm-ruling-list"))
    @app_commands.describe(game=described("option-ruling-game"))
    @app_commands.autocomplete(game=complete_games)
    async def list(self, interaction: Interaction, game: str | None = None) -> None:
        """List what holds, and what did."""
        await show_rulings(interaction, await _game_meant(interaction, game), 0)

    @ruling.command(name="end", description=described("command-gm-ruling-end"))
    @app_commands.describe(ruling=described("option-ruling"), game=described("option-ruling-game"))
    @app_commands.autocomplete(ruling=complete_rulings, game=complete_games)
    async def end(self, interaction: Interaction, ruling: str, game: str | None = None) -> None:
        """Let a ruling hold no longer. Raises `RulingGone`."""
        end, played = interaction.client.rulings.end, await _game_meant(interaction, game)
        meant = names_meant(await _headings(interaction, played), ruling, identity_of)
        if len(meant) != 1 or not await asyncio.to_thread(end, interaction.guild_id or 0, played, meant[0]):
            raise RulingGone(ruling=ruling, nearest=quoted(meant) or "none")
        line = texts_in(interaction.locale.value)("ruling-ended", heading=escaped(meant[0]))
        await respond(interaction, content=line)

    @ruling.command(name="export", description=described("command-gm-ruling-export"))
    @app_commands.describe(game=described("option-ruling-game"))
    @app_commands.autocomplete(game=complete_games)
    async def export(self, interaction: Interaction, game: str | None = None) -> None:
        """Hand out the file."""
        rulings, meant = interaction.client.rulings, await _game_meant(interaction, game)
        text = await asyncio.to_thread(rulings.text, interaction.guild_id or 0, meant)
        if not text:
            raise NothingRuled
        name = f"{plain(meant).replace(' ', '-') or 'rulings'}.md"
        line = texts_in(interaction.locale.value)("rulings-exported")
        await respond_with_files(interaction, Content(text=line, files={name: text.encode()}))
