"""What follows by one step of arithmetic from numbers that are said, printed or given; pure.

"A barque has a crew of 20, 14 more than a lugger with 6": nobody writes 20 - 6 = 14 down. Such a number is
neither printed nor calculated in the statement, so it proves nothing without another look.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

from rag.library.language.language import LANGUAGES
from rag.nodes.numbers.amounts import Amount, amounts_in, singular
from rag.nodes.numbers.calculations import Value, average_of, says_average, value_of, written_values
from rag.nodes.numbers.rates import Given, counts_in, rates_in
from rag.nodes.numbers.spelling import normalized, plain_text

MOST_NUMBERS = 12
"""Numbers of a statement, or of a question, that are put together; what holds more is a list."""
LARGEST_COUNT = 20
"""What is printed once is taken at most so many times."""

_MORE_OR_LESS = frozenset(
    singular(word)
    for language in LANGUAGES.values()
    for words in language.clauses.get("opposites", {}).get("amount", ())
    for word in words.split()
)
"""What tells by how much two things differ, or what is added: "3 more", "2 menos"."""

Numbers = Sequence[Amount]


class Inferences:
    """What numbers of a statement follow from others, by the lines and what the asker gives."""

    def __init__(self, text: str, lines: Sequence[str], given: Sequence[Given]) -> None:
        """`text` is the normalized statement."""
        self._given = [one.amount for one in given[:MOST_NUMBERS]]
        self._filled_in = [value for line in dict.fromkeys(lines) for value in _filled_in(line, given)]
        self._printed = [
            amount for line in dict.fromkeys(lines) for amount in amounts_in(normalized(plain_text(line)))
        ]
        self._rates = [amount for line in dict.fromkeys(lines) for amount in rates_in(line)]
        self._counts = {count for line in dict.fromkeys(lines) for count in counts_in(line, given)}
        self._says_average = says_average(text)

    def give(self, claim: Amount, said: Numbers) -> bool:
        """Whether a number follows from what the statement says elsewhere, its lines print, or is given."""
        if claim.last is not None or not claim.value:
            return False
        said = said[:MOST_NUMBERS]
        known = [*said, *self._given]
        pairs = ((one, other) for one in said for other in known if one is not other)
        return (
            any(_follows(claim, *pair) or _follows(claim, *pair[::-1]) for pair in pairs)
            or any(self._is_applied(claim, one, other) for one, other in product(self._given, self._printed))
            or any(_is_increased(claim, one, other, known) for one, other in permutations(said, 2))
            or any(_is_compared(claim, one, other) for one, other in product(said, self._printed))
            or self._is_average(claim, said)
            or value_of(replace(claim, sign="")) in self._filled_in
        )

    def is_term(self, claim: Amount) -> bool:
        """Whether a number may stand in a calculation: an average of dice, so many times a rate, how many."""
        is_bare = not claim.die and claim.last is None
        if is_bare and claim.value in self._counts:
            return True
        is_multiple = any(
            (one.die, one.unit) == (claim.die, claim.unit) and claim.value in _multiples(one)
            for one in self._rates
        )
        return self._is_average(claim, ()) or (is_multiple and not claim.bonus)

    def _is_average(self, claim: Amount, said: Numbers) -> bool:
        return self._says_average and any(_is_average(claim, one) for one in (*said, *self._printed))

    def _is_applied(self, claim: Amount, given: Amount, printed: Amount) -> bool:
        """Whether a line does it to what is given: doubles it, adds a bonus, or prints what each of it costs.

        What a rate is for each of, `Rates` tells.
        """
        if given.last is not None or printed.last is not None or given.die:
            return False
        if printed.die:
            is_same = (claim.die, claim.value) == (printed.die, printed.value) and not printed.bonus
            return is_same and claim.bonus == given.value
        if printed.unit == "times" or _is_share(printed):
            return _is_changed(claim, given, printed)
        if printed.sign or given.sign:
            return _is_signed_sum(claim, given, printed)
        if printed in self._rates or _counted(printed) in ("", _counted(given)):
            return False
        is_alike = _counted(claim) == _counted(printed) and not claim.die
        return is_alike and claim.value == given.value * printed.value


def _filled_in(line: str, given: Sequence[Given]) -> list[Value]:
    """What the calculations of a line come to with the asker's numbers in place of their names.

    "Vigour is twice Grit plus 6" is 14 with Grit 4.
    """
    filled = line
    for one in given:
        if one.name and not one.amount.die and one.amount.last is None:
            name = rf"\b{re.escape(one.name)}s?\b"
            filled = re.sub(name, f"{one.amount.value}", filled, flags=re.IGNORECASE)
    return written_values(normalized(plain_text(filled))) if filled != line else []


def _counted(amount: Amount) -> str:
    """What an amount counts: its unit, else the word behind it."""
    return amount.unit or amount.after


def _is_share(amount: Amount) -> bool:
    return not amount.unit and 0 < amount.value < 1


def _is_changed(claim: Amount, given: Amount, printed: Amount) -> bool:
    """Whether a number is so often what is given, or that less or more a share of it."""
    factors = {printed.value} if printed.unit else {printed.value, 1 - printed.value, 1 + printed.value}
    is_alike = claim.unit in ("", given.unit) and not claim.die
    return is_alike and claim.value in {given.value * factor for factor in factors}


def _is_signed_sum(claim: Amount, given: Amount, printed: Amount) -> bool:
    """Whether a number is what is given with a printed bonus or penalty; "a" and "one" give none."""
    total = _added(value_of(given), value_of(printed), 1)
    is_given = abs(given.value) > 1 and not claim.sign
    return is_given and total == value_of(claim) and _is_of_one_kind(claim, given, printed)


def _multiples(dice: Amount) -> set[Fraction]:
    return {dice.value * count for count in range(2, LARGEST_COUNT + 1)}


def _follows(claim: Amount, first: Amount, second: Amount) -> bool:
    """Whether a number is the sum, the difference, the product or the quotient of two others."""
    if any(one.last is not None for one in (first, second)):
        return False
    return _is_sum(claim, first, second) or _is_product(claim, first, second)


def _is_sum(claim: Amount, first: Amount, second: Amount) -> bool:
    """Whether it is what two numbers of one kind make together, or what is between them."""
    if not _is_of_one_kind(claim, first, second) or not (first.value and second.value):
        return False
    wanted, one, other = value_of(replace(claim, sign="")), value_of(first), value_of(second)
    return wanted in (_added(one, other, 1), _added(one, other, -1))


def _is_of_one_kind(*amounts: Amount) -> bool:
    return len({one.unit for one in amounts} - {""}) < 2


def _is_product(claim: Amount, first: Amount, second: Amount) -> bool:
    """Whether it is one number taken so many times, or shared out, or how often one is in the other."""
    if {first.value, second.value} & {0, 1} or first.die or second.die or claim.die:
        return False
    if claim.unit == "times" or (first.unit and first.unit == second.unit):
        return claim.unit in ("", "times") and first.value / second.value == claim.value
    if claim.unit not in ("", first.unit):
        return False
    return claim.value in (first.value * second.value, first.value / second.value)


def _is_so_often(claim: Amount, said: Amount, printed: Amount) -> bool:
    """Whether it tells how often a number is in another of its unit: 10 gp are twice the 5 gp of a line."""
    is_alike = said.unit and said.unit == printed.unit and not (said.die or printed.die) and printed.value
    return (
        bool(is_alike)
        and claim.unit == "times"
        and claim.value * printed.value == said.value != printed.value
    )


def _is_compared(claim: Amount, said: Amount, printed: Amount) -> bool:
    """Whether a number tells how often, or by how much, a number of the statement is more than a printed one.

    So it is where a line adds something: "3 marks, and 1 more".
    """
    if claim.unit == "times":
        return _is_so_often(claim, said, printed)
    is_difference = claim.after in _MORE_OR_LESS and claim.value == abs(said.value - printed.value)
    is_addition = printed.after in _MORE_OR_LESS and claim.value == said.value + printed.value
    dice = claim.die or said.die or printed.die
    return not dice and (is_difference or is_addition) and _is_of_one_kind(said, printed)


def _is_increased(claim: Amount, first: Amount, step: Amount, counts: Numbers) -> bool:
    """Whether dice are others and so many times a step: 2d8, and 2d8 more for each of two levels."""
    if (
        not claim.die
        or {first.die, step.die} != {claim.die}
        or any(one.bonus for one in (claim, first, step))
    ):
        return False
    return any(
        count.last is None and not count.die and claim.value == first.value + step.value * count.value
        for count in counts
    )


def _is_average(claim: Amount, dice: Amount) -> bool:
    """Whether a number is what dice average, with or without their bonus."""
    if not dice.die or claim.die:
        return False
    alone = replace(dice, bonus=Fraction(0))
    return value_of(replace(claim, sign="")) in (average_of(value_of(dice)), average_of(value_of(alone)))


def _added(one: Value, other: Value, factor: int) -> Value:
    added = {
        name: one.get(name, Fraction(0)) + factor * other.get(name, Fraction(0)) for name in {*one, *other}
    }
    return {name: value for name, value in added.items() if value} or {"": Fraction(0)}
