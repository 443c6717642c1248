"""Misspelt words of a query, put right by the words of the books."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from rag.library.index.store import Scope, Store
from rag.library.language.glossary import glossary, glossary_words
from rag.library.language.identify import OUR_LANGUAGES
from rag.library.language.language import LANGUAGES
from rag.library.language.spelling import (
    SHORTEST_MISSPELT,
    has_dictionary,
    is_spelt_right,
    one_slip_away,
    spelt_right,
)
from rag.library.language.words import fold, stem
from rag.rules import rule

_WORD = re.compile(rf"[^\W\d_]{{{SHORTEST_MISSPELT},}}")
"""Words that are looked at."""


def put_right(text: str, misspelt: Mapping[str, str]) -> str:
    """A text with its misspelt words as they were meant."""
    return _WORD.sub(lambda found: misspelt.get(found[0], found[0]), text)


@dataclass(frozen=True, slots=True)
class Misspellings:
    """Puts right what people type, by the words of the books that are searched, in these languages."""

    store: Store
    scope: Scope
    languages: Sequence[str]

    @rule(without=lambda books, text, language: {})
    def misspelt(self, text: str, language: str) -> dict[str, str]:
        """The misspelt words of a query, as the books have them, or as people ask for what they have.

        Misspelt is what neither books nor dictionaries know: without a dictionary of the language nothing is.
        Of several words that are one slip away one is taken that names a topic, of these the commonest.
        """
        if language not in LANGUAGES or not has_dictionary(language):
            return {}
        meant = {word: self._corrected(word, language) for word in _WORD.findall(text)}
        return {word: right for word, right in meant.items() if right != word}

    def unheard(self, text: str, language: str) -> frozenset[str]:
        """The words of a query, in small letters, that neither books nor dictionaries have."""
        if language not in LANGUAGES or not has_dictionary(language):
            return frozenset()
        words = {word.lower() for word in _WORD.findall(text)}
        return frozenset(word for word in words if not self.is_known(word, language))

    def is_known(self, word: str, language: str) -> bool:
        """Whether a lower-case word is known to books or dictionaries, or one that people ask with.

        Two people may ask in two languages of one conversation: the words of any that mean something in the
        books are known.
        """
        return (
            word in LANGUAGES[language].function_words | LANGUAGES[language].asking_words
            or any(self.store.knows(stem(word, code), code, self.scope) for code in self.languages)
            or any(
                stem(word, asked) in glossary(asked, printed)
                for asked in dict.fromkeys([language, *OUR_LANGUAGES])
                for printed in self.languages
            )
            or any(is_spelt_right(word, code) for code in {language, *self.languages})
        )

    def _corrected(self, word: str, language: str) -> str:
        if self.is_known(word.lower(), language):
            return word
        known = self._known_words(language)
        slips = set(one_slip_away(fold(word)))
        near = {known[slip] for slip in slips if slip in known} or self._inflected(slips)
        return max(sorted(near), key=lambda meant: self._likelihood(meant, language), default=word)

    def _inflected(self, slips: Collection[str]) -> set[str]:
        """Those that a dictionary has, of whose stem the books have another form: "bargain", "bargaining"."""
        return {
            slip
            for code in self.languages
            for slip in spelt_right(sorted(slips), code)
            if self.store.knows(stem(slip, code), code, self.scope)
        }

    def _known_words(self, language: str) -> Mapping[str, str]:
        """The words of the books, and those of the glossary for them, by how they are without accents."""
        key = ("known words", language, self.scope.files)
        known: Mapping[str, str] = self.store.kept.get(
            key, lambda: {fold(word): word for word in self._read_words(language)}
        )
        return known

    def _read_words(self, language: str) -> Iterator[str]:
        for printed in self.languages:
            yield from glossary_words(language, printed)
            if printed in self.store.vocabularies:
                for words, books in self.store.vocabularies[printed]:
                    held = np.any(words.books[:, np.isin(books, self.scope.columns)], axis=1)
                    yield from compress(words.words, held.tolist())

    def _likelihood(self, word: str, language: str) -> tuple[bool, int]:
        """Whether a word, or what the books have for it, names a topic, and how many chunks hold it."""
        return max(
            (
                bool(self.store.topic_postings([term], printed)),
                self.store.places(term, printed, self.scope),
            )
            for printed in self.languages
            for meant in (word, *glossary(language, printed).get(stem(word, language), ()))
            for term in [stem(meant, printed)]
        )
