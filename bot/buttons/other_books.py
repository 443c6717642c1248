"""The same question asked of other books: of another game, or of all that may be asked."""

import zlib

from bot.books.scope import ALL_BOOKS
from bot.buttons.answer_button import AnswerButton, Pressed
from bot.errors import OtherGameGone
from bot.messages.reply_message import acknowledge


class AllBooksButton(AnswerButton, name="all"):
    """Asks the question of an answer in all books that may be asked here."""

    async def pressed(self, interaction: Pressed) -> None:
        """Ask it."""
        await acknowledge(interaction, private=True)
        asking = interaction.client.asking
        kept = await asking.kept(interaction, self.answer)
        await asking.by_button(interaction, kept.question, kept, book=ALL_BOOKS)


class OtherGameButton(AnswerButton, name="game"):
    """Asks the question of an answer in another game, which it knows by a number made of its name."""

    async def pressed(self, interaction: Pressed) -> None:
        """Ask it. Raises `OtherGameGone` where there is no such game any more."""
        await acknowledge(interaction, private=True)
        bot = interaction.client
        kept = await bot.asking.kept(interaction, self.answer)
        reader = await bot.asking.reader(interaction, kept.audience)
        games = {book.own_game for book in bot.library.limited_to(reader.games).books(reader.audience)}
        game = next((game for game in games if number_of_game(game) == self.number), None)
        if game is None:
            raise OtherGameGone
        await bot.asking.by_button(interaction, kept.question, kept, book=game)


def number_of_game(game: str) -> int:
    """A number that means a game, the same in every process: a button's id has no room for any name."""
    return zlib.crc32(game.encode())
