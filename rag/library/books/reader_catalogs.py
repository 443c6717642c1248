"""What each reader's library calls its books: titles told apart, codes as declared or proven."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any

from rag.config import Audience
from rag.library.books.book import BookSummary, Numbering, ParsedBook, Problem
from rag.library.books.catalog import Catalog, plain
from rag.library.books.files import kind_of
from rag.library.books.health import health_of
from rag.library.books.library_toml import DeclaredBook, DeclaredGame, audience_of, game_of, server_of
from rag.library.books.titles import title_of_file

READERS: tuple[Audience, ...] = ("player", "gm")


@dataclass(frozen=True, slots=True)
class NamedBook:
    """A book as read, with what is declared about it, and the files that repeat its own."""

    file: str
    parsed: ParsedBook
    declared: DeclaredBook | None
    copies: tuple[str, ...] = ()
    game: DeclaredGame | None = None

    @property
    def numbers(self) -> frozenset[str]:
        """Its printed page numbers; roman ones begin anew in every volume and tell nothing."""
        return frozenset(page.label for page in self.parsed.pages if page.label and page.label.isdecimal())


def catalogs(books: Iterable[NamedBook]) -> dict[Audience, Catalog]:
    """The library as each reader may know it, in order of file."""
    ordered = sorted(books, key=lambda book: book.file)
    numbers = {book.file: book.numbers for book in ordered}
    summaries = [_summary(book) for book in ordered]
    read = {
        reader: [book for book in summaries if reader == "gm" or book.audience == "player"]
        for reader in READERS
    }
    named = _told_apart(read, lambda group: _is_one_work(group, numbers))
    return {reader: Catalog(named[book.file] for book in books) for reader, books in read.items()}


def with_new_books(
    before: Mapping[Audience, Collection[BookSummary]], new: Iterable[NamedBook]
) -> dict[Audience, tuple[BookSummary, ...]]:
    """The books of before with new ones beside them, as each reader may know them, in order of file.

    Nothing is read of those of before: whoever has the title of a new one is told apart by file name.
    """
    added = catalogs(new)
    files = {book.file for book in added["gm"].books}
    read = {reader: (*before[reader], *added[reader].books) for reader in READERS}
    named = _told_apart(read, lambda group: len({book.file in files for book in group}) == 1)
    return {
        reader: tuple(named[file] for file in sorted(book.file for book in books))
        for reader, books in read.items()
    }


def _summary(book: NamedBook) -> BookSummary:
    declared = book.declared or DeclaredBook(book.file)
    pages = book.parsed.pages
    sheets = len({page.pdf_page for page in pages})
    labels = [page.label for page in pages if page.label]
    numbers = [int(label) for label in labels if label.isdecimal()]
    numbering: Numbering = "printed" if labels else "unread" if book.parsed.numbers_unread else "unnumbered"
    health = health_of(pages, book.parsed.known_words)
    told: list[tuple[str, dict[str, Any]]] = [("book-numbers-unread", {})] if numbering == "unread" else []
    told += [("book-copied", {"copy": copy}) for copy in book.copies]
    told += [(key, {"pages": sheets, **asdict(health)}) for key in health.problems(sheets)]
    return BookSummary(
        title=declared.title or book.parsed.title or title_of_file(PurePosixPath(book.file)),
        file=book.file,
        game=(book.game and book.game.name) or game_of(book.file),
        language=book.parsed.language,
        audience=audience_of(book.file, declared),
        codes=declared.usable_codes,
        pages=sheets,
        first_label=labels[0] if labels else None,
        last_label=labels[-1] if labels else None,
        health=health,
        problems=tuple({"key": key, "values": {"file": book.file, **values}} for key, values in told),
        kind=kind_of(book.file),
        numbering=numbering,
        sections=0 if labels else len(book.parsed.sections),
        numbers=(numbers[0], numbers[-1]) if numbers else None,
        game_aliases=book.game.aliases if book.game else (),
    )


def _told_apart(
    read: "Mapping[Audience, Sequence[BookSummary]]", is_clear: Callable[[Sequence[BookSummary]], bool]
) -> dict[str, BookSummary]:
    """Each book, by file; books that share a title where that is not clear are told apart by file name.

    Books for everyone are named first, as if those for the GM were not there.
    """
    named: dict[str, BookSummary] = {}
    for reader in READERS:
        of_title: defaultdict[tuple[str, int | None], list[BookSummary]] = defaultdict(list)
        for book in read[reader]:
            of_title[plain(book.title), server_of(book.file)].append(named.get(book.file, book))
        for group in of_title.values():
            is_told = len(group) == 1 or is_clear(group)
            for book in group:
                named.setdefault(book.file, book if is_told else _by_file_name(book, group))
    return named


def _is_one_work(books: Sequence[BookSummary], numbers: Mapping[str, Collection[str]]) -> bool:
    """Whether books of one title are one book, or volumes of a work: their printed pages do not overlap."""
    pages = [page for book in books for page in numbers[book.file]]
    is_numbered = all(numbers[book.file] for book in books)
    return is_numbered and len(pages) == len(set(pages)) and len({book.game for book in books}) == 1


def _by_file_name(book: BookSummary, group: Iterable[BookSummary]) -> BookSummary:
    """A book with its file's name behind its title; with the whole path where another has that name."""
    stem = PurePosixPath(book.file).stem
    is_shared = any(PurePosixPath(other.file).stem == stem for other in group if other.file != book.file)
    notice = {"key": "book-same-title", "values": {"file": book.file, "title": book.title}}
    title = f"{book.title} ({book.file if is_shared else stem})"
    return replace(book, title=title, problems=(*book.problems, notice))


def codes_shared(declared: Mapping[str, DeclaredBook], books: Iterable[BookSummary]) -> Iterator[Problem]:
    """Codes that are declared for two books of one game which are no volumes of one work."""
    catalog = Catalog(books)
    described = [
        (book, {*declared[book.file].usable_codes}) for book in catalog.books if book.file in declared
    ]
    for (other, before), (book, codes) in combinations(described, 2):
        if book.game == other.game and book not in catalog.volumes(other):
            for code in sorted(before & codes):
                values = {"file": book.file, "code": code, "other": other.file}
                yield Problem(book.file, "book-code-shared", values)


def with_codes(catalog: Catalog, proven: Mapping[str, Mapping[str, Collection[str]]]) -> Catalog:
    """A catalog whose books also have the codes that any of them prints for them.

    `proven` tells for the file of each book which files the codes in it mean.
    """
    codes = {book.file: dict.fromkeys(book.codes) for book in catalog.books}
    for home in catalog.books:
        for code, files in proven.get(home.file, {}).items():
            for file in codes.keys() & files:
                codes[file][code] = None
    return Catalog(replace(book, codes=tuple(codes[book.file])) for book in catalog.books)
