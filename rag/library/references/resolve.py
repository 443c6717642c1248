"""From a printed reference to the pages it means, as far as a reader's catalog reaches. Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from types import MappingProxyType
from typing import Literal

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog, plain
from rag.library.books.page import Heading, Page
from rag.library.language.grammar_words import one_of
from rag.library.language.language import HEADINGS, PAGES
from rag.library.language.numerals import SPELLED, number_of
from rag.library.references import Reference

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

_BEFORE_NAME = re.compile(r"[:.–—](?!\d)")
"""Between the number of a table and its name."""
MOST_PLACES_OF_TERM = 3
"""Pages that a name which is no heading may stand on; one on more is a label, as "Cost:" is."""

_COUNTED = re.compile(r"^(?P<number>\d+(?:\.\d+)+)\.?\s+")
_SECTION = re.compile(r"\d+(?:\.\d+)+")
_DASH = re.compile("[–—−]")
_ADDED = re.compile(rf"(?:['’]s)?\s+(?:\(.*\)|{one_of(HEADINGS.added)})$", re.IGNORECASE)
_CONJUNCTION = re.compile(rf"\s+{one_of([*PAGES.joints, '&'])}\s+")
_CAPITALISED = re.compile(r"\b[A-ZÀ-ÖØ-Þ]\w*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;•(\n][\"”’)]*\s*)$")
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
    """Where the labels, chapters and headings of one book are."""

    def __init__(self, first_id: int, pages: Sequence[Page]) -> None:
        self.first_id = first_id
        self._pages = pages
        self._sheets: defaultdict[int, list[int]] = defaultdict(list)
        self._labels: dict[str, int] = {}
        self._headings: dict[str, int] = {}
        self._cores: dict[str, int] = {}
        self._terms: defaultdict[str, list[int]] = defaultdict(list)
        self._chapters: dict[int, int] = {}
        self._numbered: dict[int, int] = {}
        self._sections: dict[str, int] = {}
        self._parts: list[tuple[str, int]] = []
        for number, page in enumerate(pages, first_id):
            self._sheets[page.pdf_page].append(number)
            if page.kind != "text":
                continue
            if page.label:
                self._labels.setdefault(_plain_dash(page.label), number)
            for heading in page.headings:
                self._add_heading(heading, number)
            for name in {form for _, term in page.terms for form in _forms_of_term(term)}:
                self._terms[name].append(number)

    def _add_heading(self, heading: Heading, page: int) -> None:
        names = [heading.text, _untabled(heading.text)]
        if heading.level <= LOWEST_PART:
            self._parts.append((plain(heading.text), page))
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
        self._cores.setdefault(plain(_core(heading.text)), page)

    def __contains__(self, page: int) -> bool:
        return self.first_id <= page < self.first_id + len(self._pages)

    def is_text(self, page: int) -> bool:
        """Whether a page holds rules, not contents or an index."""
        return self._pages[page - self.first_id].kind == "text"

    def labelled(self, label: str) -> int | None:
        """The page printed with `label`."""
        label = _plain_dash(label)
        return self._labels.get(label, self._labels.get(label.replace("-", "")))

    def positioned(self, pdf_page: str) -> int | None:
        """The page at a 1-based position in the file."""
        return next(iter(self._sheets.get(int(pdf_page), ())), None) if pdf_page.isdecimal() else None

    def sheet(self, pdf_page: int) -> PageRange | None:
        """The pages of rules at a position in the file; none where the halves of a sheet stand apart."""
        here = [number for number in self._sheets.get(pdf_page, ()) if self.is_text(number)]
        is_together = bool(here) and len(here) == 1 + here[-1] - here[0]
        return PageRange(here[0], here[-1]) if is_together else None

    def chapter(self, name: str) -> int | None:
        """The page where a chapter begins, by its number in any numerals or by its name.

        A heading that says it is a chapter comes before one that only begins with a number, or a part.
        "6.5" is the heading with that number.
        """
        if _SECTION.fullmatch(name):
            return self._sections.get(name)
        number = number_of(name)
        if number is None:
            return self._titled(name)
        return self._chapters.get(number, self._numbered.get(number))

    def heading(self, name: str) -> int | None:
        """The first page with that heading, else with that name before a paragraph or over a table."""
        titled = self._titled(name)
        if titled is not None:
            return titled
        places = (self._terms.get(form, []) for form in (*_forms(name), _untabled(name)))
        return next((pages[0] for pages in places if 0 < len(pages) <= MOST_PLACES_OF_TERM), None)

    def _titled(self, name: str) -> int | None:
        """The first page with that heading; a table's with or without the word for a table.

        Else one with it in another number ("Ripostes") or with an addition in brackets.
        """
        exact = self._headings.get(_forms(name)[0], self._headings.get(_untabled(name)))
        if exact is not None:
            return exact
        places = (names.get(form) for names in (self._headings, self._cores) for form in _forms(name))
        return next((page for page in places if page is not None), None)

    def part(self, name: str) -> int | None:
        """The page where a chapter or section begins, by its name or a part of it, as books call them."""
        exact = self.chapter(name)
        if exact is not None:
            return exact
        wanted = f" {plain(name)} "
        return next((page for heading, page in self._parts if wanted in f" {heading} "), None)

    def has(self, what: str, name: str) -> bool:
        """Whether there is such a heading, or such a part."""
        return (self.part(name) if what == "part" else self.heading(name)) is not None

    def says(self, page: int, name: str, besides: int) -> bool:
        """Whether `name` stands on a page or the one after it, or is what both say in other words.

        `besides` is the page that refers to it. Words may have slipped in before the name ("Check
        FUNDS"): then the rest is a heading there. "Kicks and Punches" may stand apart, "Kraken, Giant"
        the other way round.
        """
        pages = self._meant(page, besides)
        texts = [plain(one.text).split() for one in pages]
        if any(_stands(way, words) for way in (name, _turned(name)) for words in texts):
            return True
        if any(all(_stands(one, words) for one in _CONJUNCTION.split(name)) for words in texts):
            return True
        headings = {_letters(_core(heading.text)) for one in pages for heading in one.headings}
        words = _core(name).split()
        return any(_letters("".join(words[first:])) in headings for first in range(len(words)))

    def says_capitalised(self, page: int, name: str, besides: int) -> bool:
        """Whether `name` stands on a page or the one after it in words with a capital."""
        texts = [" ".join(_CAPITALISED.findall(one.text)) for one in self._meant(page, besides)]
        return any(_stands(name, plain(text).split()) for text in texts)

    def _meant(self, page: int, besides: int) -> list[Page]:
        here = page - self.first_id
        return [one for number, one in enumerate(self._pages[here : here + 2], page) if number != besides]

    def opens_sentence(self, page: int, start: int) -> bool:
        """Whether a sentence begins at `start` of a page's text."""
        return bool(_SENTENCE_START.search(self._pages[page - self.first_id].text[:start]))

    def beside(self, page: int, relative: str) -> int | None:
        """The page after, before, or facing `page`; an odd page faces the even one before it."""
        label = self._pages[page - self.first_id].label or ""
        if relative == "facing" and not label.isdecimal():
            return None
        is_after = relative == "next" or (relative == "facing" and int(label) % 2 == 0)
        neighbour = page + 1 if is_after else page - 1
        return neighbour if neighbour in self else None


Lookup = Literal["volumes", "work", "title", "heading", "part"]
"""What is looked for among the books: the volumes of the work that a name is printed in, itself first; the
work that a title or code means there; the one that what may be a heading means there; the first book of its
game with such a heading, or with such a part.
"""
Ask = Callable[[Lookup, str], Sequence[str]]
"""Gives the files that are looked through for a name, in order: as `looked_through`, or as it was before."""


def looked_through(
    what: Lookup,
    name: str,
    home: BookSummary,
    catalog: Catalog,
    books: Mapping[str, BookIndex],
    codes: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> list[str]:
    """The files that are looked through for a name printed in `home`, as far as a catalog reaches.

    `codes` are the files that each code printed in `home` means: a code of another book of the library means
    nothing here.
    """
    if what == "volumes":
        files = [book.file for book in catalog.volumes(home)]
        return sorted(files, key=lambda file: (file != home.file, file))
    if what == "heading" or what == "part":
        of_game = (book.file for book in catalog.of_game(home.game))
        return list(islice((file for file in of_game if books[file].has(what, name)), 1))
    if what == "work" and (name in codes or name in catalog.codes):
        return [book.file for book in catalog.among(codes.get(name, ()))]
    return [book.file for book in catalog.works(name, home)]


def resolve(
    reference: Reference,
    page: int,
    home: str,
    ask: Ask,
    books: Mapping[str, BookIndex],
) -> PageRange | None:
    """The pages that a reference printed on `page` of the file `home` means; none where there are none.

    What other books are there, `ask` alone tells; `books` holds the index of every file. Other volumes of a
    work are searched after the home volume, and for a heading also the other books of the game.
    """
    if reference.relative:
        neighbour = books[home].beside(page, reference.relative)
        return PageRange(neighbour, neighbour) if neighbour is not None else None

    def found(what: Lookup, name: str = "", meant: Reference = reference) -> PageRange | None:
        return _found(meant, (books[file] for file in ask(what, name)))

    if reference.book:
        if not ask("work", reference.book) and (reference.whole or "").startswith(f"{reference.book}-"):
            return found("volumes", meant=replace(reference, first=reference.whole, last=reference.whole))
        return found("work", reference.book)
    at_home = found("volumes")
    if not reference.heading:
        return at_home
    if not reference.first:
        elsewhere: Lookup = "part" if reference.is_part else "heading"
        return at_home or (None if reference.chapter else found(elsewhere, reference.heading))
    if at_home and (reference.is_part or _is_confirmed(reference, page, home, at_home, books)):
        return at_home
    return found("title", reference.heading) or (at_home if reference.is_topic else None)


def _is_confirmed(
    reference: Reference,
    page: int,
    home: str,
    meant: PageRange,
    books: Mapping[str, BookIndex],
) -> bool:
    """Whether the page meant speaks of what the reference calls it.

    The first word of a sentence has its capital for that: "Add Dexterity (p. 3)" may call it Dexterity.
    """
    name = reference.heading or ""
    # Nearly always both are the home volume.
    printed_in = next(book for book in chain([books[home]], books.values()) if page in book)
    holder = next(book for book in chain([books[home]], books.values()) if meant.first in book)
    if holder.says(meant.first, name, besides=page):
        return True
    _, _, rest = name.partition(" ")
    is_verb_first = bool(rest) and printed_in.opens_sentence(page, reference.start)
    return is_verb_first and holder.says_capitalised(meant.first, rest, besides=page)


def _plain_dash(label: str) -> str:
    return _DASH.sub("-", label.lower())


def _core(name: str) -> str:
    """A name without its number, what stands in brackets behind it, and the word for a part of a book."""
    return _ADDED.sub("", _COUNTED.sub("", name))


def _letters(name: str) -> str:
    """A name for comparison where words may be parted otherwise ("Non-human", "Nonhuman")."""
    return plain(name).replace(" ", "")


@lru_cache(maxsize=_NAMES_KEPT)
def _forms(name: str) -> tuple[str, str]:
    """A name in plain letters, and in the other number."""
    form = plain(name)
    return form, form.removesuffix("s") if form.endswith("s") else f"{form}s"


def _turned(name: str) -> str:
    """ "Kraken, Giant" as "Giant Kraken"."""
    last, _, first = name.partition(", ")
    return f"{first} {last}" if first else name


def _stands(name: str, words: Sequence[str]) -> bool:
    """Whether words in a row make up a name, in either number, however they are parted."""
    together = "".join(words)
    wanted = {letters for form in _forms(name) if (letters := form.replace(" ", "")) in together}
    longest = max(map(len, wanted), default=0)
    if not longest:
        return False
    for first in range(len(words)):
        joined = ""
        for word in words[first:]:
            joined += word
            if joined in wanted:
                return True
            if len(joined) > longest:
                break
    return False


def _forms_of_term(term: str) -> Iterator[str]:
    """What a name that is no heading may be called by: "Table 4: Sleds" also "Table 4", and "Sleds"."""
    yield plain(term)
    yield _untabled(term)
    yield plain(_BEFORE_NAME.split(term, 1)[0])


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
            first = _named(reference, book)
            last = first
        if first is not None:
            is_range = last is not None and first <= last <= first + LONGEST_RANGE
            return PageRange(first, last if is_range and last is not None else first)
    return None


def _named(reference: Reference, book: BookIndex) -> int | None:
    if reference.is_part:
        return book.part(reference.chapter or reference.heading or "")
    if reference.chapter:
        return book.chapter(reference.chapter)
    return book.heading(reference.heading) if reference.heading else None
