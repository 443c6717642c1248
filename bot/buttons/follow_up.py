"""How a conversation goes on: a follow-up typed into a window, a failed question again, or a new topic."""

import discord

from bot.buttons.answer_button import NO_ANSWER, AnswerButton, AnswerWindow, Pressed
from bot.errors import MayNotWriteHere
from bot.messages.reply_message import acknowledge, respond
from bot.messages.threads import may_write
from bot.messages.typed import QUESTION, typed_question
from bot.questions.followups import LONGEST_QUESTION
from bot.texts import texts_in
from rag.config import Audience
from rag.texts import Texts

GMS = 1
"""The number on the button of a GM's answer: told also when that answer is no longer kept."""


class FollowUpButton(AnswerButton, name="followup"):
    """Asks a follow-up where typing one needs an intent."""

    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: Pressed) -> None:
        """Open the window."""
        texts = texts_in(interaction.locale.value)
        await interaction.response.send_modal(FollowUpWindow(self.answer, texts, self.number))


class FollowUpWindow(AnswerWindow, name="followup"):
    """The window of a follow-up."""

    def __init__(self, answer: int, texts: Texts, number: int = 0) -> None:
        super().__init__(texts("followup-title"), answer, number)
        style, example = discord.TextStyle.paragraph, texts("followup-placeholder")
        self.ask(texts("followup-label"), QUESTION, LONGEST_QUESTION, style=style, placeholder=example)

    @staticmethod
    async def submitted(answer: int, number: int, interaction: Pressed) -> None:
        """Answer the question, in the conversation of the answer."""
        asking, question = interaction.client.asking, typed_question(interaction)
        if answer == NO_ANSWER:
            await asking.by_button(interaction, question, None)
        else:
            await asking.by_follow_up(interaction, question, answer)


class NewTopicButton(AnswerButton, name="topic"):
    """Forgets what was said in a direct message, in the chat of a voice channel, or privately.

    Its number tells a GM's conversation. It says so where the conversation is, to all who took part.
    """

    async def pressed(self, interaction: Pressed) -> None:
        """Forget it, and say so."""
        bot, shown = interaction.client, interaction.message
        private = shown is not None and shown.flags.ephemeral
        if not private and not may_write(interaction, interaction.channel):
            raise MayNotWriteHere
        await acknowledge(interaction, private=private)
        audience: Audience = "gm" if self.number == GMS else "player"
        thread_id = await bot.asking.thread_id_here(interaction, audience, private=private)
        bot.answering.begin_topic(thread_id)
        await respond(interaction, content=texts_in(interaction.locale.value)("new-topic"))


class TryAgainButton(AnswerButton, name="retry"):
    """Asks the question once more, to be answered on the message that says it failed."""

    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: Pressed) -> None:
        """Ask it in the place of its failure."""
        await interaction.client.asking.by_try_again(interaction, self.answer)
