"""The topics of a book.

A topic is what a page explains under a name of its own: a heading, bold words that open a paragraph, the
title or a row of a table.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rag.library.books.book import Chunk
from rag.library.books.page import Heading, HeadingPath, Page, path_at, paths_at_top
from rag.library.index.bm25 import Ids
from rag.library.language.words import content_words, names_in, stem, stems

CELL_GAP = "  "
"""What stands between the cells of a row at least."""

RECURRING = 4
"""Places of a book in which a name in bold recurs."""

_BETWEEN_PARAGRAPHS = 2
"""Characters from the end of a paragraph to the next one."""

Name = tuple[str, ...]
"""The stems of a topic's name, each once, in alphabetical order: "Skeleton, Giant" is a giant skeleton."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Something explained: its name, and the chunk that the explanation begins in.

    The name of a row are the words that its values stand under: a question says but some of them.
    """

    name: Name
    chunk: int
    is_row: bool = False

    @property
    def length(self) -> int:
        """How many words the name has, `OF_ROW` in place of that."""
        return OF_ROW if self.is_row else len(self.name)


OF_ROW = -1
"""In place of the length of its name, which no question says whole."""


class TopicArrays(NamedTuple):
    """All topics of an index: of each the chunk, the number of its name, and how many words that has."""

    chunks: Ids
    names: "npt.NDArray[np.int64]"
    lengths: Ids


def topics_of(
    page: Page, language: str, spans: Sequence[tuple[int, int]], first_chunk: int
) -> Iterator[Topic]:
    """The topics of a page whose chunks have the given spans; none of a list of pages, as contents are.

    `first_chunk` is the number of the page's first chunk. A heading at the foot of its page belongs to what
    follows: to the first chunk behind.
    """
    if page.kind != "text":
        return
    named = [(heading.offset, heading.text) for heading in page.headings] + list(page.terms)
    named += [(start, page.text[start:end].partition(CELL_GAP)[0]) for start, end, _ in page.rows]
    above = dict(_headings_above(page.headings))
    for offset, text in named:
        explained = offset + len(text) + 1
        chunk = first_chunk + sum(end <= explained for _, end in spans)
        names = names_of_topic(text, language)
        outer = names_of_topic(above.get(offset, ""), language)
        if names and outer:
            # Under "Saving Throws" stands what a Thief saves.
            names.append(tuple(sorted({*names[-1], *outer[-1]})))
        for name in dict.fromkeys(names):
            yield Topic(name, chunk)


def _rows_of(
    page: Page, top: HeadingPath, language: str, spans: Sequence[tuple[int, int]], first_chunk: int
) -> Iterator[Topic]:
    """The table rows of a page: the headings above, the names of columns and the row's first cell together.

    Numbers aside, so that the rows of a chunk that differ in these alone are one.
    """
    for chunk, (start, end) in enumerate(spans, first_chunk):
        rows = [
            [
                *path_at(top, page.headings, at),
                page.text[at:to].partition(CELL_GAP)[0],
                *(cell.partition(": ")[0] for cell in reading.split("; ")),
            ]
            for at, to, reading in page.rows
            if start <= at < end
        ]
        names = (tuple(sorted({*filter(str.isalpha, stems(" ".join(row), language))})) for row in rows)
        yield from (Topic(name, chunk, is_row=True) for name in dict.fromkeys(names) if name)


def _headings_above(headings: Sequence[Heading]) -> Iterator[tuple[int, str]]:
    """The offset of each heading that stands below another on its page, and that one's words.

    One without a text of its own stands above the next of its level, however they are printed.
    """
    open_ones: list[tuple[Heading, float]] = []
    for heading, following in zip_longest(headings, headings[1:]):
        is_empty = following and following.offset <= heading.offset + len(heading.text) + _BETWEEN_PARAGRAPHS
        open_ones = [(one, level) for one, level in open_ones if level < heading.level]
        if open_ones:
            yield heading.offset, open_ones[-1][0].text
        open_ones.append((heading, heading.level - 0.5 * bool(is_empty)))


def names_of_topic(text: str, language: str) -> list[Name]:
    """What a heading may be called by."""
    return [name for name in dict.fromkeys(_name(part, language) for part in names_in(text)) if name]


def _name(text: str, language: str) -> Name:
    of_content = {stem(word, language) for word in content_words(text, language)}
    return tuple(sorted(of_content or set(stems(text, language))))


def number_of(name: Name) -> int:
    """The number of a name: a hash of 63 bits, so that names need no list to have their numbers from."""
    return int.from_bytes(blake2b("\n".join(name).encode(), digest_size=8).digest()) >> 1


def book_topics(pages: Sequence[Page], language: str, chunks: Sequence[Chunk], first: int) -> Iterator[Topic]:
    """What the pages of a book explain under a name; `first` is the number of its first chunk.

    Nothing stands behind a heading that ends the book. A name in bold that recurs is none: what many
    creatures do with a dagger tells nothing of daggers.
    """
    places = Counter(text for page in pages for _, text in page.terms)
    rare = [[term for term in page.terms if places[term[1]] < RECURRING] for page in pages]
    pages = [replace(page, terms=tuple(terms)) for page, terms in zip(pages, rare, strict=True)]
    spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for chunk in chunks:
        spans[chunk.page].append((chunk.start, chunk.end))
    last = first + len(chunks) - 1
    for number, (page, top) in enumerate(zip(pages, paths_at_top(pages), strict=True)):
        for topic in topics_of(page, language, spans[number], first):
            yield replace(topic, chunk=min(topic.chunk, last))
        yield from _rows_of(page, top, language, spans[number], first)
        first += len(spans[number])
