"""`/gm ruling add|list|end|export`: what the table decided, kept by its GMs."""

import asyncio
from datetime import UTC, datetime, time
from io import BytesIO
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.utils import format_dt

from bot.buttons.ruling import game_here, games_of, open_window, require_gm
from bot.cogs.completion import Choices, complete_games, name_choices
from bot.errors import MayNotAttachFiles, NothingRuled, Refused, RulingGone, UnknownGame
from bot.messages.reply_message import acknowledge, respond
from bot.render.embeds import list_embed
from bot.render.markdown import escaped, one_line
from bot.texts import texts_in
from bot.texts.command_translator import described
from rag.library.books.catalog import plain
from rag.library.books.ruling import Ruling, identity_of
from rag.texts import Texts

if TYPE_CHECKING:
    from bot.client import RulesBot

SHOWN = 300
"""Characters of a ruling in the list."""


async def complete_rulings(interaction: "discord.Interaction[RulesBot]", typed: str) -> Choices:
    """What holds in the game that is played here, or in the one that the option names."""
    bot = interaction.client
    try:
        game = await game_meant(interaction, getattr(interaction.namespace, "game", None), bot)
    except Refused:
        return []
    holding = await asyncio.to_thread(bot.rulings.holding, interaction.guild_id, frozenset({game}))
    return name_choices([ruling.heading for ruling in holding], typed)


async def game_meant(interaction: discord.Interaction, option: str | None, bot: "RulesBot") -> str:
    """The game that an option names, else the one played here. Raises `UnknownGame` or `GameUnnamed`."""
    reader = await bot.readers.player(interaction.user, interaction.guild_id)
    if option is None:
        return game_here(interaction, reader, bot)
    known = {plain(game): game for game in games_of(reader, bot) if game}
    if plain(option) not in known:
        raise UnknownGame(game=option)
    return known[plain(option)]


class RulingCommands(app_commands.Group):
    """The rulings of a server, for its GMs; answered privately."""

    def __init__(self, bot: "RulesBot") -> None:
        super().__init__(name="ruling", description=described("command-gm-ruling"))
        self.bot = bot

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        """Turn everyone else away, whatever the server's settings show them."""
        try:
            require_gm(interaction, self.bot)
        except Refused as refused:
            raise app_commands.CheckFailure from refused
        return True

    @app_commands.command(name="add", description=described("command-gm-ruling-add"))
    @app_commands.describe(game=described("option-ruling-game"))
    @app_commands.autocomplete(game=complete_games)
    async def add(self, interaction: discord.Interaction, game: str | None = None) -> None:
        """Open the window for a ruling."""
        await open_window(interaction, await game_meant(interaction, game, self.bot))

    @app_commands.command(name="list", description=described("command-gm-ruling-list"))
    @app_commands.describe(game=described("option-ruling-game"))
    @app_commands.autocomplete(game=complete_games)
    async def list(self, interaction: discord.Interaction, game: str | None = None) -> None:
        """List what holds, and what did."""
        await acknowledge(interaction, private=True)
        server, meant = _server(interaction), await game_meant(interaction, game, self.bot)
        rulings = await asyncio.to_thread(self.bot.rulings.all, server, meant)
        if not rulings:
            raise NothingRuled
        texts = texts_in(interaction.locale.value)
        lines = ruling_lines(rulings, self.bot.rulings.now(), texts)
        title = texts("rulings-title", game=meant or "none")
        await respond(interaction, embed=list_embed(title, lines, texts))

    @app_commands.command(name="end", description=described("command-gm-ruling-end"))
    @app_commands.describe(ruling=described("option-ruling"), game=described("option-ruling-game"))
    @app_commands.autocomplete(ruling=complete_rulings, game=complete_games)
    async def end(self, interaction: discord.Interaction, ruling: str, game: str | None = None) -> None:
        """Let a ruling hold no longer."""
        await acknowledge(interaction, private=True)
        server, meant = _server(interaction), await game_meant(interaction, game, self.bot)
        heading = await self._heading(server, meant, ruling)
        if not await asyncio.to_thread(self.bot.rulings.end, server, meant, heading):
            raise RulingGone(ruling=ruling)
        await respond(
            interaction, content=texts_in(interaction.locale.value)("ruling-ended", heading=escaped(heading))
        )

    @app_commands.command(name="export", description=described("command-gm-ruling-export"))
    @app_commands.describe(game=described("option-ruling-game"))
    @app_commands.autocomplete(game=complete_games)
    async def export(self, interaction: discord.Interaction, game: str | None = None) -> None:
        """Hand out the file."""
        await acknowledge(interaction, private=True)
        server, meant = _server(interaction), await game_meant(interaction, game, self.bot)
        text = await asyncio.to_thread(self.bot.rulings.text, server, meant)
        if not text:
            raise NothingRuled
        if not interaction.app_permissions.attach_files:
            raise MayNotAttachFiles
        file = discord.File(BytesIO(text.encode()), f"{plain(meant).replace(' ', '-') or 'rulings'}.md")
        line = texts_in(interaction.locale.value)("rulings-exported")
        await interaction.edit_original_response(content=line, attachments=[file])

    async def _heading(self, server: int, game: str, typed: str) -> str:
        """The heading that was chosen: a choice of Discord holds but the beginning of a long one."""
        holding = await asyncio.to_thread(self.bot.rulings.holding, server, frozenset({game}))
        headings = [one.heading for one in holding]
        exact = [one for one in headings if identity_of(one) == identity_of(typed)]
        begun = [one for one in headings if plain(typed) and plain(one).startswith(plain(typed))]
        return next(iter([*exact, *begun]), typed)


def ruling_lines(rulings: list[Ruling], now: datetime, texts: Texts) -> list[str]:
    """A line a ruling, those that hold first, the newest first; of the others since when they do not."""
    holding = [one for one in rulings[::-1] if one.holds(now)]
    over = [one for one in rulings[::-1] if not one.holds(now)]
    return [_line(ruling, now, texts) for ruling in (*holding, *over)]


def _line(ruling: Ruling, now: datetime, texts: Texts) -> str:
    made = format_dt(_noon(ruling), "D") if ruling.made else ""
    if ruling.superseded:
        state = texts("ruling-superseded")
    elif ruling.ended or not ruling.holds(now):
        state = texts("ruling-over")
    elif ruling.until:
        state = texts("ruling-until", time=format_dt(ruling.until, "f"))
    else:
        state = ""
    facts = " · ".join(filter(None, (made, state)))
    return f"**{escaped(ruling.heading)}** · {facts}\n> {escaped(one_line(ruling.text, SHOWN))}"


def _noon(ruling: Ruling) -> datetime:
    """A time that is the day of a ruling wherever it is read, but for the farthest clocks."""
    assert ruling.made is not None
    return datetime.combine(ruling.made, time(12), UTC)


def _server(interaction: discord.Interaction) -> int:
    assert interaction.guild_id is not None
    return interaction.guild_id
