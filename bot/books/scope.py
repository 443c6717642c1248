"""Which books a question is about: the channel's game, the option, the only game, or all; pure."""

from collections.abc import Sequence

from bot.errors import GameGone, OtherGame
from bot.texts import texts_in
from rag.errors import UnknownBook
from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog, plain
from rag.texts import LOCALES

ALL_BOOKS = "*"
"""An option that narrows nothing; people write it in words."""


def is_all(option: str) -> bool:
    """Whether an option means all books."""
    return option == ALL_BOOKS or plain(option) in {
        plain(texts_in(locale)("books-all")) for locale in LOCALES
    }


def scope(books: Sequence[BookSummary], option: str | None, bound_game: str | None) -> str | None:
    """The book or game to search in, None for everything.

    A channel bound to a game asks that game's books, and an option narrows to one of them. Without
    a binding the option counts; else everything, which with one game is that game.
    Raises `UnknownBook`, `OtherGame` for a book of another game than the channel's, and `GameGone`
    where the channel's game has left the library.
    """
    if not books:
        return option or bound_game
    if bound_game and bound_game not in games(books):
        raise GameGone(game=bound_game)
    if option is None:
        return bound_game
    catalog = Catalog(books)
    if not catalog.find(option):
        raise UnknownBook(option, catalog.nearest(option))
    if bound_game is None:
        return option
    narrowed = within(books, option, bound_game)
    if narrowed is None:
        raise OtherGame(book=option, game=bound_game)
    return narrowed


def narrowed_to(books: Sequence[BookSummary], scoped: str | None) -> str | None:
    """The title or game by which people know what is searched; None where that is everything."""
    found = Catalog(books).find(scoped) if scoped else []
    if scoped is None or len(found) == len(books):
        return None
    names = {book.title for book in found}, {book.game for book in found}
    return next((name for only in names if len(only) == 1 for name in only if name), scoped)


def within(books: Sequence[BookSummary], option: str, game: str) -> str | None:
    """A name for what `option` means in a game, and for nothing elsewhere; None where it means nothing there.

    A part of several titles, some of another game, has no such name: it stands for its whole game then.
    """
    catalog = Catalog(books)
    meant = [book for book in catalog.find(option) if book.game == game]
    if not meant:
        return None
    names = (option, meant[0].file, f"{game} {meant[0].title}")
    return next((name for name in names if catalog.find(name) == meant), game)


def games(books: Sequence[BookSummary]) -> list[str]:
    """The games of a library, in order of file; books at its root belong to none."""
    return list(dict.fromkeys(book.game for book in books if book.game))
