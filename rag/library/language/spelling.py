"""Which words a dictionary knows, and which words are a slip of the fingers away from another."""

import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import compress
from threading import Lock
from unicodedata import normalize

import numpy as np
import numpy.typing as npt

from rag.library.language.language import LANGUAGES
from rag.library.language.words import fold, stem

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class _Dictionary:
    """The words of a language as sorted hashes, and of each the natural logarithm of its share of texts.

    In memory a tenth of what the words would take.
    """

    hashes: Hashes
    shares: npt.NDArray[np.float16]

    def shares_of(self, words: Sequence[str]) -> npt.NDArray[np.float16]:
        """The logarithm of each word's share, accents and capitals aside; nan of those that it has not."""
        # It is sorted: to look some hundred words up is far faster than `isin`.
        plain = (normalize("NFKC", word).replace(_QUOTE, "") for word in words)
        hashes = _hashes("".join(f'"{word}"' for word in plain))
        places = np.searchsorted(self.hashes, hashes)
        is_held = self.hashes.take(places, mode="clip") == hashes
        return np.where(is_held, self.shares.take(places, mode="clip"), np.float16(np.nan))


_WORD = re.compile(r"(?<![\w’'-])[^\W\d_]{3,}(?![\w’'-])")
SHORTEST_MISSPELT = 5
"""Letters of the words that may be misspelt; a shorter one is a slip away from too many others."""
LONGEST_MISSPELT = 40
"""Of a longer one all slips would take seconds."""
_FEWEST = 200
"""Words from which on their share tells anything."""
_NO_WORDS = b'"": 1,\n'
_BYTES_AT_ONCE = 200_000
_QUOTE = '"'
_BASE = 0x9E3779B97F4A7C15
_BASES = np.uint64(_BASE), np.uint64(pow(_BASE, -1, 2**64))
"""An odd number, and what it is multiplied by to make 1, modulo 2⁶⁴."""
_FOLDED = np.array([ord((fold(chr(code)) + chr(code))[0]) for code in range(0x600)], np.uint64)
"""Of each letter of the dictionaries' scripts the code of the one without accents and capitals."""
_FEWEST_ENTRIES = 50_000
"""Words of a dictionary from which on it tells whether a book was read well: the Russian one has 20,000."""
_SHARE_OF_UNKNOWN = -20.0
"""The rarest words of the dictionaries have −17."""
_WORDS_KEPT = 10_000
_READING = Lock()
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def known_share(texts: Iterable[str], language: str) -> float | None:
    """The share of words, names left out, that a dictionary of the language knows.

    None where there is no dictionary, or too few words in it or in the texts to tell.
    """
    dictionary = _dictionary(language)
    if len(dictionary.hashes) < _FEWEST_ENTRIES:
        return None
    counts = Counter(word for text in texts for word in _WORD.findall(text) if not word[0].isupper())
    if counts.total() < _FEWEST:
        return None
    return round(sum(counts[word] for word in spelt_right([*counts], language)) / counts.total(), 3)


@lru_cache(_WORDS_KEPT)
def is_spelt_right(word: str, language: str) -> bool:
    """Whether a dictionary of the language has a word, accents and capitals aside."""
    return bool(spelt_right([word], language))


def spelt_right(words: Sequence[str], language: str) -> list[str]:
    """Those of many words that a dictionary of the language has, accents and capitals aside.

    Where it has few inflected forms, it need only have the one that a word is a form of.
    """
    dictionary = _dictionary(language)
    is_known = ~np.isnan(dictionary.shares_of(words))
    for ending in LANGUAGES[language].dictionary_endings if language in LANGUAGES else ():
        forms = [stem(word.lower(), language) + ending for word in words]
        is_known |= ~np.isnan(dictionary.shares_of(forms))
    return list(compress(words, is_known))


@lru_cache(_WORDS_KEPT)
def log_share(word: str, language: str) -> float:
    """The natural logarithm of the share that a word has of the texts of a language.

    Of a plural that the dictionary lacks that of the singular counts; of a word that it does not know in any
    way it is lower than of all others.
    """
    shares = _dictionary(language).shares_of([word, word.removesuffix("s")])
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


def _dictionary(language: str) -> _Dictionary:
    # Several threads would each read the file.
    with _READING:
        return _read(language)


@lru_cache
def _read(language: str) -> _Dictionary:
    written = gzip.decompress(_file(language).read_bytes()) if has_dictionary(language) else _NO_WORDS
    hashes, counts = zip(*map(_entries, _parts(written)), strict=True)
    # Words that differ in accents alone are one.
    known, places = np.unique(np.concatenate(hashes), return_inverse=True)
    of_each = np.bincount(places, np.concatenate(counts))
    shares = np.log(of_each / of_each.sum()).astype(np.float16)
    return _Dictionary(known, shares)


def _parts(dictionary: bytes) -> Iterator[bytes]:
    """Whole lines of a JSON object that has a word and its count in each; no part takes much memory."""
    begin = dictionary.index(b'"')
    while end := dictionary.rfind(b"\n", begin, begin + _BYTES_AT_ONCE) + 1:
        yield dictionary[begin:end]
        begin = end


def _entries(lines: bytes) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """The hashes of the words of some lines (`"word": 12,`), and how often they stand in texts."""
    plain = lines.replace(rb"\"", b"")
    counts = b"".join(plain.split(b'"')[::2]).translate(None, b": \n")
    return _hashes(plain.decode()), np.fromstring(counts, np.int64, sep=",")


def _file(language: str) -> Traversable:
    return files("spellchecker").joinpath("resources", f"{language}.json.gz")


def _hashes(text: str) -> Hashes:
    """A hash of each quoted word of a text, accents and capitals aside; meanwhile other threads run.

    That of Karp & Rabin (1987), "Efficient randomized pattern-matching algorithms": a polynomial, modulo 2⁶⁴.
    """
    codes = _FOLDED.take(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32), mode="clip")
    quotes = np.flatnonzero(codes == ord(_QUOTE))
    begins, ends = quotes[::2] + 1, quotes[1::2]
    powers, inverses = (np.cumprod(np.full(len(codes) + 1, base), dtype=np.uint64) for base in _BASES)
    sums: Hashes = np.cumsum(codes * powers[:-1])
    hashes: Hashes = (sums[ends - 1] - sums[begins - 1]) * inverses[begins]
    return hashes
