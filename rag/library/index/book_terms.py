"""What a book is searched by in words, made once where it is read: terms of its chunks, and its topics."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rag.library.books.page import path_at, paths_at_top
from rag.library.index.bm25 import Ids, Posting, Weights, invert
from rag.library.index.topics import Topic, topics_of
from rag.library.language.words import stems, words

if TYPE_CHECKING:
    from rag.library.books.book import Chunk, ParsedBook

TERMS_VERSION = 3
"""Bumped when terms, their counts or topics are made otherwise: those that are kept are made anew."""


@dataclass(frozen=True, slots=True)
class BookTerms:
    """The terms of a book in alphabetical order, and where they stand; chunks are numbered within the book.

    The postings of `terms[i]` are `chunks` and `counts` from `bounds[i]` to `bounds[i + 1]`; `lengths` tells
    the words of each chunk.
    """

    terms: tuple[str, ...]
    bounds: Ids
    chunks: Ids
    counts: Weights
    lengths: Ids
    topics: tuple[Topic, ...]

    def postings(self) -> Iterator[tuple[str, Posting]]:
        """Each term with where it stands."""
        for place, term in enumerate(self.terms):
            held = slice(self.bounds[place], self.bounds[place + 1])
            yield term, Posting(self.chunks[held], self.counts[held])


def terms_of(parsed: "ParsedBook", chunks: "Sequence[Chunk]", passages: Iterable[str]) -> BookTerms:
    """The terms and topics of a book that is divided into `chunks`, whose texts are the `passages`."""
    tops = paths_at_top(parsed.pages)
    documents: list[tuple[int, list[str], list[str]]] = []
    lengths: list[int] = []
    for number, (chunk, text) in enumerate(zip(chunks, passages, strict=True)):
        headings = path_at(tops[chunk.page], parsed.pages[chunk.page].headings, chunk.end)
        heading_terms = stems(" ".join(headings), parsed.language)
        documents.append((number, stems(text, parsed.language), heading_terms))
        lengths.append(len(words(text)))
    return _packed(invert(documents), lengths, tuple(_topics(parsed, chunks)))


def _packed(postings: Mapping[str, Posting], lengths: Sequence[int], topics: tuple[Topic, ...]) -> BookTerms:
    terms = tuple(sorted(postings))
    sizes = [len(postings[term].chunks) for term in terms]
    chunks = [postings[term].chunks for term in terms]
    counts = [postings[term].counts for term in terms]
    return BookTerms(
        terms,
        np.cumsum([0, *sizes], dtype=np.int32),
        np.concatenate([np.zeros(0, np.int32), *chunks]),
        np.concatenate([np.zeros(0, np.float32), *counts]),
        np.array(lengths, np.int32),
        topics,
    )


def _topics(parsed: "ParsedBook", chunks: "Sequence[Chunk]") -> Iterator[Topic]:
    """What the pages explain under a name; nothing stands behind a heading that ends the book."""
    spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for chunk in chunks:
        spans[chunk.page].append((chunk.start, chunk.end))
    first, last = 0, len(chunks) - 1
    for number, page in enumerate(parsed.pages):
        for topic in topics_of(page, parsed.language, spans[number], first):
            yield replace(topic, chunk=min(topic.chunk, last))
        first += len(spans[number])
