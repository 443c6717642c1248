"""Which further pages belong to the found ones: what they refer to, run on to, or are amended by; pure."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from langchain_core.documents import Document

from rag.strategies.context import place

PAGES_LOOKED_AT = 5
"""References are followed from the best pages only: further down they lead astray."""
FOLLOWED_PER_SEARCH = 2
"""More would push found pages out of the context."""
LONGEST_CHAIN = 3
"""A refers to B, B to C: beyond the first step only the most promising reference is followed."""
AMENDMENTS_PER_SEARCH = 2
SENTENCE_REACH = 160
"""Characters before and after a reference that say what it is about."""
SHORTEST_WORD = 4


@dataclass(frozen=True)
class Link:
    """A way from a found page to another: both as a person would look them up, and the query that fetches.

    `query` is None where the book is not in the library.
    """

    origin: str
    target: str
    query: str | None


@dataclass(frozen=True)
class OpenReference(Link):
    """A printed reference on a found page: how it reads, and how much it promises for the question."""

    text: str
    weight: float


def open_references(question: str, pages: Sequence[Document], known: Collection[str]) -> list[OpenReference]:
    """The references of pages that lead to none of the `known` places, the most promising first.

    A reference promises more the higher its page ranks, if it stands in the passage that matched, and the
    more words of the question stand near it.
    """
    words = set(_words(question))
    found: dict[str, OpenReference] = {}
    for rank, page in enumerate(pages):
        for reference in page.metadata.get("references", []):
            target = reference["query"] or _printed_target(reference)
            if target in known or target == place(page):
                continue
            weight = _weight(page, reference, words) / (rank + 1)
            if target not in found or found[target].weight < weight:
                found[target] = OpenReference(
                    place(page), target, reference["query"], reference["text"], weight
                )
    return sorted(found.values(), key=lambda reference: -reference.weight)


def worth_following(
    references: Iterable[OpenReference], limit: int = FOLLOWED_PER_SEARCH
) -> list[OpenReference]:
    """The references to fetch at once: the most promising that lead to a page of the library.

    A threshold would shut out questions in another language than the book's, which share no words with it.
    """
    return [reference for reference in references if reference.query][:limit]


def amendments(pages: Sequence[Document], known: Collection[str]) -> list[Link]:
    """The pages that correct what matched on a found page, or that it corrects there, best pages first."""
    found = [
        _link(page, other)
        for page in pages
        for key, first, last in (("amended_by", "start", "end"), ("amends", "at", "until"))
        for other in page.metadata.get(key, [])
        if _has_matched(page, other[first], other[last])
    ]
    return _fresh(found, known)[:AMENDMENTS_PER_SEARCH]


def _has_matched(page: Document, start: int, end: int) -> bool:
    """Whether a passage that matched shares text with a place on a page; all do where none matched."""
    hits = page.metadata.get("hits", [])
    return (
        not hits or page.metadata.get("named", False) or any(one < end and start < two for one, two in hits)
    )


def referring(pages: Sequence[Document], known: Collection[str]) -> list[Link]:
    """The page that points at the best page, for a rule is often an exception to the one it names."""
    found = [_link(page, other) for page in pages[:1] for other in page.metadata.get("referred_by", [])]
    return _fresh(found, known)[:1]


def continuations(pages: Sequence[Document], known: Collection[str]) -> list[Link]:
    """The next pages, where what matched lies in the second half of a page that ends in mid-sentence."""
    return _fresh([_continuation(page) for page in pages if _runs_on(page)], known)


def _runs_on(page: Document) -> bool:
    facts = page.metadata
    start = next((start for start, _ in facts.get("hits", [])), 0)
    return bool(facts.get("continues") and facts.get("next")) and start >= len(page.page_content) / 2


def _continuation(page: Document) -> Link:
    facts, following = page.metadata, page.metadata["next"]
    target = place(Document("", metadata={**following, "book": facts["book"]}))
    return Link(place(page), target, f"{facts['file']} PDF p. {following['pdf_page']}")


def _link(page: Document, other: dict[str, str]) -> Link:
    target = f"{other['book']} p. {other['page']}" if other["page"] else other["query"]
    return Link(place(page), target, other["query"])


def _fresh(links: Iterable[Link], known: Collection[str]) -> list[Link]:
    """Links to places not known yet, each once."""
    return list({link.target: link for link in links if link.target not in known}.values())


def _weight(page: Document, reference: dict[str, object], words: set[str]) -> float:
    start = int(str(reference["start"]))
    shared = sum(_nearness(page.page_content, word, start) for word in words) / max(1, len(words))
    in_best = any(first <= start <= last for first, last in page.metadata.get("hits", [])[:1])
    return shared * 2 + (1.0 if in_best else 0.0)


def _nearness(text: str, word: str, at: int) -> float:
    """How near a word stands to an offset of a text: 1 there, 0 out of reach."""
    reach = text[max(0, at - SENTENCE_REACH) : at + SENTENCE_REACH].casefold()
    middle = min(at, SENTENCE_REACH)
    distances = [abs(found.start() - middle) for found in re.finditer(rf"\b{re.escape(word)}\b", reach)]
    return 1 - min(distances, default=SENTENCE_REACH) / SENTENCE_REACH


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if len(word) >= SHORTEST_WORD]


def _printed_target(reference: dict[str, object]) -> str:
    book, page = reference.get("book") or "", reference.get("page")
    return f"{book} p. {page}".strip() if page else str(reference["text"])
