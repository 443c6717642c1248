"""How books point at one another: printed references and corrections, written into a new snapshot."""

import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeAlias

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog
from rag.library.books.house_rules import are_house_rules
from rag.library.books.page import Page
from rag.library.books.reader_catalogs import READERS, NamedBook
from rag.library.references import Reference, find_references
from rag.library.references.corrections import (
    PageSpan,
    PrintedCorrection,
    corrected_places,
    corrections,
    is_all_errata,
    overlap,
    rules_named,
    section_named,
)
from rag.library.references.entries import entries, tied_name
from rag.library.references.resolve import BookIndex, PageRange, Resolver

if TYPE_CHECKING:
    from rag.config import Audience


_NEAR = 40
"""Characters between a link and the page printed beside it."""
Resolved: TypeAlias = "tuple[Reference, dict[Audience, PageRange | None]]"
"""A reference, and the pages it means for each reader who has the book it is printed in."""


@dataclass(slots=True)
class ReferenceCount:
    """References of a book: found in its text, and resolved to a page."""

    found: int = 0
    resolved: int = 0

    def told_of(self, book: BookSummary) -> BookSummary:
        """The book with its references counted."""
        share = round(self.resolved / self.found, 3) if self.found else None
        health = replace(book.health, references=share)
        return replace(book, references=self.found, resolved=self.resolved, health=health)


class Links:
    """The references and corrections among the books of a library, as each reader may know them.

    The ids of pages count all pages by order of file.
    """

    def __init__(
        self,
        database: sqlite3.Connection,
        books: Mapping[str, NamedBook],
        catalogs: "Mapping[Audience, Catalog]",
        codes: Mapping[str, Mapping[str, Collection[str]]],
    ) -> None:
        self._database = database
        self._books = books
        self._catalogs = catalogs
        self._codes = codes
        self._catalog = catalogs["gm"]
        self._summaries = {reader: {book.file: book for book in catalogs[reader].books} for reader in READERS}
        self._are_alike = catalogs["player"].books == catalogs["gm"].books
        self._firsts: dict[str, int] = {}
        total = 0
        for book in self._catalog.books:
            self._firsts[book.file] = total
            total += len(books[book.file].parsed.pages)
        # Of files without a page that begin at the same number the last has it.
        self._files, self._first_pages = list(self._firsts), list(self._firsts.values())
        self._ids = {
            file: {page.position: number for number, page in enumerate(books[file].parsed.pages, first)}
            for file, first in self._firsts.items()
        }
        self._indexes = {
            file: BookIndex(first, books[file].parsed.pages) for file, first in self._firsts.items()
        }
        self._resolver = cache(self._resolver_for)
        self._amended = {book.file: self._amends(book) for book in self._catalog.books}
        self._corrections = {
            book.file: self._entries(book)
            if _is_house_rules(book)
            else corrections(books[book.file].parsed.pages, is_amendment=self._amended[book.file] is not None)
            for book in self._catalog.books
        }

    def add_references(self) -> "dict[tuple[Audience, str], ReferenceCount]":
        """Write down every reference on the books' pages; count by reader and file what resolves."""
        counts = {(reader, file): ReferenceCount() for reader in READERS for file in self._summaries[reader]}
        for book in self._catalog.books:
            codes = self._codes_in_use(book, self._catalog)
            # What a player's page points to is named from the player's books alone.
            names = self._codes_in_use(book, self._catalogs["player" if book.audience == "player" else "gm"])
            rows = []
            for page_id, page, references in self._printed(book, codes):
                resolved = [(one, self._meant(one, page_id, book)) for one in references]
                for reference, meant in with_linked(resolved, self._linked(page, book)):
                    rows.append(_row(page_id, reference, names, meant))
                    for reader, target in meant.items():
                        counts[reader, book.file].found += 1
                        counts[reader, book.file].resolved += target is not None
            self._database.executemany("INSERT INTO page_references VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        return counts

    def add_amendments(self) -> None:
        """Write down which places of which pages are corrected where: by page number, or by name."""
        for home in self._catalog.books:
            amends = self._amended[home.file]
            found = self._corrections[home.file]
            for reader in READERS:
                if home.file not in self._summaries[reader]:
                    continue
                for correction in found:
                    self._add_correction(home, correction, found, amends, reader)

    def _printed(
        self, book: BookSummary, codes: Collection[str]
    ) -> "list[tuple[int, Page, Sequence[Reference]]]":
        """The pages of a book that hold text, each with its id and the references printed on it."""
        pages = [
            (number, page)
            for number, page in enumerate(self._books[book.file].parsed.pages, self._firsts[book.file])
            if page.kind == "text"
        ]
        titles, in_notes = self._catalog.titles, _is_house_rules(book)
        return [
            (number, page, find_references(page.text, titles, codes, in_notes=in_notes))
            for number, page in pages
        ]

    def _meant(
        self, reference: Reference, page: int, book: BookSummary
    ) -> "dict[Audience, PageRange | None]":
        """The pages a reference means, for each reader who has the book it is printed in."""
        speaks_of = self._speaks_of(book, page, reference)
        meant: dict[Audience, PageRange | None] = {}
        for reader, summaries in self._summaries.items():
            if book.file not in summaries:
                continue
            if meant and self._are_alike:
                meant[reader] = next(iter(meant.values()))
            elif speaks_of not in summaries:
                meant[reader] = None
            else:
                meant[reader] = self._resolver(speaks_of, reader).resolve(reference, page)
        return meant

    def _linked(self, page: Page, book: BookSummary) -> list[Resolved]:
        """What the book's file itself connects with pages of this library, as references."""
        linked = []
        for start, end, pdf_page, path in page.links:
            file = self._file_at(path, book) if path else book.file
            if file and (target := self._indexes[file].sheet(pdf_page)):
                meant = {
                    reader: target if file in summaries else None
                    for reader, summaries in self._summaries.items()
                    if book.file in summaries
                }
                linked.append((Reference(page.text[start:end], start, end), meant))
        return linked

    def _resolver_for(self, file: str, reader: "Audience") -> Resolver:
        """What resolves references that are printed in a book, or as if they were."""
        catalog = self._catalogs[reader]
        return Resolver(catalog.book(file), catalog, self._indexes, self._codes.get(file, {}))

    def _file_at(self, path: str, home: BookSummary) -> str | None:
        """The book of the library that a path in another book means: by its name, nearest to that book."""
        named = self._files_called.get(PurePosixPath(path.replace("\\", "/")).name.lower(), [])
        near = [file for file in named if self._catalog.book(file).game == home.game] or named
        return near[0] if len(near) == 1 else None

    @cached_property
    def _files_called(self) -> dict[str, list[str]]:
        """The files by their names in small letters, without their folders."""
        called: defaultdict[str, list[str]] = defaultdict(list)
        for file in self._firsts:
            called[PurePosixPath(file).name.lower()].append(file)
        return called

    def _speaks_of(self, book: BookSummary, page: int, reference: Reference) -> str:
        """The file that a page number without a book means: in a correction, the book that is corrected."""
        amends = self._amended[book.file]
        if not amends or reference.book or reference.relative:
            return book.file
        position = self._books[book.file].parsed.pages[page - self._firsts[book.file]].position
        correction = next(
            (
                one
                for one in self._corrections[book.file]
                if one.place.position == position and one.place.start <= reference.start < one.place.end
            ),
            None,
        )
        return amends if correction and not self._corrects_itself(book, correction, reference) else book.file

    def _corrects_itself(
        self, book: BookSummary, correction: PrintedCorrection, reference: Reference
    ) -> bool:
        """Whether the page of that number in the correcting book itself holds the rule that is named."""
        index = self._indexes[book.file]
        target = index.labelled(reference.first or "")
        besides = self._ids[book.file][correction.place.position]
        return target is not None and bool(correction.name) and index.says(target, correction.name, besides)

    def _entries(self, book: BookSummary) -> list[PrintedCorrection]:
        """The entries of a table's own rules."""
        codes = self._codes_in_use(book, self._catalog)
        return [
            entry
            for page in self._books[book.file].parsed.pages
            for entry in entries(page, self._notes_in(page.text, codes))
        ]

    def _notes_in(self, text: str, codes: Collection[str]) -> list[tuple[int, int]]:
        """Where a group's notes refer to pages."""
        found = find_references(text, self._catalog.titles, codes, in_notes=True)
        return [(one.start, one.end) for one in found if one.first]

    def _text(self, book: BookSummary, page: int) -> str:
        """The text of a page of a book, by the page's id."""
        return self._books[book.file].parsed.pages[page - self._firsts[book.file]].text

    def _amends(self, book: BookSummary) -> str | None:
        """The file that a book corrects: as declared; of mere errata and of a table's own rules, the only
        other book of its game.
        """
        held = self._books[book.file]
        declared = held.declared.amends if held.declared else None
        if declared or not (_is_house_rules(book) or is_all_errata(held.parsed.pages)):
            return declared if declared in self._books else None
        others = [other.file for other in self._catalog.books if other.game == book.game and other != book]
        return others[0] if len(others) == 1 else None

    def _add_correction(
        self,
        home: BookSummary,
        correction: PrintedCorrection,
        beside: Sequence[PrintedCorrection],
        amends: str | None,
        reader: "Audience",
    ) -> None:
        """Write down what a correction in `home` changes; `beside` are all corrections there."""
        amending = self._ids[home.file][correction.place.position]
        own = [other.place for other in beside]
        changed = [
            (file, place)
            for file, place in [
                *self._changed_by_name(home, correction, amends, reader),
                *self._changed_by_number(home, correction, amending, reader),
            ]
            if file != home.file or not overlap(place, own)
        ]
        self._database.executemany(
            "INSERT OR IGNORE INTO amendments VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    reader,
                    self._ids[file][place.position],
                    place.start,
                    place.end,
                    amending,
                    correction.place.start,
                    correction.place.end,
                )
                for file, place in changed
            ],
        )

    def _changed_by_name(
        self, home: BookSummary, correction: PrintedCorrection, amends: str | None, reader: "Audience"
    ) -> list[tuple[str, PageSpan]]:
        """The places it names in the book it amends, else in the books of its game, its own included."""
        files = [amends] if amends else [book.file for book in self._catalog.books if book.game == home.game]
        is_own = _is_house_rules(home)
        return [
            (file, place)
            for file in files
            if (book := self._summaries[reader].get(file))
            for place in corrected_places(
                correction, self._books[file].parsed.pages, book.title, is_own=is_own
            )
        ]

    def _changed_by_number(
        self, home: BookSummary, correction: PrintedCorrection, amending: int, reader: "Audience"
    ) -> list[tuple[str, PageSpan]]:
        """The single pages it refers to, or what it names on them.

        Of a table's own rules those pages alone that stand behind the name of a rule, on a line.
        """
        rows = self._database.execute(
            f"SELECT start, text, {reader}_page FROM page_references "
            f"WHERE page = ? AND {reader}_page = {reader}_last AND {reader}_page <> page",
            (amending,),
        ).fetchall()
        place, text = correction.place, self._text(home, amending)
        names = {
            (page, tied_name(text, at, at + len(printed)) if _is_house_rules(home) else "")
            for at, printed, page in rows
            if place.start <= at < place.end
        }
        return [
            (self._file_of(page), section)
            for page, name in sorted(names)
            for section in self._changed_on(page, name, correction, is_own=_is_house_rules(home))
        ]

    def _changed_on(
        self, page: int, name: str, correction: PrintedCorrection, *, is_own: bool
    ) -> list[PageSpan]:
        """What a correction changes on a page; a table's own rule what it names there."""
        file = self._file_of(page)
        target = self._books[file].parsed.pages[page - self._firsts[file]]
        if is_own:
            return rules_named(name, target, self._catalog.book(file).language) if name else []
        section = section_named(correction, target)
        return [section] if section else []

    def _file_of(self, page: int) -> str:
        """The file that the page of an id is from."""
        return self._files[bisect_right(self._first_pages, page) - 1]

    def _codes_in_use(self, home: BookSummary, catalog: Catalog) -> dict[str, str]:
        """The codes a book's text may use, with the name each stands for: its game's, and its own first."""
        codes = {code: book.title for book in catalog.books if book.game == home.game for code in book.codes}
        for book in catalog.books:
            if book.game == home.game:
                codes = {**self._books[book.file].parsed.codes_as(book.title), **codes}
        return {**codes, **self._books[home.file].parsed.codes_as(home.title)}


def _row(
    page: int, reference: Reference, names: Mapping[str, str], meant: "Mapping[Audience, PageRange | None]"
) -> tuple[Any, ...]:
    places: list[int | None] = []
    for reader in READERS:
        pages = meant.get(reader)
        places += [pages.first, pages.last] if pages else [None, None]
    return (
        page,
        reference.start,
        reference.text,
        _name(reference, names, meant),
        reference.first,
        *places,
    )


def _is_house_rules(book: BookSummary) -> bool:
    return are_house_rules(book.file)


def with_linked(printed: Sequence[Resolved], linked: Sequence[Resolved]) -> list[Resolved]:
    """The printed references of a page, and what its links say beside them.

    Where words are both, a page number that resolves stands as it is printed; else the link tells what is
    meant. A link to the page that is printed right beside it says nothing more.
    """
    merged = list(printed)
    for link, target in linked:
        beside = [
            place
            for place, (one, meant) in enumerate(merged)
            if (one.start < link.end and link.start < one.end)
            or (meant == target and one.start - _NEAR < link.end and link.start < one.end + _NEAR)
        ]
        for place in beside:
            one, meant = merged[place]
            if not one.first or not any(meant.values()):
                merged[place] = (one, target)
        if not beside:
            merged.append((link, target))
    return sorted(merged, key=lambda one: one[0].start)


def _name(
    reference: Reference, names: Mapping[str, str], meant: "Mapping[Audience, PageRange | None]"
) -> str | None:
    """The book a reference names. A name beside a page that leads nowhere is one that is not here."""
    if reference.book:
        return names.get(reference.book, reference.book)
    is_elsewhere = reference.first and reference.heading and not reference.is_part
    return reference.heading if is_elsewhere and not any(meant.values()) else None
