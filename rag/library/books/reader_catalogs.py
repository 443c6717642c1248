"""What each reader's library calls its books: titles told apart, codes as declared or as the books say."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from rag.library.books.book import BookSummary, Numbering, ParsedBook
from rag.library.books.catalog import Catalog, plain
from rag.library.books.library_toml import DeclaredBook, audience_of, game_of
from rag.library.books.titles import title_of_file

if TYPE_CHECKING:
    from rag.config import Audience

READERS: "tuple[Audience, ...]" = ("player", "gm")


@dataclass(frozen=True, slots=True)
class NamedBook:
    """A book as read, with what is declared about it."""

    file: str
    parsed: ParsedBook
    declared: DeclaredBook | None

    @property
    def numbers(self) -> frozenset[str]:
        """Its printed page numbers; roman ones begin anew in every volume and tell nothing."""
        return frozenset(page.label for page in self.parsed.pages if page.label and page.label.isdecimal())


def catalogs(books: Iterable[NamedBook]) -> "dict[Audience, Catalog]":
    """The library as each reader may know it, in order of file."""
    ordered = sorted(books, key=lambda book: book.file)
    named = _told_apart(ordered)
    return {
        reader: _with_codes([named[book.file] for book in ordered if _may_read(reader, book)], ordered)
        for reader in READERS
    }


def _may_read(reader: "Audience", book: NamedBook) -> bool:
    return reader == "gm" or audience_of(book.file, book.declared) == "player"


def _summary(book: NamedBook) -> BookSummary:
    labels = [page.label for page in book.parsed.pages if page.label]
    numbering: Numbering = "printed" if labels else "unread" if book.parsed.numbers_unread else "unnumbered"
    declared_title = book.declared.title if book.declared else None
    return BookSummary(
        title=declared_title or book.parsed.title or title_of_file(PurePosixPath(book.file)),
        file=book.file,
        game=game_of(book.file),
        language=book.parsed.language,
        audience=audience_of(book.file, book.declared),
        codes=book.declared.usable_codes if book.declared else (),
        pages=len({page.pdf_page for page in book.parsed.pages}),
        first_label=labels[0] if labels else None,
        last_label=labels[-1] if labels else None,
        references=0,
        resolved=0,
        problems=_unread_numbers(book.file) if numbering == "unread" else (),
        numbering=numbering,
    )


def _unread_numbers(file: str) -> tuple[dict[str, Any], ...]:
    return ({"key": "book-numbers-unread", "values": {"file": file}},)


def _told_apart(books: Sequence[NamedBook]) -> dict[str, BookSummary]:
    """A summary of each book, by file; books that share a title but no work are told apart by file name.

    Books for everyone are named first, as if those for the GM were not there.
    """
    numbers = {book.file: book.numbers for book in books}
    named: dict[str, BookSummary] = {}
    for audience in READERS:
        same_title: defaultdict[str, list[BookSummary]] = defaultdict(list)
        for book in books:
            summary = named.get(book.file) or _summary(book)
            if summary.audience == audience or book.file in named:
                same_title[plain(summary.title)].append(summary)
        for group in same_title.values():
            is_clear = _is_one_work(group, numbers)
            for summary in group:
                if summary.file not in named:
                    named[summary.file] = summary if is_clear else _by_file_name(summary)
    return named


def _is_one_work(books: Sequence[BookSummary], numbers: Mapping[str, Collection[str]]) -> bool:
    """Whether books of one title are one book, or volumes of a work: their printed pages do not overlap."""
    if len(books) == 1:
        return True
    pages = [page for book in books for page in numbers[book.file]]
    is_numbered = all(numbers[book.file] for book in books)
    return is_numbered and len(pages) == len(set(pages)) and len({book.game for book in books}) == 1


def _by_file_name(book: BookSummary) -> BookSummary:
    stem = PurePosixPath(book.file).stem
    notice = {"key": "book-same-title", "values": {"file": book.file, "title": book.title}}
    return replace(book, title=f"{book.title} ({stem})", problems=(*book.problems, notice))


def _with_codes(summaries: Sequence[BookSummary], books: Sequence[NamedBook]) -> Catalog:
    """A catalog whose books also have the codes that books in it give them in their own words."""
    catalog = Catalog(summaries)
    by_file = {summary.file: summary for summary in summaries}
    codes = {summary.file: list(summary.codes) for summary in summaries}
    for book in books:
        home = by_file.get(book.file)
        if home is None:
            continue
        for code, name in sorted(book.parsed.codes.items()):
            for meant in catalog.works(name, home):
                if code not in codes[meant.file]:
                    codes[meant.file].append(code)
    return Catalog(replace(summary, codes=tuple(codes[summary.file])) for summary in summaries)
