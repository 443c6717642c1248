"""Which printed references of found pages are worth following for a question; pure."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from langchain_core.documents import Document

from rag.context import place

PAGES_LOOKED_AT = 5
"""References are followed from the best pages only: further down they lead astray."""
FOLLOWED_PER_SEARCH = 4
SENTENCE_REACH = 160
"""Characters before and after a reference that say what it is about."""
SHORTEST_WORD = 4


@dataclass(frozen=True)
class OpenReference:
    """A printed reference on a found page: where it stands, what it says, the query that fetches it.

    `query` is None where the book is not in the library.
    """

    origin: str
    text: str
    target: str
    query: str | None
    weight: float


def open_references(question: str, pages: Sequence[Document], known: Collection[str]) -> list[OpenReference]:
    """The references of pages that lead to none of the `known` places, the most promising first.

    A reference promises more the higher its page ranks, the closer it stands to the passage that
    matched, and the more words of the question stand around it.
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
                    place(page), reference["text"], target, reference["query"], weight
                )
    return sorted(found.values(), key=lambda reference: -reference.weight)


def worth_following(
    references: Iterable[OpenReference], limit: int = FOLLOWED_PER_SEARCH
) -> list[OpenReference]:
    """The references to fetch at once: resolvable, and about what was asked."""
    return [reference for reference in references if reference.query and reference.weight >= 0.5][:limit]


def _weight(page: Document, reference: dict[str, object], words: set[str]) -> float:
    start = int(str(reference["start"]))
    around = page.page_content[max(0, start - SENTENCE_REACH) : start + SENTENCE_REACH]
    shared = len(words & set(_words(around))) / max(1, len(words))
    in_best = any(first <= start <= last for first, last in page.metadata.get("hits", [])[:1])
    return shared * 2 + (1.0 if in_best else 0.0)


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if len(word) >= SHORTEST_WORD]


def _printed_target(reference: dict[str, object]) -> str:
    book, page = reference.get("book") or "", reference.get("page")
    return f"{book} p. {page}".strip() if page else str(reference["text"])
