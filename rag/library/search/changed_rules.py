"""Which rules of the books a ruling changes: on the page that it names, in the section, or of that name."""

from collections.abc import Iterable

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog, plain
from rag.library.books.found_page import Correction
from rag.library.books.page import SECTION_JOINT
from rag.library.books.ruling import Ruling
from rag.library.index.segment import PageRow
from rag.library.index.store import Store
from rag.library.index.topics import names_of_topic
from rag.library.references import find_references
from rag.library.references.corrections import PageSpan, PrintedCorrection, changed_parts, corrected_places
from rag.library.references.entries import tied_name
from rag.library.search.found_pages import Hit, found_pages, linked
from rag.library.search.query import QueryReader
from rag.library.search.sections import section_parts
from rag.state import Span


def changed_rules(ruling: Ruling, queries: QueryReader) -> list[Correction]:
    """What a ruling changes: on each page that its rule names the section or paragraph of it."""
    places = _places(ruling, queries)
    pages = found_pages([Hit(page) for page, _ in places], queries.store, queries.reader)
    return [
        Correction(other=linked(page, span.start), corrected=span, correcting=Span(0, len(ruling.text)))
        for page, (_, span) in zip(pages, places, strict=True)
    ]


def _places(ruling: Ruling, queries: QueryReader) -> list[tuple[int, Span]]:
    """The page and the part of it of each rule that a ruling names: by page, by section, else by its name."""
    store = queries.store
    (query,) = queries.read([ruling.heading])
    name = _named_beside_page(ruling, queries.store.catalog(queries.reader))
    if named := query.named.pages:
        rows = store.pages(named)
        return [(page, span) for page in named for span in _rules_on(rows[page], name, ruling, queries)]
    own = [book for book in queries.books if book.game == ruling.game]
    book, _, section = ruling.rule.partition(SECTION_JOINT)
    if not section:
        return _rules_called(name or ruling.heading, own, store)
    meant = [one for one in own if plain(one.title) == plain(book)]
    if not (parts := section_parts(store, meant, section) if meant else []):
        return _rules_called(section, meant, store)
    of_parts = store.pages(part.page for part in parts)
    return [(part.page, Span(part.start, part.end or len(of_parts[part.page].text))) for part in parts]


def _rules_called(name: str, books: Iterable[BookSummary], store: Store) -> list[tuple[int, Span]]:
    """The rules of that name in the books: sections; where a book has none, lines and table rows."""
    called = plain(name)
    wanted = PrintedCorrection(PageSpan((0, 0), 0, 0), called, called)
    found = []
    for book in books:
        pages = {row.id: row for row in store.explaining(names_of_topic(name, book.language), book.file)}
        ids = {page.position: number for number, page in pages.items()}
        places = corrected_places(wanted, list(pages.values()), book.title)
        found += [(ids[place.position], Span(place.start, place.end)) for place in places]
    return found


def _named_beside_page(ruling: Ruling, catalog: Catalog) -> str:
    """The rule that a ruling names beside its page, in plain letters; "" if none.

    What its own name of a rule has besides a page is all of it such a name.
    """
    named = ruling.heading
    for one in find_references(named, catalog.titles, catalog.codes, is_question=True)[:1]:
        besides = f"{named[: one.start]} {named[one.end :]}" if ruling.rule else ""
        return tied_name(named, one.start, one.end) or plain(besides)
    return ""


def _rules_on(page: PageRow, name: str, ruling: Ruling, queries: QueryReader) -> list[Span]:
    """The parts of a page that a ruling changes: what its rule is called, without a name what its words say;
    none where the page says nothing of it.
    """
    # A question may mention a page that its ruling leaves as it is.
    said = name or plain(f"{ruling.question} {ruling.text}")
    language = queries.store.catalog(queries.reader).book(page.file).language
    parts = changed_parts(name, said, page, language) if name or ruling.rule else []
    return [Span(part.start, part.end) for part in parts]
