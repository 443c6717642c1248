"""What the asker and moderators may do with an answer: ask again, delete."""

import asyncio

import discord

from bot.answers.buttons import menu_view
from bot.answers.table import Answers, KeptAnswer
from bot.errors import CannotWriteHere, NotYours
from bot.messages.calls import GONE, THREAD_ARCHIVED, persist
from bot.messages.reply_message import acknowledge, reopened
from bot.questions.asking import Asking
from bot.texts import texts_in


class Upkeep:
    """The private menu behind More."""

    def __init__(self, asking: Asking, answers: Answers) -> None:
        self._asking = asking
        self._answers = answers

    async def open_menu(self, interaction: discord.Interaction, answer: int) -> None:
        """Show the menu to those who may use it."""
        await acknowledge(interaction, private=True)
        await self._own(interaction, answer)
        texts = texts_in(interaction.locale.value)
        await persist(
            lambda: interaction.edit_original_response(
                content=texts("more-menu"), view=menu_view(answer, texts)
            )
        )

    async def ask_again(self, interaction: discord.Interaction, answer: int) -> None:
        """Ask the question of an answer once more."""
        await acknowledge(interaction, private=True)
        kept = await self._own(interaction, answer)
        await self._asking.beside(interaction, kept.question, kept)

    async def delete(self, interaction: discord.Interaction, answer: int) -> None:
        """Delete the message of an answer, and what is kept of it."""
        await interaction.response.defer()
        kept = await self._own(interaction, answer)
        if not kept.private:
            await _delete(interaction, kept)
        await asyncio.to_thread(self._answers.drop_messages, [answer])
        line = texts_in(interaction.locale.value)("answer-deleted")
        await interaction.edit_original_response(content=line, view=None)

    async def _own(self, interaction: discord.Interaction, answer: int) -> KeptAnswer:
        """What is kept of an answer, for its asker and for moderators. Raises `NotYours`."""
        kept = await self._asking.kept(interaction, answer)
        is_moderator = interaction.guild_id is not None and interaction.permissions.manage_messages
        if interaction.user.id != kept.asker and not is_moderator:
            raise NotYours
        return kept


async def _delete(interaction: discord.Interaction, kept: KeptAnswer) -> None:
    """Delete the message of an answer, in an archived thread too. Raises `CannotWriteHere`."""
    client = interaction.client
    channel = client.get_partial_messageable(kept.channel, guild_id=interaction.guild_id)
    message = channel.get_partial_message(kept.message)
    try:
        await persist(message.delete)
    except discord.HTTPException as error:
        if error.code in GONE:
            return
        if error.code != THREAD_ARCHIVED or not await reopened(await client.fetch_channel(kept.channel)):
            raise CannotWriteHere from error
        await persist(message.delete)
