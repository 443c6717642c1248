"""Pages gathered by several searches, as one context without repetitions; pure."""

from collections.abc import Iterable, Iterator, Sequence

from langchain_core.documents import Document

from rag.state import Question

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
