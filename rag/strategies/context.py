"""Pages of several searches as one context: each once, best first, as far as a prompt has room; pure."""

from collections.abc import Iterable, Iterator, Sequence

from langchain_core.documents import Document

from rag.state import Question, Span

RRF_CONSTANT = 60
"""Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009)."""

PAGES_KEPT_A_QUERY = 2


def page_key(document: Document) -> tuple[str, str]:
    """What makes two documents the same page: book and content."""
    return str(document.metadata.get("book", "")), document.page_content


def unique_pages(documents: Iterable[Document]) -> list[Document]:
    """The documents without repetitions, in order."""
    return list({page_key(document): document for document in reversed(list(documents))}.values())[::-1]


def merged_context(questions: Sequence[Question], limit: int) -> list[Document]:
    """The union of all pages found, fused by their ranks, best first, at most `limit` of them.

    A page that was looked up, or asked for by a later hop, is found by that one query alone and would
    lose to pages that every wording finds: such pages have places kept for them, up to half.
    """
    scores: dict[tuple[str, str], float] = {}
    pages: dict[tuple[str, str], Document] = {}
    for question in questions:
        for rank, document in enumerate(unique_pages(question.context), start=1):
            key = page_key(document)
            pages.setdefault(key, document)
            scores[key] = scores.get(key, 0.0) + 1 / (RRF_CONSTANT + rank)
    best = sorted(scores, key=lambda key: scores[key], reverse=True)
    kept = list(dict.fromkeys(_kept(questions)))[: limit // 2]
    chosen = set([*kept, *(key for key in best if key not in kept)][:limit])
    return [pages[key] for key in best if key in chosen]


def _kept(questions: Sequence[Question]) -> Iterator[tuple[str, str]]:
    """The pages that later hops asked for, the newest first, then those looked up by their number."""
    for question in sorted(questions, key=lambda question: -question.hop):
        if question.hop > 1 or question.fetched:
            yield from (page_key(page) for page in question.context[:PAGES_KEPT_A_QUERY])


def is_citable(document: Document) -> bool:
    """Contents and index pages help to find a rule but are no evidence for it."""
    return document.metadata.get("kind", "text") == "text" and bool(document.page_content.strip())


def place(document: Document) -> str:
    """A page by book and printed number, as a person would look it up: "GURPS Powers p. 100"."""
    label = document.metadata.get("page")
    number = f"p. {label}" if label else f"PDF p. {document.metadata.get('pdf_page', '?')}"
    return f"{document.metadata.get('book', '')} {number}".strip()


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
