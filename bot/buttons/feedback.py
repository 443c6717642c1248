"""`/gm feedback`: the rated answers of a server, one at a time, and the page that a GM says answers."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime

import discord

from bot.answers.question_file import RatedAnswer, Rating, question_file
from bot.answers.table import KeptSource
from bot.buttons.rows import button, row_of, turned
from bot.buttons.ruling import require_gm
from bot.buttons.sent import Sent, Window
from bot.errors import AnswerGone, GmBooksClosed
from bot.messages.reply_message import Interaction, respond, respond_with_files
from bot.messages.typed import typed_values
from bot.render.embeds import Content, lists_embed
from bot.storage.data_table import Of
from bot.texts import texts_in
from rag.texts import Texts
from rag.texts.blocks import Block, Role, source_citation

QUESTION_FILE = "questions.jsonl"
BOOK, PAGE = "book", "page"
LONGEST_PLACE = 200


async def open_page_window(interaction: Interaction, sent: Sent) -> None:
    """Let a GM write down which page answers; the number is where the rated answer stands in the list."""
    require_gm(interaction)
    texts = texts_in(interaction.locale.value)
    window = Window(texts("page-window-title"), sent)
    window.ask(texts("page-window-book"), BOOK, LONGEST_PLACE)
    window.ask(texts("page-window-page"), PAGE, LONGEST_PLACE)
    await interaction.response.send_modal(window)


async def write_page(interaction: Interaction, sent: Sent) -> None:
    """Look the page of the window up for whoever asked, and keep it. Raises what says why there is none."""
    bot, rated = interaction.client, await _rated(interaction, sent.answer)
    reader = await bot.asking.reader(interaction, rated.audience)
    library = bot.library.limited_to(reader.sees)
    typed = typed_values(interaction)
    found = await asyncio.to_thread(library.page, typed[BOOK], typed[PAGE], reader.audience)
    page = KeptSource(found.book, found.file, found.label, found.pdf_page, "", found.section)
    await asyncio.to_thread(bot.feedback.write_page, sent.answer, page)
    await show_feedback(interaction, sent.number)


async def remove_feedback(interaction: Interaction, sent: Sent) -> None:
    """Remove what is kept of a rated answer, and show the next."""
    await _rated(interaction, sent.answer)
    await asyncio.to_thread(interaction.client.feedback.drop, Of.MESSAGE, sent.answer)
    await show_feedback(interaction, sent.number)


async def show_feedback(interaction: Interaction, number: int) -> None:
    """Show a rated answer of the server, or the last one, in the message of an interaction."""
    answers = await _feedback(interaction)
    texts = texts_in(interaction.locale.value)
    if not answers:
        await respond(interaction, content=texts("feedback-none"), embed=None, view=None)
        return
    number = min(number, len(answers) - 1)
    answer = answers[number]
    embed = lists_embed(texts("feedback-title"), _blocks(answer, texts), texts)
    embed.set_footer(text=f"{number + 1}/{len(answers)}")
    embed.timestamp = datetime.fromtimestamp(answer.created, UTC)
    buttons = turned("feedback", number, len(answers), texts)
    if answer.sources:
        buttons.append(button("sources", texts("button-sources"), answer.message))
    danger = discord.ButtonStyle.danger
    buttons.append(button("writepage", texts("button-write-page"), answer.message, number))
    buttons.append(button("unrate", texts("button-remove"), answer.message, number, danger))
    await respond(interaction, content=None, embed=embed, view=row_of(buttons))


async def export_feedback(interaction: Interaction) -> None:
    """Send the question file of a server, privately."""
    texts = texts_in(interaction.locale.value)
    written = question_file(await _feedback(interaction))
    if not written:
        await respond(interaction, content=texts("feedback-nothing-to-export"))
        return
    told = texts("feedback-exported", count=written.count("\n"), file=QUESTION_FILE)
    await respond_with_files(interaction, Content(text=told, files={QUESTION_FILE: written.encode()}))


def _blocks(answer: RatedAnswer, texts: Texts) -> list[Block]:
    """What was asked, how it was rated, what was quoted, and the page that was written down."""
    counts = {rating.name.lower(): answer.ratings.get(rating, 0) for rating in Rating}
    lists = {
        "feedback-question": [answer.question],
        "feedback-ratings": [texts("feedback-counts", **counts)],
        "feedback-sources": [source_citation(source, texts) for source in answer.sources],
        "feedback-page": [source_citation(answer.page, texts)] if answer.page else [],
    }
    return [Block(Role.LIST, "\n".join(lines), texts(key)) for key, lines in lists.items() if lines]


async def _rated(interaction: Interaction, answer: int) -> RatedAnswer:
    """A rated answer of this server. Raises `AnswerGone`, or what `_feedback` raises."""
    answers = await _feedback(interaction)
    rated = next((one for one in answers if one.message == answer), None)
    if rated is None:
        raise AnswerGone
    return rated


async def _feedback(interaction: Interaction) -> list[RatedAnswer]:
    """The rated answers that a GM of this server may see: of the GM's books only where these are open.

    Raises `NotGm`.
    """
    require_gm(interaction)
    bot, audiences = interaction.client, ["player"]
    with suppress(GmBooksClosed):
        audiences.append((await bot.asking.reader(interaction, "gm")).audience)
    answers = await asyncio.to_thread(bot.feedback.of_server, interaction.guild_id or 0)
    return [answer for answer in answers if answer.audience in audiences]
