"""Sources: the passages behind an answer, read again from the index, one at a time; or a line to copy."""

import asyncio
from typing import TYPE_CHECKING

import discord

from bot.answers.table import KeptSource
from bot.buttons.pages import SOURCES_MENU, may_show_page, page_of_source, sources_of, turning_buttons
from bot.buttons.rows import button, menu, row_of
from bot.buttons.sent import Sent
from bot.errors import PassageGone
from bot.messages.reply_message import Interaction, respond
from bot.render.embeds import page_embeds
from bot.render.markdown import fitted
from bot.texts import texts_in
from rag.config import Audience
from rag.library.books.found_page import FoundPage, place_of
from rag.library.books.ruling import is_ruling
from rag.texts import Texts
from rag.texts.blocks import source_citation

if TYPE_CHECKING:
    from rag.library.library import Library


A_PART = 100
"""What a part of a passage adds to the number of its source."""
LONGEST_QUOTE = 1600
"""Characters of a quotation in a line to copy."""


async def show_passage(interaction: Interaction, sent: Sent) -> None:
    """Show the passage behind a source of an answer, by its number from 0 and, in hundreds, a part of it.

    The arrows turn the parts and the pages beside it, a menu opens the other sources. Raises `PassageGone`.
    """
    answer, (part, number) = sent.answer, divmod(sent.number, A_PART)
    sources, reader = await sources_of(interaction, sent._replace(number=number))
    texts, source = texts_in(interaction.locale.value), sources[number]
    library = interaction.client.library.limited_to(reader.sees)
    footer = {"number": number + 1, "total": len(sources)}
    page, embeds = await asyncio.to_thread(_passage, source, footer, library, reader.audience, texts)
    parts = [Sent("turn", answer, at * A_PART + number) for at in range(len(embeds))]
    buttons = turning_buttons(page, reader.audience, texts, part := min(part, len(embeds) - 1), parts)
    if may_show_page(interaction, source):
        buttons.append(button("page", texts("button-show-page"), answer, number))
    buttons.append(button("copy", texts("button-copy-line"), answer, number))
    places = [(at, f"[{at + 1}] {source_citation(one, texts)}") for at, one in enumerate(sources)]
    others = menu(SOURCES_MENU, texts("sources-menu"), places, answer) if len(places) > 1 else []
    await respond(interaction, embed=embeds[part], attachments=[], view=row_of([*buttons, *others]))


def _passage(
    source: KeptSource, numbers: dict[str, int], library: "Library", audience: Audience, texts: Texts
) -> tuple[FoundPage | None, list[discord.Embed]]:
    """The full page of a source, the quotation in bold, of one too long in parts; no page of a ruling."""
    page = None if is_ruling(source.file) else page_of_source(source, library, audience)
    is_new = source.edition not in (None, library.edition(source.file))
    footer = texts("passage-new-edition" if is_new else "passage-footer", **numbers)
    before, after = (part.quote if part else "" for part in (source.before, source.after))
    # The parts of the quoted sentences on the pages beside stand around the page.
    text = "\n".join(filter(None, (before, page.text, after))) if page else source.quote
    return page, page_embeds(source_citation(source, texts), text, source.whole_quote, footer)


async def show_line_to_copy(interaction: Interaction, sent: Sent) -> None:
    """Show a quotation behind its place, "Basic Set p. 420: “…”", in a message that holds nothing else."""
    sources, reader = await sources_of(interaction, sent)
    source = sources[sent.number]
    files = {book.file for book in interaction.client.book_list.books(reader)}
    if source.file not in files and not is_ruling(source.file):
        raise PassageGone(book=source.book)
    first, last = source.before or source, source.after or source
    last_label = last.page if last is not first else None
    place = place_of(source.book, first.page, first.pdf_page, source.section, last_label)
    quote = " ".join(source.whole_quote.split())
    line = f"{fitted(place, LONGEST_QUOTE // 8)}: “{fitted(quote, LONGEST_QUOTE)}”"
    await respond(interaction, content=line)
