"""Pages: that of a quotation as a picture, the quotation marked, and any page to read; privately.

No picture is kept: Discord is sent a new one whenever somebody asks.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from bot.answers.table import KeptSource
from bot.books.readers import Reader
from bot.buttons.rows import Button, button, menus_of, row_of
from bot.buttons.sent import NO_ANSWER, Sent, number_of
from bot.errors import AnswerGone, PageGone, PagesNotShown, PassageGone
from bot.messages.places import may_attach
from bot.messages.reply_message import Interaction, respond, respond_with_files
from bot.render.embeds import Content, page_embeds, picture_embed
from bot.texts import discord_key, texts_in
from rag.config import Audience, PageImages
from rag.errors import LibraryError, QuotationNotLocated
from rag.library.books.files import kind_of
from rag.library.books.found_page import FoundPage, LinkedPage
from rag.library.page_pictures.pages import PageToDraw
from rag.state import PageId
from rag.texts import Texts
from rag.texts.blocks import citation, source_citation

if TYPE_CHECKING:
    from rag.library.library import Library
    from rag.library.page_pictures.process import DrawingProcess

LAST_PART = 99
"""Of a page's text: as a part, the last one, however many there are."""
TURN, SOURCES_MENU = "read", "choose"
"""The names of the buttons that turn pages, and of the menu of sources, which stays above them."""


class Opened(NamedTuple):
    """Where somebody reads, and as whom: a part of a page, or of a section in a format without pages.

    Numbers made of their names tell the book and the section. `is_picture`: the whole page is a picture.
    `tens` are those of the part.
    """

    by_gm: int
    part: int
    half: int
    pdf_page: int
    book: int
    is_picture: int
    section: int = 0
    tens: int = 0

    @classmethod
    def at(
        cls, page: FoundPage | LinkedPage, audience: Audience, part: int = 0, *, is_picture: bool = False
    ) -> "Opened":
        """A part of a page, or of the section that is meant in place of one."""
        tens, one = divmod(part, RADIXES.part)
        book, section = number_of(page.id.file), number_of(page.section) if page.section else 0
        return cls(audience == "gm", one, page.id.half, page.id.pdf_page, book, is_picture, section, tens)

    @classmethod
    def of(cls, number: int) -> "Opened":
        """What a button's number says."""
        digits = []
        for radix in RADIXES:
            number, digit = divmod(number, radix)
            digits.append(digit)
        return cls(*digits)

    @property
    def number(self) -> int:
        """The same as a number: a button's id has no room for the name of a file."""
        number = 0
        for radix, digit in zip(reversed(RADIXES), reversed(self), strict=True):
            number = number * radix + digit
        return number


RADIXES = Opened(by_gm=2, part=10, half=10, pdf_page=10**6, book=2**32, is_picture=2, section=2**32, tens=10)
"""How many values each field has in the number of a button, from its last digit on."""


async def turn_to_page(interaction: Interaction, sent: Sent) -> None:
    """Show a page, or another part of it, in the message of the button, whose number says which."""
    bot, opened = interaction.client, Opened.of(sent.number)
    reader = await bot.asking.reader(interaction, "gm" if opened.by_gm else "player")
    library = bot.library.limited_to(reader.sees)
    page = await asyncio.to_thread(_page, opened, library, reader)
    if not (opened.is_picture and may_attach(interaction)):
        await show_page(interaction, page, reader.audience, opened.tens * RADIXES.part + opened.part)
        return
    drawn = await asyncio.to_thread(library.page_to_draw, page.id, reader.audience)
    texts = texts_in(interaction.locale.value)
    title = citation(page.book, page.label, page.pdf_page, texts)
    row = row_of(turning_buttons(page, reader.audience, texts, is_picture=True))
    shown = Content(picture_embed(title), files=await _pictures([drawn], bot.drawing), described=title)
    await respond_with_files(interaction, shown, row)


async def show_quoted_lines(interaction: Interaction, sent: Sent) -> None:
    """Show the quoted lines of a source as a picture; where their place is not sure, that it is not."""
    bot, texts = interaction.client, texts_in(interaction.locale.value)
    wanted = bot.settings.page_images
    if wanted is PageImages.OFF:
        raise PagesNotShown
    sources, reader = await sources_of(interaction, sent)
    source = sources[sent.number]
    library = bot.library.limited_to(reader.sees)
    page = await asyncio.to_thread(page_of_source, source, library, reader.audience)
    is_whole = wanted is PageImages.PAGE
    buttons = turning_buttons(page, reader.audience, texts, is_picture=is_whole)
    if is_whole:
        whole = Opened.at(page, reader.audience, is_picture=True).number
        buttons.insert(1, button(TURN, texts("button-whole-page"), number=whole))
    row = row_of(buttons)
    title = source_citation(source, texts)
    try:
        pictures = await quoted_lines(source, reader, bot.library, bot.drawing)
        shown = Content(picture_embed(title), files=pictures, described=source.whole_quote)
        await respond_with_files(interaction, shown, row)
    except QuotationNotLocated as error:
        said = page_embeds(title, texts(discord_key(error.key), **error.values))
        await respond(interaction, embed=said[0], view=row)


async def sources_of(interaction: Interaction, sent: Sent) -> tuple[tuple[KeptSource, ...], Reader]:
    """The sources of an answer, and as whom they are read. Raises `AnswerGone` where none has the number."""
    asking = interaction.client.asking
    kept = await asking.kept(interaction, sent.answer)
    if sent.number >= len(kept.sources):
        raise AnswerGone
    return kept.sources, await asking.reader(interaction, kept.audience)


def may_show_page(interaction: Interaction, source: KeptSource) -> bool:
    """Whether the page of a source can be shown here as a picture."""
    is_wanted = interaction.client.settings.page_images is not PageImages.OFF
    return is_wanted and may_attach(interaction) and kind_of(source.file) == "pdf"


def page_of_source(source: KeptSource, library: "Library", audience: Audience) -> FoundPage:
    """The page of a source. Raises `PassageGone` where the index holds none for this reader."""
    try:
        return library.page_at(source.file, source.pdf_page, audience, source.page, source.section)
    except LibraryError as error:
        raise PassageGone(book=source.book) from error


def _page(opened: Opened, library: "Library", reader: Reader) -> FoundPage:
    """The page or section of a button. Raises `PageGone` where the index holds none for this reader."""
    audience = reader.audience
    book = next((one for one in library.books(audience) if number_of(one.file) == opened.book), None)
    if book is None:
        raise PageGone
    sections = library.sections(book.title, audience) if opened.section else []
    section = next((name for name in sections if number_of(name) == opened.section), None)
    try:
        return library.page_at(book.file, opened.pdf_page, audience, section=section, half=opened.half)
    except LibraryError as error:
        raise PageGone from error


async def quoted_lines(
    source: KeptSource, reader: Reader, library: "Library", drawing: "DrawingProcess"
) -> dict[str, bytes]:
    """Pictures of the quoted lines of a source by the names of their files.

    Raises `PassageGone` or `PictureError`.
    """
    seen = library.limited_to(reader.sees)
    return await _pictures(await asyncio.to_thread(_pages_quoted, source, seen, reader.audience), drawing)


def _pages_quoted(source: KeptSource, library: "Library", audience: Audience) -> list[PageToDraw]:
    """Each page on which a quotation stands, with its words there."""
    wanted = [(page_of_source(source, library, audience).id, source.quote, source.offset)]
    for part, at in ((source.before, 0), (source.after, len(wanted) + 1)):
        if part:
            wanted.insert(at, (PageId(source.file, part.pdf_page, part.half), part.quote, part.offset))
    return [library.page_to_draw(one, audience, quote, offset) for one, quote, offset in wanted]


async def _pictures(pages: Sequence[PageToDraw], drawing: "DrawingProcess") -> dict[str, bytes]:
    """Pictures of pages by the names of their files. Raises `PictureError`."""
    pictures = [one for page in pages for one in await drawing.draw(page)]
    return {f"page-{number}.png": png for number, png in enumerate(pictures, start=1)}


async def show_page(interaction: Interaction, page: FoundPage, audience: Audience, part: int = 0) -> None:
    """Show a part of a page's or section's text in a private message, above the buttons that turn it."""
    texts = texts_in(interaction.locale.value)
    title = citation(page.book, page.label, page.pdf_page, texts, page.section)
    embeds = page_embeds(title, page.text)
    part = min(part, len(embeds) - 1)
    parts = [Sent(TURN, NO_ANSWER, Opened.at(page, audience, each).number) for each in range(len(embeds))]
    menus = menus_of(interaction.message, SOURCES_MENU)
    row = row_of([*turning_buttons(page, audience, texts, part, parts), *menus])
    await respond(interaction, embeds=[embeds[part]], attachments=[], view=row)


def turning_buttons(
    page: FoundPage | None,
    audience: Audience,
    texts: Texts,
    part: int = 0,
    parts: Sequence[Sent] = (),
    *,
    is_picture: bool = False,
) -> list[Button]:
    """Back and on: to another of the parts of the page, else to the end or beginning of a page beside it.

    At an end of the book one cannot be pressed; there are none where neither can.
    """
    beside = (page.previous, page.next) if page else (None, None)
    within = (parts[:part][-1:], parts[part + 1 :][:1])
    buttons = []
    for at, key in enumerate(("button-page-before", "button-page-after")):
        sent = next(iter(within[at]), Sent(TURN, NO_ANSWER, at))
        if near := None if within[at] else beside[at]:
            opened = Opened.at(near, audience, 0 if at else LAST_PART, is_picture=is_picture)
            sent = Sent(TURN, NO_ANSWER, opened.number)
        disabled = not (near or within[at])
        buttons.append(button(sent.name, texts(key), sent.answer, sent.number, disabled=disabled))
    return [] if all(one.disabled for one in buttons) else buttons
