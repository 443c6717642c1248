"""`/help`: how to ask, and what else there is."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.messages.reply_message import acknowledge, respond
from bot.render.embeds import list_embed
from bot.texts import texts_in
from bot.texts.command_translator import described
from rag.texts import Texts

if TYPE_CHECKING:
    from bot.client import RulesBot

FOR_ALL = ("help-ask", "help-go-on", "help-message", "help-look-up", "help-private", "help-keep")


class Help(commands.Cog):
    """What everyone can do; for GMs, what they can do besides."""

    def __init__(self, bot: "RulesBot") -> None:
        self.bot = bot

    @app_commands.command(name="help", description=described("command-help"))
    async def help(self, interaction: discord.Interaction) -> None:
        """Say how to ask, and what else there is."""
        await acknowledge(interaction, private=True)
        texts = texts_in(interaction.locale.value)
        lines = help_lines(
            texts,
            for_gms=self.bot.access.may_set_up(interaction.user, interaction.permissions),
            reads_everything=self.bot.intents.message_content,
        )
        lines += [f"-# {texts(key)}" for key in self.bot.standing_notices]
        await respond(interaction, embed=list_embed(texts("help-title"), lines, texts))


def help_lines(texts: Texts, *, for_gms: bool, reads_everything: bool) -> list[str]:
    """What can be done, a paragraph each: a phone shows no more than five words a line."""
    plainly = "yes" if reads_everything else "no"
    return [f"{texts(key, plainly=plainly)}\n" for key in (*FOR_ALL, *(("help-gm",) if for_gms else ()))]


async def setup(bot: "RulesBot") -> None:
    """Add the cog."""
    await bot.add_cog(Help(bot))
