"""Follow up: a question typed into a window, which goes on with the conversation of an answer."""

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import discord

from bot.buttons.answer_button import NO_ANSWER, AnswerButton, serve
from bot.messages.typed import typed_question
from bot.questions.followups import LONGEST_QUESTION
from bot.texts import texts_in
from rag.texts import Texts

if TYPE_CHECKING:
    from bot.buttons.answer_button import Pressed

GMS = 1
"""The number on the button of a GM's answer: told also when that answer is no longer kept."""


class FollowUpButton(AnswerButton, name="followup"):
    """Asks a follow-up where typing one needs an intent."""

    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: "Pressed") -> None:
        """Open the window."""
        texts = texts_in(interaction.locale.value)
        await interaction.response.send_modal(FollowUpModal(self.answer, texts, self.number))


class FollowUpModal(discord.ui.Modal):
    """The window of a follow-up. Its id carries the answer: it outlives the process that opened it."""

    ID = re.compile(r"rules:followup:(?P<answer>\d+):(?P<number>\d+)")

    def __init__(self, answer: int, texts: Texts, number: int = 0) -> None:
        super().__init__(title=texts("followup-title"), custom_id=f"rules:followup:{answer}:{number}")
        question: discord.ui.TextInput[Any] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph,
            placeholder=texts("followup-placeholder"),
            max_length=LONGEST_QUESTION,
        )
        self.add_item(discord.ui.Label(text=texts("followup-label"), component=question))
        # What is typed is taken by the window's id: discord.py need not remember this object.
        self.stop()


async def take_follow_up(interaction: discord.Interaction) -> None:
    """Answer the question of a submitted window; leave any other interaction alone."""
    data: Mapping[str, Any] = interaction.data or {}
    known = FollowUpModal.ID.fullmatch(str(data.get("custom_id", "")))
    if known and interaction.type is discord.InteractionType.modal_submit:
        question = typed_question(interaction)
        await serve(interaction, partial(_ask, question, int(known["answer"]), int(known["number"])))


async def _ask(question: str, answer: int, number: int, interaction: "Pressed") -> None:
    asking = interaction.client.asking
    if answer == NO_ANSWER:
        await asking.by_button(interaction, question, None)
    else:
        await asking.by_follow_up(interaction, question, answer, by_gm=number == GMS)
