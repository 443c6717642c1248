"""More: a private menu of an answer; what changes it is for its asker and for moderators."""

import discord

from bot.answers.table import KeptAnswer
from bot.buttons.answer_button import AnswerButton, Pressed
from bot.buttons.rating import rating_buttons
from bot.buttons.ruling import RulingButton
from bot.buttons.why import WhyButton
from bot.errors import CannotWriteHere
from bot.messages.calls import GONE, THREAD_ARCHIVED, persist, silently
from bot.messages.reply_message import accept, acknowledge, reopened, respond
from bot.messages.threads import is_own_thread, thread_of
from bot.texts import texts_in
from rag.texts import Texts

RATING_ROW = 1


class MoreButton(AnswerButton, name="more"):
    """What is seldom wanted of an answer."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show the menu, privately, to those who may see the answer."""
        await acknowledge(interaction, private=True)
        bot = interaction.client
        kept = await bot.asking.kept(interaction, self.answer)
        is_gm = interaction.guild_id is not None and bot.access.is_gm(
            interaction.user, interaction.permissions
        )
        texts = texts_in(interaction.locale.value)
        row = menu_row(self.answer, texts, is_own=bot.asking.owns(interaction, kept), is_gm=is_gm)
        await respond(interaction, content=texts("more-menu"), view=row)


class AskAgainButton(AnswerButton, name="again"):
    """Asks the same question once more."""

    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: Pressed) -> None:
        """Ask it where the conversation goes on."""
        await acknowledge(interaction, private=True)
        asking = interaction.client.asking
        kept = await asking.own(interaction, self.answer)
        await asking.by_button(interaction, kept.question, kept)


class DeleteButton(AnswerButton, name="delete"):
    """Deletes an answer and what is kept of it."""

    style = discord.ButtonStyle.danger

    async def pressed(self, interaction: Pressed) -> None:
        """Delete the message, where others see it, and the row; close the thread opened for that answer."""
        await accept(interaction)
        bot = interaction.client
        kept = await bot.asking.own(interaction, self.answer)
        if not kept.private:
            await _delete_message(interaction, kept)
        await bot.forgetting.messages([self.answer])
        key = "answer-deleted-privately" if kept.private else "answer-deleted"
        line = texts_in(interaction.locale.value)(key)
        await interaction.edit_original_response(content=line, view=None)
        await _close_thread(interaction, kept)


def menu_row(answer: int, texts: Texts, *, is_own: bool, is_gm: bool = False) -> discord.ui.View:
    """The buttons of the menu: for all, for those who may change the answer, and for GMs."""
    row = discord.ui.View(timeout=None)
    row.add_item(WhyButton(answer, texts("button-why")))
    if is_own:
        row.add_item(AskAgainButton(answer, texts("button-again")))
        row.add_item(DeleteButton(answer, texts("button-delete")))
    if is_gm:
        row.add_item(RulingButton(answer, texts("button-ruling")))
    for button in rating_buttons(answer, texts):
        button.row = RATING_ROW
        row.add_item(button)
    return row


async def _delete_message(interaction: Pressed, kept: KeptAnswer) -> None:
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


async def _close_thread(interaction: Pressed, deleted: KeptAnswer) -> None:
    """Close the thread opened on a deleted answer, or for it, where its conversation has no other answer."""
    bot, guild, here = interaction.client, interaction.guild, interaction.channel
    if guild is None or deleted.private:
        return
    thread = await thread_of(guild, deleted.message)
    if thread is None and isinstance(here, discord.Thread):
        goes_on = await bot.answers.looked_up(lambda: bot.answers.knows(deleted.thread_id))
        thread = here if goes_on is False else None
    if thread and bot.user and is_own_thread(thread, bot.user.id):
        await silently(lambda: thread.edit(archived=True), "close a thread")
