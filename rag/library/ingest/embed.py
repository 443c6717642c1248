"""Embedding books at ingestion: passages and words, in batches, with an estimate of the time left."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rag.errors import ModelError
from rag.library.index.book_cache import BookFile, ReadBook, Vectors
from rag.models.embeddings import usable_vectors

if TYPE_CHECKING:
    from rag.models.embeddings import EmbeddingModel

_TEXTS_A_REQUEST = 64
_WORDS_A_REQUEST = 512

OnEmbedded = Callable[[int, int, float | None], None]
"""Told the passages of the book embedded so far, all its passages, and the seconds left for all books."""


class BookEmbedder:
    """Embeds books one after the other; a word that several books share is embedded once.

    `work` is the number of characters of all books to come: what the estimate is made from.
    """

    def __init__(self, model: "EmbeddingModel", work: int) -> None:
        self._model = model
        self._work = work
        self._done = 0
        self._started = time.monotonic()
        self._words: dict[str, Sequence[float]] = {}

    def embed(self, book: ReadBook, on_embedded: OnEmbedded) -> BookFile:
        """The book with vectors.

        Raises `ModelError` where the model fails, and `ImportError` where the packaged one is missing.
        """
        passages = book.passages()
        vectors: list[Sequence[float]] = []
        for start in range(0, len(passages), _TEXTS_A_REQUEST):
            vectors += self._vectors(passages[start : start + _TEXTS_A_REQUEST])
            on_embedded(len(vectors), len(passages), self._seconds_left())
        new = [word for word in book.vocabulary if word not in self._words]
        for start in range(0, len(new), _WORDS_A_REQUEST):
            words = new[start : start + _WORDS_A_REQUEST]
            self._words.update(zip(words, self._vectors(words), strict=True))
        word_vectors = [self._words[word] for word in book.vocabulary]
        return BookFile(book, self._model.name, _matrix(vectors), _matrix(word_vectors))

    def _vectors(self, texts: list[str]) -> list[list[float]]:
        try:
            vectors = self._model.embeddings.embed_documents(texts)
            usable_vectors(texts, vectors)
        except (ImportError, ModelError):
            raise
        except Exception as error:
            # Whatever a provider's client raises: the books embedded so far are kept.
            raise ModelError(model=self._model.name) from error
        self._done += sum(map(len, texts))
        return vectors

    def _seconds_left(self) -> float | None:
        elapsed = time.monotonic() - self._started
        return elapsed / self._done * max(self._work - self._done, 0) if self._done else None


def work(books: Iterable[ReadBook]) -> int:
    """The characters to embed for these books."""
    return sum(sum(map(len, book.passages())) + sum(map(len, book.vocabulary)) for book in books)


def _matrix(vectors: Sequence[Sequence[float]]) -> Vectors:
    """One row a vector; no rows where there are none."""
    return np.array(vectors, np.float32).reshape(len(vectors), -1 if len(vectors) else 0)
