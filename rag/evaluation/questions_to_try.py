"""Questions to try: made of the headings and tables of a reader's books, and tried before they are shown."""

import re
from collections.abc import Iterator
from itertools import islice

from rag.config import Audience
from rag.graph import RulesGraph
from rag.library.books.book import IsSeen
from rag.library.books.found_page import FoundPage
from rag.library.language.words import stems
from rag.library.library import Library
from rag.state import PageId, Reply
from rag.strategies.lines import cells, lines_of
from rag.texts import Texts

SHOWN, FROM_TABLES = 3, 1
MOST_TRIED = 6
"""Questions of a kind that are tried."""
PAGES_READ = 36
"""Pages, spread over all books, of which questions are made."""
_PLAIN_NAME = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{2,}){0,2}")
"""One to three words, which read well in a sentence."""
_NUMBER = re.compile(r"\d")


async def questions_to_try(
    library: Library,
    graph: RulesGraph,
    texts: Texts,
    reader: Audience = "player",
    is_seen: IsSeen | None = None,
    book: str | None = None,
) -> list[str]:
    """At most three questions that the page they were made of answers first; no model is asked.

    They are of the books that a reader may see, of those that `is_seen` tells, or of the `book` or game of
    that name.
    Raises `EmptyLibrary` or `UnknownBook`.
    """
    retriever = library.limited_to(is_seen).retriever(reader, book)
    books = retriever.search.books[:PAGES_READ]
    shares = [(part + 0.5) * len(books) / PAGES_READ for part in range(PAGES_READ // len(books))]
    places = dict.fromkeys(PageId(one.file, 1 + int(one.pages * share)) for share in shares for one in books)
    pages = [page for page in map(FoundPage.of, retriever.fetch(list(places))) if page.is_citable]
    tried: dict[str, FoundPage] = {}
    for most, made_of in ((FROM_TABLES, _of_row), (SHOWN, _of_heading)):
        made = ((page, *one) for page in pages for one in islice(made_of(page, texts), 1))
        for page, question, name in islice(made, MOST_TRIED):
            if len(tried) < most and page not in tried.values():
                asked = graph.ask(question, reader=reader, is_seen=is_seen, book=book, with_model=False)
                if [one async for one in asked if isinstance(one, Reply) and _answers(one, page, name)]:
                    tried[question] = page
    return list(tried)


def _of_heading(page: FoundPage, texts: Texts) -> Iterator[tuple[str, str]]:
    """A question for each plain heading whose own sentences speak of it and tell a number, and the heading.

    Those of rules do, those of fiction and of lists do not.
    """
    for _, (*_, heading) in page.sections:
        name = heading.capitalize() if heading.isupper() else heading
        lines = [line for line in lines_of(page) if line.heading == heading and not line.is_heading]
        said = " ".join(line.text for line in lines if not line.is_row)
        is_spoken_of = {*stems(name, page.language)} <= {*stems(said, page.language)}
        if _PLAIN_NAME.fullmatch(name) and is_spoken_of and _NUMBER.search(said):
            yield texts("try-heading", heading=name), heading


def _of_row(page: FoundPage, texts: Texts) -> Iterator[tuple[str, str]]:
    """A question for each row with a plain name and numbers in several columns, and the name of the row."""
    for named, *others in (cells(line.text) for line in lines_of(page) if line.is_row):
        columns = [cell.column.partition(" (")[0].lower() for cell in others if _NUMBER.search(cell.value)]
        plain = [column for column in columns if _PLAIN_NAME.fullmatch(column) and " " not in column]
        if len(columns) > 1 and plain and _PLAIN_NAME.fullmatch(named.value):
            yield texts("try-row", row=named.value, column=plain[0]), named.value


def _answers(reply: Reply, page: FoundPage, name: str) -> bool:
    """Whether the first passage of a reply is of that page, under that heading or with that row marked."""
    if not (reply.answer.found and reply.answer.sources) or reply.answer.overruled:
        return False
    first = reply.answer.sources[0]
    told = (line.text for line in first.passage if line.is_heading or line.is_closest)
    return first.page_id == page.id and any(name in text for text in told)
