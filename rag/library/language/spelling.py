"""Which words a dictionary knows: text whose letters were read wrongly has few."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spellchecker import SpellChecker

_WORD = re.compile(r"(?<![\w’'-])[^\W\d_]{3,}(?![\w’'-])")
_FEWEST = 200
"""Words from which on their share tells anything."""


def known_share(texts: Iterable[str], language: str) -> float | None:
    """The share of words, names left out, that a dictionary of the language knows.

    None where there is no dictionary, or too few words to tell.
    """
    dictionary = _dictionary(language)
    if dictionary is None:
        return None
    words = [word for text in texts for word in _WORD.findall(text) if not word[0].isupper()]
    if len(words) < _FEWEST:
        return None
    return round(sum(word.lower() in dictionary for word in words) / len(words), 3)


def is_spelt_right(word: str, language: str) -> bool:
    """Whether a dictionary of the language has a lower-case word."""
    dictionary = _dictionary(language)
    return dictionary is not None and word in dictionary


@lru_cache(2)
def _dictionary(language: str) -> "SpellChecker | None":
    from spellchecker import SpellChecker

    try:
        return SpellChecker(language=language)
    except ValueError:
        return None
