"""The amounts of a text, and whether the amounts of other texts prove them; pure.

An amount is a number with its unit and its neighbours: "an hour", "1 hora" and "60 minutes" are one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS, PAGES
from rag.nodes.numbers.spelling import (
    ANY_UNIT,
    LABELS,
    NO_LABELS,
    SECONDS,
    UNIT_OF,
    UNITS,
    normalized,
    plain_text,
)

WIDEST_RANGE = 100
FEWEST_LISTED = 10
"""No fraction of a rulebook has more above its stroke."""
MOST_DIGITS = 12
"""A number of more digits is compared as it is spelled."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, a range (`last`) or dice as a text names it.

    `value` is the number, the first of a range or how many dice; `die` is "d6", or "d" where no sides are
    named. `label` are letters that belong to it ("ST 13", "B417"). `beside` is the word that must follow
    where the amount is only implied: "a retainer" speaks of 1 retainer, of nothing else.
    """

    spelled: str
    value: Fraction
    last: Fraction | None = None
    die: str = ""
    bonus: Fraction = Fraction(0)
    sign: str = ""
    unit: str = ""
    label: str = ""
    before: str = ""
    after: str = ""
    beside: str = ""
    start: int = 0
    end: int = 0


_AMOUNT = re.compile(
    rf"""(?P<label>\b[^\W\d_]+(?=\d)(?<![\d][dD])(?<!\b[dDxX])|\b[A-Z][A-Za-z]{{1,2}}:?\s(?=[+-]?\d))?
    (?P<sign>(?<![\d)])(?<!\d[dD])[+-](?=[\dd]))?
    (?:(?P<count>\d{{1,3}}|(?<![^\W_]))(?:(?:\s?[dD])(?P<sides>\d{{1,4}}|%)(?!\d)|\s[dD]\s(?P<apart>\d{{1,4}})(?!\d)
         |(?<=\d)(?P<pool>[dD])(?![^\W_]))
       (?P<bonus>\s?[+-]\s?\d{{1,3}}(?!\d|\s?[dD](?![^\W\d_])|[.,]\d|\s?[×x]))?
     | (?:(?P<whole>\d{{1,6}})\s)?(?P<above>\d{{1,6}})/(?P<below>\d{{1,6}})(?![\d/])
     | (?P<plain>\d+(?:[.,]\d+)*){one_of(AMOUNTS.ordinal_endings)}?)
    (?P<measure>\s?%|'(?![^\W\d_])
     |[\s-]?(?:{one_of(AMOUNTS.before_unit)}\s)?
      (?P<unit>(?i:{ANY_UNIT}))(?![^\W_]))?""",
    re.VERBOSE,
)
_SIGN = rf"(?:(?P<minus>{one_of(AMOUNTS.penalty)})|{one_of(AMOUNTS.bonus)})"
_SIGN_BEFORE = re.compile(rf"\b{_SIGN}(?:\s{one_of(AMOUNTS.before_signed)})?:?\s$", re.IGNORECASE)
_SIGN_AFTER = re.compile(rf"[\s-](?:{one_of(AMOUNTS.points_of)}\s)?{_SIGN}\b", re.IGNORECASE)
_TO = re.compile(rf"\s?-\s?|\s{one_of(PAGES.until)}\s", re.IGNORECASE)
_AND = re.compile(rf"\s{one_of(AMOUNTS.joints)}\s", re.IGNORECASE)
_BETWEEN = re.compile(rf"\b{one_of(AMOUNTS.between)}\s$", re.IGNORECASE)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")

_AFTER_NUMBER = re.compile(r"\d\s$")
"""The cells of a row stand side by side: "4 6 1/2" is no number and a half."""
_WORD_AFTER = re.compile(r"[\s-]([^\W\d_]{2,})")
_WORD_BEFORE = re.compile(rf"([^\W\d_]{{2,}})(?:\s{one_of(AMOUNTS.before_amount)})?[\s-]$", re.IGNORECASE)


def amounts_in(text: str) -> list[Amount]:
    """The amounts of a normalized text in their order; two that make a range are one."""
    amounts: list[Amount] = []
    for found in _AMOUNT.finditer(text):
        for amount in _read(found):
            ranged = _as_range(amounts[-1], amount, text) if amounts else None
            if ranged:
                amounts[-1] = ranged
            else:
                amounts.append(_with_words_before(amount, text))
    return amounts


def _read(found: re.Match[str]) -> Iterator[Amount]:
    """The amount that was found; more than one where a list was written without spaces: "5,10,15"."""
    named = found["label"] or ""
    label, sign = _label(named), found["sign"] or ""
    start = found.start() if label else found.start() + len(named)
    after = _WORD_AFTER.match(found.string, found.start("measure") if found["measure"] else found.end())
    common = Amount(
        "",
        Fraction(0),
        sign=sign,
        unit=_unit(found),
        label=label,
        after=singular(after[1]) if after else "",
        start=start,
        end=found.end(),
    )
    if found["plain"]:
        yield from (_plain_amount(common, number) for number in _plain_numbers(found["plain"]))
    elif found["below"] and _is_list(found):
        yield from (_plain_amount(common, found[part]) for part in ("above", "below"))
    elif found["whole"] and _AFTER_NUMBER.search(found.string, 0, found.start()):
        yield _plain_amount(common, found["whole"])
        yield replace(_fraction(common, found), value=Fraction(int(found["above"]), int(found["below"]) or 1))
    elif found["below"]:
        yield _fraction(common, found)
    else:
        yield _dice(common, found)


def _is_list(found: re.Match[str]) -> bool:
    """Whether a stroke stands between two numbers of their own: "range 100/400"."""
    return not found["whole"] and min(int(found["above"]), int(found["below"])) >= FEWEST_LISTED


def _plain_amount(common: Amount, number: str) -> Amount:
    if len(number) > MOST_DIGITS:
        return replace(common, spelled=number, label=number)
    return replace(common, spelled=f"{common.label}{common.sign}{number}", value=Fraction(number))


def _fraction(common: Amount, found: re.Match[str]) -> Amount:
    whole, above, below = int(found["whole"] or 0), int(found["above"]), int(found["below"])
    if not below:
        return replace(common, spelled=f"{above}/0", label=f"{above}/0")
    value = whole + Fraction(above, below)
    return replace(common, spelled=f"{common.sign}{value}", value=value)


def _dice(common: Amount, found: re.Match[str]) -> Amount:
    die = "d" + (found["sides"] or found["apart"] or "").replace("%", "100")
    bonus = (found["bonus"] or "").replace(" ", "")
    spelled = f"{common.sign}{found['count']}{die}{bonus}"
    value = Fraction(found["count"] or 1)
    return replace(common, spelled=spelled, value=value, die=die, bonus=Fraction(bonus or 0))


def _plain_numbers(spelled: str) -> list[str]:
    """The number in plain decimals: "1,000" → "1000", "2,5" → "2.5"; a list of them where it is none."""
    if _THOUSANDS.fullmatch(spelled):
        return [re.sub(r"[.,]", "", spelled)]
    whole, *marked = re.split(r"[.,]", spelled)
    if len(marked) == 1:
        return [f"{whole}.{marked[0]}".rstrip("0").rstrip(".")]
    decimals = re.fullmatch(r"([1-9]\d{0,2}(?:,\d{3})+)\.(\d+)|([1-9]\d{0,2}(?:\.\d{3})+),(\d+)", spelled)
    if decimals:
        return [re.sub(r"[.,]", "", decimals[1] or decimals[3]) + "." + (decimals[2] or decimals[4])]
    return [whole, *marked]


def _label(letters: str) -> str:
    """Letters that belong to a number, glued to it or an abbreviation before it; else nothing."""
    name = letters.strip(": ").casefold()
    if not letters or letters[-1] not in ": ":
        return name
    is_abbreviation = (
        letters.strip(": ").isupper() and not NO_LABELS.fullmatch(name) and not UNIT_OF.fullmatch(name)
    )
    return name if is_abbreviation or any(name in same for same in LABELS) else ""


def unit_named(word: str) -> str:
    """The unit that a word names, in any language; "" where it names none."""
    named = UNIT_OF.fullmatch(word)
    return list(UNITS)[int((named.lastgroup or "u0")[1:])] if named else ""


def _unit(found: re.Match[str]) -> str:
    if found["unit"]:
        return unit_named(found["unit"])
    return {"%": "%", "'": "foot"}.get((found["measure"] or "").strip(), "")


def _with_words_before(amount: Amount, text: str) -> Amount:
    """An amount with the word before it and the sign that words give it: "a penalty of 2" is -2.

    A printed sign counts first.
    """
    before = _WORD_BEFORE.search(text, max(0, amount.start - 30), amount.start)
    amount = replace(amount, before=singular(before[1]) if before else "")
    named = _SIGN_BEFORE.search(text, max(0, amount.start - 25), amount.start)
    named = named or _SIGN_AFTER.match(text, amount.end)
    return replace(amount, sign="-" if named["minus"] else "+") if named and not amount.sign else amount


def singular(word: str) -> str:
    return word.casefold().rstrip("s")


def _as_range(first: Amount, last: Amount, text: str) -> Amount | None:
    between = text[first.end : last.start]
    is_to = _TO.fullmatch(between) or (
        _AND.fullmatch(between) and _BETWEEN.search(text, max(0, first.start - 10), first.start)
    )
    is_bare = not (first.die or last.die or last.sign or last.label or first.last is not None)
    is_subtraction = between == " - " and first.value > last.value
    if not is_to or not is_bare or is_subtraction or first.value == last.value:
        return None
    return replace(
        first,
        spelled=f"{first.spelled}–{last.spelled}",
        last=last.value,
        unit=first.unit or last.unit,
        end=last.end,
    )


# What is printed

BONUS = "bonus"
"""Stands beside the bonus of dice, which proves only a number with a sign."""
DICE = "dice"
"""Stands beside the count of dice, which proves only a number of them."""

_Key = tuple[str, Fraction, Fraction | None, Fraction]


class PrintedAmounts:
    """The amounts that evidence holds, looked up by their value."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._alone: defaultdict[_Key, set[Amount]] = defaultdict(set)
        self._ranges: set[Amount] = set()
        self._dice: defaultdict[tuple[str, Fraction], set[Amount]] = defaultdict(set)
        for text in texts:
            for amount in _evidence_amounts(text):
                self._add(amount)

    def prove(self, claim: Amount, claims: Sequence[Amount]) -> bool:
        """Whether an amount is printed. `claims` are all amounts of its statement: dice may stand apart
        from their bonus where the statement names both."""
        if self._has_other_sign(claim):
            return False
        if _is_among(claim, self._alone):
            return True
        if claim.last is not None:
            ends = (replace(claim, last=None), replace(claim, value=claim.last, last=None))
            return claim.value < claim.last and all(_is_among(end, self._alone) for end in ends)
        if not claim.die:
            return any(_speaks_of(offer, claim) for offer in self._ranges)
        return not claim.bonus and any(
            _agree(claim, offer, any(not other.die and other.value == abs(offer.bonus) for other in claims))
            for offer in self._dice.get((claim.die, claim.value), ())
        )

    def _has_other_sign(self, claim: Amount) -> bool:
        """Whether an amount is printed with the other sign, and not with its own; bare ones tell neither.

        A number may follow a word that adds: "plus 1 more".
        """
        signs = {offer.sign for offer in self._alone.get(_key(claim), ()) if _is_same_unit(claim, offer)}
        is_told = claim.sign == "-" or (claim.sign and claim.die)
        return bool(is_told) and claim.sign not in signs and bool(signs - {""})

    def _add(self, amount: Amount) -> None:
        offer = replace(amount, spelled="", before="", after="", start=0, end=0)
        for key in _keys(offer):
            self._alone[key].add(offer)
        if offer.last is not None:
            self._ranges.add(offer)
        if offer.die:
            self._add_parts(offer)

    def _add_parts(self, dice: Amount) -> None:
        self._dice[dice.die, dice.value].add(dice)
        parts = [Amount("", dice.value, unit="die", beside=DICE)]
        if dice.bonus:
            parts.append(Amount("", abs(dice.bonus), sign="+" if dice.bonus > 0 else "-", beside=BONUS))
        for part in parts:
            self._alone[_key(part)].add(part)


_IMPLIED_ONE = re.compile(rf"\b{one_of(AMOUNTS.implied_one)}\s([^\W\d_]{{3,}})", re.IGNORECASE)
_IMPLIED_NONE = re.compile(rf"\b{one_of(AMOUNTS.implied_none)}\s([a-z]{{3,}})", re.IGNORECASE)
_MULTIPLE = re.compile(
    rf"\b(?P<unit>{ANY_UNIT})\s{one_of(AMOUNTS.equal_to)}\s(?P<factor>\d{{1,6}})\s(?:{UNITS['times']})\b",
    re.IGNORECASE,
)
_NONE = re.compile(rf"\b{one_of(AMOUNTS.none)}\b", re.IGNORECASE)


@lru_cache(maxsize=256)
def _evidence_amounts(text: str) -> tuple[Amount, ...]:
    """The amounts that a line speaks of, also those it only implies: "a retainer", "no hit points"."""
    plain = plain_text(text)
    spelled = normalized(_NONE.sub("0", plain))
    amounts = [*amounts_in(spelled), *_multiples(spelled)]
    implied = [
        Amount("", Fraction(value), beside=singular(found[1]))
        for value, pattern in ((1, _IMPLIED_ONE), (0, _IMPLIED_NONE))
        for found in pattern.finditer(plain)
    ]
    return (*amounts, *implied)


def _multiples(text: str) -> Iterator[Amount]:
    """What is counted by something else: "hours equal to 2 times the result" are 2 hours for each of it."""
    for found in _MULTIPLE.finditer(text):
        yield Amount("", Fraction(found["factor"]), unit=_unit(found))


def _keys(amount: Amount) -> list[_Key]:
    """Under what an amount is looked up: its value, its time in seconds, its share of the whole."""
    keys = [_key(amount)]
    if amount.unit in SECONDS and not amount.die:
        factor = SECONDS[amount.unit]
        last = None if amount.last is None else amount.last * factor
        keys.append(("seconds", amount.value * factor, last, Fraction(0)))
    if not amount.die and amount.last is None:
        if amount.unit == "%":
            keys.append(("share", amount.value / 100, None, Fraction(0)))
        elif 0 < amount.value < 1:
            keys.append(("share", amount.value, None, Fraction(0)))
    return keys


def _key(amount: Amount) -> _Key:
    return amount.die, amount.value, amount.last, amount.bonus


def _is_among(claim: Amount, offers: "dict[_Key, set[Amount]]") -> bool:
    return any(
        _agree(claim, offer, key[0] in ("seconds", "share") or _is_same_unit(claim, offer))
        for key in _keys(claim)
        for offer in offers.get(key, ())
    )


def _agree(claim: Amount, offer: Amount, is_same: bool) -> bool:
    """Whether an amount of equal value is the same: a sign may be added or dropped, never turned round."""
    has_same_sign = not (claim.sign and offer.sign) or claim.sign == offer.sign
    return is_same and has_same_sign and _is_same_label(claim.label, offer.label) and _is_beside(claim, offer)


def _is_same_unit(claim: Amount, offer: Amount) -> bool:
    return not (claim.unit and offer.unit) or claim.unit == offer.unit


def _is_same_label(claimed: str, offered: str) -> bool:
    """Whether letters before a number agree; a single letter ("B417") or a name must stand there too."""
    if claimed == offered:
        return True
    if not claimed or not offered:
        return not claimed or 2 <= len(claimed) <= 3
    return any({claimed, offered} <= same for same in LABELS)


def _is_beside(claim: Amount, offer: Amount) -> bool:
    if offer.beside == BONUS:
        return bool(claim.sign)
    if offer.beside == DICE:
        return claim.unit == "die"
    return not offer.beside or offer.beside == claim.after


def _speaks_of(offer: Amount, claim: Amount) -> bool:
    """Whether a range speaks of a number: "6-8" of 7; a wide one only of its ends."""
    if offer.last is None or not _agree(claim, offer, _is_same_unit(claim, offer)):
        return False
    if claim.value in (offer.value, offer.last):
        return True
    is_whole = claim.value.denominator == 1 and claim.sign == offer.sign
    return is_whole and offer.value < claim.value < offer.last <= offer.value + WIDEST_RANGE


def is_equal(claim: Amount, fact: Amount) -> bool:
    """Whether two amounts are the same, as printed in two places."""
    return _is_among(claim, {_key(fact): {fact}})
