"""How a conversation goes on: a follow-up typed into a window, or a new topic."""

import discord

from bot.buttons.rows import GMS
from bot.buttons.sent import NO_ANSWER, Pressed, Sent, Window
from bot.errors import MayNotWriteHere
from bot.messages.reply_message import acknowledge, respond
from bot.messages.threads import may_write
from bot.messages.typed import QUESTION, typed_question
from bot.questions.followups import LONGEST_QUESTION
from bot.texts import texts_in
from rag.config import Audience


async def open_follow_up(interaction: Pressed, sent: Sent) -> None:
    """Open the window of a follow-up: typing one in the thread may need an intent."""
    texts = texts_in(interaction.locale.value)
    window = Window(texts("followup-title"), sent)
    style, example = discord.TextStyle.paragraph, texts("followup-placeholder")
    window.ask(texts("followup-label"), QUESTION, LONGEST_QUESTION, style=style, placeholder=example)
    await interaction.response.send_modal(window)


async def ask_follow_up(interaction: Pressed, sent: Sent) -> None:
    """Answer the question of the window, in the conversation of the answer."""
    asking, question = interaction.client.asking, typed_question(interaction)
    if sent.answer == NO_ANSWER:
        await asking.by_button(interaction, question, None)
    else:
        await asking.by_follow_up(interaction, question, sent.answer)


async def begin_topic(interaction: Pressed, sent: Sent) -> None:
    """Forget what was said in a direct message, in the chat of a voice channel, or privately.

    It is said where the conversation is, to all who took part.
    """
    bot, shown = interaction.client, interaction.message
    private = shown is not None and shown.flags.ephemeral
    if not private and not may_write(interaction, interaction.channel):
        raise MayNotWriteHere
    await acknowledge(interaction, private=private)
    audience: Audience = "gm" if sent.number == GMS else "player"
    thread_id = await bot.asking.thread_id_here(interaction, audience, private=private)
    bot.answering.begin_topic(thread_id)
    await respond(interaction, content=texts_in(interaction.locale.value)("new-topic"))
