"""Pages of several searches as one context: each once, best first, as far as a prompt has room; pure."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from rag.library.books.found_page import FoundPage
from rag.library.search.fusion import fused
from rag.state import Question, Span

PAGES_KEPT_A_QUERY = 2

PageKey = tuple[str, str]
"""What makes two documents the same page: book and content."""


def page_key(page: FoundPage) -> PageKey:
    """What makes a page the same as another's finding of it."""
    return page.book, page.text


def pages_of(question: Question) -> dict[PageKey, FoundPage]:
    """The pages that a question's own search found, each once, best first."""
    pages: dict[PageKey, FoundPage] = {}
    for page in map(FoundPage.of, question.context):
        pages.setdefault(page_key(page), page)
    return pages


def merged_context(questions: Sequence[Question], limit: int) -> list[FoundPage]:
    """The union of all pages found, fused by their ranks, best first, at most `limit` of them.

    A page that was looked up, or asked for by a later hop, is found by that one query alone and would
    lose to pages that every wording finds: such pages have places kept for them, up to half.
    """
    found = [pages_of(question) for question in questions]
    scores = fused((1.0, list(pages)) for pages in found)
    best = sorted(scores, key=lambda key: scores[key], reverse=True)
    kept = list(dict.fromkeys(_kept(questions, found)))[: limit // 2]
    chosen = set([*kept, *(key for key in best if key not in kept)][:limit])
    pages = {key: page for one in reversed(found) for key, page in one.items()}
    return [pages[key] for key in best if key in chosen]


def _kept(questions: Sequence[Question], found: Sequence[dict[PageKey, FoundPage]]) -> Iterator[PageKey]:
    """The pages that later hops asked for, the newest first, then those that were fetched."""
    for question, pages in sorted(zip(questions, found, strict=True), key=lambda pair: -pair[0].hop):
        if question.hop > 1 or question.is_fetch:
            yield from list(pages)[:PAGES_KEPT_A_QUERY]


PAGE_CHARACTERS = 8_000
"""More than a page in print holds; a file without page breaks may hold far more."""
PAGES_CHARACTERS = 60_000
"""What all pages of one prompt hold together: about 15,000 tokens."""
SHORTEST_EXCERPT = 400
"""Less than this of a page says too little to be worth its place."""
CUT = "…"


def excerpts(pages: Sequence[FoundPage]) -> list[tuple[FoundPage, str]]:
    """The citable pages, best first, each with as much of its text as it may have.

    The best pages have theirs in full; what finds no room any more is left out.
    """
    kept: list[tuple[FoundPage, str]] = []
    room = PAGES_CHARACTERS
    for page in filter(attrgetter("is_citable"), pages):
        limit = min(PAGE_CHARACTERS, room)
        if limit < min(SHORTEST_EXCERPT, len(page.text)):
            continue
        text = excerpt(page, limit)
        kept.append((page, text))
        room -= len(text)
    return kept


def excerpt(page: FoundPage, limit: int) -> str:
    """A page's text in at most `limit` characters: around its best hits, with a mark where it is cut."""
    text = page.text
    if len(text) <= limit:
        return text
    part = window(page.hits, len(text), limit - 2 * len(CUT))
    before = CUT if part.start else ""
    after = CUT if part.end < len(text) else ""
    return f"{before}{text[part.start : part.end]}{after}"


def window(hits: Sequence[Span], length: int, limit: int) -> Span:
    """`limit` characters of a text of `length` that hold the best hit, and the further ones that fit."""
    start, end = (hits[0].start, hits[0].end) if hits else (0, 0)
    for hit in hits[1:]:
        first, last = min(start, hit.start), max(end, hit.end)
        if last - first <= limit:
            start, end = first, last
    begin = max(0, min(start - (limit - (end - start)) // 2, start, length - limit))
    return Span(begin, min(begin + limit, length))
