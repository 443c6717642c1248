"""The words of books that are nearest to words asked, remembered: questions share most of their words."""

from collections.abc import Collection, Mapping

import numpy as np

from rag.library.index.recent import Recent
from rag.library.index.store import Scope, Store
from rag.models.embeddings import Vector

WORDS_KEPT = 5_000


def near_words(
    store: Store, language: str, scope: Scope, asked: Collection[str], vectors: Mapping[str, Vector]
) -> dict[str, Mapping[str, float]]:
    """The nearest words of a language in the books in scope to each word that is embedded, with their cosine.

    The new ones of all that are asked are compared at once.
    """
    vocabulary = store.vocabularies.get(language)
    if vocabulary is None:
        return {}

    def nearest(words: list[str]) -> dict[str, Mapping[str, float]]:
        matrix = np.array([vectors[word] for word in words], np.float32)
        return dict(zip(words, vocabulary.nearest(matrix, scope.columns), strict=True))

    kept: Recent[str, Mapping[str, float]] = store.kept.get(
        ("near words", language, scope.files), lambda: Recent(WORDS_KEPT)
    )
    return kept.get_all((word for word in asked if word in vectors), nearest)
