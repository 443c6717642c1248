"""Numbers within hyphened words, held against what lines count of the same: "two-handed", "2 hands"; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from rag.library.language.numerals import SPELLED, number_of
from rag.nodes.clauses import clause_words, keys
from rag.nodes.numbers.amounts import Amount, amounts_in
from rag.nodes.numbers.spelling import normalized, plain_text

_HYPHENED = re.compile(
    rf"(?<![\w-])(?P<number>\d{{1,3}}|{SPELLED})-(?:(?P<word>[^\W\d_]{{3,}})|(?=\s))", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Counted:
    """How many of what a text counts; of the "two-" of "two- or three-handed" the text does not tell what."""

    spelled: str
    value: Fraction
    word: str

    @property
    def has_digits(self) -> bool:
        """Whether its number is written in digits, which are an amount of their own as well."""
        return self.spelled[0].isdigit()

    def is_of_the_same(self, other: "Counted") -> bool:
        """Whether two count the same, also in another language or another form of the word."""
        if not (self.word and other.word):
            return True
        among = tuple(clause_words())
        return any(
            not keys(self.word, one, among).isdisjoint(keys(other.word, another, among))
            for one, another in product(among, among)
        )


class CountedWords:
    """What lines count, and count within hyphened words."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(dict.fromkeys(lines))
        self._hyphened = [one for line in self._lines if "-" in line for one in _hyphened_in(line)]

    def prove(self, claim: Amount) -> bool:
        """Whether a hyphened word counts as many of what a number counts: "two-handed" proves "2 hands"."""
        if not claim.after or claim.die or claim.sign or claim.last is not None:
            return False
        counted = Counted(claim.spelled, claim.value, claim.after)
        return any(one.value == claim.value and one.is_of_the_same(counted) for one in self._hyphened)

    def contradicted(self, statement: str) -> list[Counted]:
        """What hyphened words of a statement count, where the lines count others of the same alone.

        Over "two-handed" nothing of "two-handed, not one-handed" is.
        """
        stated = [one for one in _hyphened_in(statement) if one.word]
        printed = [*self._hyphened, *(one for line in self._lines for one in _apart(line))] if stated else []
        same = {one: [other.value for other in printed if one.is_of_the_same(other)] for one in stated}
        proven = [one for one in stated if one.value in same[one]]
        return [one for one in stated if same[one] and not any(one.is_of_the_same(other) for other in proven)]


def hyphened_in_question(question: str) -> frozenset[str]:
    """The hyphened words with a number that a question has."""
    return frozenset(one.spelled for one in _hyphened_in(question))


@lru_cache(maxsize=256)
def _hyphened_in(text: str) -> tuple[Counted, ...]:
    """What hyphened words count; those of measures and dice are amounts like any other."""
    found = [
        (one[0].casefold(), number_of(one["number"]), one["word"] or "")
        for one in _HYPHENED.finditer(normalized(plain_text(text)))
    ]
    return tuple(
        Counted(spelled, Fraction(value), word) for spelled, value, word in found if value is not None
    )


def _apart(text: str) -> list[Counted]:
    amounts = amounts_in(normalized(plain_text(text)))
    return [Counted(one.spelled, one.value, one.after) for one in amounts if one.after]
