"""The words of books that are nearest to words asked, remembered: questions share most of their words."""

from collections.abc import Collection, Mapping
from functools import cache

import numpy as np

from rag.library.index.recent import Recent
from rag.library.index.store import Scope, Store
from rag.library.index.vocabulary import nearest_words
from rag.library.language.words import FUNCTION_WORDS, stem
from rag.models.embeddings import Vector
from rag.rules import rule

WORDS_KEPT = 5_000
CERTAIN = 0.7
"""How near a word must be to stand beside what the glossary says that a word means."""


@rule(without=lambda store, language, scope, asked, vectors: {})
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
        return dict(zip(words, nearest_words(vocabulary, matrix, scope.columns), strict=True))

    kept: Recent[str, Mapping[str, float]] = store.kept.get(
        ("near words", language, scope.files), lambda: Recent(WORDS_KEPT)
    )
    return kept.get_all((word for word in asked if word in vectors), nearest)


def near_terms(near: Mapping[str, float], language: str, *, is_known: bool) -> dict[str, float]:
    """The stems of words near to one asked, each with the nearest word's cosine.

    Where it is known what the word means, only what is `CERTAIN` stands beside that, and no function word: it
    is on every page, and what is asked would be rare on none.
    """
    terms: dict[str, float] = {}
    for word, similarity in near.items():
        term = stem(word, language)
        if not is_known or (similarity >= CERTAIN and term not in _function_stems(language)):
            terms[term] = max(terms.get(term, 0.0), similarity)
    return terms


@cache
def _function_stems(language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in FUNCTION_WORDS.get(language, ()))
