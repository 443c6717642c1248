"""Sources: the passages behind an answer, read again from the index, one at a time; or a line to copy."""

import asyncio
from typing import TYPE_CHECKING

import discord

from bot.answers.table import KeptAnswer
from bot.buttons.pages import SOURCES_MENU, may_show_page, page_of_source, source_of, turning_buttons
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


LONGEST_QUOTE = 1600
"""Characters of a quotation in a line to copy."""


async def show_source(interaction: Interaction, sent: Sent) -> None:
    """Show the passage of a source of an answer, by the number of the source from 0."""
    await show_passage(interaction, sent, of_source=True)


async def show_passage(interaction: Interaction, sent: Sent, *, of_source: bool = False) -> None:
    """Show one of the passages behind an answer, by its number from 0; a long page is several.

    The arrows turn its parts and the pages beside it, a menu opens the other sources.
    """
    bot, answer = interaction.client, sent.answer
    kept = await bot.asking.kept(interaction, answer)
    reader = await bot.asking.reader(interaction, kept.audience)
    texts = texts_in(interaction.locale.value)
    library = bot.library.limited_to(reader.games)
    passages = await asyncio.to_thread(_passages, kept, library, reader.audience, texts)
    first_of = {source: at for at, (source, *_) in reversed([*enumerate(passages)])}
    number = first_of.get(sent.number, 0) if of_source else min(sent.number, len(passages) - 1)
    source, page, embed = passages[number]
    if embed is None:
        raise PassageGone(book=kept.sources[source].book)
    parts = [Sent("turn", answer, at) for at, (of, *_) in enumerate(passages) if of == source]
    buttons = turning_buttons(page, reader.audience, texts, number - first_of[source], parts)
    if may_show_page(interaction, kept.sources[source]):
        buttons.append(button("page", texts("button-show-page"), answer, source))
    buttons.append(button("copy", texts("button-copy-line"), answer, source))
    places = [(at, f"[{at + 1}] {source_citation(one, texts)}") for at, one in enumerate(kept.sources)]
    others = menu(SOURCES_MENU, texts("sources-menu"), places, answer) if len(places) > 1 else []
    await respond(interaction, embed=embed, attachments=[], view=row_of([*buttons, *others]))


def _passages(
    kept: KeptAnswer, library: "Library", audience: Audience, texts: Texts
) -> list[tuple[int, FoundPage | None, discord.Embed | None]]:
    """The full page of each source, the quotation in bold; no embed where its book is gone.

    A page too long for a message is several; each is told with the number of its source, from 0.
    """
    passages: list[tuple[int, FoundPage | None, discord.Embed | None]] = []
    for number, source in enumerate(kept.sources):
        try:
            page = None if is_ruling(source.file) else page_of_source(source, library, audience)
        except PassageGone:
            passages.append((number, None, None))
            continue
        is_new = source.edition not in (None, library.edition(source.file))
        key = "passage-new-edition" if is_new else "passage-footer"
        footer = texts(key, number=number + 1, total=len(kept.sources))
        before, after = (part.quote if part else "" for part in (source.before, source.after))
        # The parts of the quoted sentences on the pages beside stand around the page.
        text = "\n".join(filter(None, (before, page.text, after))) if page else source.quote
        embeds = page_embeds(source_citation(source, texts), text, source.whole_quote, footer)
        passages += [(number, page, embed) for embed in embeds]
    return passages


async def show_line_to_copy(interaction: Interaction, sent: Sent) -> None:
    """Show a quotation behind its place, "Basic Set p. 420: “…”", in a message that holds nothing else."""
    source, reader = await source_of(interaction, sent)
    files = {book.file for book in interaction.client.book_list.books(reader)}
    if source.file not in files and not is_ruling(source.file):
        raise PassageGone(book=source.book)
    first, last = source.before or source, source.after or source
    last_label = last.page if last is not first else None
    place = place_of(source.book, first.page, first.pdf_page, source.section, last_label)
    quote = " ".join(source.whole_quote.split())
    line = f"{fitted(place, LONGEST_QUOTE // 8)}: “{fitted(quote, LONGEST_QUOTE)}”"
    await respond(interaction, content=line)
