"""Which words the books, dictionaries and people who ask know, and what a misspelt one was meant as."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.library.index.store import Scope, Store
from rag.library.index.topics import names_of_topic
from rag.library.index.vocabulary import SHORTEST
from rag.library.language.glossary import is_translated, meanings
from rag.library.language.language import LANGUAGES, OUR_LANGUAGES
from rag.library.language.spelling import (
    SHORTEST_MISSPELT,
    has_dictionary,
    is_spelt_right,
    log_share,
    one_slip_away,
    spelt_right,
)
from rag.library.language.words import content_words, fold, stem
from rag.rules import rule

RAREST = -16.0
"""The logarithm of a word's share of texts up to which it may be but a name ("pathfinder")."""

_WORD = re.compile(rf"\b[^\W\d_]{{{SHORTEST_MISSPELT},}}\b")
"""Words that are looked at."""
_PART = re.compile(rf"\b[^\W\d_]{{{SHORTEST},}}\b")
"""Words that may be one with the next one, or two."""


def is_ordinary_word(word: str, languages: Iterable[str] = OUR_LANGUAGES) -> bool:
    """Whether a lower-case word is one of some languages, one that people ask with, or a number."""
    return word.isdecimal() or any(
        _is_asked_with(word, code) or is_spelt_right(word, code) for code in languages
    )


def _is_asked_with(word: str, language: str) -> bool:
    """Whether a word builds questions of a language, or stands for what books call otherwise."""
    known = LANGUAGES.get(language)
    return known is not None and (
        word in known.function_words | known.asking_words | known.short_forms.keys()
        or is_translated(word, language)
    )


def put_right(text: str, misspelt: Mapping[str, str]) -> str:
    """A text with its misspelt words as they were meant."""
    said = "|".join(map(re.escape, misspelt))
    return re.sub(rf"\b(?:{said})\b", lambda found: misspelt[found[0]], text) if said else text


@dataclass(frozen=True, slots=True)
class KnownWords:
    """The words of the books that are searched, in these languages, and of those who ask."""

    store: Store
    scope: Scope
    languages: Sequence[str]

    def stands_in_books(self, word: str) -> bool:
        """Whether the books that are searched have a word, in any form."""
        return any(self.places(word, code) for code in self.languages)

    def is_known(self, word: str, language: str) -> bool:
        """Whether a lower-case word is known to books or dictionaries, or one that people ask with.

        Two people may ask in two languages of one conversation: the words of any that mean something in the
        books are known.
        """
        return self.stands_in_books(word) or is_ordinary_word(
            word, {language, *self.languages, *OUR_LANGUAGES}
        )

    def is_printed(self, word: str, language: str) -> bool:
        """Whether the books that are searched have a word of a language, or what it means in theirs."""
        return self.stands_in_books(word) or any(
            all(self.places(part, printed) for part in meant.split())
            for printed in self.languages
            for meant in meanings(word, language, printed)
        )

    def is_known_or_misspelt(self, word: str) -> bool:
        """Whether a word of any language is known, or one of ours is a slip away from one that is."""
        return any(self.is_known(word, code) for code in LANGUAGES) or any(
            self.misspelt(word, code) for code in OUR_LANGUAGES
        )

    def places(self, word: str, language: str) -> int:
        """How many passages of the books of a language have a word, in any form."""
        return self.store.places(stem(word, language), language, self.scope)

    def is_word_of_rules(self, word: str, language: str) -> bool:
        """Whether a lower-case word may be one of rules: short, in the books, or none of the rarest."""
        shares = (log_share(word, code) for code in {language, *OUR_LANGUAGES})
        return len(word) <= SHORTEST or max(shares) > RAREST or self.is_printed(word, language)

    def unheard(self, text: str, language: str) -> frozenset[str]:
        """The words of a query, in small letters, that neither books nor dictionaries have.

        Without a dictionary of the language nothing is.
        """
        if language not in LANGUAGES or not has_dictionary(language):
            return frozenset()
        words = {word.lower() for word in _WORD.findall(text)}
        return frozenset(word for word in words if not self.is_known(word, language))

    @rule(without=lambda books, text, language: {})
    def misspelt(self, text: str, language: str) -> dict[str, str]:
        """The misspelt words of a query, as the books have them, or as people ask for what they have.

        Of several words that are one slip away one is taken that names a topic, of these the commonest. What
        the books print in one word or in two is among them.
        """
        unheard = self.unheard(text, language)
        otherwise = dict(self._written_otherwise(text))
        meant = {word: self._meant(word, language) for word in _WORD.findall(text) if word.lower() in unheard}
        return {word: right for word, right in (meant | otherwise).items() if right}

    def _written_otherwise(self, text: str) -> Iterator[tuple[str, str]]:
        """What names a topic of the books in one word and is asked in two, or the other way round.

        "war hammer" is printed in one, "chainmail" in two.
        """
        words = [word.span() for word in _PART.finditer(text)]
        in_two = [
            (text[start:end], f"{text[start:cut]} {text[cut:end]}")
            for start, end in words
            for cut in range(start + SHORTEST, end - SHORTEST + 1)
        ]
        in_one = [
            (text[start:end], text[start:first] + text[second:end])
            for (start, first), (second, end) in pairwise(words)
            if second == first + 1
        ]
        for language in self.languages:
            halves = content_words(" ".join(way for _, way in in_two), language)
            right = {*spelt_right(halves, language)}
            ways = [(said, way) for said, way in in_two if right.issuperset(way.lower().split())]
            ways += [(said, way) for said, way in in_one if self.places(way, language)]
            for said, way in ways:
                if self._names_topic(way, language) and not self._names_topic(said, language):
                    yield said, way

    def _names_topic(self, name: str, language: str) -> bool:
        return self.store.explains(names_of_topic(name, language), self.scope)

    def _meant(self, word: str, language: str) -> str:
        """The word of the books that another is a slip away from, else one to ask with; "" where none is."""
        slips = sorted({*one_slip_away(fold(word))})
        printed = (near for code in self.languages for near in self.store.spellings(slips, code, self.scope))
        spelt = (near for code in {language, *self.languages} for near in spelt_right(slips, code))
        likelihood = {near: self._likelihood(near, language) for near in sorted({*printed, *spelt})}
        likeliest = max(likelihood, key=likelihood.__getitem__, default="")
        if likeliest and any(likelihood[likeliest]):
            return likeliest
        return next((near for near in likelihood if _is_asked_with(near, language)), "")

    def _likelihood(self, word: str, language: str) -> tuple[bool, int]:
        """Whether a word, or what the books have for it, names a topic, and how many chunks hold it."""
        return max(
            (bool(self.store.topic_postings([stem(form, printed)], printed)), self.places(form, printed))
            for printed in self.languages
            for form in (word, *meanings(word, language, printed))
        )
