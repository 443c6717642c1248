"""The words books are written in, their vectors, and which are nearest to a word of another language.

A Portuguese question's words searched in an English book are noise; the book's own words nearest to
them are not. No translator is needed: the embedding already places words of one meaning together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Ids
from rag.library.index.nearest import UnitVectors, cosines, normalised
from rag.library.language.words import content_words

_LARGEST = np.iinfo(np.int8).max
_ROWS_AT_ONCE = 500
"""Rows that are made numbers of again at once: they stay in the processor's cache until they are compared."""


@dataclass(frozen=True, slots=True)
class CompactVectors:
    """Unit vectors as `rows` of whole numbers, each row to be multiplied by its scale."""

    rows: npt.NDArray[np.int8]
    scales: npt.NDArray[np.float32]

    @classmethod
    def of(cls, vectors: UnitVectors) -> "CompactVectors":
        """Those nearest to some unit vectors; rows of zeros stay so."""
        scales = np.abs(vectors).max(axis=1, initial=0) / np.float32(_LARGEST)
        rows = np.round(vectors / np.where(scales > 0, scales, 1)[:, None])
        return cls(rows.astype(np.int8), scales.astype(np.float32))

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self.rows.shape[1])

    def part(self, rows: slice) -> "CompactVectors":
        """Those of some rows."""
        return CompactVectors(self.rows[rows], self.scales[rows])

    def cosines(self, asked: UnitVectors) -> UnitVectors:
        """The cosine of each unit vector asked to each of these."""
        found: UnitVectors = np.empty((len(asked), len(self.rows)), np.float32)
        for first in range(0, len(self.rows), _ROWS_AT_ONCE):
            some = slice(first, first + _ROWS_AT_ONCE)
            found[:, some] = cosines(asked, self.rows[some].astype(np.float32))
        found *= self.scales
        return found


NEIGHBOURS = 5
"""Words of the books taken for each word of a question, its own inflections among them."""

SHORTEST = 3
"""Letters of a word that is kept."""

_DIGITS, _EQUAL = 5, 1e-5
"""Digits of a cosine that count, for each processor rounds in its own way; how much counts as equal."""


def vocabulary(texts: Iterable[str], language: str) -> tuple[str, ...]:
    """The content words of a book, each once, in alphabetical order; numbers are no words."""
    found = set[str]().union(*(content_words(text, language) for text in texts))
    return tuple(sorted(word for word in found if len(word) >= SHORTEST and word.isalpha()))


@dataclass(frozen=True, slots=True)
class Words:
    """The words of some books of one language.

    `vectors` has a row a word; `books[word, book]` tells in which books it stands.
    """

    words: Sequence[str]
    vectors: CompactVectors
    books: npt.NDArray[np.bool_]


Vocabulary = Sequence[tuple[Words, Ids]]
"""The words of all books of one language, in parts: of each the numbers of its books among all, -1 for one
that is gone.
"""


def nearest_words(
    vocabulary: Vocabulary, vectors: UnitVectors, books: Sequence[int] | Ids
) -> list[Mapping[str, float]]:
    """For each vector the nearest words of a vocabulary in the given books, with their cosine similarity."""
    found: list[list[tuple[float, str]]] = [[] for _ in vectors]
    units = normalised(vectors)
    for part, columns in vocabulary:
        for near, words in zip(found, _nearest(units, part, np.isin(columns, books)), strict=False):
            near += words
    return [_first_words(sorted(near)) for near in found]


def _nearest(
    units: UnitVectors, part: Words, books: npt.NDArray[np.bool_]
) -> Iterator[list[tuple[float, str]]]:
    """For each unit vector the nearest words of some books of a part, behind the cosine turned round."""
    visible = np.arange(len(part.words)) if books.all() else np.flatnonzero(part.books[:, books].any(axis=1))
    if not len(visible) or not part.vectors.dimension:
        return
    similarities = part.vectors.cosines(units)
    if not books.all():
        similarities = similarities[:, visible]
    fewest = max(len(visible) - NEIGHBOURS, 0)
    least = np.partition(similarities, fewest, axis=1)[:, fewest] - _EQUAL
    for row, bound in zip(similarities, least, strict=True):
        near = np.flatnonzero(row >= bound)
        yield [(-round(float(row[place]), _DIGITS), part.words[visible[place]]) for place in near]


def _first_words(near: Iterable[tuple[float, str]]) -> Mapping[str, float]:
    """The nearest words; one that several parts have counts once."""
    found: dict[str, float] = {}
    for distance, word in near:
        if len(found) < NEIGHBOURS:
            found.setdefault(word, -distance)
    return found
