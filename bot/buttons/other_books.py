"""The same question once more: of all books that may be asked, of another game, or as it was."""

from bot.books.scope import ALL_BOOKS
from bot.buttons.sent import Pressed, Sent, number_of
from bot.errors import OtherGameGone


async def ask_all_books(interaction: Pressed, sent: Sent) -> None:
    """Ask the question of an answer in all books that may be asked here."""
    asking = interaction.client.asking
    kept = await asking.kept(interaction, sent.answer)
    await asking.by_button(interaction, kept.question, kept, book=ALL_BOOKS)


async def ask_other_game(interaction: Pressed, sent: Sent) -> None:
    """Ask the question of an answer in the game of the number. Raises `OtherGameGone` where there is none."""
    bot = interaction.client
    kept = await bot.asking.kept(interaction, sent.answer)
    reader = await bot.asking.reader(interaction, kept.audience)
    games = {book.own_game for book in bot.library.limited_to(reader.games).books(reader.audience)}
    game = next((game for game in games if number_of(game) == sent.number), None)
    if game is None:
        raise OtherGameGone
    await bot.asking.by_button(interaction, kept.question, kept, book=game)


async def ask_again(interaction: Pressed, sent: Sent) -> None:
    """Ask the same question where the conversation goes on."""
    asking = interaction.client.asking
    kept = await asking.own(interaction, sent.answer)
    await asking.by_button(interaction, kept.question, kept)


async def try_again(interaction: Pressed, sent: Sent) -> None:
    """Ask the question of a failure, to be answered on the message that says it failed."""
    await interaction.client.asking.by_try_again(interaction, sent.answer)
