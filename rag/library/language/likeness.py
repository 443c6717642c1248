"""How much of a question a text speaks of, by words, also across languages. Pure."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.library.language.glossary import glossary
from rag.library.language.identify import likeliest_language, told_language
from rag.library.language.short_forms import names_of_books, written_out
from rag.library.language.words import content_words, stem, stems

_ENDING = re.compile(r"(\d+)[^\W\d_]{1,2}")
"""A number with an ending, as of an ordinal ("5th", "5º"): tables print it plain."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How a stem of a question may stand in a text: as one of these stems, or as all stems of a name."""

    stem: str
    forms: frozenset[str]
    names: tuple[tuple[frozenset[str], ...], ...]

    def is_held(self, said: Collection[str]) -> bool:
        """Whether a text of these stems holds it."""
        if not self.forms.isdisjoint(said):
            return True
        return any(not any(part.isdisjoint(said) for part in name) for name in self.names)


def shared_words(question: str, texts: Sequence[str], languages: Sequence[str]) -> list[float]:
    """The share of a question's words that each text holds, from 0 to 1; what few texts hold counts more.

    In a text of another language a word may stand as the glossary has it.
    """
    language = _language_of(question, frozenset(languages))
    held = [_held(question, language, text, other) for text, other in zip(texts, languages, strict=True)]
    holders = Counter(word for words in held for word in words)
    wanted = [one.stem for one in _wanted(question, language, language)]
    worth = {word: math.log(1 + len(texts) / (1 + holders[word])) for word in wanted}
    total = sum(worth.values()) or 1.0
    return [sum(worth[word] for word in words) / total for words in held]


@lru_cache(maxsize=1_000)
def _language_of(question: str, languages: frozenset[str]) -> str:
    """The language of a question about texts in these."""
    return told_language(question, languages) or likeliest_language(question, languages)


@lru_cache(maxsize=1_000)
def _stems_of(text: str, language: str) -> frozenset[str]:
    """The stems of a text: the paragraphs of a page are compared with everything that leads to it."""
    return frozenset(stems(text, language))


def _held(question: str, language: str, text: str, printed: str) -> list[str]:
    """Which of a question's stems a text holds: as they are, as its language has them, or by other names."""
    said = _stems_of(text, printed)
    if printed != language:
        said |= _stems_of(text, language)
    return [one.stem for one in _wanted(question, language, printed) if one.is_held(said)]


# Few: the garbage collector looks through all that is remembered, and nobody is answered meanwhile.
@lru_cache(maxsize=100)
def _wanted(question: str, language: str, printed: str) -> tuple[_Wanted, ...]:
    """The stems of a question, and how each may stand in a text that is `printed` in some language."""
    meanings = glossary(language, printed)

    def forms(word: str) -> frozenset[str]:
        return frozenset({word, *(stem(theirs, printed) for theirs in meanings.get(word, ()))})

    asked = content_words(question, language)
    names: dict[str, list[str]] = {ending[1]: [] for ending in map(_ENDING.fullmatch, asked) if ending}
    for word in asked:
        names[stem(word, language)] = [*written_out(word, language), *names_of_books(word, language)]
    return tuple(
        _Wanted(
            word,
            forms(word),
            tuple(
                tuple(forms(stem(part, language)) for part in content_words(name, language)) for name in named
            ),
        )
        for word, named in names.items()
    )
