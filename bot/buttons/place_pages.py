"""The places that `/library search` found, a few to a message, and the buttons that turn them."""

import asyncio

from bot.books.scope import is_all
from bot.buttons.rows import row_of, turned
from bot.buttons.sent import Pressed, Sent
from bot.messages.reply_message import respond
from bot.messages.threads import where
from bot.render.embeds import places_embed
from bot.render.place_lines import place_lines
from bot.texts import texts_in

LONGEST_SEARCH = 100
PLACES = 24
PLACES_A_PAGE = 4


BEFORE_BOOK = " · "


async def turn_places(interaction: Pressed, sent: Sent) -> None:
    """Turn to another page of the list.

    Nothing is kept of a search: what was looked for, and in which book, stands on the list itself.
    """
    assert interaction.message is not None
    [shown] = interaction.message.embeds
    _, _, book = (shown.footer.text or "").partition(BEFORE_BOOK)
    await show_places(interaction, shown.author.name or "", book or None, sent.number)


async def show_places(interaction: Pressed, query: str, book: str | None, number: int) -> None:
    """Show a page of the places where the books speak of something, or the last one."""
    bot, texts = interaction.client, texts_in(interaction.locale.value)
    reader = await bot.readers.player(interaction.user, interaction.guild_id)
    option = None if book is None or is_all(book) else book
    scoped = bot.asking.scoped(reader, option, where(interaction.channel))
    library = bot.library.limited_to(reader.games)
    found = await library.search(query, reader.audience, scoped, PLACES)
    places = [page for page in found if page.is_citable]
    last = max(0, (len(places) - 1) // PLACES_A_PAGE)
    number = min(number, last)
    shown = places[number * PLACES_A_PAGE :][:PLACES_A_PAGE]
    lines = await asyncio.to_thread(place_lines, shown, query, texts)
    numbered = [f"{number + 1}/{last + 1}", *([option] if option else [])]
    embed = places_embed(query, lines or texts("places-none"), BEFORE_BOOK.join(numbered))
    row = row_of(turned("places", number, last + 1, texts)) if last else None
    await respond(interaction, embed=embed, view=row)
