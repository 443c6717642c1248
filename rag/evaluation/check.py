"""What in a question file cannot be meant so, told by the books: each doubt is said before the scores."""

from collections.abc import Iterator, Sequence

from rag.config import Audience
from rag.errors import LibraryError
from rag.evaluation.questions import GoldPage, GoldQuestion
from rag.library.books.catalog import Catalog
from rag.library.books.found_page import FoundPage
from rag.library.library import Library
from rag.nodes.citations import printed, quote_parts, stands_on
from rag.texts import Texts


def prepared(questions: Sequence[GoldQuestion], library: Library, reader: Audience) -> list[GoldQuestion]:
    """The questions as they are asked: pages have positions, and a book that is not there is left out."""
    catalog = Catalog(library.books(reader))
    return [
        one.model_copy(
            update={
                "gold": [_with_position(page, library, reader) for page in one.gold],
                "also_ok": [_with_position(page, library, reader) for page in one.also_ok],
                "book": None if _book_is_unknown(one, catalog) else one.book,
            }
        )
        for one in questions
    ]


def _with_position(page: GoldPage, library: Library, reader: Audience) -> GoldPage:
    """A page told by its section alone, with the position of the part that holds its quote."""
    if page.section is None or page.pdf_page is not None:
        return page
    parts = sorted(_parts(page, library, reader), key=lambda part: not _holds(part, page.quote))
    return page.model_copy(update={"pdf_page": parts[0].pdf_page}) if parts else page


def doubts(
    questions: Sequence[GoldQuestion], library: Library, reader: Audience, texts: Texts
) -> Iterator[str]:
    """What is said of books that this reader does not have, and of quotes that stand elsewhere."""
    catalog = Catalog(library.books(reader))
    for one in questions:
        if _book_is_unknown(one, catalog):
            yield texts("evaluation-unknown-book", id=one.id, book=one.book)
        for page in (*one.gold, *one.also_ok):
            if not _is_there(page, library, reader):
                yield texts("evaluation-quote-elsewhere", id=one.id, file=page.file, place=page.place)


def _book_is_unknown(question: GoldQuestion, catalog: Catalog) -> bool:
    return question.book is not None and not catalog.find(question.book)


def _is_there(gold: GoldPage, library: Library, reader: Audience) -> bool:
    """Whether this reader has a gold page, under its printed number and with its quote."""
    try:
        parts = _parts(gold, library, reader)
    except LibraryError:
        return False
    labels = {gold.page, None}
    return any(_holds(part, gold.quote) and (not gold.page or part.label in labels) for part in parts)


def _parts(gold: GoldPage, library: Library, reader: Audience) -> list[FoundPage]:
    """The page where a gold page is said to be, or all parts of its section."""
    if gold.section:
        return library.section(gold.file, gold.section, reader)
    return [library.page_at(gold.file, gold.id.pdf_page, reader)]


def _holds(page: FoundPage, quote: str) -> bool:
    """Whether every part of a quote stands on a page, or runs over one of its ends."""
    return all(printed(part) in printed(page.text) or stands_on(part, page) for part in quote_parts(quote))
