"""How much of a question a text speaks of, by words, also across languages. Pure."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from rag.library.language.glossary import glossary
from rag.library.language.identify import OUR_LANGUAGES, likeliest_language, told_language
from rag.library.language.short_forms import names_of_books, written_out
from rag.library.language.words import content_words, stem, stems

_ENDING = re.compile(r"(\d+)[^\W\d_]{1,2}")
"""A number with an ending, as of an ordinal ("5th", "5º"): tables print it plain."""


def shared_words(question: str, texts: Sequence[str], languages: Sequence[str]) -> list[float]:
    """The share of a question's words that each text holds, from 0 to 1; what few texts hold counts more.

    In a text of another language a word may stand as the glossary has it.
    """
    language = told_language(question, languages) or likeliest_language(
        question, {*OUR_LANGUAGES, *languages}
    )
    asked = content_words(question, language)
    wanted = {stem(word, language) for word in asked} | {
        ending[1] for ending in map(_ENDING.fullmatch, asked) if ending
    }
    names = {
        stem(word, language): (*written_out(word, language), *names_of_books(word, language))
        for word in asked
    }
    held = [_held(wanted, names, language, text, other) for text, other in zip(texts, languages, strict=True)]
    holders = Counter(word for words in held for word in words)
    worth = {word: math.log(1 + len(texts) / (1 + holders[word])) for word in wanted}
    total = sum(worth.values()) or 1.0
    return [sum(worth[word] for word in words) / total for words in held]


@lru_cache(maxsize=1_000)
def _stems_of(text: str, language: str) -> frozenset[str]:
    """The stems of a text: the paragraphs of a page are compared with everything that leads to it."""
    return frozenset(stems(text, language))


def _held(
    wanted: set[str], names: Mapping[str, Sequence[str]], language: str, text: str, printed: str
) -> set[str]:
    """Which of the wanted stems a text holds: as they are, as its language has them, or by other `names`."""
    said = _stems_of(text, printed) | (_stems_of(text, language) if printed != language else set())
    meanings = glossary(language, printed)

    def is_held(word: str) -> bool:
        return word in said or any(stem(theirs, printed) in said for theirs in meanings.get(word, ()))

    def is_held_by_name(word: str) -> bool:
        phrases = (content_words(name, language) for name in names.get(word, ()))
        return any(all(is_held(stem(part, language)) for part in phrase) for phrase in phrases)

    return {word for word in wanted if is_held(word) or is_held_by_name(word)}
