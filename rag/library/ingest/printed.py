"""What books print of one another: read once, and again where it may read otherwise."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from rag.library.books.catalog import Catalog
from rag.library.books.house_rules import are_house_rules
from rag.library.books.reader_catalogs import NamedBook
from rag.library.books.titles import names_of
from rag.library.ingest.plan import digest
from rag.library.references import Reference, find_references
from rag.library.references.code_evidence import Work, proven_codes
from rag.library.references.patterns import any_of

_PRINTED = "printed.json"


class PrintedBook(NamedTuple):
    """The references on each page of a file that was read so, found with the codes in use there."""

    content: str = ""
    codes: frozenset[str] = frozenset()
    pages: tuple[tuple[Reference, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Printed:
    """The references in each file, found with the titles of a library, and what the codes in it mean.

    The codes of a game are kept by a digest of all that they are proven from.
    """

    titles: tuple[str, ...] = ()
    books: dict[str, PrintedBook] = field(default_factory=dict)
    codes: dict[str, dict[str, dict[str, Work]]] = field(default_factory=dict)

    @classmethod
    def load(cls, directory: Path) -> "Printed":
        """What was found for the links in a directory; nothing where that was not kept, or is damaged."""
        try:
            return _ADAPTER.validate_json((directory / _PRINTED).read_bytes())
        except (FileNotFoundError, ValueError):
            return cls()

    def save(self, directory: Path) -> None:
        """Keep it beside the links in a directory."""
        (directory / _PRINTED).write_bytes(_ADAPTER.dump_json(self, exclude_defaults=True))


_ADAPTER = TypeAdapter(Printed)


class ReferenceReader:
    """Finds what the books of a catalog print; what was found `before` is taken over where it still holds."""

    def __init__(self, before: Printed, catalog: Catalog, contents: Mapping[str, str]) -> None:
        self._before, self._catalog, self._contents = before, catalog, contents
        self._renamed = {*names_of(before.titles)} ^ {*names_of(catalog.titles)}
        self.printed = Printed(catalog.titles)

    def codes(self, books: Collection[NamedBook]) -> dict[str, dict[str, Work]]:
        """For each file the codes whose meaning is proven where it is printed, with the files they mean."""
        found: dict[str, dict[str, Work]] = {}
        for game in dict.fromkeys(book.game for book in self._catalog.books):
            own = [book for book in books if self._catalog.book(book.file).game == game]
            key = digest([self._proofs(book) for book in own])
            self.printed.codes[key] = self._before.codes.get(key) or proven_codes(own, self._catalog)
            found |= self.printed.codes[key]
        return found

    def _proofs(self, book: NamedBook) -> list[object]:
        """What codes of its game depend on in a book: all that it holds, its names, what it states."""
        home = self._catalog.book(book.file)
        stated = book.parsed.codes_as(home.title).values()
        meant = [[one.file for one in self._catalog.works(title, home)] for title in stated]
        return [book.file, self._contents[book.file], self._catalog.titles_of(home), meant]

    def references(self, book: NamedBook, codes: Collection[str]) -> tuple[tuple[Reference, ...], ...]:
        """The references on each page of a book that holds text.

        A page is read again where a name or code stands on it that has come or gone since.
        """
        content, kept = self._contents[book.file], self._before.books.get(book.file, PrintedBook())
        names = any_of(self._renamed | (kept.codes ^ {*codes}))
        is_renamed = re.compile(rf"(?<!\w){names}(?![^\W\d_])").search
        before = kept.pages if kept.content == content else ()

        def find(text: str) -> tuple[Reference, ...]:
            is_own = are_house_rules(book.file)
            return tuple(find_references(text, self.printed.titles, codes, in_notes=is_own))

        pages = tuple(
            find(page.text if page.kind == "text" else "")
            if known is None or is_renamed(page.text)
            else known
            for page, known in zip_longest(book.parsed.pages, before)
        )
        self.printed.books[book.file] = PrintedBook(content, frozenset(codes), pages)
        return pages
