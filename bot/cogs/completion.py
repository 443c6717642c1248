"""What the `book` option offers while somebody types; pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.library.books.book import BookSummary
from rag.library.books.catalog import plain
from rag.library.language.words import fold

MOST_CHOICES = 25
LONGEST_CHOICE = 100


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of the list, and what it stands for."""

    name: str
    value: str


def book_choices(books: Sequence[BookSummary], typed: str, *, with_games: bool = True) -> list[Choice]:
    """Books, and games where there are several, whose name holds what was typed.

    Case and accents do not count. Names that begin with it come first; at most 25.
    """
    games = list(dict.fromkeys(book.game for book in books if book.game))
    several = len(games) > 1
    titles = Counter(title for title, _ in {(plain(book.title), book.game) for book in books})
    titles.update({plain(game) for game in games})
    offered = [_book_choice(book, several, is_shared=titles[plain(book.title)] > 1) for book in books]
    if with_games and several:
        offered += game_choices(games)
    return _matching(offered, typed)


def game_choices(games: Iterable[str], typed: str = "") -> list[Choice]:
    """Games whose name holds what was typed."""
    return _matching([Choice(_short(game), _short(game)) for game in dict.fromkeys(games)], typed)


def _book_choice(book: BookSummary, several: bool, *, is_shared: bool) -> Choice:
    """A book by its title; where another or a game has the same, by its file, if that is short enough."""
    codes = f" ({', '.join(book.codes)})" if book.codes else ""
    game = f" · {book.game}" if several and book.game else ""
    value = book.file if is_shared and len(book.file) <= LONGEST_CHOICE else _short(book.title)
    return Choice(_short(f"{book.title}{codes}{game}"), value)


def _matching(offered: Sequence[Choice], typed: str) -> list[Choice]:
    ranked = [(_rank(choice.name, typed), place, choice) for place, choice in enumerate(offered)]
    found = [choice for rank, _, choice in sorted(ranked, key=lambda one: one[:2]) if rank < _NO_MATCH]
    return list(dict.fromkeys(found))[:MOST_CHOICES]


_NO_MATCH = 3


def _rank(name: str, typed: str) -> int:
    """The better of two readings: with the article, as somebody begins to type, and without."""
    return min(_place(fold(name), fold(typed).strip()), _place(plain(name), plain(typed)))


def _place(name: str, wanted: str) -> int:
    if name.startswith(wanted):
        return 0
    if f" {wanted}" in name:
        return 1
    return 2 if wanted in name else _NO_MATCH


def _short(name: str) -> str:
    """A name within Discord's limit, in whole words: a part of a title still names the book."""
    if len(name) <= LONGEST_CHOICE:
        return name
    return name[:LONGEST_CHOICE].rsplit(" ", 1)[0]
