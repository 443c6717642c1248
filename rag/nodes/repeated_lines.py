"""What a statement changes that repeats a line nearly word by word; pure.

Who repeats a line and puts "minimum" where it prints "maximum" says something else, however alike both are.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial

from rag.library.language.words import words
from rag.nodes.numbers.amounts import PrintedAmounts, amounts_in, singular
from rag.nodes.numbers.spelling import normalized, plain_text

FEWEST_REPEATED = 5
"""Words of a line that a statement repeats at the least."""
LEAST_REPEATED = 0.75
"""The share of a statement's words that it repeats."""
LONGEST_CHANGE = 4
"""Words that stand for one another; longer parts say something of their own."""
LONGEST_REPEATED = 150
"""Words of a statement or a line that are compared."""
_OPERATORS = frozenset("+-×x/=")
PAUSE = "|"
_COMMA = re.compile(r"[,;:](?=\s)")
_MARKS = ".,:;!?()[]\"'“”"


@dataclass(frozen=True, slots=True)
class Change:
    """Words of a line, and those that a statement has in their place, if any."""

    printed: str
    stated: str


def changes(statement: str, lines: Sequence[str]) -> list[Change]:
    """What stands for what where a statement repeats a line, of several the one that it repeats most."""
    stated = words(statement)
    least = max(FEWEST_REPEATED - 1, LEAST_REPEATED * len(stated[:LONGEST_REPEATED]))
    return [
        Change(" ".join(part.printed), " ".join(part.stated))
        for part in _parts(stated, map(words, lines), least)
        if part.is_changed
        and part.printed
        and part.stated
        and max(len(part.printed), len(part.stated)) <= LONGEST_CHANGE
    ]


def changed_numbers(statement: str, lines: Sequence[str]) -> list[Change]:
    """Where a statement that repeats a line has other numbers, or calculates on behind one of its numbers.

    Number words count as digits: "six" may stand for "6". A calculation may be long: of what it repeats the
    other words tell.
    """
    found = [
        Change(" ".join(part.printed), " ".join(part.stated))
        for part in _counted_parts(statement, lines)
        if part.is_changed and _is_of_numbers(part)
    ]
    return [change for change in found if not _is_equal(change)]


def loses_a_number(statement: str, lines: Sequence[str]) -> bool:
    """Whether a statement that repeats a line leaves out a number between another one and the rest.

    Over "six people or two mules" it says "six mules".
    """
    parts = _counted_parts(statement, lines)
    has_stated = [any(map(_is_counted, part.stated)) for part in parts]
    return any(
        any(map(_is_counted, part.printed)) and not has_stated[place] and any(has_stated[:place])
        for place, part in enumerate(parts[:-1])
    )


def misplaces_a_number(statement: str, lines: Sequence[str]) -> bool:
    """Whether a statement that repeats a line puts one of its numbers in the place of another.

    Over "6 turns a point, 1 at sea" it says "1 turn a point". Whether words are plural follows their numbers.
    """
    parts = _counted_parts(statement, lines, in_singular=True)
    left = [number for part in parts for number in _numbers(part.printed) - _numbers(part.stated)]
    brought = [number for part in parts for number in _numbers(part.stated) - _numbers(part.printed)]
    return not set(left).isdisjoint(brought)


def left_out(statement: str, lines: Sequence[str]) -> list[Sequence[str]]:
    """What a statement leaves out between the words of the line that it repeats; a comma is `PAUSE`."""
    with_pauses = [_COMMA.sub(f" {PAUSE} ", line) for line in lines]
    parts = _counted_parts(statement, with_pauses, in_singular=True)
    return [part.printed for part in parts[1:-1] if not part.stated]


def _numbers(pieces: Sequence[str]) -> Counter[str]:
    return Counter(piece for piece in pieces if any(map(str.isdigit, piece)))


@dataclass(frozen=True, slots=True)
class _Part:
    """Words of a line beside those of a statement, the same or not."""

    printed: Sequence[str]
    stated: Sequence[str]

    @property
    def is_changed(self) -> bool:
        return self.printed != self.stated


def _counted_parts(statement: str, lines: Sequence[str], *, in_singular: bool = False) -> list[_Part]:
    """The parts of a statement beside the line that it repeats, all numbers as digits."""
    own = set(words(statement)) - _OPERATORS
    alike = [line for line in lines if len(own.intersection(words(line))) * 3 >= len(own)]
    if not alike:
        return []
    read = partial(_counted, in_singular=in_singular)
    stated = read(statement)
    others = sum(not _is_counted(piece) for piece in stated[:LONGEST_REPEATED])
    least = max(min(FEWEST_REPEATED - 1, others), LEAST_REPEATED * others)
    return _parts(stated, map(read, alike), least)


def _parts(stated: Sequence[str], lines: Iterable[Sequence[str]], least: float) -> list[_Part]:
    """The parts of a statement beside the line that it repeats most, if `least` words of one."""
    stated = stated[:LONGEST_REPEATED]
    best, most = list[_Part](), least
    for line in lines:
        printed = line[:LONGEST_REPEATED]
        # Cheap, and enough for nearly all lines.
        if (Counter(printed) & Counter(stated)).total() < most:
            continue
        matcher = SequenceMatcher(None, printed, stated, autojunk=False)
        repeated = sum(block.size for block in matcher.get_matching_blocks())
        if repeated >= most:
            best, most = [], repeated + 1
            for _, begin, end, first, last in matcher.get_opcodes():
                best.append(_Part(printed[begin:end], stated[first:last]))
    return best


def _counted(text: str, *, in_singular: bool = False) -> list[str]:
    """The words of a text, its numbers as digits with their marks: "1d6+2", "1/2"."""
    pieces = (piece.strip(_MARKS) for piece in normalized(plain_text(text.lower())).split())
    return [singular(piece) if in_singular else piece for piece in pieces if piece]


def _is_counted(piece: str) -> bool:
    return piece in _OPERATORS or any(map(str.isdigit, piece))


def _is_of_numbers(part: _Part) -> bool:
    """Whether it is nothing but numbers; what is added must calculate."""
    is_counted = all(map(_is_counted, [*part.printed, *part.stated]))
    is_calculation = not _OPERATORS.isdisjoint(part.stated)
    return is_counted and bool(part.stated) and (bool(part.printed) or is_calculation)


def _is_equal(change: Change) -> bool:
    """Whether the numbers are the same, written in another way."""
    amounts, printed = amounts_in(change.stated), PrintedAmounts([change.printed])
    return all(printed.prove(amount, amounts) for amount in amounts)
