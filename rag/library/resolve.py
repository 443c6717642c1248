"""From a printed reference to the pages it means, as far as a reader's shelf reaches. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag.library.pages import Page
from rag.library.references import Reference
from rag.library.shelf import BookSummary, Shelf, plain

_TABLE = re.compile(r"^(?:table|tabela)(?: \d\w*)?(?: d[aeo]s?)? | table$")
_CHAPTER = re.compile(r"^(?:chapter|cap[ií]tulo|part|parte)\s+(\w+)\b[\s:.–—-]*(.*)$", re.IGNORECASE)
LOWEST_PART = 2
"""Level of the headings that begin a chapter or section; a name may be a part of theirs."""

_COUNTED = re.compile(r"^\d+(?:\.\d+)+\.?\s+")
_ADDED = re.compile(r"(?:['’]s)?\s+(?:\(.*\)|section|chapter|seção|capítulo)$", re.IGNORECASE)
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
        self._first_id = first_id
        self._pages = pages
        self._labels: dict[str, int] = {}
        self._headings: dict[str, int] = {}
        self._chapters: dict[str, int] = {}
        self._parts: list[tuple[str, int]] = []
        for number, page in enumerate(pages, first_id):
            if page.kind != "text":
                continue
            if page.label:
                self._labels.setdefault(page.label.lower(), number)
            for heading in page.headings:
                if heading.level <= LOWEST_PART:
                    self._parts.append((plain(heading.text), number))
                for name in (plain(heading.text), _untabled(heading.text)):
                    self._headings.setdefault(name, number)
                if chapter := _CHAPTER.match(heading.text):
                    self._chapters.setdefault(chapter[1].lower(), number)
                    self._headings.setdefault(plain(chapter[2]), number)

    def __contains__(self, page: int) -> bool:
        return self._first_id <= page < self._first_id + len(self._pages)

    def labelled(self, label: str) -> int | None:
        """The page printed with `label`."""
        return self._labels.get(label.lower())

    def positioned(self, pdf_page: str) -> int | None:
        """The page at a 1-based position in the file."""
        page = self._first_id + int(pdf_page) - 1 if pdf_page.isdecimal() else -1
        return page if page in self else None

    def chapter(self, name: str) -> int | None:
        """The page where a chapter begins, by its number or its name."""
        return self._chapters.get(name.lower(), self.heading(name))

    def heading(self, name: str) -> int | None:
        """The first page with that heading; a table's with or without the word for a table."""
        return self._headings.get(plain(name), self._headings.get(_untabled(name)))

    def part(self, name: str) -> int | None:
        """The page where a chapter or section begins, by its name or a part of it, as books call them."""
        exact = self.chapter(name)
        if exact is not None:
            return exact
        wanted = f" {plain(name)} "
        return next((page for heading, page in self._parts if wanted in f" {heading} "), None)

    def says(self, page: int, name: str, besides: int) -> bool:
        """Whether `name` stands on a page or the one after it; `besides` is the page that refers to it.

        Words may have slipped in before the name ("Check FUNDS"): then the rest is a heading there.
        """
        here = page - self._first_id
        pages = [one for number, one in enumerate(self._pages[here : here + 2], page) if number != besides]
        if any(_letters(name) in _letters(one.text) for one in pages):
            return True
        headings = {_letters(_core(heading.text)) for one in pages for heading in one.headings}
        words = _core(name).split()
        return any(_letters("".join(words[first:])) in headings for first in range(len(words)))

    def beside(self, page: int, relative: str) -> int | None:
        """The page after, before, or facing `page`; an odd page faces the even one before it."""
        label = self._pages[page - self._first_id].label or ""
        if relative == "facing" and not label.isdecimal():
            return None
        is_after = relative == "next" or (relative == "facing" and int(label) % 2 == 0)
        neighbour = page + 1 if is_after else page - 1
        return neighbour if neighbour in self else None


def resolve(
    reference: Reference, page: int, home: BookSummary, shelf: Shelf, books: Mapping[str, BookIndex]
) -> PageRange | None:
    """The pages that a reference printed on `page` of `home` means; none where they are not on the shelf.

    `books` holds the index of every file. Other volumes of a work are searched after the home volume, and
    for a heading also the other books of the game.
    """
    if reference.relative:
        neighbour = books[home.file].beside(page, reference.relative)
        return PageRange(neighbour, neighbour) if neighbour is not None else None
    if reference.book:
        return _found(reference, [books[book.file] for book in shelf.works(reference.book, home)])
    volumes = sorted(shelf.volumes(home), key=lambda book: (book.file != home.file, book.file))
    at_home = _found(reference, [books[book.file] for book in volumes])
    if at_home is None and reference.heading and not reference.first and not reference.chapter:
        return _found(reference, [books[book.file] for book in shelf.books if book.game == home.game])
    if at_home is None or reference.is_part or not (reference.first and reference.heading):
        return at_home
    holder = next(book for book in books.values() if at_home.first in book)
    if holder.says(at_home.first, reference.heading, besides=page):
        return at_home
    return _found(reference, [books[book.file] for book in shelf.works(reference.heading, home)])


def _core(name: str) -> str:
    """A name without its number, what stands in brackets behind it, and the word for a part of a book."""
    return _ADDED.sub("", _COUNTED.sub("", name))


def _letters(name: str) -> str:
    """A name for comparison where words may be parted otherwise ("Non-human", "Nonhuman")."""
    return plain(name).replace(" ", "")


def _untabled(name: str) -> str:
    """The name of a table without the word and number of a table."""
    return _TABLE.sub("", plain(name))


def _found(reference: Reference, books: Iterable[BookIndex]) -> PageRange | None:
    """The pages a reference means in the first of `books` that has them."""
    for book in books:
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
