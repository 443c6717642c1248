"""`/privacy forget`: what the bot keeps of somebody, gone."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.messages.reply_message import acknowledge, respond
from bot.questions.forgetting import Forgotten
from bot.texts import texts_in
from bot.texts.command_translator import described

if TYPE_CHECKING:
    from bot.client import RulesBot


class Privacy(commands.GroupCog, name="privacy", description=described("command-privacy")):
    """What is kept, and how to end it."""

    def __init__(self, bot: "RulesBot") -> None:
        self.bot = bot

    @app_commands.command(name="forget", description=described("command-privacy-forget"))
    async def forget(self, interaction: discord.Interaction) -> None:
        """Drop every answer kept for somebody, and the conversations they took part in."""
        await acknowledge(interaction, private=True)
        forgotten = await self.bot.forgetting.person(interaction.user.id)
        texts = texts_in(interaction.locale.value)
        await respond(
            interaction, content=" ".join(texts(key, answers=forgotten.answers) for key in _told(forgotten))
        )


def _told(forgotten: Forgotten) -> list[str]:
    """The keys of what somebody is told of what was kept of them."""
    gone = {
        "privacy-answers": forgotten.answers,
        "privacy-conversations": forgotten.conversations and not forgotten.answers,
        "privacy-ratings": forgotten.rated,
        "privacy-set-aside": forgotten.was_set_aside,
    }
    keys = [key for key, is_gone in gone.items() if is_gone] or ["privacy-nothing"]
    return [*keys, "privacy-at-work"] if forgotten.at_work else keys


async def setup(bot: "RulesBot") -> None:
    """Add the cog."""
    await bot.add_cog(Privacy(bot))
