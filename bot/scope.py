"""Which books a question is about: the channel's game, the option, the only game, or all; pure."""

from collections.abc import Sequence

from bot.errors import OtherGame
from rag.errors import UnknownBook
from rag.library.shelf import BookSummary, Shelf


def scope(books: Sequence[BookSummary], option: str | None, bound_game: str | None) -> str | None:
    """The book or game to search in, None for everything.

    A channel bound to a game asks that game's books, and an option narrows to one of them. Without
    a binding the option counts; else everything, which with one game is that game.
    Raises `UnknownBook` and, for a book of another game than the channel's, `OtherGame`.
    """
    if option is None:
        return bound_game
    found = Shelf(books).find(option)
    if books and not found:
        raise UnknownBook(book=option)
    if bound_game and not any(book.game == bound_game for book in found):
        raise OtherGame(book=option, game=bound_game)
    return option


def games(books: Sequence[BookSummary]) -> list[str]:
    """The games of a library, in order of file; books at its root belong to none."""
    return list(dict.fromkeys(book.game for book in books if book.game))
