"""Show page: the page of a quotation as a picture, the quotation marked, and the pages beside it; privately.

No picture is kept: Discord is sent a new one whenever somebody asks.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

import discord

from bot.answers.table import KeptSource
from bot.buttons.answer_button import AnswerButton, Pressed
from bot.errors import AnswerGone, MayNotAttachFiles, PagesNotShown, PassageGone
from bot.messages.calls import persist
from bot.messages.reply_message import accept, acknowledge
from bot.render.embeds import page_embeds, picture_embeds
from bot.texts import discord_key, texts_in
from rag.config import Audience, PageImages
from rag.errors import LibraryError, QuotationNotLocated
from rag.library.books.files import kind_of
from rag.library.books.found_page import FoundPage
from rag.library.page_pictures.pages import Picture
from rag.state import PageId
from rag.texts import Texts
from rag.texts.blocks import citation, source_citation

if TYPE_CHECKING:
    from rag.library.library import Library

LAST_PART = 9
"""Of a page's text: as a part, the last one, however many there are."""
FARTHEST = 500
"""Pages that can be turned from that of a source."""
_PARTS, _STEPS = LAST_PART + 1, 2 * FARTHEST
ALT_TEXT = 1024
"""Characters that Discord takes as the description of a file."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page near that of a source: so many pages further on, and which part of its text."""

    source: int
    step: int = 0
    part: int = 0

    @property
    def number(self) -> int:
        """The leaf as the number of a button."""
        return (self.source * _STEPS + self.step + FARTHEST) * _PARTS + self.part

    @classmethod
    def of(cls, number: int) -> "Leaf":
        """The leaf of a button's number."""
        page, part = divmod(number, _PARTS)
        source, step = divmod(page, _STEPS)
        return cls(source, step - FARTHEST, part)


class ShowPageButton(AnswerButton, name="page"):
    """The quoted lines of a source as a picture; its number is the source's, from 0."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it in a private message."""
        await acknowledge(interaction, private=True)
        await _show_quotation(await _open(interaction, self.answer, Leaf(self.number)))


class WholePageButton(AnswerButton, name="whole"):
    """The whole page of a source as a picture; its number is that of a leaf."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it in the same message."""
        await accept(interaction)
        await _show_leaf(await _open(interaction, self.answer, Leaf.of(self.number)))


class TurnLeafButton(AnswerButton, name="leaf"):
    """Turns to the page before or after; its number is that of a leaf."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it in the same message."""
        await accept(interaction)
        await _show_leaf(await _open(interaction, self.answer, Leaf.of(self.number)))


def may_show_page(interaction: Pressed, source: KeptSource) -> bool:
    """Whether the page of a source can be shown here as a picture."""
    is_wanted = interaction.client.settings.page_images is not PageImages.OFF
    return is_wanted and _may_attach(interaction) and kind_of(source.file) == "pdf"


def _may_attach(interaction: Pressed) -> bool:
    return interaction.guild_id is None or interaction.app_permissions.attach_files


@dataclass(frozen=True)
class _OpenPage:
    """A page that somebody looks at: which leaf of an answer it is, and where it is shown."""

    interaction: Pressed
    answer: int
    leaf: Leaf
    source: KeptSource
    page: FoundPage
    library: "Library"
    audience: Audience

    @property
    def texts(self) -> Texts:
        """The sentences in the language of whoever looks."""
        return texts_in(self.interaction.locale.value)

    @property
    def title(self) -> str:
        """Book and printed page."""
        return citation(self.page.book, self.page.label, self.page.pdf_page, self.texts)

    @property
    def is_shown_whole(self) -> bool:
        """Whether the host lets whole pages be shown."""
        return self.interaction.client.settings.page_images is PageImages.PAGE

    async def whole_page(self) -> list[Picture]:
        """The page. Raises `PictureError`."""
        return await self._drawn([(self.page.id, "", None)])

    async def quoted_lines(self) -> list[Picture]:
        """The lines of the quotation, on each page on which it stands. Raises `PictureError`."""
        source = self.source
        before, after = (
            [(PageId(source.file, part.pdf_page, part.half), part.quote, part.offset)] if part else []
            for part in (source.before, source.after)
        )
        return await self._drawn([*before, (self.page.id, source.quote, source.offset), *after])

    async def _drawn(self, wanted: Sequence[tuple[PageId, str, int | None]]) -> list[Picture]:
        """Pages, or the lines of the quotations on them, each with its offset. Raises `PictureError`."""
        pages = [
            await asyncio.to_thread(self.library.page_to_draw, page, self.audience, quote, offset)
            for page, quote, offset in wanted
        ]
        drawing = self.interaction.client.drawing
        return [picture for page in pages for picture in await drawing.draw(page)]

    async def show_pictures(
        self, title: str, pictures: Sequence[Picture], alt: str, row: discord.ui.View
    ) -> None:
        """Show pictures in place of what the message showed before."""
        names = [f"page-{number}.png" for number in range(1, len(pictures) + 1)]
        embeds = picture_embeds(title, names)

        def files() -> list[discord.File]:
            """Files for one attempt: sending closes them."""
            named = zip(names, pictures, strict=True)
            return [discord.File(BytesIO(one.png), name, description=alt[:ALT_TEXT]) for name, one in named]

        edit = self.interaction.edit_original_response
        await persist(lambda: edit(embeds=embeds, attachments=files(), view=row))

    async def show_text(self, embed: discord.Embed, row: discord.ui.View) -> None:
        """Show text in place of what the message showed before."""
        edit = self.interaction.edit_original_response
        await persist(lambda: edit(embeds=[embed], attachments=[], view=row))

    def row(self, part: int = 0, parts: int = 1, *, offers_whole: bool = False) -> discord.ui.View:
        """The row under a part of the page: back, the whole page where that is offered, and on."""
        leaf, row = self.leaf, discord.ui.View(timeout=None)
        back = replace(leaf, part=part - 1) if part else Leaf(leaf.source, leaf.step - 1, LAST_PART)
        on = replace(leaf, part=part + 1) if part + 1 < parts else Leaf(leaf.source, leaf.step + 1)
        is_first = not part and (self.page.previous is None or back.step <= -FARTHEST)
        is_last = part + 1 == parts and (self.page.next is None or on.step >= FARTHEST)
        label = self.texts("button-page-before"), self.texts("button-page-after")
        row.add_item(TurnLeafButton(self.answer, label[0], back.number, disabled=is_first))
        if offers_whole:
            row.add_item(WholePageButton(self.answer, self.texts("button-whole-page"), leaf.number))
        row.add_item(TurnLeafButton(self.answer, label[1], on.number, disabled=is_last))
        return row


async def _open(interaction: Pressed, answer: int, leaf: Leaf) -> _OpenPage:
    """A leaf for whoever pressed. Raises what says why no page can be shown to them."""
    bot = interaction.client
    kept = await bot.asking.kept(interaction, answer)
    if bot.settings.page_images is PageImages.OFF:
        raise PagesNotShown
    if not _may_attach(interaction):
        raise MayNotAttachFiles
    if leaf.source >= len(kept.sources):
        raise AnswerGone
    source = kept.sources[leaf.source]
    reader = await bot.asking.reader(interaction, kept.audience)
    library = bot.library.limited_to(reader.games)
    page = await asyncio.to_thread(_page, source, leaf.step, library, reader.audience)
    return _OpenPage(interaction, answer, leaf, source, page, library, reader.audience)


def _page(source: KeptSource, step: int, library: "Library", audience: Audience) -> FoundPage:
    """The page of a leaf. Raises `PassageGone` where the index holds none for this reader."""
    try:
        page = library.page_at(source.file, source.pdf_page, audience, source.page, source.section)
        return library.page_beside(page.id, step, audience) if step else page
    except LibraryError as error:
        raise PassageGone(book=source.book) from error


async def _show_quotation(opened: _OpenPage) -> None:
    """The quoted lines, marked; where their place is not sure, that it is not."""
    row = opened.row(offers_whole=opened.is_shown_whole)
    title = source_citation(opened.source, opened.texts)
    try:
        pictures = await opened.quoted_lines()
    except QuotationNotLocated as error:
        said = opened.texts(discord_key(error.key), **error.values)
        await opened.show_text(page_embeds(title, said)[0], row)
    else:
        await opened.show_pictures(title, pictures, opened.source.whole_quote, row)


async def _show_leaf(opened: _OpenPage) -> None:
    """A page: as a picture where the host lets whole pages be shown, else a part of its text."""
    if opened.is_shown_whole:
        await opened.show_pictures(opened.title, await opened.whole_page(), opened.title, opened.row())
        return
    embeds = page_embeds(opened.title, opened.page.text)
    part = min(opened.leaf.part, len(embeds) - 1)
    embed = embeds[part]
    if len(embeds) > 1:
        embed.set_footer(text=f"{part + 1}/{len(embeds)}")
    await opened.show_text(embed, opened.row(part, len(embeds)))
