"""What in a question file cannot be meant so, told by the books: each doubt is said before the scores."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rag.config import Audience
from rag.evaluation.questions import TYPES, GoldPage, GoldQuestion, numbers_of_pages
from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog
from rag.library.books.found_page import FoundPage
from rag.nodes.citations import printed, quote_parts, stands_on


class Books(Protocol):
    """The part of a library that tells what stands where."""

    def books(self, reader: Audience) -> list[BookSummary]: ...

    def page_at(self, file: str, pdf_page: int, reader: Audience) -> FoundPage: ...

    def section(self, file: str, name: str, reader: Audience) -> list[FoundPage]: ...


@dataclass(frozen=True, slots=True)
class Doubt:
    """The key of a sentence that says what is doubtful, and its values."""

    key: str
    values: Mapping[str, Any]


def with_positions(questions: Sequence[GoldQuestion], library: Books) -> list[GoldQuestion]:
    """The questions with the position of each page that is told by its section and its quote."""
    return [
        question.model_copy(
            update={
                pages: [_with_position(page, library) for page in getattr(question, pages)]
                for pages in ("gold", "also_ok")
            }
        )
        for question in questions
    ]


def _with_position(page: GoldPage, library: Books) -> GoldPage:
    if page.section is None or page.pdf_page is not None:
        return page
    parts = library.section(page.file, page.section, reader="gm")
    holding = [part for part in parts if _holds(part, page.quote)]
    meant = next(iter([*holding, *parts]), None)
    return page.model_copy(update={"pdf_page": meant.pdf_page}) if meant else page


def without_contradictions(questions: Sequence[GoldQuestion], library: Books) -> list[GoldQuestion]:
    """The questions whose gold pages can be meant so: what contradicts itself measures nothing."""
    lengths = {book.file: book.pages for book in library.books("gm")}
    return [
        question
        for question in questions
        if not any(_contradicts_itself(page, library, lengths) for page in question.gold)
    ]


def _contradicts_itself(gold: GoldPage, library: Books, lengths: Mapping[str, int]) -> bool:
    """Whether a page is none of its file, or neither its number nor its quote is that of its position."""
    if gold.pdf_page is None or gold.section or gold.file not in lengths:
        return False
    if gold.pdf_page > lengths[gold.file]:
        return True
    page = library.page_at(gold.file, gold.pdf_page, reader="gm")
    is_other = bool(gold.page and page.label and gold.page != page.label)
    return is_other and bool(gold.quote) and not _holds(page, gold.quote)


def in_known_books(questions: Sequence[GoldQuestion], library: Books, reader: Audience) -> list[GoldQuestion]:
    """The questions, in all books those whose own book or game this reader does not have."""
    catalog = Catalog(library.books(reader))
    return [
        question.model_copy(update={"book": None}) if _book_is_unknown(question, catalog) else question
        for question in questions
    ]


def _book_is_unknown(question: GoldQuestion, catalog: Catalog) -> bool:
    return question.book is not None and not catalog.find(question.book)


def doubts(questions: Sequence[GoldQuestion], library: Books, reader: Audience) -> list[Doubt]:
    """Everything doubtful in a question file for this reader, in order of the questions."""
    catalog = Catalog(library.books(reader))
    readable = {book.file for book in catalog.books}
    lengths = {book.file: book.pages for book in library.books("gm")}
    unknown = [question for question in questions if _book_is_unknown(question, catalog)]
    return [
        *_about_all(questions, lengths),
        *(Doubt("evaluation-unknown-book", {"id": one.id, "book": one.book}) for one in unknown),
        *(doubt for question in questions for doubt in _about(question, library, lengths, readable)),
    ]


def _about_all(questions: Sequence[GoldQuestion], known: Collection[str]) -> Iterator[Doubt]:
    unknown = {page.file for question in questions for page in _pages(question)}.difference(known)
    if unknown:
        yield Doubt("evaluation-unknown-files", {"files": ", ".join(sorted(unknown))})
    for name, count in Counter(question.id for question in questions).items():
        if count > 1:
            yield Doubt("evaluation-same-id", {"id": name})
    for page, numbers in numbers_of_pages(questions).items():
        if len(numbers) > 1:
            told = {"file": page.file, "pdf_page": page.pdf_page, "pages": ", ".join(sorted(numbers))}
            yield Doubt("evaluation-two-numbers", told)


def _about(
    question: GoldQuestion, library: Books, lengths: Mapping[str, int], readable: Collection[str]
) -> Iterator[Doubt]:
    if question.type not in TYPES:
        values = {"id": question.id, "type": question.type, "types": ", ".join(TYPES)}
        yield Doubt("evaluation-unknown-type", values)
    for page in _pages(question):
        place = {
            "id": question.id,
            "file": page.file,
            "pdf_page": page.pdf_page,
            "section": page.section or "",
        }
        if page.file not in lengths:
            continue
        if page.file not in readable:
            yield Doubt("evaluation-gm-page", place)
        elif page.pdf_page is None:
            yield Doubt("evaluation-section-unknown", {**place, "section": page.section})
        elif page.pdf_page > lengths[page.file]:
            yield Doubt("evaluation-page-beyond", {**place, "pages": lengths[page.file]})
        else:
            yield from _at_place(page, library, place)


def _pages(question: GoldQuestion) -> tuple[GoldPage, ...]:
    return (*question.gold, *question.also_ok)


def _at_place(gold: GoldPage, library: Books, place: Mapping[str, Any]) -> Iterator[Doubt]:
    if gold.section:
        if not any(_holds(part, gold.quote) for part in library.section(gold.file, gold.section, "gm")):
            yield Doubt("evaluation-quote-not-in-section", place)
        return
    page = library.page_at(gold.file, gold.id.pdf_page, reader="gm")
    if gold.page and page.label and gold.page != page.label:
        yield Doubt("evaluation-other-number", {**place, "page": gold.page, "label": page.label})
    if not _holds(page, gold.quote):
        yield Doubt("evaluation-quote-elsewhere", place)


def _holds(page: FoundPage, quote: str) -> bool:
    """Whether a quote stands on a page with every part of it."""
    return all(_stands(part, page) for part in quote_parts(quote))


def _stands(quote: str, page: FoundPage) -> bool:
    """Whether a quote stands on a page, or runs over one of its ends; a short one letter for letter."""
    return printed(quote) in printed(page.text) or stands_on(quote, page)
