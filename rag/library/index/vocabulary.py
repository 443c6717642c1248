"""The words books are written in, and which of them are nearest to a word of another language.

A Portuguese question's words searched in an English book are noise; the book's own words nearest to
them are not. No translator is needed: the embedding already places words of one meaning together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.library.language.words import content_words

UnitVectors = npt.NDArray[np.float32]

NEIGHBOURS = 5
"""Words of the books taken for each word of a question, its own inflections among them."""

_SHORTEST = 3


def vocabulary(texts: Iterable[str], language: str) -> tuple[str, ...]:
    """The content words of a book, each once, in alphabetical order; numbers are no words."""
    found: set[str] = set()
    for text in texts:
        found.update(
            word for word in content_words(text, language) if len(word) >= _SHORTEST and word.isalpha()
        )
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of all books of one language.

    `vectors` has one normalised row a word; `books[word, book]` tells in which books it stands.
    """

    words: Sequence[str]
    vectors: UnitVectors
    books: npt.NDArray[np.bool_]

    def nearest(self, vectors: UnitVectors, books: Sequence[int]) -> list[Mapping[str, float]]:
        """For each vector its nearest words in the given books, with their cosine similarity."""
        if len(books) == self.books.shape[1]:
            visible = np.arange(len(self.words))
        else:
            visible = np.flatnonzero(self.books[:, books].any(axis=1))
        if not len(visible) or not self.vectors.shape[1]:
            return [{} for _ in vectors]
        similarities = (normalised(vectors) @ self.vectors.T)[:, visible]
        near = np.argpartition(-similarities, min(NEIGHBOURS, len(visible)) - 1, axis=1)[:, :NEIGHBOURS]
        return [
            {self.words[visible[place]]: float(row[place]) for place in places}
            for row, places in zip(similarities, near, strict=True)
        ]


def normalised(vectors: UnitVectors) -> UnitVectors:
    """The rows scaled to length one; empty ones stay empty."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: UnitVectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled
