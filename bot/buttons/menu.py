"""More: a private menu of an answer; what changes it is for its asker and for moderators."""

import asyncio

import discord

from bot.answers.question_file import Rating
from bot.answers.table import KeptAnswer
from bot.buttons.rows import PRIMARY, button, row_of
from bot.buttons.sent import Sent
from bot.errors import CannotWriteHere, WhyNotKept
from bot.messages.calls import GONE, persist, silently
from bot.messages.places import writable
from bot.messages.reply_message import Interaction, reopening, respond
from bot.messages.threads import is_own_thread, thread_of
from bot.render.embeds import lists_embed
from bot.texts import texts_in
from rag.texts.why import why_blocks

RATING_ROW = 1
MOST_READ = 50
"""Messages of a thread that are looked at before it is closed."""
RATINGS = {Rating.RIGHT: "button-right", Rating.WRONG: "button-wrong", Rating.NOT_ASKED: "button-not-asked"}
"""The labels of ratings, in the order of their numbers, which stand in the ids of buttons already sent."""


async def show_menu(interaction: Interaction, sent: Sent) -> None:
    """Show what is seldom wanted of an answer: for all, for those who may change it, and for GMs."""
    bot, answer = interaction.client, sent.answer
    kept = await bot.asking.kept(interaction, answer)
    texts = texts_in(interaction.locale.value)
    buttons = [button("why", texts("button-why"), answer)]
    if bot.asking.owns(interaction, kept):
        buttons.append(button("again", texts("button-again"), answer, style=PRIMARY))
        buttons.append(button("delete", texts("button-delete"), answer, style=discord.ButtonStyle.danger))
    if interaction.guild_id and bot.access.is_gm(interaction.user, interaction.permissions):
        buttons.append(button("ruling", texts("button-ruling"), answer))
    for number, key in enumerate(RATINGS.values()):
        rate = button("rate", texts(key), answer, number)
        rate.row = RATING_ROW
        buttons.append(rate)
    content = texts("more-menu", private="yes" if kept.private else "no")
    await respond(interaction, content=content, view=row_of(buttons))


async def show_why(interaction: Interaction, sent: Sent) -> None:
    """Show how an answer was found: searches, references, what was missing or not claimed, its cost.

    Raises `WhyNotKept` for an answer of an earlier release.
    """
    kept = await interaction.client.asking.kept(interaction, sent.answer)
    if kept.trace is None:
        raise WhyNotKept
    texts = texts_in(interaction.locale.value)
    await respond(interaction, embed=lists_embed(texts("why-title"), why_blocks(kept.trace, texts), texts))


async def rate(interaction: Interaction, sent: Sent) -> None:
    """Keep what somebody thinks of an answer, without telling anybody who, and say so above the menu."""
    bot, rating = interaction.client, list(RATINGS)[sent.number]
    kept = await bot.asking.kept(interaction, sent.answer)
    book = kept.book or bot.places.game_of(kept.home)
    await asyncio.to_thread(bot.feedback.rate, kept, interaction.user.id, rating, book)
    noted = texts_in(interaction.locale.value)("rating-noted", rating=rating.value)
    await respond(interaction, content=noted)


async def delete(interaction: Interaction, sent: Sent) -> None:
    """Delete an answer, where others see it, and what is kept of it; close the thread opened for it."""
    bot = interaction.client
    kept = await bot.asking.own(interaction, sent.answer)
    if not kept.private:
        await _delete_message(interaction, kept)
    await bot.forgetting.messages([sent.answer])
    key = "answer-deleted-privately" if kept.private else "answer-deleted"
    await respond(interaction, content=texts_in(interaction.locale.value)(key), view=None)
    await _close_thread(interaction, kept)


async def _delete_message(interaction: Interaction, kept: KeptAnswer) -> None:
    """Delete the message of an answer, in an archived thread too. Raises `CannotWriteHere`."""
    try:
        channel = writable(await persist(lambda: interaction.client.fetch_channel(kept.channel)))
        await reopening(channel, channel.get_partial_message(kept.message).delete)
    except discord.HTTPException as error:
        if error.code not in GONE:
            raise CannotWriteHere from error


async def _close_thread(interaction: Interaction, deleted: KeptAnswer) -> None:
    """Close the thread opened on a deleted answer, or for it, unless there is more in it.

    More is another answer of its conversation, or what somebody else wrote.
    """
    bot, guild, here = interaction.client, interaction.guild, interaction.channel
    if guild is None or deleted.private:
        return
    thread = await thread_of(guild, deleted.message) or (here if isinstance(here, discord.Thread) else None)
    if thread is None or bot.user is None or not is_own_thread(thread, bot.user.id):
        return
    goes_on = await bot.answers.looked_up(lambda: bot.answers.knows(deleted.thread_id))
    is_talk = goes_on or await silently(lambda: _others_talk(thread, deleted.asker), "read a thread")
    if goes_on is False and is_talk is False:
        await silently(lambda: thread.edit(archived=True), "close a thread")


async def _others_talk(thread: discord.Thread, asker: int) -> bool:
    """Whether somebody else than the asker wrote one of the newest messages of a thread."""
    newest = [message.author async for message in thread.history(limit=MOST_READ)]
    return any(not author.bot and author.id != asker for author in newest)
