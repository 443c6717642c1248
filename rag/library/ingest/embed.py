"""Embedding books at ingestion: passages and words, in batches."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rag.errors import ModelError
from rag.library.index.book_cache import KeptBook, ReadBook, Vectors
from rag.models.embeddings import EmbeddedEmbeddings, Vector, usable_vectors
from rag.models.encoder_processes import encoded_beside, end_encoders

if TYPE_CHECKING:
    from rag.models.embeddings import EmbeddingModel

log = logging.getLogger(__name__)

_TEXTS_A_REQUEST = 64
_WORDS_A_REQUEST = 512
MUCH_WORK = 500_000
"""Characters that take the packaged encoder longer than it takes to start further processes."""

_Row = Vector | npt.NDArray[np.float32]

OnEmbedded = Callable[[int, int], None]
"""Told the passages of the book embedded so far, and all its passages."""


class BookEmbedder:
    """Embeds books one after the other; a word that several books share is embedded once.

    `work` is the number of characters of all books to come.
    """

    def __init__(self, model: "EmbeddingModel", work: int) -> None:
        self._model = model
        self._words: dict[str, _Row] = {}
        self._takes_processes = isinstance(model.embeddings, EmbeddedEmbeddings) and work > MUCH_WORK

    def embed(self, book: ReadBook, on_embedded: OnEmbedded) -> KeptBook:
        """The book with vectors.

        Raises `ModelError` where the model fails, and `ImportError` where the packaged one is missing.
        """
        passages = book.passages()
        vectors: list[_Row] = []
        for some in self._vectors(_batches(passages, _TEXTS_A_REQUEST)):
            vectors += some
            on_embedded(len(vectors), len(passages))
        new = [word for word in book.vocabulary if word not in self._words]
        of_words = self._vectors(_batches(new, _WORDS_A_REQUEST))
        self._words.update(zip(new, (vector for some in of_words for vector in some), strict=True))
        word_vectors = [self._words[word] for word in book.vocabulary]
        return KeptBook(book, self._model.name, _matrix(vectors), _matrix(word_vectors))

    def close(self) -> None:
        """Let go of the processes that embed."""
        self._takes_processes = False
        end_encoders()

    def _vectors(self, batches: Sequence[list[str]]) -> Iterator[Sequence[_Row]]:
        try:
            for texts, vectors in zip(batches, self._embedded(batches), strict=True):
                usable_vectors(texts, vectors)
                yield vectors
        except Exception as error:
            if isinstance(error, ImportError | ModelError):
                raise
            # Whatever a provider's client raises: the books embedded so far are kept.
            raise ModelError(model=self._model.name) from error

    def _embedded(self, batches: Sequence[list[str]]) -> Iterator[Sequence[_Row]]:
        """The vectors of each batch; where a process beside has ended, as one without memory, made here."""
        done = 0
        if self._takes_processes:
            try:
                for vectors in encoded_beside(batches):
                    done += 1
                    yield list(vectors)
            except BrokenProcessPool:
                log.warning("a process that embeds has ended: one goes on")
                self.close()
        for texts in batches[done:]:
            yield self._model.embeddings.embed_documents(texts)


def _batches(texts: Sequence[str], size: int) -> list[list[str]]:
    return [list(texts[start : start + size]) for start in range(0, len(texts), size)]


def work(books: Iterable[ReadBook]) -> int:
    """The characters to embed for these books."""
    return sum(sum(map(len, book.passages())) + sum(map(len, book.vocabulary)) for book in books)


def _matrix(vectors: Sequence[_Row]) -> Vectors:
    """One row a vector; no rows where there are none."""
    return np.array(vectors, np.float32).reshape(len(vectors), -1 if len(vectors) else 0)
