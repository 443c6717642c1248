"""Exact look-up: the pages that a query names, fetched instead of searched for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from rag.library.books.book import BookSummary, Numbering
from rag.library.books.catalog import Catalog, plain
from rag.library.books.files import kind_of
from rag.library.index.store import Store
from rag.library.language.grammar_words import one_of
from rag.library.language.language import QUESTIONS
from rag.library.language.words import FUNCTION_WORDS, fold, words
from rag.library.references import Reference, find_references
from rag.library.references.resolve import LONGEST_RANGE
from rag.library.search.known_words import is_ordinary_word
from rag.library.search.named_books import NamedBooks
from rag.state import AbsentPage, PageOfSeveralBooks

_ASKING = frozenset(["pg", "p", "pp", "pdf", *QUESTIONS.asking])
_MOST_HOMELESS = 3
"""Books in which a page that is named without one is opened."""
_MOST_BOOKS_TOLD = 8


@dataclass(frozen=True, slots=True)
class Named:
    """Ids of the pages a query names, in its order; `is_all` where it asks for nothing else.

    `absent` are those it names and that are printed in no file of their book, `ambiguous` those that more
    books have than can be meant.
    """

    pages: tuple[int, ...] = ()
    is_all: bool = False
    absent: tuple[AbsentPage, ...] = ()
    ambiguous: tuple[PageOfSeveralBooks, ...] = ()

    @property
    def is_page(self) -> bool:
        """Whether it names any page, here or not."""
        return bool(self.pages or self.absent or self.ambiguous)


@dataclass(frozen=True, slots=True)
class PageLookup:
    """Looks pages up by their printed names among `books`, which are some or all of the reader's catalog.

    `explains` tells whether these books explain something by a name.
    """

    store: Store
    catalog: Catalog
    books: Sequence[BookSummary]
    explains: Callable[[str], bool]

    def named(self, query: str, wanted: NamedBooks, spoken_of: frozenset[str] = frozenset()) -> Named:
        """The pages a query names; `wanted` are the books that it names.

        A page that is named without a book is of the files `spoken_of` before, where there are any.
        """
        found = find_references(query, self.catalog.titles, self.catalog.codes, is_question=True)
        references = [self._without_topic(self._as_printed(one)) for one in found if one.first]
        rest = _rest(query, references)
        files = wanted.files or frozenset(self._files(" ".join(rest)))
        if not files and not any(one.book or one.heading for one in references):
            files = spoken_of
        among = replace(self, books=[book for book in self.books if book.file in files] or self.books)
        pages = [among._pages_of(one) for one in references]
        opened = [of_one if len(self._files_of(of_one)) <= _MOST_HOMELESS else () for of_one in pages]
        is_all = any(opened) and not {*rest} & {fold(word) for word in words(wanted.rest)}
        absent = [one for one in map(among._absent, references) if one]
        ambiguous = [
            among._of_several_books(one.first or "", of_one)
            for one, of_one, few in zip(references, pages, opened, strict=True)
            if of_one and not few
        ]
        return Named(tuple(dict.fromkeys(chain(*opened))), is_all, tuple(absent), tuple(ambiguous))

    def _as_printed(self, reference: Reference) -> Reference:
        """A reference to one page, where a book has a page of that very number: "2-3", "A-3" or "A3"."""
        whole = reference.whole
        if not whole:
            return reference
        is_lettered = whole.startswith(f"{reference.book}-")
        book = None if is_lettered else reference.book
        for label in (whole, whole.replace("-", "")) if is_lettered else (whole,):
            if self._labelled(label):
                return replace(reference, first=label, last=label, book=book)
        return reference

    def _without_topic(self, reference: Reference) -> Reference:
        """A reference without the name of what is asked about: "Fireball (p. 30)" names a page, no book.

        Nor does "in Combat on page 66" where a heading is "Combat". A name that stands on such a page is
        kept: it may tell which book is meant.
        """
        name = reference.heading or reference.book
        if not name or self.catalog.find(name):
            return reference
        if not reference.is_topic and (name.isupper() or not self.explains(name)):
            return reference
        is_said = self._saying(self._labelled(reference.first or ""), name)
        return replace(reference, book=None, heading=name if is_said else None)

    def _pages_of(self, reference: Reference) -> Sequence[int]:
        """The pages of a reference; behind an unknown name those of any book, of many those that say it."""
        name = reference.book or reference.heading
        if files := self._files(name) if name else []:
            return self._range(reference, files)
        pages = [] if reference.book else self._range(reference, [book.file for book in self.books])
        if not reference.heading:
            return pages
        saying = self._saying(pages, reference.heading)
        return pages if saying and len(self._files_of(pages)) <= _MOST_HOMELESS else saying

    def _of_several_books(self, label: str, pages: Sequence[int]) -> PageOfSeveralBooks:
        """The books in which a page is, where they are more than can be meant."""
        files = self._files_of(pages)
        names = [self.catalog.own_name(book) for book in self.books if book.file in files]
        more = len(names[_MOST_BOOKS_TOLD:])
        return PageOfSeveralBooks(page=label, books=tuple(names[:_MOST_BOOKS_TOLD]), more=more)

    def _absent(self, reference: Reference) -> AbsentPage | None:
        """The page a reference means where no file of the book that is meant has it, or no book at all.

        A book that nobody here knows has none.
        """
        label = reference.first or ""
        name = reference.book or reference.heading
        if name and not self.catalog.find(name):
            said = not reference.book and self._saying(self._labelled(label), name)
            is_topic = name.islower() and all(map(is_ordinary_word, words(name)))
            return None if said or is_topic else AbsentPage(book=name, page=label, printed="")
        if reference.is_pdf_page or (name and not reference.book):
            return None
        meant = self.catalog.find(reference.book) if reference.book else self.books
        meant = [book for book in self.books if book in meant]
        work = self.catalog.volumes(meant[0]) if meant else []
        is_one_book = bool(work) and all(book in work for book in meant)
        numbered = [book for book in (work if is_one_book else meant) if book.first_label and book.last_label]
        if not numbered:
            return without_number(meant, label) if is_one_book else None
        if self.store.labelled([book.file for book in numbered], label):
            return None
        if not is_one_book:
            return None if name else AbsentPage(book="", page=label, printed="")
        numbered.sort(key=lambda book: book.numbers or (0, 0))
        printed = ", ".join(f"{book.first_label}–{book.last_label}" for book in numbered)
        is_whole = all(book.health.labels == 1 for book in numbered)
        title = self.catalog.titles_of(numbered[0])[-1]
        return AbsentPage(
            book=title, page=label, printed=printed, numbering="printed" if is_whole else "unread"
        )

    def _files(self, name: str) -> list[str]:
        """The files of the books of that name."""
        return [book.file for book in self.catalog.find(name) if book in self.books]

    def _files_of(self, pages: Sequence[int]) -> set[str]:
        return {page.file for page in self.store.pages(pages).values()}

    def _labelled(self, label: str) -> list[int]:
        return self.store.labelled([book.file for book in self.books], label)

    def _saying(self, pages: Sequence[int], name: str) -> list[int]:
        """Those of the pages on which a name stands; one that is on none is that of a book unknown here."""
        texts = {number: plain(page.text) for number, page in self.store.pages(pages).items()}
        return [number for number in pages if f" {plain(name)} " in f" {texts[number]} "]

    def _range(self, reference: Reference, files: Sequence[str]) -> Sequence[int]:
        """The pages from `first` to `last` where both ends lie in one book, else those called `first`.

        What none of the files has may stand in another volume.
        """
        first, last = reference.first or "", reference.last or reference.first or ""
        if not reference.is_pdf_page and not self.store.labelled(files, first):
            volumes = (self.catalog.volumes(self.catalog.book(file)) for file in files)
            files = [book.file for book in chain(*volumes)]
        starts, ends = (
            pages_called(PageName(name, reference.is_pdf_page), files, self.store) for name in (first, last)
        )
        if first == last or len(starts) != 1:
            return starts
        ends = [end for end in ends if 0 < end - starts[0] <= LONGEST_RANGE]
        return range(starts[0], ends[0] + 1) if ends else starts


def without_number(meant: Sequence[BookSummary], label: str) -> AbsentPage:
    """A page asked for by its number, of a book none of whose pages has one that could be read."""
    numbering: Numbering = "unread" if any(book.numbering == "unread" for book in meant) else "unnumbered"
    pages = max((book.pages for book in meant if book.kind == "pdf"), default=0)
    is_position = label.isdecimal() and 0 < int(label) <= pages
    return AbsentPage(
        book=meant[0].title, page=label, printed="", numbering=numbering, is_position=is_position
    )


def _rest(query: str, references: Sequence[Reference]) -> list[str]:
    """The words of a query besides its references that ask for something more than the page itself."""
    for found in sorted(references, key=lambda one: one.start, reverse=True):
        query = f"{query[: found.start]} {query[found.end :]}"
    idle = frozenset().union(*FUNCTION_WORDS.values())
    return [word for word in words(query) if word not in idle and fold(word) not in _ASKING]


_PAGE = re.compile(
    rf"(?P<pdf>pdf\b\s*)?(?:{one_of([*QUESTIONS.pages, 'pp?'])}(?:\.|\b))?\s*(?P<number>[^\s.]+)"
    rf"(?P<of_pdf>\s+{one_of(QUESTIONS.of_pdf)}\s+pdf)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageName:
    """A printed number, or where `is_pdf_page` a 1-based position in the file."""

    number: str
    is_pdf_page: bool = False


def page_name(text: str) -> PageName:
    """The page that somebody means by `text`; the text itself where it has no such form."""
    match = _PAGE.fullmatch(text.strip())
    if match is None:
        return PageName(text.strip())
    is_pdf_page = bool(match["pdf"] or match["of_pdf"]) and match["number"].isdecimal()
    return PageName(match["number"], is_pdf_page)


def pages_called(name: PageName, files: Sequence[str], store: Store) -> list[int]:
    """The pages of files that are meant by a name; a position is one of a PDF."""
    if not name.is_pdf_page:
        return store.labelled(files, name.number)
    pdfs = [file for file in files if kind_of(file) == "pdf"]
    return store.positioned(pdfs, int(name.number)) if name.number.isdecimal() else []
