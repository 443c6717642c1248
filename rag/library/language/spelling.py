"""Which words a dictionary knows, and which words are a slip of the fingers away from another."""

import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import compress, islice
from threading import Lock

import numpy as np
import numpy.typing as npt
from pydantic_core import from_json

from rag.library.language.language import LANGUAGES
from rag.library.language.words import fold, stem

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Dictionary:
    """The words of a language as sorted numbers, and of each the natural logarithm of its share of texts.

    In memory a tenth of what the words would take.
    """

    numbers: Numbers
    shares: npt.NDArray[np.float16]

    def shares_of(self, words: Sequence[str]) -> npt.NDArray[np.float16]:
        """The logarithm of each word's share, accents and capitals aside; nan of those that it has not."""
        # It is sorted: to look some hundred words up is far faster than `isin`.
        numbers = _numbers(words)
        places = np.searchsorted(self.numbers, numbers)
        is_held = self.numbers.take(places, mode="clip") == numbers
        return np.where(is_held, self.shares.take(places, mode="clip"), np.float16(np.nan))


_WORD = re.compile(r"(?<![\w’'-])[^\W\d_]{3,}(?![\w’'-])")
SHORTEST_MISSPELT = 5
"""Letters of the words that may be misspelt; a shorter one is a slip away from too many others."""
LONGEST_MISSPELT = 40
"""Of a longer one all slips would take seconds."""
_FEWEST = 200
"""Words from which on their share tells anything."""
_WORDS_AT_ONCE = 2_000
_FEWEST_ENTRIES = 50_000
"""Words of a dictionary from which on it tells whether a book was read well: the Russian one has 20,000."""
_SHARE_OF_UNKNOWN = -20.0
"""The rarest words of the dictionaries have −17."""
_READING = Lock()
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def known_share(texts: Iterable[str], language: str) -> float | None:
    """The share of words, names left out, that a dictionary of the language knows.

    None where there is no dictionary, or too few words in it or in the texts to tell.
    """
    dictionary = _dictionary(language)
    if dictionary is None or len(dictionary.numbers) < _FEWEST_ENTRIES:
        return None
    counts = Counter(word for text in texts for word in _WORD.findall(text) if not word[0].isupper())
    if counts.total() < _FEWEST:
        return None
    return round(sum(counts[word] for word in spelt_right([*counts], language)) / counts.total(), 3)


def is_spelt_right(word: str, language: str) -> bool:
    """Whether a dictionary of the language has a word, accents and capitals aside."""
    return bool(spelt_right([word], language))


def spelt_right(words: Sequence[str], language: str) -> list[str]:
    """Those of many words that a dictionary of the language has, accents and capitals aside.

    Where it has few inflected forms, it need only have the one that a word is a form of.
    """
    dictionary = _dictionary(language)
    if dictionary is None:
        return []
    is_known = ~np.isnan(dictionary.shares_of(words))
    for ending in LANGUAGES[language].dictionary_endings if language in LANGUAGES else ():
        forms = [stem(word.lower(), language) + ending for word in words]
        is_known |= ~np.isnan(dictionary.shares_of(forms))
    return list(compress(words, is_known))


def log_share(word: str, language: str) -> float:
    """The natural logarithm of the share that a word has of the texts of a language.

    Of a plural that the dictionary lacks that of the singular counts; of a word that it does not know in any
    way it is lower than of all others.
    """
    dictionary = _dictionary(language)
    if dictionary is None:
        return _SHARE_OF_UNKNOWN
    shares = dictionary.shares_of([word, word.removesuffix("s")])
    return float(next(filter(np.isfinite, shares), _SHARE_OF_UNKNOWN))


def has_dictionary(language: str) -> bool:
    """Whether there is a dictionary of a language."""
    return _file(language).is_file()


def read_dictionaries(languages: Iterable[str]) -> None:
    """Read the dictionaries of some languages, which takes a third of a second."""
    for language in languages:
        _dictionary(language)


def one_slip_away(word: str) -> Iterator[str]:
    """What a folded word may have been meant as: a letter is too many, missing, another or exchanged.

    The first letter is right or exchanged, as it is in most slips (Norvig 2007, "How to Write a Spelling
    Corrector"; Pollock & Zamora 1984). Nothing for a word that is longer than any of a language.
    """
    if len(word) > LONGEST_MISSPELT:
        return
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        yield from (before + letter + after for letter in _LETTERS)
        if after:
            yield before + after[1:]
            yield before[:-1] + after[0] + before[-1] + after[1:]
            yield from (before + letter + after[1:] for letter in _LETTERS)


def _dictionary(language: str) -> _Dictionary | None:
    # Several threads would each read the file.
    with _READING:
        return _read(language)


@lru_cache
def _read(language: str) -> _Dictionary | None:
    if not has_dictionary(language):
        return None
    numbers, counts = [], []
    for words in _parts(gzip.decompress(_file(language).read_bytes())):
        numbers.append(_numbers(words))
        counts.append(np.fromiter(words.values(), np.float32))
    unsorted = np.concatenate(numbers)
    order = np.argsort(unsorted)
    # Words that differ in accents alone are one.
    known, begins = np.unique(unsorted[order], return_index=True)
    of_each = np.add.reduceat(np.concatenate(counts)[order], begins)
    shares = np.log(of_each / of_each.sum(dtype=np.float64)).astype(np.float16)
    return _Dictionary(known, shares)


def _parts(dictionary: bytes) -> Iterator[Mapping[str, int]]:
    """The words of a JSON object, a line each, and how often they stand in texts."""
    lines = dictionary.strip().removeprefix(b"{").removesuffix(b"}").splitlines()
    # Many at once and not all, as below.
    for start in range(0, len(lines), _WORDS_AT_ONCE):
        some = b"".join(lines[start : start + _WORDS_AT_ONCE]).strip().removesuffix(b",")
        yield from_json(b"{" + some + b"}", cache_strings=False)


def _file(language: str) -> Traversable:
    return files("spellchecker").joinpath("resources", f"{language}.json.gz")


def _numbers(words: Iterable[str]) -> Numbers:
    # Many at once, for each would take its time; not all, for nothing else would run meanwhile.
    left = iter(words)
    parts = iter(lambda: list(islice(left, _WORDS_AT_ONCE)), [])
    numbers = [np.fromiter(map(hash, fold("\n".join(part)).split("\n")), np.int64) for part in parts]
    return np.concatenate([np.zeros(0, np.int64), *numbers])
