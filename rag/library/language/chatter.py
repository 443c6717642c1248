"""What is mere chatter: thanks, laughter, "nice"; nobody looks it up in a book. Pure."""

import re

from rag.library.language.grammar_words import one_of
from rag.library.language.language import TALK
from rag.library.language.words import fold

_QUOTES = str.maketrans("’‘", "''")


def any_of(listed: tuple[str, ...]) -> str:
    """A pattern of any of some words, those of most words first, whole and without accents.

    What it found it keeps: "haha" is laughter in several languages, and to try each of them for each of many
    would never end.
    """
    longest_first = sorted(map(fold, listed), key=lambda one: (one.count(" "), len(one)), reverse=True)
    return rf"(?>{one_of(longest_first)}(?![\w']))"


CHATTER = re.compile(rf"(?:\W*+{any_of(TALK.chatter)})+\W*")
"""As much chatter as a text begins with, read by `as_said`."""


def as_said(text: str) -> str:
    """A text as patterns of talk are written: without case, accents and curved quotation marks."""
    return fold(text.translate(_QUOTES)).strip()


def is_chatter(text: str) -> bool:
    """Whether a text says nothing but chatter, also as a question ("really?")."""
    return CHATTER.fullmatch(as_said(text)) is not None
