"""What printed rates make of the asker's amounts: "1d6 per 10 feet" and a fall of 30 feet are 3d6; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

from rag.library.language.glossary import glossary
from rag.library.language.grammar_words import one_of
from rag.library.language.identify import OUR_LANGUAGES
from rag.library.language.language import AMOUNTS
from rag.library.language.words import stem
from rag.nodes.numbers.amounts import Amount, PrintedAmounts, amounts_in, singular, unit_named
from rag.nodes.numbers.spelling import ANY_UNIT, normalized, plain_text

LONGEST_GAP = 40
"""Characters between an amount and what it is for each of."""
WORDS_OF_A_NAME = 4
"""Words behind "2 times" among which its name stands: "2 times the Failure Result"."""

_PER = re.compile(
    rf"\b{one_of(AMOUNTS.per)}\s"
    rf"(?:(?P<words>(?:[^\W\d_]+\s){{1,2}}?)(?=(?:{ANY_UNIT})\b)|(?=\d|(?:{ANY_UNIT})\b))",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"(@[\w ]*@)(?={ANY_UNIT})", re.IGNORECASE)
_MARK = re.compile(r"@(?P<words>[\w ]*)@")
_BEYOND = re.compile(rf"\s{one_of(AMOUNTS.beyond)}\s(?P<start>\d{{1,4}})\b", re.IGNORECASE)
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
    """An amount for each of another: 1d6 for each 10 feet. `words` tell of what: "spell" of a spell level.

    One that counts `beyond` something is added: 1d6 more for each level above 3. `others` are what its line
    counts as well: "to a maximum of 20d6" bounds it.
    """

    amount: Amount
    base: Amount
    words: frozenset[str]
    beyond: Fraction | None
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
        counts = [
            (given.value - (rate.beyond or 0)) / rate.base.value
            for given in self._meant(rate)
            if rate.base.value
        ]
        if rate.beyond is not None:
            return any(_is_increased(claim, rate.amount, count, printed) for count in counts)
        return not is_bounded and any(_is_product(claim, rate.amount, count, printed) for count in counts)

    def _meant(self, rate: _Rate) -> list[Amount]:
        """What a rate may be applied to: where several could be, what was made, or has its word."""
        fitting = [one for one in self._given if _fits(one, rate.base)]
        if len({one.amount.value for one in fitting}) > 1:
            made = [one for one in fitting if one.is_made]
            fitting = made or [one for one in fitting if one.following in rate.words]
        return [one.amount for one in fitting]


def _fits(given: Given, base: Amount) -> bool:
    """Whether an amount is of what a rate counts, by its unit, or where books count in none by its word."""
    amount = given.amount
    if amount.last is not None or amount.die:
        return False
    if base.unit:
        return base.unit in (amount.unit, unit_named(given.name))
    return not amount.unit and bool(base.after) and base.after in (amount.after, given.following)


def rates_in(line: str) -> list[Amount]:
    """The amounts that a line prints for each of something."""
    return [rate.amount for rate in _rates(line)]


@lru_cache(maxsize=256)
def _rates(line: str) -> tuple[_Rate, ...]:
    marked = _PER.sub(lambda found: f"@{(found['words'] or '').strip()}@", plain_text(line).replace("@", " "))
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
            others = [one for one in amounts if one not in (amount, base) and _is_alike(one, amount)]
            words = frozenset(map(singular, mark["words"].split()))
            beyond = _BEYOND.match(text, base.end)
            yield _Rate(amount, base, words, Fraction(beyond["start"]) if beyond else None, tuple(others))


def counts_in(line: str, given: Sequence[Given]) -> set[Fraction]:
    """How often what is given holds what a line prints rates for each of: two levels above 3 of level 5."""
    return {
        (one.amount.value - (rate.beyond or 0)) / rate.base.value
        for rate in _rates(line)
        for one in given
        if rate.base.value and _fits(one, rate.base)
    }


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


def _is_increased(claim: Amount, amount: Amount, count: Fraction, printed: PrintedAmounts) -> bool:
    """Whether an amount is a printed one, and so many times another: 8d6 and 2 times 1d6."""
    if claim.die != amount.die or amount.last is not None or amount.bonus or count <= 0:
        return False
    before = replace(claim, value=claim.value - amount.value * count)
    return claim.unit in ("", amount.unit) and before.value > 0 and printed.prove(before, [before])


def _is_multiple(claim: Amount, multiple: _Multiple, given: Given) -> bool:
    product = multiple.factor * given.amount.value
    is_named = any(_is_same_name(given.name, name) for name in multiple.names)
    return is_named and not claim.die and claim.value == product


@lru_cache(maxsize=1_000)
def _is_same_name(asked: str, printed: str) -> bool:
    """Whether two names are one, or one another's translation."""
    return asked == printed or any(
        stem(printed, theirs)
        in {stem(meaning, theirs) for meaning in glossary(own, theirs).get(stem(asked, own), ())}
        for own, theirs in permutations(OUR_LANGUAGES, 2)
    )


def _is_part(claim: Amount, given: Amount, printed: PrintedAmounts) -> bool:
    """Whether an amount is a printed share of one that is given in the same unit: half of 60 feet."""
    if not given.unit or claim.unit != given.unit or not 0 < claim.value < given.value or claim.die:
        return False
    share = Amount("", claim.value / given.value)
    return printed.prove(share, [share])
