"""How books point at one another: what they print of others, and what that means for each reader."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog, plain
from rag.library.books.found_page import place_of
from rag.library.books.house_rules import are_house_rules
from rag.library.books.page import Page, section_at
from rag.library.books.reader_catalogs import NamedBook
from rag.library.ingest.printed import ReferenceReader
from rag.library.references import Reference
from rag.library.references.corrections import (
    PageSpan,
    PrintedCorrection,
    changed_parts,
    corrected_places,
    corrections,
    is_all_errata,
    overlap,
)
from rag.library.references.entries import entries, tied_name
from rag.library.references.resolve import BookIndex, PageRange, Resolver

if TYPE_CHECKING:
    from rag.config import Audience

PlaceOfBook = tuple[str, PageSpan]
"""A place on a page, behind the file of its book."""


class PrintedLinks:
    """The references and corrections that the books of a library print.

    The ids of pages count all pages by order of file. `catalog` holds all books; `codes` are proven.
    """

    def __init__(
        self,
        books: Mapping[str, NamedBook],
        catalog: Catalog,
        codes: Mapping[str, Mapping[str, Collection[str]]],
        reading: ReferenceReader,
    ) -> None:
        self._books = books
        self._catalog = catalog
        self.codes = codes
        self.indexes: dict[str, BookIndex] = {}
        self.references: dict[str, list[tuple[int, Reference]]] = {}
        self._places: list[tuple[str, Page]] = []
        for book in catalog.books:
            first, pages = len(self._places), self.pages(book.file)
            read = enumerate(reading.references(books[book.file], self.codes_in_use(book, catalog)), first)
            found = self.references[book.file] = [(page, one) for page, of_page in read for one in of_page]
            self.indexes[book.file] = BookIndex(first, pages, found)
            self._places += ((book.file, page) for page in pages)
        self._ids = {(file, page.position): number for number, (file, page) in enumerate(self._places)}
        self.amended = {book.file: self._amends(book) for book in catalog.books}
        self.corrections = {book.file: self._corrections_in(book) for book in catalog.books}

    def pages(self, file: str) -> Sequence[Page]:
        """The pages of a book."""
        return self._books[file].parsed.pages

    def page(self, number: int) -> tuple[str, Page]:
        """The page with an id, behind its file."""
        return self._places[number]

    def number(self, file: str, place: PageSpan) -> int:
        """The id of the page on which a place of a book is."""
        return self._ids[file, place.position]

    def codes_in_use(self, home: BookSummary, catalog: Catalog) -> dict[str, str]:
        """The codes a book's text may use, with the name each stands for: its game's, and its own first."""
        of_game = catalog.of_game(home.game)
        codes = {code: catalog.titles_of(book)[-1] for book in of_game for code in book.codes}
        for book in of_game:
            codes = {**self._books[book.file].parsed.codes_as(book.title), **codes}
        return {**codes, **self._books[home.file].parsed.codes_as(home.title)}

    def speaks_of(self, file: str, page: int, reference: Reference) -> str:
        """The file that a page number without a book means: in a correction, the book that is corrected."""
        amends = self.amended[file]
        if not amends or reference.book:
            return file
        for one in self.corrections[file]:
            if self.number(file, one.place) == page and one.place.start <= reference.start < one.place.end:
                # Perhaps the page of that number in the correcting book itself holds the rule that is named.
                index = self.indexes[file]
                own = index.labelled(reference.first or "")
                corrects_itself = own is not None and bool(one.name) and index.says(own, one.name, page)
                return file if corrects_itself else amends
        return file

    def _corrections_in(self, book: BookSummary) -> list[PrintedCorrection]:
        """The corrections that a book prints: the entries of a table's own rules, else errata.

        Each is called after the rule that it ties to a page, if it does.
        """
        pages, first_id = self.pages(book.file), self.indexes[book.file].first_id
        printed: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for number, one in self.references[book.file]:
            if one.first:
                printed[pages[number - first_id].position].append((one.start, one.end))
        if are_house_rules(book.file):
            return [entry for page in pages for entry in entries(page, printed[page.position])]
        found = corrections(pages, is_amendment=self.amended[book.file] is not None)
        texts = {page.position: page.text for page in pages} if found else {}

        def tied(place: PageSpan) -> Iterator[str]:
            for start, end in printed[place.position]:
                if place.start <= start < place.end:
                    yield tied_name(texts[place.position], start, end)

        return [replace(one, name=next(filter(None, tied(one.place)), one.name)) for one in found]

    def is_tied(self, file: str, page: int, reference: Reference) -> bool:
        """Whether a table's own rules tie a page to the name beside it: a rule, in whatever language."""
        if not (reference.heading and are_house_rules(file)):
            return False
        text = self.page(page)[1].text
        return tied_name(text, reference.start, reference.end) == plain(reference.heading)

    def _amends(self, book: BookSummary) -> str | None:
        """The file that a book corrects: as declared; of mere errata and of a table's own rules the only
        other work of its game, or the one that its title names.
        """
        declared = self._books[book.file].declared
        amends = declared.amends if declared else None
        if amends or not (are_house_rules(book.file) or is_all_errata(self.pages(book.file))):
            return amends if amends in self._books else None
        others = [other for other in self._catalog.of_game(book.game) if other != book]
        named = [
            other
            for other in others
            if any(f" {plain(one)} " in f" {plain(book.title)} " for one in self._catalog.titles_of(other))
        ]
        meant = named or others
        work = {*self.volumes(meant[0].file)} if meant else set[str]()
        return meant[0].file if meant and work.issuperset(one.file for one in meant) else None

    def volumes(self, file: str) -> list[str]:
        """The files of the work that a book belongs to."""
        return [volume.file for volume in self._catalog.volumes(self._catalog.book(file))]


class ReaderLinks:
    """What is printed among the books of a library means this for a reader who has those of a catalog."""

    def __init__(self, printed: PrintedLinks, catalog: Catalog) -> None:
        self._printed = printed
        self._catalog = catalog
        self._files = {book.file for book in catalog.books}
        resolver = cache(
            lambda file: Resolver(catalog.book(file), catalog, printed.indexes, printed.codes.get(file, {}))
        )

        def meant(file: str, page: int, reference: Reference) -> PageRange | None:
            home = printed.speaks_of(file, page, reference)
            one = replace(reference, is_topic=reference.is_topic or printed.is_tied(file, page, reference))
            return resolver(home).resolve(one, page) if home in self._files else None

        self._references = {
            file: [(page, one, meant(file, page, one)) for page, one in printed.references[file]]
            for file in self._files
        }

    def books(self) -> Iterator[BookSummary]:
        """The books with their references counted."""
        for book in self._catalog.books:
            found = len(self._references[book.file])
            resolved = sum(meant is not None for _, _, meant in self._references[book.file])
            health = replace(book.health, references=round(resolved / found, 3) if found else None)
            told = (*book.problems, *self._unresolved(book))
            yield replace(book, references=found, resolved=resolved, health=health, problems=told)

    def _unresolved(self, book: BookSummary) -> Iterator[dict[str, Any]]:
        """What most of a book's unresolved references lack, by the first: a page, or what a code means.

        Of a table's own rules, which change nothing then, all are told; of other books no names of books that
        are not here. Of books without pages, and of those that this reader has not, nothing is.
        """
        names = self._printed.codes_in_use(book, self._catalog)
        is_own = are_house_rules(book.file)
        lacking: defaultdict[tuple[str, str], list[tuple[int, Reference]]] = defaultdict(list)
        for page, one, meant in self._references[book.file]:
            home = self._printed.speaks_of(book.file, page, one)
            if home not in self._files:
                continue
            is_named = bool(one.heading) and not (one.is_part or self._printed.is_tied(book.file, page, one))
            beside = one.book or (one.heading if is_named and is_own else None)
            name = names.get(beside, beside) if beside else self._catalog.book(home).title
            known = self._catalog.works(name, book)
            has_pages = any(volume.health.labels is not None for volume in known)
            is_told = has_pages if known else is_own or name.isupper()
            if is_told and one.first and not meant and (is_own or not is_named):
                lacks = ("page", self._catalog.titles_of(known[0])[-1]) if known else ("code", name)
                lacking[lacks].append((page, one))
        most = len(lacking) if is_own else 1
        for (why, name), found in sorted(lacking.items(), key=lambda item: -len(item[1]))[:most]:
            page, one = found[0]
            _, at = self._printed.page(page)
            place = place_of("", at.label, at.pdf_page, section_at(at.section_starts, one.start))
            values = {"text": one.text, "place": place, "more": len(found) - 1, "why": why, "name": name}
            told = {"file": book.file, "page": one.first, **values}
            yield {"key": "book-references-unresolved", "values": told}

    def references(self, reader: "Audience") -> Iterator[tuple[Any, ...]]:
        """The rows of the table of references."""
        for book in self._catalog.books:
            names = self._printed.codes_in_use(book, self._catalog)
            for page, one, meant in self._references[book.file]:
                named = names.get(one.book, one.book) if one.book else None
                if not one.book and one.first and one.heading and not one.is_part and not meant:
                    # A name beside a page that leads nowhere is a book that is not here.
                    named = one.heading
                pages = (meant.first, meant.last) if meant else (None, None)
                yield reader, page, one.start, one.text, named, one.first, *pages

    def amendments(self, reader: "Audience") -> Iterator[tuple[Any, ...]]:
        """The rows of the table of corrections: which places are corrected where, by page number or name."""
        printed = self._printed
        for home in self._catalog.books:
            own = [one.place for one in printed.corrections[home.file]]
            for correction in printed.corrections[home.file]:
                here = correction.place
                by_name = self._changed_by_name(home, correction)
                for file, place in chain(by_name, self._changed_by_number(home, correction)):
                    if file != home.file or not overlap(place, own):
                        corrected = printed.number(file, place), place.start, place.end
                        yield reader, *corrected, printed.number(home.file, here), here.start, here.end

    def _changed_by_name(self, home: BookSummary, correction: PrintedCorrection) -> Iterator[PlaceOfBook]:
        """The places it names in the book it amends, else in the books of its game, its own included."""
        amends = self._printed.amended[home.file]
        amended = self._printed.volumes(amends) if amends else ()
        for book in self._catalog.books:
            if book.file in amended or (not amends and book.game == home.game):
                pages = self._printed.pages(book.file)
                for place in corrected_places(correction, pages, book.title):
                    yield book.file, place

    def _changed_by_number(self, home: BookSummary, correction: PrintedCorrection) -> Iterator[PlaceOfBook]:
        """The single pages it refers to, or what it names on them.

        Of a table's own rules those pages alone that stand behind the name of a rule, on a line.
        """
        place, is_own = correction.place, are_house_rules(home.file)
        here = self._printed.number(home.file, place)
        _, page = self._printed.page(here)
        changed = set()
        for number, one, meant in self._references[home.file]:
            is_here = number == here and place.start <= one.start < place.end
            if is_here and meant and meant.first == meant.last != here:
                tied = tied_name(page.text, one.start, one.start + len(one.text)) if is_own else ""
                own = (tied, tied) if is_own else (correction.name, correction.said)
                changed.add((meant.first, *own))
        printed = "" if is_own else page.text[place.start : place.end]
        for target, name, said in sorted(changed):
            file, corrected = self._printed.page(target)
            language = self._catalog.book(file).language
            for part in changed_parts(name, said, corrected, language, printed) if said else ():
                yield file, part
