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

WORD_BEGINS = r"\b(?=[^\W\d_])"
"""Before a pattern of many words that may stand anywhere: elsewhere none of them is tried."""
SEE = rf"(?i:{one_of(NAMES.see)})"
THE = rf"(?:{one_of(NAMES.the)}\s+)?"
OPEN, CLOSE = r"[\"“”'‘*_«(\[]*", r"[\"”'’*_»]*"
_THE_BOOK = rf"(?:{one_of(NAMES.of_the)}\s+)?(?:{one_of(NAMES.book)}\s+)?"
OF = rf"{one_of(NAMES.of)}\s+{_THE_BOOK}"
IN = rf"{one_of(NAMES.within)}\s+{_THE_BOOK}"


class _Tree(dict[str, "_Tree"]):
    """What may follow a beginning, letter by letter; "" where it may end."""


def any_of(words: Iterable[str], *, any_case: bool = False) -> str:
    """A pattern of alternatives, the longest first, with any white space between words.

    Those that begin alike share their beginning: at each place of a text hundreds of titles are tried. A
    pattern that ignores case is made with `any_case`.
    """
    tree = _Tree()
    for letters in filter(None, (" ".join(word.split()) for word in words)):
        branch = tree
        for letter in letters:
            branch = branch.setdefault(letter.lower()[:1] if any_case else letter, _Tree())
        branch[""] = _Tree()
    return _pattern(tree) if tree else "(?:(?!))"


def _pattern(tree: _Tree) -> str:
    """A pattern of all that a tree holds, of what begins alike the longest first."""
    branches = [_branch(letter, tree[letter]) for letter in sorted(tree) if letter]
    return f"(?:{'|'.join(branches)}){'?' * ('' in tree)}"


def _branch(letters: str, rest: _Tree) -> str:
    """A pattern of what begins with the letters and goes on with the rest."""
    while len(rest) == 1 and "" not in rest:
        ((letter, rest),) = rest.items()
        letters += letter
    begins = r"\s+".join(map(re.escape, letters.split(" ")))
    return begins if list(rest) == [""] else begins + _pattern(rest)
