"""Questions that a button asks: a follow-up, the same once more or in other books, or for all to see."""

import asyncio
from dataclasses import replace

import discord

from bot.answers.table import KeptAnswer
from bot.books.scope import ALL_BOOKS
from bot.buttons.commands import RULES, use_command
from bot.buttons.rows import GMS, STAYS, one_button
from bot.buttons.sent import NO_ANSWER, Sent, Window, number_of
from bot.errors import MayNotWriteHere, OtherGameGone
from bot.messages.calls import persist
from bot.messages.places import may_write, where
from bot.messages.reply_message import Interaction, acknowledge, respond
from bot.messages.typed import QUESTION, typed_values
from bot.questions.followups import LONGEST_QUESTION
from bot.questions.requests import thread_id_of_place
from bot.render.markdown import escaped, fitted
from bot.texts import texts_in

QUESTION_SHOWN = 1500


async def open_follow_up(interaction: Interaction, sent: Sent) -> None:
    """Open the window of a follow-up: typing one in the thread may need an intent.

    Where there is no answer to go on from, it is that of a question.
    """
    if sent.answer == NO_ANSWER:
        await use_command(interaction, sent._replace(number=number_of(RULES)))
        return
    texts = texts_in(interaction.locale.value)
    window = Window(texts("followup-title"), sent)
    style, example = discord.TextStyle.paragraph, texts("followup-placeholder")
    window.ask(texts("followup-label"), QUESTION, LONGEST_QUESTION, style=style, placeholder=example)
    await interaction.response.send_modal(window)


async def ask_follow_up(interaction: Interaction, sent: Sent) -> None:
    """Answer the question of the window, in the conversation of the answer."""
    await acknowledge(interaction, private=True)
    asking = interaction.client.asking
    kept = await asking.kept(interaction, sent.answer)
    await asking.by_button(interaction, typed_values(interaction)[QUESTION], kept)


async def ask_again(interaction: Interaction, sent: Sent) -> None:
    """Ask the question of an answer again where it goes on, or, as anybody may, in all books."""
    asking, is_same = interaction.client.asking, sent.name == "again"
    kept = await (asking.own if is_same else asking.kept)(interaction, sent.answer)
    await asking.by_button(interaction, kept.question, kept, book=None if is_same else ALL_BOOKS)


async def ask_other_game(interaction: Interaction, sent: Sent) -> None:
    """Ask the question of an answer in the game of the number. Raises what `_answer_and_game` does."""
    kept, game, _ = await _answer_and_game(interaction, sent)
    await interaction.client.asking.by_button(interaction, kept.question, kept, book=game)


async def choose_game(interaction: Interaction, sent: Sent) -> None:
    """Keep the game of the number: for the channel where somebody may set that up, else for the conversation.

    What was answered from another game is asked again. Raises what `_answer_and_game` and `scoped` do.
    """
    bot, texts = interaction.client, texts_in(interaction.locale.value)
    kept, game, is_whole = await _answer_and_game(interaction, sent)
    binds = is_whole and bot.access.may_set_up(interaction.user, interaction.permissions)
    if binds:
        await asyncio.to_thread(bot.places.bind, kept.home, game)
    else:
        reader = await bot.asking.reader(interaction, kept.audience)
        bot.asking.scoped(reader, game, where(interaction.channel))
        newest = await bot.answers.looked_up(lambda: bot.answers.newest(kept.thread_id)) or kept
        await asyncio.to_thread(bot.answers.keep, replace(newest, book=game))
    if sent.name == STAYS:
        await respond(interaction, content=texts("game-bound" if binds else "game-kept", game=escaped(game)))
    else:
        await bot.asking.by_button(interaction, kept.question, kept, book=None if binds else game)


async def _answer_and_game(interaction: Interaction, sent: Sent) -> tuple[KeptAnswer, str, bool]:
    """What is kept of an answer, the game of the number, and whether that is more than a book outside of all.

    Raises `OtherGameGone` where there is none, and what `kept` raises.
    """
    bot = interaction.client
    kept = await bot.asking.kept(interaction, sent.answer)
    reader = await bot.asking.reader(interaction, kept.audience)
    for book in bot.library.limited_to(reader.sees).books(reader.audience):
        if number_of(book.own_game) == sent.number:
            return kept, book.own_game, bool(book.game)
    raise OtherGameGone


async def try_again(interaction: Interaction, sent: Sent) -> None:
    """Ask the question of a failure, to be answered on the message that says it failed."""
    await interaction.client.asking.by_try_again(interaction, sent.answer)


async def show_to_table(interaction: Interaction, sent: Sent) -> None:
    """Show a player's private answer to everyone in its channel, once; tell a GM first what they will see.

    A GM's answer may rest on the GM's books in ways that no quotation tells, so it is never shown: its
    question is asked anew in the open, of the players' books alone, once the GM knows that.
    """
    asking = interaction.client.asking
    kept = await asking.own(interaction, sent.answer)
    if kept.audience != "gm":
        await asking.show_to_all(interaction, kept)
        return
    texts = texts_in(interaction.locale.value)
    row = one_button("open", texts("button-ask-in-the-open"), sent.answer)
    said = texts("show-gm-answer", question=fitted(kept.standalone_question, QUESTION_SHOWN))
    await persist(lambda: interaction.followup.send(said, view=row, ephemeral=True))


async def ask_in_the_open(interaction: Interaction, sent: Sent) -> None:
    """Ask the question of a GM's answer as a player's; the message that told the GM points to the answer."""
    asking = interaction.client.asking
    kept = await asking.own(interaction, sent.answer)
    await asking.in_the_open(interaction, kept.standalone_question)


async def begin_topic(interaction: Interaction, sent: Sent) -> None:
    """Forget what was said in a direct message, in the chat of a voice channel, or privately.

    It is said where the conversation is, to all who took part.
    """
    bot, shown = interaction.client, interaction.message
    private = shown is not None and shown.flags.ephemeral
    if not private and not may_write(interaction, interaction.channel):
        raise MayNotWriteHere
    await acknowledge(interaction, private=private)
    reader = await bot.asking.reader(interaction, "gm" if sent.number == GMS else "player")
    place, user = where(interaction.channel), interaction.user.id
    bot.answering.begin_topic(thread_id_of_place(place, user, reader, private=private))
    await respond(interaction, content=texts_in(interaction.locale.value)("new-topic"))
