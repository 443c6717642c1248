"""Show to the table: a private answer, for everyone in its channel.

A player's answer is shown as it is. A GM's may rest on the GM's books in ways that no quotation tells, so it
is never shown: its question is asked anew in the open, of the players' books alone, once the GM knows that.
"""

import discord

from bot.buttons.answer_button import AnswerButton, Pressed, row_of
from bot.messages.calls import persist
from bot.messages.reply_message import accept, acknowledge
from bot.render.markdown import fitted
from bot.texts import texts_in

QUESTION_SHOWN = 1500


class ShowToTableButton(AnswerButton, name="show"):
    """Shows a private answer in its channel."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show a player's answer, once; ask a GM first."""
        await accept(interaction)
        bot = interaction.client
        kept = await bot.asking.own(interaction, self.answer)
        if kept.audience == "gm":
            await _ask_gm(interaction, self.answer, kept.question)
        else:
            await bot.asking.show_to_all(interaction, kept)


class AskInTheOpenButton(AnswerButton, name="open"):
    """Asks the question of a GM's answer in the open, as a player's."""

    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: Pressed) -> None:
        """Ask it; the message that says what players will see points to the answer."""
        await acknowledge(interaction, private=True)
        asking = interaction.client.asking
        kept = await asking.own(interaction, self.answer)
        await asking.in_the_open(interaction, kept.question)


async def _ask_gm(interaction: Pressed, answer: int, question: str) -> None:
    """Say what players will see, and let the GM decide."""
    texts = texts_in(interaction.locale.value)
    row = row_of([AskInTheOpenButton(answer, texts("button-ask-in-the-open"))])
    said = texts("show-gm-answer", question=fitted(question, QUESTION_SHOWN))
    await persist(lambda: interaction.followup.send(said, view=row, ephemeral=True))
