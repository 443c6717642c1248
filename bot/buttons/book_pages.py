"""The list of books, as many to a message as it holds, and the buttons that turn it."""

from typing import TYPE_CHECKING

import discord

from bot.buttons.answer_button import NO_ANSWER, AnswerButton
from bot.messages.calls import persist
from bot.messages.reply_message import accept
from bot.render.book_lines import book_lines
from bot.render.embeds import list_embeds
from bot.texts import texts_in
from rag.config import Audience
from rag.errors import EmptyLibrary
from rag.texts import Texts

if TYPE_CHECKING:
    from bot.buttons.answer_button import Pressed


class TurnBooksButton(AnswerButton, name="books"):
    """Turns to another page of the list; its number is that page's."""

    async def pressed(self, interaction: "Pressed") -> None:
        """Show it in the same message."""
        await accept(interaction)
        await show_books(interaction, self.number)


class TurnGmBooksButton(AnswerButton, name="gmbooks"):
    """Turns to another page of the GM's list; its number is that page's."""

    async def pressed(self, interaction: "Pressed") -> None:
        """Show it in the same message."""
        await accept(interaction)
        await show_books(interaction, self.number, "gm")


TURNING = {"player": TurnBooksButton, "gm": TurnGmBooksButton}


async def show_books(interaction: "Pressed", number: int, audience: Audience = "player") -> None:
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
    row = _row(number, len(pages), texts, audience)
    await persist(lambda: interaction.edit_original_response(embed=pages[number], view=row))


def _row(number: int, pages: int, texts: Texts, audience: Audience) -> discord.ui.View | None:
    """Back and forth, where there are several pages."""
    if pages == 1:
        return None
    row = discord.ui.View(timeout=None)
    turning, back, on = TURNING[audience], max(0, number - 1), number + 1
    row.add_item(turning(NO_ANSWER, texts("button-previous"), back, disabled=number == 0))
    row.add_item(turning(NO_ANSWER, texts("button-next"), on, disabled=on >= pages))
    return row
