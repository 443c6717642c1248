"""Why: how an answer was found, from what the table of answers keeps; privately."""

from bot.buttons.answer_button import AnswerButton, Pressed
from bot.errors import WhyNotKept
from bot.messages.reply_message import acknowledge, respond
from bot.render.embeds import lists_embed
from bot.texts import texts_in
from rag.texts.why import why_blocks


class WhyButton(AnswerButton, name="why"):
    """Each hop's queries and references, what was missing, what was not claimed, and what it cost."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it to whoever may see the answer. Raises `WhyNotKept` for one of an earlier release."""
        await acknowledge(interaction, private=True)
        kept = await interaction.client.asking.kept(interaction, self.answer)
        if kept.trace is None:
            raise WhyNotKept
        texts = texts_in(interaction.locale.value)
        await respond(
            interaction, embed=lists_embed(texts("why-title"), why_blocks(kept.trace, texts), texts)
        )
