"""The books a reader may know, and how people and books name them."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from itertools import chain, takewhile
from pathlib import PurePosixPath

from rag.library.books.book import BookSummary
from rag.library.books.titles import initials_of, names_of
from rag.library.language.language import TITLES
from rag.library.language.words import fold

_NOT_WORD = re.compile(r"[\W_]+")
_ALIKE = 0.7
"""How alike a name must be to be suggested, by `difflib`."""
_MOST_SUGGESTED = 3
_FOUND_KEPT = 20_000
"""Names of which it is kept what they mean."""
_MOST_SKIPPED = 12
"""Unnumbered pages between two volumes of one numbering."""
_ARTICLES = frozenset(TITLES.articles)


def plain(text: str) -> str:
    """A name, or a text that may hold it, without case, accents, punctuation and article, for comparing."""
    words = _NOT_WORD.sub(" ", fold(text)).split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in _ARTICLES else words)


@lru_cache(maxsize=4_096)
def _plain_name(name: str) -> str:
    """The plain name of a book or game, remembered: every question looks at all of them."""
    return plain(name)


class Catalog:
    """Finds books by any name they go by: title, code, file, game, or a part of the title."""

    def __init__(self, books: Iterable[BookSummary]) -> None:
        self.books = tuple(books)
        self._by_file = {book.file: book for book in self.books}
        # The same few names and books are asked for by every reference of a library.
        self._found = lru_cache(maxsize=_FOUND_KEPT)(self._find)
        self._work = cache(self._volumes_of)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """Every title, and what the titles of a work begin with, once."""
        return tuple(dict.fromkeys(title for book in self.books for title in self.titles_of(book)))

    def titles_of(self, book: BookSummary) -> list[str]:
        """The title of a book, and what the titles of all volumes of its work begin with."""
        of_work = [one.title.split() for one in self.volumes(book)]
        begins = [one[0] for one in takewhile(lambda words: len({*words}) == 1, zip(*of_work, strict=False))]
        return list(filter(None, (book.title, " ".join(begins).rstrip(" :,(–—-"))))

    @cached_property
    def codes(self) -> frozenset[str]:
        """Every code of a book."""
        return frozenset(code for book in self.books for code in book.codes)

    def book(self, file: str) -> BookSummary:
        """The book of a file in this catalog."""
        return self._by_file[file]

    def among(self, files: Collection[str]) -> list[BookSummary]:
        """The books of files, as far as they are in this catalog, in order."""
        return [book for book in self.books if book.file in files]

    def of_game(self, game: str) -> Sequence[BookSummary]:
        """The books of a game, in order; those of none for no game."""
        return [book for book in self.books if book.game == game]

    def find(self, name: str, home: BookSummary | None = None) -> list[BookSummary]:
        """The books that `name` means, in order of file: the volumes of a work, or a whole game.

        The most exact reading wins: code or title or file, then game, then a part of a title; at last, where
        somebody asks, the initials of a title or game. A game
        and a book of it that share a name mean the game. Where the name is printed in a book, `home`,
        it means that book, and among equals those of the game of `home` come first alone.
        """
        return list(self._found(name, home.game if home else None))

    def _find(self, name: str, home: str | None) -> list[BookSummary]:
        """The books that a name means where it is printed in a book of the game `home`, or asked for."""
        wanted = plain(name)
        if not wanted:
            return []
        asked = [] if home is not None else [self._initials.get(wanted, [])]
        for matches in chain(self._readings(name, wanted), asked):
            if matches and home is not None:
                return [book for book in matches if book.game == home] or matches
            if matches:
                games = self._games.get(wanted, ())
                return [book for book in self.books if book in matches or book in games]
        return []

    def nearest(self, name: str) -> list[str]:
        """The titles and games that somebody may have meant who misspelt one or a part of it, best first."""
        called = {plain(one): meant for one, meant in names_of(self.titles).items()}
        called |= {plain(book.game): book.game for book in self.books if book.game}
        alike = get_close_matches(plain(name), called, _MOST_SUGGESTED, _ALIKE)
        return list(dict.fromkeys(called[one] for one in alike))

    def own_name(self, book: BookSummary) -> str:
        """A name that means this book alone: its title, or its file where that means others as well."""
        return book.title if self.find(book.title) == [book] else book.file

    def works(self, name: str, home: BookSummary) -> list[BookSummary]:
        """The one work that `name` means where it is printed in `home`; none where it is ambiguous.

        What begins the titles of several books means those that are volumes.
        """
        found = self.find(name, home)
        volumes = max((self.volumes(book) for book in found), key=len, default=[])
        if all(book in volumes for book in found):
            return found
        return volumes if len(volumes) > 1 and all(book in found for book in volumes) else []

    def volumes(self, book: BookSummary) -> list[BookSummary]:
        """The files of the work that `book` belongs to, itself included: those of its title, and those
        through which its page numbers run on under a title that begins alike, or with the same code.
        """
        return list(self._work(book.file))

    def _volumes_of(self, file: str) -> list[BookSummary]:
        book = self._by_file[file]
        of_game = self.of_game(book.game)
        work = [other for other in of_game if other.title == book.title]
        alike = [other for other in of_game if _are_alike(book, other) and other not in work]
        while further := [other for other in alike if any(_run_on(other, one) for one in work)]:
            work += further
            alike = [other for other in alike if other not in further]
        return [other for other in of_game if other in work]

    def _readings(self, name: str, wanted: str) -> Iterator[list[BookSummary]]:
        yield self._exact.get(name, [])
        yield self._exact.get(wanted, [])
        yield self._games.get(wanted, [])
        titles = ((f" {_plain_name(book.title)} ", book) for book in self.books)
        holding = [(title, book) for title, book in titles if f" {wanted} " in title]
        yield [book for title, book in holding if title.endswith(f" {wanted} ")]
        yield [book for _, book in holding]

    @cached_property
    def _exact(self) -> dict[str, list[BookSummary]]:
        """The books by each of their complete names."""
        return _by_name(self.books, _exact_names)

    @cached_property
    def _games(self) -> dict[str, list[BookSummary]]:
        """The books by the plain name of their game."""
        return _by_name(
            self.books,
            lambda book: set(map(_plain_name, (book.game, *book.game_aliases))) if book.game else (),
        )

    @cached_property
    def _initials(self) -> dict[str, list[BookSummary]]:
        """The books by the initials of their titles and games."""
        titles = initials_of(names_of(self.titles))
        games = initials_of({book.game: book.game for book in self.books if book.game})
        called = [*titles.items(), *games.items()]
        return _by_name(
            self.books,
            lambda book: {plain(name) for name, meant in called if meant in (book.title, book.game)},
        )


def _by_name(
    books: Iterable[BookSummary], names: Callable[[BookSummary], Iterable[str]]
) -> dict[str, list[BookSummary]]:
    """The books by each of their names, in order."""
    found: defaultdict[str, list[BookSummary]] = defaultdict(list)
    for book in books:
        for name in names(book):
            found[name].append(book)
    return found


def _run_on(one: BookSummary, other: BookSummary) -> bool:
    """Whether the page numbers of one volume run on in another."""
    if not one.numbers or not other.numbers:
        return False
    earlier, later = sorted((one.numbers, other.numbers))
    return 0 < later[0] - earlier[1] <= _MOST_SKIPPED


def _are_alike(one: BookSummary, other: BookSummary) -> bool:
    """Whether two books of a game share a code, or the first words of their titles besides the game's."""
    if not {*one.codes}.isdisjoint(other.codes):
        return True
    names = [_plain_name(book.title).removeprefix(_plain_name(one.game)).split() for book in (one, other)]
    shared = [word for word, same in zip(*names, strict=False) if word == same]
    return names[0][: len(shared)] == shared and len(shared) >= (1 if one.game else 2)


def _exact_names(book: BookSummary) -> set[str]:
    """Every complete name of a book, as printed and in plain letters, with the game's name and without."""
    path, title, game = PurePosixPath(book.file), _plain_name(book.title), _plain_name(book.game)
    printed = {book.file, book.title, *book.codes}
    short = title.removeprefix(f"{game} ") if game else title
    return printed | {title, short, f"{game} {title}"} | set(map(plain, (*printed, path.name, path.stem)))
