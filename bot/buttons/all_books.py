"""The same question asked of all books, where somebody had chosen some of them."""

from typing import TYPE_CHECKING

from bot.books.scope import ALL_BOOKS
from bot.buttons.answer_button import AnswerButton
from bot.messages.reply_message import acknowledge

if TYPE_CHECKING:
    from bot.buttons.answer_button import Pressed


class AllBooksButton(AnswerButton, name="all"):
    """Asks the question of an answer in all books that may be asked here."""

    async def pressed(self, interaction: "Pressed") -> None:
        """Ask it."""
        await acknowledge(interaction, private=True)
        asking = interaction.client.asking
        kept = await asking.kept(interaction, self.answer)
        await asking.by_button(interaction, kept.question, kept, book=ALL_BOOKS)
