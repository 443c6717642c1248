"""Patterns of names and linking words that the whole grammar shares. Pure."""

import re
from collections.abc import Iterable

_UPPER = "A-ZÀ-ÖØ-Þ"
CAPITAL = rf"[{_UPPER}][\w'’/-]*"
_SMALL = r"(?:of|the|and|to|in|for|with|a|an|at|from|de|da|do|das|dos|e|o|em|com|para|&|vs\.?)"
_GAP = r"(?:[^\S\n]|\n(?!\n))+"  # within a paragraph
NAME = rf"{CAPITAL}(?:{_GAP}(?:{_SMALL}{_GAP}){{0,2}}(?:{CAPITAL}|\d{{1,3}}\b))*"
"""A heading or title in running text: capitalised words, with small words between them."""

SEE = (
    r"(?:(?i:see)(?:\s+also)?|(?i:veja|ver)(?:\s+também)?|(?i:vide|consulte|confira)|(?i:refer\s+to)|[Cc]f\.)"
)
THE = r"(?:(?:the|o|a|os|as)\s+)?"
OPEN, CLOSE = r"[\"“”'‘*_«(\[]*", r"[\"”'’*_»]*"
OF = r"(?:of|from|de|do|da|dos|das)\s+(?:the\s+|o\s+)?(?:book\s+|livro\s+)?"
IN = r"(?:in|em|no|na)\s+(?:the\s+|o\s+)?(?:book\s+|livro\s+)?"


def any_of(words: Iterable[str]) -> str:
    """A pattern of alternatives, the longest first, with any white space between words."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    patterns = (r"\s+".join(map(re.escape, word.split())) for word in longest_first)
    return f"(?:{'|'.join(patterns) or '(?!)'})"
