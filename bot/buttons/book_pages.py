"""The list of books, as many to a message as it holds, and the buttons that turn it."""

from bot.buttons.rows import row_of, turned
from bot.buttons.sent import Pressed
from bot.messages.reply_message import respond
from bot.render.book_lines import book_lines
from bot.render.embeds import list_embeds
from bot.texts import texts_in
from rag.config import Audience
from rag.errors import EmptyLibrary


async def show_books(interaction: Pressed, number: int, audience: Audience = "player") -> None:
    """Show a page of the books that somebody may ask, or the last one. Raises `EmptyLibrary`."""
    bot, locale = interaction.client, interaction.locale.value
    texts = texts_in(locale)
    reader = await bot.asking.reader(interaction, audience)
    books = bot.open_books(reader)
    if not books:
        raise EmptyLibrary
    notices = [f"-# {texts(key)}" for key in bot.standing_notices]
    title = texts("books-title", count=len(books))
    pages = list_embeds(title, [*notices, *book_lines(books, texts, locale)])
    number = min(number, len(pages) - 1)
    buttons = turned("gmbooks" if audience == "gm" else "books", number, len(pages), texts)
    row = row_of(buttons) if buttons else None
    await respond(interaction, embed=pages[number], view=row)
