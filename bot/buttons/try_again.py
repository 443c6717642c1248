"""Try again: under a question that failed, or that was excused because the bot was stopped."""

from typing import TYPE_CHECKING

import discord

from bot.buttons.answer_button import AnswerButton

if TYPE_CHECKING:
    from bot.buttons.answer_button import Pressed


class TryAgainButton(AnswerButton, name="retry"):
    """Asks the question once more, to be answered on the message that says it failed."""

    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: "Pressed") -> None:
        """Ask it in the place of its failure."""
        await interaction.client.asking.by_try_again(interaction, self.answer)
