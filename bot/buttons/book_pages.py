"""The list of books, as many to a message as it holds, and the buttons that turn it."""

from bot.buttons.answer_button import AnswerButton, Pressed, row_of, turned
from bot.messages.reply_message import accept, respond
from bot.render.book_lines import book_lines
from bot.render.embeds import list_embeds
from bot.texts import texts_in
from rag.config import Audience
from rag.errors import EmptyLibrary


class TurnBooksButton(AnswerButton, name="books"):
    """Turns to another page of the list; its number is that page's."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it in the same message."""
        await accept(interaction)
        await show_books(interaction, self.number)


class TurnGmBooksButton(AnswerButton, name="gmbooks"):
    """Turns to another page of the GM's list; its number is that page's."""

    async def pressed(self, interaction: Pressed) -> None:
        """Show it in the same message."""
        await accept(interaction)
        await show_books(interaction, self.number, "gm")


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
    buttons = turned(TurnGmBooksButton if audience == "gm" else TurnBooksButton, number, len(pages), texts)
    row = row_of(buttons) if buttons else None
    await respond(interaction, embed=pages[number], view=row)
