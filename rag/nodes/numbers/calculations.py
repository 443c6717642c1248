"""Calculations that a statement writes down, done again: equations, averages of dice, rounding; pure."""

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS
from rag.nodes.numbers.amounts import Amount, PrintedAmounts, amounts_in, is_equal
from rag.nodes.numbers.spelling import ANY_UNIT, SECONDS

Value = dict[str, Fraction]
"""Numbers and dice by what is counted: {"": 35}, {"d6": 3, "": 2}, {"%": 20}."""

MOST_TOKENS = 40
"""Tokens of one side of an equation."""
MOST_EQUATIONS = 40
MOST_RESULTS = 3
"""Numbers before a parenthesis that may be the result of the calculation in it."""
LONGEST_GAP = 40
"""Characters between dice and their average, between a number and what it is rounded to."""
PASSES = 3
"""A result may be a term of what is calculated next, this often."""

_TOKEN = re.compile(
    rf"""(?P<term>(?<![^\W_])\d{{0,3}}[dD]\d{{1,4}}(?![^\W_])|\d{{1,3}}D(?![^\W_])|\d+(?:[.,]\d+)*)
      (?P<measure>\s?%|[\s-]?(?P<unit>{ANY_UNIT})(?![^\W_]))?
    | (?P<op>[+\-×/]|(?<![^\W_])[xX](?![^\W\d_])
      |\b(?:(?P<times>{one_of(AMOUNTS.multiplied)})|(?P<by>{one_of(AMOUNTS.divided)}))\b)
    | (?P<open>\() | (?P<close>\)) | (?P<equals>=)
    | (?P<soft>\b{one_of(AMOUNTS.equals)}\b(?!\s[a-z])|:(?=\s))
    | (?P<of>\b{one_of(AMOUNTS.of)}\b)
    | (?P<stop>[.;,!?\n]|\b{one_of(AMOUNTS.clause_ends)}\b)
    | (?P<word>[^\W\d_]+)""",
    re.VERBOSE | re.IGNORECASE,
)
_ROUNDED = re.compile(
    rf"\b{one_of(AMOUNTS.rounded)}\s"
    rf"(?:(?P<down>{one_of(AMOUNTS.rounded_down)})|{one_of(AMOUNTS.rounded_up)})\b",
    re.IGNORECASE,
)
_AVERAGE = re.compile(rf"\b{one_of(AMOUNTS.average)}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int
    amount: Amount | None = None


@dataclass(frozen=True, slots=True)
class _Equation:
    """Sides that a statement says are equal. Words as "is" say so less surely: they never refute."""

    sides: tuple[tuple[_Token, ...], ...]
    is_hard: bool


class Calculated:
    """What the calculations of a normalized statement prove and refute: equations, averages, rounding."""

    def __init__(
        self,
        text: str,
        printed: PrintedAmounts,
        given: Sequence[Amount],
        is_term: Callable[[Amount], bool] = lambda amount: False,
    ) -> None:
        """Terms may be `printed`, `given` by the asker, results themselves, or what else `is_term`."""
        self._text = text
        self._printed = printed
        self._given = given
        self._is_term = is_term
        tokens = _tokens(text)
        self._claims = amounts_in(text)
        self._named = [*self._claims, *(token.amount for token in tokens if token.amount)]
        self._results: list[tuple[Value, str]] = []
        self._proven: set[tuple[int, int]] = set()
        self._refuted: set[tuple[int, int]] = set()
        equations = _equations(tokens)
        for _ in range(PASSES):
            for equation in equations:
                self._take_equation(equation)
            for first, second in pairwise(self._claims):
                self._take_pair(first, second)

    def proves(self, claim: Amount) -> bool:
        """Whether an amount is a result, or a term that was proven where it stands."""
        is_result = claim.last is None and not claim.label and self._has_result(claim)
        return is_result or _is_inside(claim, self._proven)

    def refutes(self, claim: Amount) -> bool:
        """Whether an amount is the result of an equation that does not hold."""
        return _is_inside(claim, self._refuted)

    def _has_result(self, amount: Amount) -> bool:
        return any(
            value_of(amount) == value and (not unit or amount.unit in ("", "%", unit))
            for value, unit in self._results
        )

    def _is_known(self, amount: Amount) -> bool:
        """Whether the books or an earlier calculation say an amount."""
        return self._printed.prove(amount, self._named) or self._has_result(amount)

    def _is_proven(self, amount: Amount) -> bool:
        is_given = any(is_equal(amount, fact) for fact in self._given)
        return self._is_known(amount) or is_given or self._is_term(amount)

    def _take_equation(self, equation: _Equation) -> None:
        sides = _sides_of(equation)
        derivations = [side for side in sides if len(side) > 1]
        if not derivations:
            return
        in_seconds = len({unit for side in sides for unit in _units(side)} & SECONDS.keys()) > 1
        wanted = _evaluated(derivations[0], in_seconds)
        near = self._text[sides[0][-1].end : sides[-1][-1].end + 35]
        if not all(_is_result(wanted, _evaluated(side, in_seconds), near) for side in sides):
            self._refuted |= {_span(side) for side in sides if len(side) == 1 and equation.is_hard}
        elif any(self._derives(side, wanted, sides) for side in derivations):
            self._proven |= set(map(_span, sides))
            for side in sides:
                self._results.append((_evaluated(side, in_seconds=False), "".join(_units(side)[:1])))

    def _derives(self, side: Sequence[_Token], result: Value, sides: Sequence[Sequence[_Token]]) -> bool:
        """Whether a side's terms are proven, its units are those of the result, and it says something new:
        an amount that only the asker named is not proven by itself ("999 × 1 = 999")."""
        terms = [
            self._signed(token.amount, before)
            for before, token in pairwise([None, *_with_fractions(side, self._is_known)])
            if token and token.amount and not self._divides(token.amount, before)
        ]
        units = set(_units(side))
        others = {unit for other in sides if len(other) == 1 for unit in _units(other)}
        is_counted = any(term.unit in others and self._is_known(term) for term in terms)
        has_units = not units or others <= units or bool(units & SECONDS.keys() and others <= SECONDS.keys())
        return (
            has_units
            and all(map(self._is_proven, terms))
            and any(self._is_known(term) or self._is_term(term) for term in terms)
            and (is_counted or all(self._is_known(term) or value_of(term) != result for term in terms))
        )

    def _signed(self, amount: Amount, before: _Token | None) -> Amount:
        """A term as its line prints it: 40 of "10d6 + 40" is a bonus there."""
        signed = replace(amount, sign=before.text) if before and before.text in ("+", "-") else amount
        return amount if self._is_known(amount) else signed

    def _divides(self, amount: Amount, before: _Token | None) -> bool:
        """Whether it divides by what a line tells as a share: "35 / 2" where it says half."""
        if not before or before.text != "/" or amount.die or not amount.value:
            return False
        share = Amount("", 1 / amount.value)
        return self._printed.prove(share, [share])

    def _take_pair(self, first: Amount, second: Amount) -> None:
        """Take "3d6 averages 10.5" and "3.5, rounded down to 3"."""
        between = self._text[first.end : second.start]
        if len(between) > LONGEST_GAP or re.search(r"[.;](?!\s?\))", between):
            return
        rounded = _ROUNDED.search(between)
        if rounded and self._is_known(first) and _rounded(first.value, rounded) == second.value:
            self._prove(second)
        dice, mean = (first, second) if first.die else (second, first)
        around = self._text[max(0, first.start - 20) : second.end + 15]
        is_average = bool(_AVERAGE.search(around)) and dice.die and not mean.die and mean.last is None
        if is_average and self._is_known(dice) and value_of(mean) == average_of(value_of(dice)):
            self._prove(mean)

    def _prove(self, result: Amount) -> None:
        self._proven.add((result.start, result.end))
        self._results.append((value_of(result), result.unit))


def written_values(text: str) -> list[Value]:
    """What the calculations in a normalized text come to, with no result written behind them."""
    sides = [_without_words(segment) for segment in _split(_tokens(text), {"stop", "equals", "soft"})]
    return [
        _evaluated(part)
        for side in sides
        for first in range(len(side))
        for part in (side[first:last] for last in range(first + 3, min(first + MOST_TOKENS, len(side)) + 1))
        if _is_arithmetic(part)
    ]


def says_average(text: str) -> bool:
    """Whether a normalized text speaks of an average."""
    return bool(_AVERAGE.search(text))


def _is_inside(claim: Amount, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= claim.start and claim.end <= end for start, end in spans)


def value_of(amount: Amount) -> Value:
    """What an amount is worth, by what it counts; dice with their bonus."""
    factor = -1 if amount.sign == "-" else 1
    counted = amount.die or ("%" if amount.unit == "%" else "")
    value = {counted: factor * amount.value}
    return value | {"": amount.bonus} if amount.bonus else value


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    for found in _TOKEN.finditer(text):
        kind = (found.lastgroup or "word") if not found["term"] else "term"
        amount = next(iter(amounts_in(found[0])), None) if kind == "term" else None
        is_times = found["times"] or found[0] in ("x", "X")
        text = "×" if is_times else "/" if found["by"] else found[0]
        token = _Token(kind, text, *found.span(), amount)
        tokens.append(_as_operator(token, tokens) if kind == "of" else token)
    return tokens


def _as_operator(of: _Token, before: Sequence[_Token]) -> _Token:
    """ "20% of", "1/2 of" and "2 times" multiply; any other "of" is a word."""
    last = before[-1].amount if before else None
    is_share = last and (last.unit in ("%", "times") or (len(before) > 1 and before[-2].text == "/"))
    return replace(of, kind="op" if is_share else "word", text="×")


def _equations(tokens: Sequence[_Token]) -> list[_Equation]:
    found: list[_Equation] = []
    for segment in _split(tokens, {"stop"}):
        is_hard = any(token.kind == "equals" for token in segment)
        sides = _split(segment, {"equals"} if is_hard else {"soft"})
        if len(sides) > 1:
            cut = (tuple(sides[0][-MOST_TOKENS:]), *(tuple(side[:MOST_TOKENS]) for side in sides[1:]))
            found.append(_Equation(cut, is_hard))
        if not is_hard:
            found += _in_parentheses(segment)
    return found[:MOST_EQUATIONS]


def _split(tokens: Sequence[_Token], ends: Container[str]) -> list[list[_Token]]:
    parts: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind in ends:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _in_parentheses(segment: Sequence[_Token]) -> Iterator[_Equation]:
    """ "6 retainers (4 + 2)": a result with its calculation behind it."""
    opened = [at for at, token in enumerate(segment) if token.kind == "open"][:MOST_EQUATIONS]
    for at in opened:
        before = [token for token in segment[:at] if token.kind == "term"]
        inner = segment[at + 1 : at + 1 + MOST_TOKENS]
        closed = next((end for end, token in enumerate(inner) if token.kind == "close"), None)
        if closed:
            yield _Equation((tuple(segment[:at]), tuple(inner[:closed])), is_hard=False)
            for result in before[-MOST_RESULTS:]:
                yield _Equation((tuple(inner[:closed]), (result,)), is_hard=False)


def _sides_of(equation: _Equation) -> list[list[_Token]]:
    """The sides as arithmetic, without words: the end of the first, the middle ones, the begin of the last.

    None where a side is no arithmetic.
    """
    first, *middle, last = (_without_words(side) for side in equation.sides)
    begins = [last[:end] for end in range(len(last), 0, -1)]
    ends = [first[start:] for start in range(len(first))]
    left = next(filter(_is_arithmetic, ends), None)
    right = list(filter(_is_arithmetic, begins))
    if left is None or not right or not all(map(_is_arithmetic, middle)):
        return []
    wanted = _evaluated(left)
    return [left, *middle, next((side for side in right if _evaluated(side) == wanted), right[-1])]


def _without_words(side: Sequence[_Token]) -> list[_Token]:
    """The numbers and operators of a side; "2 times 12" multiplies, also without a word for it."""
    tokens: list[_Token] = []
    for token in side:
        if token.kind in ("word", "soft"):
            continue
        last = tokens[-1].amount if tokens else None
        if token.kind in ("term", "open") and last and last.unit == "times":
            tokens.append(_Token("op", "×", token.start, token.start))
        tokens.append(token)
    return tokens


def _is_arithmetic(side: Sequence[_Token]) -> bool:
    try:
        _evaluated(side)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def _with_fractions(side: Sequence[_Token], is_known: Callable[[Amount], bool]) -> list[_Token]:
    """The terms with known fractions as one: half of something does not rest on a 1 and a 2."""
    terms: list[_Token] = []
    for token in side:
        if len(terms) > 1 and terms[-1].text == "/" and terms[-1].end == token.start:
            above, below = terms[-2].amount, token.amount
            if above and below and below.value:
                half = Amount("", above.value / below.value)
                if is_known(half):
                    terms[-2:] = [replace(token, amount=half)]
                    continue
        terms.append(token)
    return terms


def _span(side: Sequence[_Token]) -> tuple[int, int]:
    return side[0].start, side[-1].end


def _units(side: Sequence[_Token]) -> list[str]:
    counted = (token.amount.unit for token in side if token.amount)
    return [unit for unit in counted if unit not in ("", "%", "times", "level", "die")]


def _is_result(wanted: Value, value: Value, near: str) -> bool:
    """Whether a value is what was calculated: exactly, rounded as said nearby, or the average said."""
    if value == wanted:
        return True
    if _AVERAGE.search(near) and value == average_of(wanted):
        return True
    rounded = _ROUNDED.search(near)
    if rounded is None or set(wanted) != {""} or set(value) != {""}:
        return False
    return _rounded(wanted[""], rounded) == value[""]


def _rounded(value: Fraction, said: re.Match[str]) -> Fraction:
    return Fraction(math.floor(value) if said["down"] else math.ceil(value))


def average_of(dice: Value) -> Value:
    """What dice average: 3d6+2 → 12.5. Dice without sides have no average."""
    total = Fraction(0)
    for counted, amount in dice.items():
        if counted and not counted[1:]:
            return {}
        total += amount * (Fraction(int(counted[1:]) + 1, 2) if counted else 1)
    return {"": total}


def _evaluated(side: Sequence[_Token], in_seconds: bool = False) -> Value:
    """The value of an arithmetic expression, units of time in seconds where asked.

    Raises `ValueError` where it is none, `ZeroDivisionError` as usual.
    """
    rest = list(reversed(side))
    value = _sum(rest, in_seconds)
    if rest:
        raise ValueError("something follows the expression")
    return {counted: amount for counted, amount in value.items() if amount} or {"": Fraction(0)}


def _sum(rest: list[_Token], in_seconds: bool) -> Value:
    value = _product(rest, in_seconds)
    while rest and rest[-1].text in "+-":
        factor = 1 if rest.pop().text == "+" else -1
        other = _product(rest, in_seconds)
        if ("%" in value) != ("%" in other):
            raise ValueError("a percentage is added to percentages only")
        value = {
            counted: value.get(counted, Fraction(0)) + factor * other.get(counted, Fraction(0))
            for counted in value.keys() | other.keys()
        }
    return value


def _product(rest: list[_Token], in_seconds: bool) -> Value:
    value = _factor(rest, in_seconds)
    while rest and rest[-1].kind == "op" and rest[-1].text not in "+-":
        operator = rest.pop().text
        other = _factor(rest, in_seconds)
        value = multiplied(value, other) if operator == "×" else _divided(value, other)
    return value


def _factor(rest: list[_Token], in_seconds: bool) -> Value:
    token = rest.pop() if rest else None
    if token and token.text == "-":
        return {counted: -amount for counted, amount in _factor(rest, in_seconds).items()}
    if token and token.kind == "open":
        value = _sum(rest, in_seconds)
        if not rest or rest.pop().kind != "close":
            raise ValueError("a parenthesis is not closed")
        return value
    if token is None or token.amount is None:
        raise ValueError("a number is missing")
    seconds = SECONDS.get(token.amount.unit, 1) if in_seconds else 1
    return {counted: amount * seconds for counted, amount in value_of(token.amount).items()}


def multiplied(left: Value, right: Value) -> Value:
    """The product of two values, of which one is a plain number or a percentage."""
    if "%" in left:
        left, right = right, left
    if set(right) == {"%"}:
        return {counted: amount * right["%"] / 100 for counted, amount in left.items()}
    if set(right) != {""}:
        left, right = right, left
    if set(right) != {""}:
        raise ValueError("dice are multiplied by plain numbers only")
    return {counted: amount * right[""] for counted, amount in left.items()}


def _divided(left: Value, right: Value) -> Value:
    if set(right) != {""}:
        raise ValueError("only a plain number divides")
    return {counted: amount / right[""] for counted, amount in left.items()}
