"""Calculations that a model writes down ("40 / 10 * 1d6"), done again by code. Pure.

The standard library parses the expression. What is no number, no die and none of
`_FUNCTIONS` is not calculated.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rag.nodes.numbers import Number, plain_text, readings

LONGEST = 200
"""Characters of an expression."""

ANY_SIDES = "any"
"""Of dice whose sides are not named ("4D")."""
Value = Mapping[str, Fraction]
"""A result by what is counted: "" for plain numbers, "6" for dice of six sides, or `ANY_SIDES`."""

_TERM = re.compile(
    r"(?<![^\W_])(?P<count>\d{0,3})[dD](?P<sides>\d{1,4}|%)?(?![^\W_])|(?P<plain>\d+(?:[.,]\d+)*)(?P<share>\s?%)?"
)
_TIMES = re.compile(r"(?<=[\d\s)%])[xX](?=[\s\d(])")
_CHARACTERS = r"[\dDdxX.,+\-*/()%\s]"
_EQUATION = re.compile(rf"({_CHARACTERS}+)=\s*([+-]?\s?[\d.,]*\d(?:[dD]\d+)?|\d*[dD]\d+)")
_BRACKETED = re.compile(rf"\(({_CHARACTERS}+)\)")
_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "min": min,
    "max": max,
}


@dataclass(frozen=True, slots=True)
class Calculation:
    """An expression that was computed: its terms, its value, and the values on the way there.

    `is_right`: what it is written to be equal to is equal.
    """

    expression: str
    terms: tuple[Number, ...]
    value: Value
    steps: tuple[Value, ...] = ()
    is_right: bool = True

    @property
    def result(self) -> list[Number]:
        """Its value as numbers of a text; dice of several kinds are none."""
        return list(_as_numbers(self.value))

    @property
    def results(self) -> list[Number]:
        """Its value and those on the way there."""
        return [number for value in (self.value, *self.steps) for number in _as_numbers(value)]

    def __str__(self) -> str:
        """The expression with its value."""
        written = " + ".join(
            _written(count) + (f"d{sides.removeprefix(ANY_SIDES)}" if sides else "")
            for sides, count in self.value.items()
        )
        return f"{self.expression} = {written or 0}"


def calculated(written: str) -> Calculation | None:
    """An expression, computed; what stands behind "=" must be equal to it. None where it computes nothing."""
    expression, *others = plain_text(written[:LONGEST]).split("=")
    computed = _Computation(expression).run()
    if computed is None:
        return None
    equal = [other.value for one in others if (other := _Computation(one, needs_operator=False).run())]
    is_right = all(_is_equal(other, computed.value) for other in equal)
    return Calculation(computed.expression, computed.terms, computed.value, computed.steps, is_right)


def equations_in(text: str) -> list[Calculation]:
    """The equations that a text writes out: "4d6 (4 × 1d6 = 4d6)"."""
    equations = (f"{_innermost(left)}={right}" for left, right in _EQUATION.findall(plain_text(text)))
    return [found for one in equations if (found := calculated(one))]


def bracketed_in(text: str) -> list[Calculation]:
    """What a text may calculate in brackets, without saying what it equals: "320 XP (240 + 2 × 40)"."""
    return [found for one in _BRACKETED.findall(plain_text(text)) if (found := calculated(one))]


def _innermost(left: str) -> str:
    """The end of an expression, from the last bracket that is not closed in it."""
    depth = 0
    for place in range(len(left) - 1, -1, -1):
        depth += (left[place] == ")") - (left[place] == "(")
        if depth < 0:
            return left[place + 1 :]
    return left.lstrip(" ,.)")


@dataclass
class _Computation:
    """An expression on the way to its value."""

    expression: str
    needs_operator: bool = True
    terms: list[Number] = field(default_factory=list)
    steps: list[Value] = field(default_factory=list)

    def run(self) -> Calculation | None:
        """The computed expression, None where it is none."""
        named = _TERM.sub(self._named, _TIMES.sub("*", self.expression))
        try:
            body = ast.parse(named.strip(), mode="eval").body
            value = self._value(body)
        except (SyntaxError, ValueError, KeyError, TypeError, ZeroDivisionError, RecursionError):
            return None
        if self.needs_operator and not isinstance(body, ast.BinOp | ast.Call):
            return None
        return Calculation(self.expression.strip(), tuple(self.terms), value, tuple(self.steps))

    def _named(self, match: re.Match[str]) -> str:
        """A term by a name that Python reads."""
        if match["plain"]:
            values = max(readings(match["plain"]), key=len)
            share = frozenset(value / 100 for value in values) if match["share"] else values
            number = Number(match[0], share)
        else:
            sides = (match["sides"] or "").replace("%", "100")
            number = Number(match[0], frozenset({Fraction(match["count"] or 1)}), sides=sides)
        # In "30 - 4" the 4 is taken off.
        is_taken = match.string[: match.start()].rstrip().endswith("-")
        self.terms.append(replace(number, sign="-" if is_taken else ""))
        return f" t{len(self.terms) - 1} "

    def _value(self, node: ast.expr) -> Value:
        """The value of a part. Raises what `run` takes for no expression."""
        match node:
            case ast.Name(id=name):
                term = self.terms[int(name.removeprefix("t"))]
                sides = ANY_SIDES if term.sides == "" else term.sides or ""
                return {sides: max(term.values)}
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _scaled(self._value(operand), Fraction(-1))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self._value(operand)
            case ast.BinOp(left=left, op=op, right=right):
                value = _combined(op, self._value(left), self._value(right))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                plain = [_plain(self._value(one)) for one in arguments]
                value = {"": Fraction(str(_FUNCTIONS[name](*plain)))}
            case _:
                raise ValueError("no arithmetic")
        self.steps.append(value)
        return value


def _combined(op: ast.operator, left: Value, right: Value) -> Value:
    match op:
        case ast.Add():
            return _added(left, right, operator.add)
        case ast.Sub():
            return _added(left, right, operator.sub)
        case ast.Mult():
            return _scaled(right, _plain(left)) if left.keys() <= {""} else _scaled(left, _plain(right))
        case ast.Div():
            return _scaled(left, 1 / _plain(right))
    raise ValueError("no arithmetic")


def _added(left: Value, right: Value, how: Callable[[Fraction, Fraction], Fraction]) -> Value:
    counted = {
        name: how(left.get(name, Fraction(0)), right.get(name, Fraction(0))) for name in {**left, **right}
    }
    return {name: count for name, count in counted.items() if count}


def _scaled(value: Value, factor: Fraction) -> Value:
    return {name: count * factor for name, count in value.items()}


def _plain(value: Value) -> Fraction:
    """A value that counts no dice. Raises `ValueError` for one that does."""
    if not value.keys() <= {""}:
        raise ValueError("dice are no plain number")
    return value.get("", Fraction(0))


def _is_equal(written: Value, computed: Value) -> bool:
    """Whether a written result is the computed one, perhaps rounded."""
    return dict(written) == dict(computed) or (
        written.keys() <= {""} and computed.keys() <= {""} and _plain(written) in rounded(_plain(computed))
    )


def rounded(value: Fraction) -> tuple[Fraction, Fraction]:
    """A value rounded down and up."""
    return Fraction(math.floor(value)), Fraction(math.ceil(value))


def _as_numbers(value: Value) -> Iterator[Number]:
    bonus = value.get("", Fraction(0))
    dice = [(sides.removeprefix(ANY_SIDES), count) for sides, count in value.items() if sides]
    if not dice:
        yield Number(_written(bonus), frozenset({abs(bonus)}), "-" if bonus < 0 else "")
    elif len(dice) == 1 and bonus.denominator == 1:
        sides, count = dice[0]
        yield Number("", frozenset({count}), sides=sides, bonus=int(bonus))


def _written(number: Fraction) -> str:
    """A number as people write it: "12.5"; a third stays a fraction."""
    is_decimal = 10**6 % number.denominator == 0
    return f"{float(number):.6f}".rstrip("0").rstrip(".") if is_decimal else str(number)


def sequence(calculations: Sequence[Calculation]) -> str:
    """Calculations one behind the other, as a reader is shown them."""
    return "; ".join(map(str, calculations))
