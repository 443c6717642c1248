"""Buttons and windows of answers, also of those that a process before this one sent."""

from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from bot.buttons.answer_button import AnswerButton, take_window

if TYPE_CHECKING:
    from bot.client import RulesBot


class Buttons(commands.Cog):
    """Takes what is typed into windows, and presses of buttons that no class knows."""

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Take a submitted window, or a button of an earlier release."""
        await take_window(interaction)


async def setup(bot: "RulesBot") -> None:
    """Make the buttons known, and add the cog."""
    bot.add_dynamic_items(*AnswerButton.__subclasses__())
    await bot.add_cog(Buttons())
