"""From a printed reference to the pages it means, as far as a reader's catalog reaches. Pure."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog, plain
from rag.library.books.page import Heading, Page, paths_at_top
from rag.library.language.grammar_words import one_of
from rag.library.language.language import HEADINGS
from rag.library.language.numerals import SPELLED, number_of
from rag.library.references.reference import Reference
from rag.rules import rule

_TABLE = re.compile(
    rf"^{one_of(HEADINGS.tables)}(?: \d\w*)?(?: {one_of(HEADINGS.of_table)})?"
    rf" | {one_of(HEADINGS.tables_last)}$"
)
_DIVISION = re.compile(
    rf"^(?P<kind>(?P<chapter>{one_of(HEADINGS.chapters)})|{one_of(HEADINGS.parts)})"
    rf"\s+(?P<number>{SPELLED}|\w+)\b[\s:.–—-]*(?P<name>.*)$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?P<number>\d{1,2}[.:)]?|[IVXLC]{1,8}[.:)])\s+(?P<name>[^\W\d_].*)$")
LOWEST_PART = 2
"""Level of the headings that begin a chapter or section; a name may be a part of theirs."""
_COUNTED = re.compile(r"^(?P<number>\d+(?:\.\d+)+)\.?\s+")
_DASH = re.compile("[–—−]")
_ADDED = re.compile(rf"(?:['’]s)?\s+(?:\(.*\)|{one_of(HEADINGS.added)})$", re.IGNORECASE)
_NAMES_KEPT = 1_024
"""A name is looked up in every book of a game, one after the other, for each kind of reader."""
LONGEST_RANGE = 40
"""Pages that a reference may mean at most; a range of more is a slip."""


@dataclass(frozen=True, slots=True)
class PageRange:
    """Ids of the first and last page meant; ids count the pages of the library in order."""

    first: int
    last: int


class BookIndex:
    """Where the labels, chapters and headings of one book are; its pages have ids from `first_id` on.

    `printed` are the references on each of its pages.
    """

    def __init__(
        self, first_id: int, pages: Sequence[Page], printed: Iterable[tuple[int, Reference]] = ()
    ) -> None:
        self.first_id = first_id
        self._pages = pages
        self._tops = paths_at_top(pages)
        self._printed: defaultdict[int, list[Reference]] = defaultdict(list)
        for referring, reference in printed:
            self._printed[referring].append(reference)
        self._positions: dict[int, int] = {}
        self._labels: dict[str, int] = {}
        self._headings: dict[str, int] = {}
        self._chapters: dict[int, int] = {}
        self._numbered: dict[int, int] = {}
        self._sections: dict[str, int] = {}
        for number, page in enumerate(pages, first_id):
            self._positions.setdefault(page.pdf_page, number)
            if page.kind != "text":
                continue
            if page.label:
                self._labels.setdefault(_plain_dash(page.label), number)
            for heading in page.headings:
                self._add_heading(heading, number)
        for number, page in enumerate(pages, first_id):
            for heading in page.headings if page.kind == "text" else ():
                self._headings.setdefault(plain(_core(heading.text)), number)

    def _add_heading(self, heading: Heading, page: int) -> None:
        names = [heading.text, _untabled(heading.text)]
        if division := _DIVISION.match(heading.text):
            if chapter := number_of(division["number"]):
                (self._chapters if division["chapter"] else self._numbered).setdefault(chapter, page)
            names += [division["name"], f"{division['kind']} {division['number']}"]
        elif (counted := _NUMBERED.match(heading.text)) and heading.level <= LOWEST_PART:
            self._numbered.setdefault(number_of(counted["number"].rstrip(".:)")) or 0, page)
            names.append(counted["name"])
        if section := _COUNTED.match(heading.text):
            self._sections.setdefault(section["number"], page)
        for name in names:
            self._headings.setdefault(plain(name), page)

    def __contains__(self, page: int) -> bool:
        return self.first_id <= page < self.first_id + len(self._pages)

    def labelled(self, label: str) -> int | None:
        """The page printed with `label`."""
        label = _plain_dash(label)
        return self._labels.get(
            label, None if label[:1].isdigit() else self._labels.get(label.replace("-", ""))
        )

    def positioned(self, pdf_page: str) -> int | None:
        """The page at a 1-based position in the file."""
        return self._positions.get(int(pdf_page)) if pdf_page.isdecimal() else None

    def chapter(self, name: str) -> int | None:
        """The page where a chapter begins, by its number in any numerals or by its name.

        A heading that says it is a chapter comes before one that only begins with a number, or a part.
        "6.5" is the heading with that number.
        """
        if name in self._sections:
            return self._sections[name]
        number = number_of(name)
        if number is None:
            return self.heading(name)
        return self._chapters.get(number, self._numbered.get(number))

    def heading(self, name: str) -> int | None:
        """The first page with that heading; a table's with or without the word for a table.

        Else one with it in another number ("Ripostes") or with an addition in brackets.
        """
        form, other = _forms(name)
        found = (self._headings.get(one) for one in (form, _untabled(name), other))
        return next((page for page in found if page is not None), None)

    def says(self, page: int, name: str, besides: int) -> bool:
        """Whether a page or the one after it speaks of `name`, or stands under a heading of that name.

        `besides` is the page that refers to it. One that refers to it, too, does not speak of it.
        """
        near = [one for one in (page, page + 1) if one != besides and one in self]
        texts = [f" {plain(self._own_words(one))} " for one in near]
        if any(f" {form} " in text for form in _forms(name) for text in texts):
            return True
        above = [text for one in near for _, text in self._tops[one - self.first_id]]
        above += [heading.text for one in near for heading in self._pages[one - self.first_id].headings]
        return plain(_core(name)) in {plain(_core(heading)) for heading in above}

    def _own_words(self, page: int) -> str:
        """The text of a page without the references in it."""
        text = self._pages[page - self.first_id].text
        for one in reversed(self._printed[page]):
            text = f"{text[: one.start]} {text[one.end :]}"
        return text


class Resolver:
    """Resolves the references printed in one book, `home`, among the `books` of a reader's catalog.

    `codes` are the files that each code printed there means: a code of another book of the library means
    nothing here. Other volumes of a work are searched after the home volume, and for a heading also the other
    books of the game.
    """

    def __init__(
        self,
        home: BookSummary,
        catalog: Catalog,
        books: Mapping[str, BookIndex],
        codes: Mapping[str, Collection[str]],
    ) -> None:
        self._home, self._catalog, self._codes = home, catalog, codes
        self._books = books
        volumes = sorted(catalog.volumes(home), key=lambda book: book.file != home.file)
        self._volumes = [books[book.file] for book in volumes]
        # The same few names are printed again and again.
        self._work = cache(self._find_work)
        self._elsewhere = cache(self._find_elsewhere)

    def resolve(self, reference: Reference, page: int) -> PageRange | None:
        """The pages that a reference printed on `page` means; none where there are none."""
        if reference.step:
            beside = page + reference.step
            return PageRange(beside, beside) if beside in self._books[self._home.file] else None
        if reference.book:
            work = self._work(reference.book)
            if not work and (reference.whole or "").startswith(f"{reference.book}-"):
                return _found(replace(reference, first=reference.whole, last=reference.whole), self._volumes)
            return _found(reference, work)
        at_home = _found(reference, self._volumes)
        if not reference.heading:
            return at_home
        if not reference.first:
            is_elsewhere = not (at_home or reference.chapter)
            return self._elsewhere(reference.heading, reference.is_part) if is_elsewhere else at_home
        if at_home and (reference.is_part or is_confirmed(reference.heading, page, at_home, self._volumes)):
            return at_home
        titled = [self._books[book.file] for book in self._catalog.works(reference.heading, self._home)]
        return _found(reference, titled) or (at_home if reference.is_topic else None)

    def _find_work(self, name: str) -> list[BookIndex]:
        """The books of the work that a title or code means here."""
        is_code = name in self._codes or name in self._catalog.codes
        catalog = self._catalog
        meant = catalog.among(self._codes.get(name, ())) if is_code else catalog.works(name, self._home)
        return [self._books[book.file] for book in meant]

    def _find_elsewhere(self, name: str, is_part: bool) -> PageRange | None:
        """The page of a heading, or part, in the first book of the game that has it."""
        for book in self._catalog.of_game(self._home.game):
            index = self._books[book.file]
            page = index.chapter(name) if is_part else index.heading(name)
            if page is not None:
                return PageRange(page, page)
        return None


@rule(without=lambda *_: True)
def is_confirmed(name: str, page: int, meant: PageRange, volumes: Sequence[BookIndex]) -> bool:
    """Take a name beside a page number for a book's, unless the page of this book says it."""
    holder = next(book for book in volumes if meant.first in book)
    return holder.says(meant.first, name, besides=page)


def _plain_dash(label: str) -> str:
    return _DASH.sub("-", label.lower())


def _core(name: str) -> str:
    """A name without its number, what stands in brackets behind it, and the word for a part of a book."""
    return _ADDED.sub("", _COUNTED.sub("", name))


@lru_cache(maxsize=_NAMES_KEPT)
def _forms(name: str) -> tuple[str, str]:
    """A name in plain letters, and in the other number."""
    form = plain(name)
    return form, form.removesuffix("s") if form.endswith("s") else f"{form}s"


@lru_cache(maxsize=_NAMES_KEPT)
def _untabled(name: str) -> str:
    """The name of a table without the word and number of a table."""
    return _TABLE.sub("", plain(name))


def _found(reference: Reference, books: Iterable[BookIndex]) -> PageRange | None:
    """The pages a reference means in the first of `books` that has them."""
    for book in books:
        if reference.whole and (page := book.labelled(reference.whole)) is not None:
            return PageRange(page, page)
        if reference.first is not None:
            find = book.positioned if reference.is_pdf_page else book.labelled
            first, last = find(reference.first), find(reference.last or reference.first)
        else:
            first = last = _named(reference, book)
        if first is not None:
            is_range = last is not None and first <= last <= first + LONGEST_RANGE
            return PageRange(first, last if is_range and last is not None else first)
    return None


def _named(reference: Reference, book: BookIndex) -> int | None:
    name = reference.chapter or reference.heading
    if not name:
        return None
    return book.chapter(name) if reference.chapter or reference.is_part else book.heading(name)
