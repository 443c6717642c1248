"""Which words a dictionary knows, and which words are a slip of the fingers away from another."""

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

from rag.library.language.words import fold

_WORD = re.compile(r"(?<![\w’'-])[^\W\d_]{3,}(?![\w’'-])")
_FEWEST = 200
"""Words from which on their share tells anything."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


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
    return round(float(np.isin(_numbers(words), dictionary).mean()), 3)


def is_spelt_right(word: str, language: str) -> bool:
    """Whether a dictionary of the language has a word, accents and capitals aside."""
    dictionary = _dictionary(language)
    if dictionary is None:
        return False
    number = _number(word)
    place = int(np.searchsorted(dictionary, number))
    return place < len(dictionary) and int(dictionary[place]) == number


def has_dictionary(language: str) -> bool:
    """Whether there is a dictionary of a language."""
    return _file(language).is_file()


def one_slip_away(word: str) -> Iterator[str]:
    """What a folded word may have been meant as: a letter is too many, missing, another or exchanged.

    The first letter is right or exchanged, as it is in most slips (Norvig 2007, "How to Write a Spelling
    Corrector"; Pollock & Zamora 1984).
    """
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        yield from (before + letter + after for letter in _LETTERS)
        if after:
            yield before + after[1:]
            yield before[:-1] + after[0] + before[-1] + after[1:]
            yield from (before + letter + after[1:] for letter in _LETTERS)


@lru_cache
def _dictionary(language: str) -> "np.ndarray[Any, Any] | None":
    """The words of a language as sorted numbers: in memory a tenth of what the words would take."""
    if not has_dictionary(language):
        return None
    return np.sort(_numbers(json.loads(gzip.decompress(_file(language).read_bytes()))))


def _file(language: str) -> Traversable:
    return files("spellchecker").joinpath("resources", f"{language}.json.gz")


def _numbers(words: Iterable[str]) -> "np.ndarray[Any, Any]":
    # All at once: of a dictionary of 300,000 words each would take its time.
    return np.fromiter(map(hash, fold("\n".join(words)).split("\n")), np.int64)


def _number(word: str) -> int:
    return hash(word.lower() if word.isascii() else fold(word))
