"""What printed rates make of the asker's amounts: "1d6 per 10 feet" and a fall of 30 feet are 3d6; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS
from rag.nodes.amounts import Amount, PrintedAmounts, amounts_in, singular
from rag.nodes.number_spelling import ANY_UNIT, normalized, plain_text

LONGEST_GAP = 40
"""Characters between an amount and what it is for each of."""
WORDS_OF_A_NAME = 4
"""Words behind "2 times" among which its name stands: "2 times the Failure Result"."""

_PER = re.compile(
    rf"\b{one_of(AMOUNTS.per)}\s(?:(?P<word>[^\W\d_]+)\s(?=(?:{ANY_UNIT})\b)|(?=\d|(?:{ANY_UNIT})\b))",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"(@\w*@)(?={ANY_UNIT})", re.IGNORECASE)
_MARK = re.compile(r"@(?P<word>\w*)@")
_APART = re.compile(r"[.;:]\s")
_NAME = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Given:
    """An amount that the asker gives, by the name before it and the word behind it, or one made of such."""

    amount: Amount
    name: str = ""
    following: str = ""
    is_made: bool = False


@dataclass(frozen=True, slots=True)
class _Rate:
    """An amount for each of another: 1d6 for each 10 feet. `word` tells of what: "spell" of a spell level.

    `others` are what its line counts as well: "to a maximum of 20d6" bounds it.
    """

    amount: Amount
    base: Amount
    word: str
    others: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class _Multiple:
    """A number of times something, by the words of its name."""

    factor: Fraction
    names: frozenset[str]


class Rates:
    """The rates of lines, applied to what the asker gives and to what was made of that."""

    def __init__(self, lines: Sequence[str], given: Sequence[Given]) -> None:
        self._given = list(given)
        self._rates = [rate for line in lines for rate in _rates(line)] if given else []
        self._multiples = [one for line in lines for one in _multiples(line)] if given else []

    def give(self, claim: Amount, printed: PrintedAmounts) -> bool:
        """Whether a rate, a multiple or a part of what is given makes an amount."""
        is_given = (
            any(self._makes(rate, claim, printed) for rate in self._rates)
            or any(_is_multiple(claim, one, given) for one in self._multiples for given in self._given)
            or any(_is_part(claim, given.amount, printed) for given in self._given)
        )
        if is_given:
            self._given.append(Given(claim, is_made=True))
        return is_given

    def _makes(self, rate: _Rate, claim: Amount, printed: PrintedAmounts) -> bool:
        is_bounded = any(one.value < claim.value and one.value != rate.amount.value for one in rate.others)
        return not is_bounded and any(
            _is_product(claim, rate.amount, given.value / rate.base.value, printed)
            for given in self._meant(rate)
            if rate.base.value
        )

    def _meant(self, rate: _Rate) -> list[Amount]:
        """What a rate may be applied to: where several could be, what was made, or has its word."""
        fitting = [one for one in self._given if _fits(one.amount, rate.base)]
        if len({one.amount.value for one in fitting}) > 1:
            made = [one for one in fitting if one.is_made]
            fitting = made or [one for one in fitting if rate.word and singular(rate.word) == one.following]
        return [one.amount for one in fitting]


def _fits(given: Amount, base: Amount) -> bool:
    return bool(base.unit) and given.unit == base.unit and given.last is None and not given.die


@lru_cache(maxsize=256)
def _rates(line: str) -> tuple[_Rate, ...]:
    marked = _PER.sub(lambda found: f"@{found['word'] or ''}@", plain_text(line).replace("@", " "))
    text = normalized(_OF_ONE.sub(r"\g<1>1 ", marked))
    return tuple(_rates_in(text))


def _rates_in(text: str) -> Iterator[_Rate]:
    amounts = amounts_in(text)
    for mark in _MARK.finditer(text):
        base = next((one for one in amounts if one.start == mark.end()), None)
        amount = next((one for one in reversed(amounts) if one.end <= mark.start()), None)
        if base is None or amount is None or mark.start() - amount.end > LONGEST_GAP:
            continue
        if not _APART.search(text, amount.end, mark.start()):
            others = [one for one in amounts if one != amount and _is_alike(one, amount)]
            yield _Rate(amount, base, mark["word"], tuple(others))


def _is_alike(one: Amount, other: Amount) -> bool:
    return (one.die, one.unit) == (other.die, other.unit)


@lru_cache(maxsize=256)
def _multiples(line: str) -> tuple[_Multiple, ...]:
    text = normalized(plain_text(line))
    return tuple(
        _Multiple(one.value, frozenset(map(singular, _NAME.findall(text[one.end :])[:WORDS_OF_A_NAME])))
        for one in amounts_in(text)
        if one.unit == "times"
    )


def _is_product(claim: Amount, amount: Amount, factor: Fraction, printed: PrintedAmounts) -> bool:
    """Whether an amount is so many times another; a rate may add to dice: 2d6 and 1 for each level."""
    if (
        claim.last is not None
        or amount.last is not None
        or (claim.sign and amount.sign not in ("", claim.sign))
    ):
        return False
    if claim.die and not amount.die:
        dice = replace(claim, bonus=Fraction(0))
        return bool(claim.bonus) and claim.bonus == amount.value * factor and printed.prove(dice, [claim])
    if claim.unit not in ("", amount.unit) or claim.die != amount.die:
        return False
    return claim.value == amount.value * factor and claim.bonus == amount.bonus * factor


def _is_multiple(claim: Amount, multiple: _Multiple, given: Given) -> bool:
    product = multiple.factor * given.amount.value
    return given.name in multiple.names and not claim.die and claim.value == product


def _is_part(claim: Amount, given: Amount, printed: PrintedAmounts) -> bool:
    """Whether an amount is a printed share of one that is given in the same unit: half of 60 feet."""
    if not given.unit or claim.unit != given.unit or not 0 < claim.value < given.value or claim.die:
        return False
    share = Amount("", claim.value / given.value)
    return printed.prove(share, [share])
