"""What the buttons under an answer do."""

import discord

from bot.answers.buttons import NO_ANSWER, Click, FollowUpModal
from bot.questions.asking import Asking
from bot.questions.passages import Passages
from bot.questions.upkeep import Upkeep
from bot.texts import texts_in


class Clicks:
    """Leads each click to the part of the bot that serves it."""

    def __init__(self, asking: Asking, passages: Passages, upkeep: Upkeep) -> None:
        self._asking = asking
        self._passages = passages
        self._upkeep = upkeep

    async def serve(self, interaction: discord.Interaction, click: Click, answer: int, page: int) -> None:
        """Do what a button of an answer says; `page` is the passage it turns to."""
        match click:
            case Click.SOURCES:
                await self._passages.open(interaction, answer)
            case Click.TURN:
                await self._passages.turn(interaction, answer, page)
            case Click.FOLLOW_UP:
                texts = texts_in(interaction.locale.value)
                await interaction.response.send_modal(FollowUpModal(answer, texts))
            case Click.MORE:
                await self._upkeep.open_menu(interaction, answer)
            case Click.AGAIN:
                await self._upkeep.ask_again(interaction, answer)
            case Click.DELETE:
                await self._upkeep.delete(interaction, answer)

    async def follow_up(self, interaction: discord.Interaction, question: str, answer: int) -> None:
        """Answer a question that was typed into a window, where its conversation goes on."""
        if answer == NO_ANSWER:
            await self._asking.beside(interaction, question, None)
        else:
            await self._asking.follow_up(interaction, question, answer)
