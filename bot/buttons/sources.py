"""Sources: the passages behind an answer, read again from the index, one at a time; or a line to copy."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord

from bot.answers.table import KeptAnswer, KeptSource
from bot.buttons.pages import beside, may_show_page, page_of_source, source_of, turning_buttons
from bot.buttons.rows import button, row_of, turned
from bot.buttons.sent import Pressed, Sent
from bot.errors import PassageGone
from bot.messages.reply_message import respond
from bot.render.embeds import passage_embeds
from bot.render.markdown import fitted
from bot.texts import texts_in
from rag.config import Audience
from rag.library.books.found_page import FoundPage, place_of
from rag.library.books.ruling import is_ruling
from rag.texts import Texts
from rag.texts.blocks import source_citation

if TYPE_CHECKING:
    from rag.library.library import Library


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A part of the page behind a source, which counts from 0; or that its book is gone."""

    source: int
    content: discord.Embed | PassageGone
    page: FoundPage | None = None


async def show_passage(interaction: Pressed, sent: Sent) -> None:
    """Show one of the passages behind an answer, by its number from 0."""
    bot, answer = interaction.client, sent.answer
    kept = await bot.asking.kept(interaction, answer)
    reader = await bot.asking.reader(interaction, kept.audience)
    texts = texts_in(interaction.locale.value)
    library = bot.library.limited_to(reader.games)
    passages = await asyncio.to_thread(_passages, kept, library, reader.audience, texts)
    number = min(sent.number, len(passages) - 1)
    passage = passages[number]
    if isinstance(passage.content, PassageGone):
        raise passage.content
    buttons = turned("turn", number, len(passages), texts, answer)
    if may_show_page(interaction, kept.sources[passage.source]):
        buttons.append(button("page", texts("button-show-page"), answer, passage.source))
    if passage.page:
        buttons += turning_buttons(*beside(passage.page, reader.audience), texts)
    buttons.append(button("copy", texts("button-copy-line"), answer, passage.source))
    await interaction.edit_original_response(embed=passage.content, view=row_of(buttons))


def _passages(kept: KeptAnswer, library: "Library", audience: Audience, texts: Texts) -> list[SourcePassage]:
    """The full page of each source, the quotation in bold, or that its book is gone.

    A page too long for a message is several; all are numbered through.
    """
    passages: list[SourcePassage] = []
    for number, source in enumerate(kept.sources):
        is_new = source.edition not in (None, library.edition(source.file))
        key = "passage-new-edition" if is_new else "passage-footer"
        footer = texts(key, number=number + 1, total=len(kept.sources))
        title = source_citation(source, texts)
        try:
            page = None if is_ruling(source.file) else page_of_source(source, library, audience)
        except PassageGone as gone:
            passages.append(SourcePassage(number, gone))
        else:
            text = _with_parts_beside(source, page.text) if page else source.quote
            embeds = passage_embeds(title, text, source.whole_quote, footer)
            passages += [SourcePassage(number, embed, page) for embed in embeds]
    return passages


def _with_parts_beside(source: KeptSource, text: str) -> str:
    """The text of a page with what stands of the quoted sentences on the pages beside."""
    before, after = (part.quote if part else "" for part in (source.before, source.after))
    return "\n".join(filter(None, (before, text, after)))


LONGEST_QUOTE = 1600


async def show_line_to_copy(interaction: Pressed, sent: Sent) -> None:
    """Show the source of the number, from 0, in a message that holds nothing else."""
    source, reader = await source_of(interaction, sent)
    if all(book.file != source.file for book in interaction.client.book_list.books(reader)):
        raise PassageGone(book=source.book)
    await respond(interaction, content=line_to_copy(source))


def line_to_copy(source: KeptSource) -> str:
    """A quotation behind its place: "Basic Set p. 420: “…”"."""
    first, last = source.before or source, source.after or source
    last_label = last.page if last is not first else None
    place = place_of(source.book, first.page, first.pdf_page, source.section, last_label)
    quote = " ".join(source.whole_quote.split())
    return f"{fitted(place, LONGEST_QUOTE // 8)}: “{fitted(quote, LONGEST_QUOTE)}”"
