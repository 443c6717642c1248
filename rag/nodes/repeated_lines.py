"""What a statement changes that repeats a line nearly word by word; pure.

Who repeats a line and puts "minimum" where it prints "maximum" says something else, however alike both are.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rag.library.language.words import words

FEWEST_REPEATED = 5
"""Words of a line that a statement repeats at the least."""
LEAST_REPEATED = 0.75
"""The share of a statement's words that it repeats."""
LONGEST_CHANGE = 4
"""Words that stand for one another; longer parts say something of their own."""
LONGEST_REPEATED = 150
"""Words of a statement or a line that are compared."""


@dataclass(frozen=True, slots=True)
class Change:
    """Words of a line, and those that a statement has in their place."""

    printed: str
    stated: str


def changes(statement: str, lines: Sequence[str]) -> list[Change]:
    """What stands for what where a statement repeats a line, of several the one that it repeats most."""
    stated = words(statement)[:LONGEST_REPEATED]
    best, most = list[Change](), max(FEWEST_REPEATED - 1, LEAST_REPEATED * len(stated))
    for line in lines:
        printed = words(line)[:LONGEST_REPEATED]
        # Cheap, and enough for nearly all lines.
        if (Counter(printed) & Counter(stated)).total() < most:
            continue
        matcher = SequenceMatcher(None, printed, stated, autojunk=False)
        repeated = sum(block.size for block in matcher.get_matching_blocks())
        if repeated >= most:
            best, most = list(_changes(matcher, printed, stated)), repeated + 1
    return best


def _changes(matcher: "SequenceMatcher[str]", printed: Sequence[str], stated: Sequence[str]) -> list[Change]:
    return [
        Change(" ".join(printed[begin:end]), " ".join(stated[first:last]))
        for tag, begin, end, first, last in matcher.get_opcodes()
        if tag == "replace" and max(end - begin, last - first) <= LONGEST_CHANGE
    ]
