"""How much of the found pages a prompt holds: bounded a page and in all, around what the search hit; pure."""

from collections.abc import Sequence

from langchain_core.documents import Document

from rag.nodes.citations import Span

PAGE_CHARACTERS = 8_000
"""More than a page in print holds; a file without page breaks may hold far more."""
PAGES_CHARACTERS = 60_000
"""What all pages of one prompt hold together: about 15,000 tokens."""
SHORTEST_EXCERPT = 400
"""Less than this of a page says too little to be worth its place."""
CUT = "…"


def excerpts(pages: Sequence[Document]) -> list[tuple[Document, str]]:
    """The pages, best first, each with as much of its text as it may have.

    The best pages have theirs in full; what finds no room any more is left out.
    """
    kept: list[tuple[Document, str]] = []
    room = PAGES_CHARACTERS
    for page in pages:
        limit = min(PAGE_CHARACTERS, room)
        if limit < min(SHORTEST_EXCERPT, len(page.page_content)):
            continue
        text = excerpt(page, limit)
        kept.append((page, text))
        room -= len(text)
    return kept


def excerpt(page: Document, limit: int) -> str:
    """A page's text in at most `limit` characters: around its best hits, with a mark where it is cut."""
    text = page.page_content
    if len(text) <= limit:
        return text
    part = window([Span(*hit) for hit in page.metadata.get("hits", [])], len(text), limit - 2 * len(CUT))
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
