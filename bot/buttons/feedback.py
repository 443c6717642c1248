"""`/gm feedback`: the rated answers of a server, one at a time, and the page that a GM says answers."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO

import discord

from bot.answers.question_file import RatedAnswer, Rating, question_file
from bot.answers.table import KeptSource
from bot.books.readers import Reader
from bot.buttons.rows import button, row_of, turned
from bot.buttons.sent import Pressed, Sent, Window
from bot.errors import AnswerGone, GmBooksClosed, MayNotAttachFiles, NotGm
from bot.messages.calls import persist
from bot.messages.reply_message import respond
from bot.messages.typed import typed_values
from bot.render.embeds import lists_embed
from bot.storage.data_table import Of
from bot.texts import texts_in
from rag.texts import Texts
from rag.texts.blocks import Block, Role, source_citation

QUESTION_FILE = "questions.jsonl"
BOOK, PAGE = "book", "page"
INPUTS = {BOOK: "page-window-book", PAGE: "page-window-page"}
"""The inputs of the window by their ids, and the keys of their labels."""
LONGEST_PLACE = 200


async def open_page_window(interaction: Pressed, sent: Sent) -> None:
    """Let a GM write down which page answers; the number is where the rated answer stands in the list."""
    _check_gm(interaction)
    texts = texts_in(interaction.locale.value)
    window = Window(texts("page-window-title"), sent)
    for name, label in INPUTS.items():
        window.ask(texts(label), name, LONGEST_PLACE)
    await interaction.response.send_modal(window)


async def write_page(interaction: Pressed, sent: Sent) -> None:
    """Look the page of the window up for whoever asked, and keep it. Raises what says why there is none."""
    bot, rated = interaction.client, await _rated(interaction, sent.answer)
    reader = await bot.asking.reader(interaction, rated.audience)
    library = bot.library.limited_to(reader.games)
    typed = typed_values(interaction)
    book, label = typed.get(BOOK, ""), typed.get(PAGE, "")
    found = await asyncio.to_thread(library.page, book, label, reader.audience)
    page = KeptSource(found.book, found.file, found.label, found.pdf_page, "", found.section)
    await asyncio.to_thread(bot.feedback.write_page, sent.answer, page)
    await show_feedback(interaction, sent.number)


async def remove_feedback(interaction: Pressed, sent: Sent) -> None:
    """Remove what is kept of a rated answer, and show the next."""
    await _rated(interaction, sent.answer)
    await asyncio.to_thread(interaction.client.feedback.drop, Of.MESSAGE, sent.answer)
    await show_feedback(interaction, sent.number)


async def show_feedback(interaction: Pressed, number: int) -> None:
    """Show a rated answer of the server, or the last one, in the message of an interaction."""
    answers = await _feedback(interaction)
    texts = texts_in(interaction.locale.value)
    if not answers:
        await respond(interaction, content=texts("feedback-none"), embed=None, view=None)
        return
    number = min(number, len(answers) - 1)
    answer = answers[number]
    embed = lists_embed(texts("feedback-title"), feedback_blocks(answer, texts), texts)
    embed.set_footer(text=f"{number + 1}/{len(answers)}")
    embed.timestamp = datetime.fromtimestamp(answer.created, UTC)
    row = _row(answer, number, len(answers), texts)
    await respond(interaction, content=None, embed=embed, view=row)


async def export_feedback(interaction: Pressed) -> None:
    """Send the question file of a server, privately."""
    texts = texts_in(interaction.locale.value)
    written = question_file(await _feedback(interaction))
    if not written:
        await respond(interaction, content=texts("feedback-nothing-to-export"))
        return
    if not interaction.app_permissions.attach_files:
        raise MayNotAttachFiles
    told = texts("feedback-exported", count=written.count("\n"), file=QUESTION_FILE)

    def file() -> discord.File:
        """The file for one attempt: sending closes it."""
        return discord.File(BytesIO(written.encode()), QUESTION_FILE)

    edit = interaction.edit_original_response
    await persist(lambda: edit(content=told, attachments=[file()]))


def feedback_blocks(answer: RatedAnswer, texts: Texts) -> list[Block]:
    """What was asked, how it was rated, what was quoted, and the page that was written down."""
    counts = {rating.name.lower(): answer.ratings.get(rating, 0) for rating in Rating}
    lists = {
        "feedback-question": [answer.question],
        "feedback-ratings": [texts("feedback-counts", **counts)],
        "feedback-sources": [_place(source, texts) for source in answer.sources],
        "feedback-page": [_place(answer.page, texts)] if answer.page else [],
    }
    return [Block(Role.LIST, "\n".join(lines), texts(key)) for key, lines in lists.items() if lines]


def _place(source: KeptSource, texts: Texts) -> str:
    return source_citation(source, texts)


def _row(answer: RatedAnswer, number: int, total: int, texts: Texts) -> discord.ui.View:
    buttons = turned("feedback", number, total, texts)
    if answer.sources:
        buttons.append(button("sources", texts("button-sources"), answer.message))
    danger = discord.ButtonStyle.danger
    buttons.append(button("writepage", texts("button-write-page"), answer.message, number))
    buttons.append(button("unrate", texts("button-remove"), answer.message, number, danger))
    return row_of(buttons)


async def _rated(interaction: Pressed, answer: int) -> RatedAnswer:
    """A rated answer of this server. Raises `AnswerGone`, or what `_feedback` raises."""
    answers = await _feedback(interaction)
    rated = next((one for one in answers if one.message == answer), None)
    if rated is None:
        raise AnswerGone
    return rated


async def _feedback(interaction: Pressed) -> list[RatedAnswer]:
    """The rated answers that a GM of this server may see. Raises `NotGm`."""
    _check_gm(interaction)
    reader = await _gm(interaction)
    answers = await asyncio.to_thread(interaction.client.feedback.of_server, interaction.guild_id or 0)
    return [answer for answer in answers if answer.audience in ("player", reader.audience)]


def _check_gm(interaction: Pressed) -> None:
    if not interaction.client.access.is_gm(interaction.user, interaction.permissions):
        raise NotGm


async def _gm(interaction: Pressed) -> Reader:
    """Who reads: a GM, where the GM's books are closed a player."""
    asking = interaction.client.asking
    with suppress(GmBooksClosed):
        return await asking.reader(interaction, "gm")
    return await asking.reader(interaction, "player")
