"""Patterns of names and linking words that the whole grammar shares. Pure."""

import re
from collections.abc import Iterable

from rag.library.language.grammar_words import one_of
from rag.library.language.language import NAMES

_UPPER = "A-ZÀ-ÖØ-ÞА-ЯЁ"
CAPITAL = rf"[{_UPPER}][\w'’/-]*"
_SMALL = one_of([*NAMES.small, "&"])
_GAP = r"(?:[^\S\n]|\n(?!\n))+"  # within a paragraph
NAME = rf"{CAPITAL}(?:{_GAP}(?:{_SMALL}{_GAP}){{0,2}}(?:{CAPITAL}|\d{{1,3}}\b))*"
"""A heading or title in running text: capitalised words, with small words between them."""

SEE = rf"(?i:{one_of(NAMES.see)})"
THE = rf"(?:{one_of(NAMES.the)}\s+)?"
OPEN, CLOSE = r"[\"“”'‘*_«(\[]*", r"[\"”'’*_»]*"
_THE_BOOK = rf"(?:{one_of(NAMES.of_the)}\s+)?(?:{one_of(NAMES.book)}\s+)?"
OF = rf"{one_of(NAMES.of)}\s+{_THE_BOOK}"
IN = rf"{one_of(NAMES.within)}\s+{_THE_BOOK}"


def begins_one_of(words: Iterable[str]) -> str:
    """A look at the next letter, before a pattern of words that may stand anywhere: else each would be tried.

    What a word looks back at, and the bracket around its first letters, is no letter of it.
    """
    first = {re.sub(r"^(?:\(\?<=[^)]*\)|\(\?-i:|\[)*", "", word)[0] for word in words}
    return f"(?=(?i:[{''.join(sorted(first))}]))"


def any_of(words: Iterable[str]) -> str:
    """A pattern of alternatives as they are written, the longest first, any white space between words."""
    longest = sorted((" ".join(word.split()) for word in words if word.strip()), key=len, reverse=True)
    return one_of(re.escape(word).replace("\\ ", " ") for word in longest)
