"""What the words of a text are: folded, without function words, stemmed."""

import functools
import re
import threading
import unicodedata
from typing import TYPE_CHECKING

from rag.library.language.language import LANGUAGES

if TYPE_CHECKING:
    from snowballstemmer.basestemmer import BaseStemmer

FUNCTION_WORDS = {code: language.function_words for code, language in LANGUAGES.items()}

_WORD = re.compile(r"[^\W_]+")
_STEMMING = threading.Lock()
"""A stemmer works on one word at a time, in fields of its own."""


def fold(text: str) -> str:
    """`text` without case and accents, for comparing what people type with what books print."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words(text: str) -> list[str]:
    """The words and numbers of `text` in order, lower case, accents kept; `dragon's` is two."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())


def content_words(text: str, language: str) -> list[str]:
    """The words of `text` that carry its subject: no function words of `language`, no lone letters."""
    function_words = FUNCTION_WORDS.get(language, frozenset())
    return [word for word in words(text) if word not in function_words and (len(word) > 1 or word.isdigit())]


@functools.cache
def _stemmer(language: str) -> "BaseStemmer":
    import snowballstemmer

    return snowballstemmer.stemmer(LANGUAGES[language if language in LANGUAGES else "en"].stemmer)


@functools.lru_cache(maxsize=100_000)
def stem(word: str, language: str) -> str:
    """The stem of a lower-case word (Snowball), without accents."""
    with _STEMMING:
        stemmed = _stemmer(language).stemWord(word)
    return fold(stemmed)


def stems(text: str, language: str) -> list[str]:
    """The stems of all words of `text`, in order."""
    return [stem(word, language) for word in words(text)]
