"""Exact look-up: the pages that a query names, fetched instead of searched for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag.library.books.book import BookSummary, Numbering
from rag.library.books.catalog import Catalog, plain
from rag.library.index.store import Store
from rag.library.language.grammar_words import one_of
from rag.library.language.language import QUESTIONS
from rag.library.language.words import FUNCTION_WORDS, fold, words
from rag.library.references import Reference, find_references
from rag.library.references.resolve import LONGEST_RANGE
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


def named_pages(
    query: str,
    wanted: NamedBooks,
    books: Sequence[BookSummary],
    catalog: Catalog,
    store: Store,
    spoken_of: frozenset[str] = frozenset(),
) -> Named:
    """The pages a query names among `books`, which are some or all of the reader's catalog.

    `wanted` are the books that it names. A page that is named without a book is of the files `spoken_of`
    before, where there are any.
    """
    references = [
        _without_topic(_as_printed(found, books, store), books, catalog, store)
        for found in find_references(query, catalog.titles, catalog.codes, is_question=True)
        if found.first
    ]
    is_without_book = not any(found.book or found.heading for found in references)
    meant = (
        _books_beside(wanted, query, references, books, catalog)
        or [book for book in books if is_without_book and book.file in spoken_of]
        or books
    )
    opened = [_opened(found, meant, catalog, store) for found in references]
    pages = tuple(page for of_one, _ in opened for page in of_one)
    ambiguous = tuple(shared for _, shared in opened if shared)
    is_named = len(meant) < len(books) or all(
        found.book or len(_files_of(of_one, store)) == 1
        for found, (of_one, _) in zip(references, opened, strict=True)
    )
    unnamed = set(_rest(query, references)) & set(map(fold, words(wanted.rest)))
    is_all = bool(pages) and is_named and not unnamed
    absent = [one for found in references if (one := _absent(found, meant, catalog, store))]
    return Named(tuple(dict.fromkeys(pages)), is_all, tuple(absent), ambiguous)


def _as_printed(reference: Reference, books: Sequence[BookSummary], store: Store) -> Reference:
    """A reference to one page, where a book has a page of that very number: "2-3", "A-3" or "A3"."""
    whole = reference.whole
    if not whole:
        return reference
    is_lettered = whole.startswith(f"{reference.book}-")
    files = [book.file for book in books]
    for label in (whole, whole.replace("-", "")) if is_lettered else (whole,):
        if store.labelled(files, label):
            return replace(reference, first=label, last=label, book=None if is_lettered else reference.book)
    return reference


def _without_topic(
    reference: Reference, books: Sequence[BookSummary], catalog: Catalog, store: Store
) -> Reference:
    """A reference without the name of what is asked about: "Fireball (p. 30)" names a page, no book.

    A name that stands on such a page is kept: it may tell which book is meant.
    """
    name = reference.heading
    if not name or not reference.is_topic or catalog.find(name):
        return reference
    pages = store.labelled([book.file for book in books], reference.first or "")
    return reference if _saying(store, pages, name) else replace(reference, heading=None)


def _books_beside(
    wanted: NamedBooks,
    query: str,
    references: Sequence[Reference],
    books: Sequence[BookSummary],
    catalog: Catalog,
) -> Sequence[BookSummary]:
    """The books that a query names beside its pages, none where it names none.

    "Page 15 basic fantasy" says nothing but the book beside the page.
    """
    rest = " ".join(_rest(query, references))
    files = wanted.files or frozenset(_files(rest, books, catalog))
    return [book for book in books if book.file in files]


def _opened(
    reference: Reference, books: Sequence[BookSummary], catalog: Catalog, store: Store
) -> tuple[tuple[int, ...], PageOfSeveralBooks | None]:
    """The pages that a reference names; without a book the books, where too many have such a page."""
    name = reference.book or reference.heading
    if files := _files(name, books, catalog) if name else []:
        return _range(store, files, reference.first or "", reference.last, reference.is_pdf_page), None
    anywhere = _homeless(reference, books, store)
    files_of = _files_of(anywhere, store)
    if len(files_of) <= _MOST_HOMELESS:
        return anywhere, None
    names = [catalog.own_name(book) for book in books if book.file in files_of]
    more = len(names[_MOST_BOOKS_TOLD:])
    told = PageOfSeveralBooks(page=reference.first or "", books=tuple(names[:_MOST_BOOKS_TOLD]), more=more)
    return (), told


def _homeless(reference: Reference, books: Sequence[BookSummary], store: Store) -> tuple[int, ...]:
    """The pages of any book that a reference to no book may mean; of too many those that say its name."""
    if reference.book:
        return ()
    files = [book.file for book in books]
    pages = _range(store, files, reference.first or "", reference.last, reference.is_pdf_page)
    if not reference.heading:
        return pages
    saying = _saying(store, pages, reference.heading)
    return pages if saying and len(_files_of(pages, store)) <= _MOST_HOMELESS else saying


def _files_of(pages: Sequence[int], store: Store) -> set[str]:
    return {page.file for page in store.pages(pages).values()}


def _saying(store: Store, pages: Sequence[int], name: str) -> tuple[int, ...]:
    """Those of the pages on which a name stands; one that stands on none is that of a book unknown here."""
    texts = {number: plain(page.text) for number, page in store.pages(pages).items()}
    return tuple(number for number in pages if f" {plain(name)} " in f" {texts[number]} ")


def _absent(
    reference: Reference, books: Sequence[BookSummary], catalog: Catalog, store: Store
) -> AbsentPage | None:
    """The page a reference means where no file of the book that is meant has it, or no book at all.

    A book that nobody here knows has none.
    """
    label = reference.first or ""
    name = reference.book or reference.heading
    if name and not catalog.find(name):
        labelled = store.labelled([book.file for book in books], label)
        said = not reference.book and _saying(store, labelled, name)
        return None if said or name.islower() else AbsentPage(book=name, page=label, printed="")
    meant = [book for book in books if not reference.book or book in catalog.find(reference.book)]
    numbered = [book for book in meant if book.first_label and book.last_label]
    is_one_book = len({(book.game, book.title) for book in numbered or meant}) == 1
    is_named = reference.book or not reference.heading
    if reference.is_pdf_page or not is_named:
        return None
    if not numbered:
        return _without_number(meant, label) if is_one_book else None
    if store.labelled([book.file for book in meant], label):
        return None
    if not is_one_book:
        return None if name else AbsentPage(book="", page=label, printed="")
    printed = ", ".join(f"{book.first_label}–{book.last_label}" for book in numbered)
    is_whole = all(book.health.labels == 1 for book in numbered)
    return AbsentPage(
        book=numbered[0].title, page=label, printed=printed, numbering="printed" if is_whole else "unread"
    )


def _without_number(meant: Sequence[BookSummary], label: str) -> AbsentPage:
    """A page asked for by its number, of a book none of whose pages has one that could be read."""
    numbering: Numbering = "unread" if any(book.numbering == "unread" for book in meant) else "unnumbered"
    pages = max((book.pages for book in meant if book.kind == "pdf"), default=0)
    is_position = label.isdecimal() and 0 < int(label) <= pages
    return AbsentPage(
        book=meant[0].title, page=label, printed="", numbering=numbering, is_position=is_position
    )


def _files(name: str, books: Sequence[BookSummary], catalog: Catalog) -> list[str]:
    allowed = {book.file for book in books}
    return [book.file for book in catalog.find(name) if book.file in allowed]


def _range(
    store: Store, files: Sequence[str], first: str, last: str | None, is_pdf_page: bool
) -> tuple[int, ...]:
    """The pages from `first` to `last` where both ends lie in one book, else those called `first`."""
    starts = _called(store, files, first, is_pdf_page)
    if last in (None, first) or len(starts) != 1:
        return tuple(starts)
    ends = [
        end
        for end in _called(store, files, last or first, is_pdf_page)
        if 0 < end - starts[0] <= LONGEST_RANGE
    ]
    return tuple(range(starts[0], ends[0] + 1)) if ends else tuple(starts)


def _called(store: Store, files: Sequence[str], name: str, is_pdf_page: bool) -> list[int]:
    if is_pdf_page:
        return store.positioned(files, int(name)) if name.isdecimal() else []
    return store.labelled(files, name)


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
