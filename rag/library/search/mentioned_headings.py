"""Headings of a game that a passage mentions and no printed reference names: "counts as an outcast"."""

from collections.abc import Sequence
from math import log

import numpy as np

from rag.library.index.segment import PageRow
from rag.library.index.store import Scope, Store
from rag.library.index.topics import Name, names_of_topic, number_of
from rag.library.language.words import content_words, stem
from rag.rules import rule

FEW_PLACES, FEW_IN = 5, 50
"""A heading is mentioned where one of its words stands in so few passages of the game, or in one of so many:
the commoner ones are on every page.
"""
WORDS_BETWEEN = 2
"""Other words that may stand between those of a name."""


@rule(without=lambda text, own_page, language, scope, store: [])
def mentioned_headings(text: str, own_page: int, language: str, scope: Scope, store: Store) -> list[int]:
    """The pages in scope, but for a passage's own, with a heading that it mentions; the rarest first.

    A name that several pages have tells no page.
    """
    said = [stem(word, language) for word in content_words(text, language) if word.isalpha()]
    named = _said_whole(set(said), language, scope, store)
    rows = store.pages(page for _, page in named)
    rarest: dict[int, float] = {}
    for number, page in named:
        name = _heading_called(number, rows[page], language) if page != own_page else None
        if name and _stands(name, said):
            rarest[page] = max(_rarity(name, language, scope, store), rarest.get(page, 0.0))
    return sorted(filter(rarest.__getitem__, rarest), key=lambda page: -rarest[page])


def _said_whole(said: set[str], language: str, scope: Scope, store: Store) -> list[tuple[int, int]]:
    """The number and page of each topic in scope all of whose stems are said, and that has one page alone."""
    topics = store.topics
    counts = np.zeros(len(topics.chunks), np.int32)
    for numbers in store.topic_postings(said, language).values():
        counts[numbers] += 1
    whole = np.flatnonzero((counts == topics.lengths) & scope.chunks[topics.chunks])
    places = np.stack([topics.names[whole], store.page_of_chunk[topics.chunks[whole]]], axis=1)
    places = np.unique(places, axis=0)
    _, own, pages = np.unique(places[:, 0], return_inverse=True, return_counts=True)
    return [(int(number), int(page)) for number, page in places[pages[own] == 1]]


def _heading_called(number: int, row: PageRow, language: str) -> Name | None:
    """The name with that number, where it is one of a heading of a page: a row or bold word opens no rule."""
    names = (name for heading in row.headings for name in names_of_topic(heading.text, language))
    return next((name for name in names if number_of(name) == number), None)


def _stands(name: Name, said: Sequence[str]) -> bool:
    """Whether the stems of a name are said close together."""
    width = len(name) + WORDS_BETWEEN
    return any({*name} <= {*said[start : start + width]} for start in range(len(said)))


def _rarity(name: Name, language: str, scope: Scope, store: Store) -> float:
    """How rare the words of a name are in the passages of a game; 0 where all of them are common."""
    passages = int(scope.chunks.sum())
    places = [store.places(term, language, scope) for term in name]
    if min(places, default=passages) > max(FEW_PLACES, passages / FEW_IN):
        return 0.0
    return sum(log((passages + 1) / (count + 1)) for count in places)
