"""A page of a book to read, and the buttons that turn to the pages beside it; privately."""

import asyncio
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import discord

from bot.books.readers import Reader
from bot.buttons.answer_button import NO_ANSWER, AnswerButton, Pressed
from bot.errors import PageGone
from bot.messages.calls import persist
from bot.messages.reply_message import accept
from bot.render.embeds import page_embeds
from bot.texts import texts_in
from rag.config import Audience
from rag.errors import LibraryError
from rag.library.books.found_page import FoundPage
from rag.state import PageId
from rag.texts import Texts
from rag.texts.blocks import citation

if TYPE_CHECKING:
    from rag.library.library import Library

LAST_PART = 9
"""Of a page's text: as a part, the last one, however many there are."""
_PARTS = _HALVES = LAST_PART + 1
_POSITIONS = 10**6


@dataclass(frozen=True, slots=True)
class Opened:
    """Where somebody reads: a part of a page, its book told by a number made of its file, and as whom."""

    book: int
    pdf_page: int
    half: int = 0
    part: int = 0
    by_gm: bool = False

    @classmethod
    def at(cls, page: PageId, audience: Audience, part: int = 0) -> "Opened":
        """A part of a page."""
        return cls(number_of_book(page.file), page.pdf_page, page.half, part, audience == "gm")

    @classmethod
    def of(cls, number: int) -> "Opened":
        """What a button's number says."""
        number, by_gm = divmod(number, 2)
        number, part = divmod(number, _PARTS)
        number, half = divmod(number, _HALVES)
        book, pdf_page = divmod(number, _POSITIONS)
        return cls(book, pdf_page, half, part, bool(by_gm))

    @property
    def number(self) -> int:
        """The same as a number: a button's id has no room for the name of a file."""
        position = self.book * _POSITIONS + self.pdf_page
        return ((position * _HALVES + self.half) * _PARTS + self.part) * 2 + self.by_gm


class ReadPageButton(AnswerButton, name="read"):
    """Turns to a page, or another part of it; its number says which."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it in the same message."""
        await accept(interaction)
        bot, opened = interaction.client, Opened.of(self.number)
        reader = await bot.asking.reader(interaction, "gm" if opened.by_gm else "player")
        library = bot.library.limited_to(reader.games)
        page = await asyncio.to_thread(_page, opened, library, reader)
        await show_page(interaction, page, reader.audience, opened.part)


def number_of_book(file: str) -> int:
    """A number that means a book, the same in every process."""
    return zlib.crc32(file.encode())


def _page(opened: Opened, library: "Library", reader: Reader) -> FoundPage:
    """The page of a button. Raises `PageGone` where the index holds none for this reader."""
    files = [book.file for book in library.books(reader.audience)]
    file = next((file for file in files if number_of_book(file) == opened.book), "")
    try:
        return library.page_beside(PageId(file, opened.pdf_page, opened.half), 0, reader.audience)
    except LibraryError as error:
        raise PageGone from error


async def show_page(interaction: Pressed, page: FoundPage, audience: Audience, part: int = 0) -> None:
    """Show a part of a page in a private message, above the buttons that turn it.

    A section is shown whole, its further parts in messages of their own.
    """
    texts = texts_in(interaction.locale.value)
    title = citation(page.book, page.label, page.pdf_page, texts, page.section)
    embeds = page_embeds(title, page.text)
    is_turned = not page.section_starts and len(embeds) > 1
    part = min(part, len(embeds) - 1) if is_turned else 0
    embed = embeds[part]
    if is_turned:
        embed.set_footer(text=f"{part + 1}/{len(embeds)}")
    row = _row(page, audience, texts, part, len(embeds) if is_turned else 1)
    await persist(lambda: interaction.edit_original_response(embed=embed, view=row))
    for further in () if is_turned else embeds[1:]:
        await interaction.followup.send(embed=further, ephemeral=True)


def _row(page: FoundPage, audience: Audience, texts: Texts, part: int, parts: int) -> discord.ui.View:
    """Back and on: to another part of the page, else to a page beside it."""
    here = Opened.at(page.id, audience, part)
    before, after = beside(page, audience)
    back = replace(here, part=part - 1) if part else before
    on = replace(here, part=part + 1) if part + 1 < parts else after
    row = discord.ui.View(timeout=None)
    for button in turning_buttons(back, on, texts):
        row.add_item(button)
    return row


def beside(page: FoundPage, audience: Audience) -> tuple[Opened | None, Opened | None]:
    """The end of the page before, and the beginning of the page after; None at the ends of a book."""
    before = Opened.at(page.previous.id, audience, LAST_PART) if page.previous else None
    return before, Opened.at(page.next.id, audience) if page.next else None


def turning_buttons(back: Opened | None, on: Opened | None, texts: Texts) -> list[ReadPageButton]:
    """The buttons to two pages, none where both lead nowhere; one that does cannot be pressed."""
    if back is None and on is None:
        return []
    numbers = [back.number if back else 0, on.number if on else 1]
    labels = texts("button-page-before"), texts("button-page-after")
    return [
        ReadPageButton(NO_ANSWER, label, number, disabled=number < 2)
        for label, number in zip(labels, numbers, strict=True)
    ]
