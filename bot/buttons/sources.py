"""Sources: the passages behind an answer, read again from the index, one at a time; or a line to copy."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord

from bot.answers.table import KeptAnswer, KeptSource
from bot.buttons.answer_button import AnswerButton, Pressed, row_of, turned
from bot.buttons.pages import ShowPageButton, beside, may_show_page, page_of_source, turning_buttons
from bot.errors import AnswerGone, PassageGone
from bot.messages.reply_message import accept, acknowledge, respond
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


class SourcesButton(AnswerButton, name="sources"):
    """The full passages behind an answer."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show the first passage in a private message."""
        await acknowledge(interaction, private=True)
        await _show_passage(interaction, self.answer, 0)


class TurnPageButton(AnswerButton, name="turn"):
    """Turns to another passage, or another part of one; its number is that passage's."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it in the same message."""
        await accept(interaction)
        await _show_passage(interaction, self.answer, self.number)


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A part of the page behind a source, which counts from 0; or that its book is gone."""

    source: int
    content: discord.Embed | PassageGone
    page: FoundPage | None = None


async def _show_passage(interaction: Pressed, answer: int, number: int) -> None:
    bot = interaction.client
    kept = await bot.asking.kept(interaction, answer)
    reader = await bot.asking.reader(interaction, kept.audience)
    texts = texts_in(interaction.locale.value)
    library = bot.library.limited_to(reader.games)
    passages = await asyncio.to_thread(_passages, kept, library, reader.audience, texts)
    number = min(number, len(passages) - 1)
    passage = passages[number]
    if isinstance(passage.content, PassageGone):
        raise passage.content
    buttons = turned(TurnPageButton, number, len(passages), texts, answer)
    if may_show_page(interaction, kept.sources[passage.source]):
        buttons.append(ShowPageButton(answer, texts("button-show-page"), passage.source))
    if passage.page:
        buttons += turning_buttons(*beside(passage.page, reader.audience), texts)
    buttons.append(CopyLineButton(answer, texts("button-copy-line"), passage.source))
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


class CopyLineButton(AnswerButton, name="copy"):
    """Shows a source as a line to copy; its number is the source's, from 0."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it in a private message that holds nothing else."""
        await acknowledge(interaction, private=True)
        bot = interaction.client
        kept = await bot.asking.kept(interaction, self.answer)
        if self.number >= len(kept.sources):
            raise AnswerGone
        source = kept.sources[self.number]
        reader = await bot.asking.reader(interaction, kept.audience)
        if all(book.file != source.file for book in bot.book_list.books(reader)):
            raise PassageGone(book=source.book)
        await respond(interaction, content=line_to_copy(source))


def line_to_copy(source: KeptSource) -> str:
    """A quotation behind its place: "Basic Set p. 420: “…”"."""
    first, last = source.before or source, source.after or source
    last_label = last.page if last is not first else None
    place = place_of(source.book, first.page, first.pdf_page, source.section, last_label)
    quote = " ".join(source.whole_quote.split())
    return f"{fitted(place, LONGEST_QUOTE // 8)}: “{fitted(quote, LONGEST_QUOTE)}”"
