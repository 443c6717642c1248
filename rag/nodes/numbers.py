"""Numbers as texts name them, whether lines print them, and what models calculate with them. Pure.

A number is read in every way it may be meant: "1.500" is 1500 or 1½, "50%" is 50 or ½. Words count as digits.
What is counted is not compared: whether "3" means rounds or turns is for the model's second look.

A calculation that a model writes down ("40 / 10 * 1d6") is done again. The standard library parses the
expression; what is no number, no die and none of `_FUNCTIONS` is not calculated.
"""

import ast
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from text_to_num import alpha2digit

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS, LANGUAGES, PAGES
from rag.library.language.words import words

READ_IN_WORDS = ("en", "pt", "es", "fr", "de", "it", "ca", "ru")
"""The languages whose number words `text_to_num` reads."""
LONGEST_LINE = 5_000
"""Characters of a text that are read."""
WIDEST_RANGE = 100
"""A printed range holds every number within it, up to those of a d100; a wider one its ends alone."""

_SPELLINGS = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "⁄": "/", "÷": "/", "×": "*", "·": "*"}
)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*")
_DECIMAL = re.compile(r"\d+[.,]\d+|[1-9]\d{0,2}(?:,\d{3})+\.\d+|[1-9]\d{0,2}(?:\.\d{3})+,\d+")
_NUMBER = re.compile(
    r"""(?P<sign>(?<![\w)])[+-]\s?(?=[\dd]))?
    (?:(?<![^\W\d_])(?P<count>\d{0,3})[dD](?P<sides>\d{1,4}|%)(?![^\W_])(?P<bonus>\s?[+-]\s?\d{1,3}(?![\w.,]*\d|[dD]))?
     | (?P<pool>\d{1,3})D(?![^\W_])(?P<pips>\s?[+-]\s?\d{1,3}(?![\w.,]*\d|[dD]))?
     | (?P<above>\d{1,9})\s?/\s?(?P<below>\d{1,9})
     | (?P<plain>\d{1,15}(?:[.,]\d{1,15})*)
       (?P<ordinal>(?:st|nd|rd|th|er|[ºª°ᵒᵃ]ˢ?)(?![^\W_]))?(?P<share>\s?%)?)""",
    re.VERBOSE,
)
_TO = re.compile(rf"\s?(?:-|{one_of(PAGES.until)})\s?")
_PERCENT = re.compile(rf"\s{one_of(AMOUNTS.percent)}\b", re.IGNORECASE)
_ONE = re.compile(rf"\b{one_of(AMOUNTS.per)}\b", re.IGNORECASE)
_BOTH = re.compile(rf"\b{one_of(AMOUNTS.both)}\b", re.IGNORECASE)
_FEET = re.compile(r"(?<=\d)['′](?!\w)")
_OF_THOUSANDS = re.compile(r"(?<=\d)\s(?=000(?:\D|\Z))")


@dataclass(frozen=True, slots=True)
class Number:
    """A number, or dice: `values` are all it may mean, of dice how many; `sides` is None where it is no die.

    `sides` is "" of dice whose sides are not named ("4D"). `is_order`: it tells a place in an order ("5th").
    `is_word`: it was written as a word,
    `is_implied`: by one that is no number itself ("both").
    """

    spelled: str
    values: frozenset[Fraction]
    sign: str = ""
    sides: str | None = None
    bonus: int = 0
    is_order: bool = False
    is_word: bool = False
    is_implied: bool = False
    start: int = 0
    end: int = 0

    @property
    def is_small_word(self) -> bool:
        """Whether it may be no number at all: "one", "none" and "first" are pronouns and articles as well."""
        most = 2 if self.is_order else 1
        is_small = self.is_word and not self.sign and all(value in range(most + 1) for value in self.values)
        return self.is_implied or is_small

    def is_equal(self, other: "Number") -> bool:
        """Whether both are the same; a sign may be left out, not turned round, and no article has one."""
        if (self.sign and other.is_small_word) or (other.sign and self.is_small_word):
            return False
        if self.sides != other.sides or self.bonus != other.bonus or self.values.isdisjoint(other.values):
            return False
        return not (self.sign and other.sign) or self.sign == other.sign


class Numbers:
    """The numbers of some texts, each with its language."""

    def __init__(self, texts: Iterable[tuple[str, str]], *, with_ranges: bool = False) -> None:
        """Take the texts; `with_ranges` they also name all numbers within their ranges."""
        self._numbers = [
            number
            for text, language in texts
            for number in (
                *_printed(text, language),
                *(_within_ranges(text, language) if with_ranges else ()),
            )
        ]

    def hold(self, number: Number) -> bool:
        """Whether the texts name a number; a bonus of dice may stand apart from them."""
        if any(number.is_equal(other) for other in self._numbers):
            return True
        if not number.bonus:
            return False
        dice, bonus = _parts(number)
        return self.hold(dice) and any(
            bonus.is_equal(other) and bonus.sign == other.sign for other in self._numbers
        )

    def hold_term(self, term: Number) -> bool:
        """Whether the texts name a term of a calculation, and not as something to be taken off alone.

        A die names its sides, and how many there are of it; 100% is the whole of anything.
        """
        dice = [other for other in self._numbers if other.sides and term.sides is None]
        is_of_dice = any(one.sides == term.spelled or one.values & term.values for one in dice)
        signs = {other.sign for other in self._numbers if replace(term, sign="").is_equal(other)}
        return term.spelled == "100%" or is_of_dice or (bool(signs) and (term.sign == "-" or signs != {"-"}))


def numbers_in(text: str, language: str) -> list[Number]:
    """The numbers of a text, in order."""
    return list(_read(text, language))


def plain_text(text: str) -> str:
    """A text with ASCII digits, fractions as "1/2", one kind of dash and of sign, feet by their name."""
    return " ".join(_FEET.sub(" ft", "".join(map(_plain_character, text[:LONGEST_LINE]))).split())


def in_digits(text: str, language: str) -> str:
    """A text with the number words of its language as digits: "twenty-five" → "25", "half" → "1/2"."""
    text = _OF_THOUSANDS.sub("", _PERCENT.sub("%", plain_text(text)))
    spellings = LANGUAGES[language].spellings if language in LANGUAGES else {}
    for pattern, read in spellings.items():
        text = re.sub(pattern, read, text, flags=re.IGNORECASE)
    return str(alpha2digit(text, language, threshold=0)) if language in READ_IN_WORDS else text


def refuses(text: str, language: str) -> bool:
    """Whether a text has a "not" or "no" of its language."""
    negations = LANGUAGES[language].negations if language in LANGUAGES else ()
    return not {*negations}.isdisjoint(words(in_digits(text, language)))


@lru_cache(maxsize=1024)
def _plain_character(character: str) -> str:
    match unicodedata.category(character):
        case "Nd":
            return str(unicodedata.decimal(character))
        case "No":
            return f" {unicodedata.normalize('NFKC', character)}".translate(_SPELLINGS)
        case "Cf":
            return ""
    return character.translate(_SPELLINGS)


# The lines of a prompt are read for every statement that names them.
@lru_cache(maxsize=512)
def _read(text: str, language: str) -> tuple[Number, ...]:
    in_print = {match[0].strip() for match in _NUMBER.finditer(plain_text(text))}
    return tuple(
        replace(
            number, spelled=spelled, is_word=spelled not in in_print, start=match.start(), end=match.end()
        )
        for match in _NUMBER.finditer(in_digits(text, language))
        for spelled in [match[0].strip()]
        for number in _told(match)
    )


def _told(match: re.Match[str]) -> Iterator[Number]:
    """The number that a match tells; several of a list without spaces ("5,10,15")."""
    sign = (match["sign"] or "").strip()
    if match["sides"] or match["pool"]:
        bonus = "".join((match["bonus"] or match["pips"] or "0").split())
        sides = (match["sides"] or "").replace("%", "100")
        count = Fraction(match["count"] or match["pool"] or 1)
        yield Number("", frozenset({count}), sign, sides, int(bonus))
    elif match["above"]:
        above, below = int(match["above"]), int(match["below"])
        # "8/2" is not 4, and "2/4" no half: whoever writes so lists two numbers.
        is_fraction = below > 1 and math.gcd(above, below) == 1
        for number in [Fraction(above, below)] if is_fraction else [above, below]:
            yield Number("", frozenset({Fraction(number)}), sign)
    else:
        is_order = match["ordinal"] is not None
        for values in readings(match["plain"]):
            shares = frozenset(value / 100 for value in values) if match["share"] else frozenset()
            yield Number("", values | shares, sign, is_order=is_order)


def readings(digits: str) -> list[frozenset[Fraction]]:
    """What digits with points and commas may mean; a list of several where they are no one number."""
    meant = set[Fraction]()
    if _THOUSANDS.fullmatch(digits):
        meant.add(Fraction(re.sub(r"[.,]", "", digits)))
    if _DECIMAL.fullmatch(digits):
        whole, part = re.split(r"[.,](?=\d+\Z)", digits)
        meant.add(Fraction(f"{re.sub(r'[.,]', '', whole)}.{part}"))
    if meant or digits.isdecimal():
        return [frozenset(meant or {Fraction(digits)})]
    return [frozenset({Fraction(one)}) for one in re.split(r"[.,]", digits)]


@lru_cache(maxsize=512)
def _printed(text: str, language: str) -> tuple[Number, ...]:
    """The numbers that a text speaks of: those it names, their parts, 1 for "a", 0 for "no", 2 for "both"."""
    named = _read(text, language)
    parts = [part for number in named for part in (*_parts(number), *_sides(number))]
    signs = ((1, _ONE.search(text)), (0, refuses(text, language)), (2, _BOTH.search(text)))
    implied = [Number(str(n), frozenset({Fraction(n)}), is_implied=True) for n, is_said in signs if is_said]
    return (*named, *parts, *implied)


def _parts(dice: Number) -> Iterator[Number]:
    """Of dice with a bonus both apart."""
    if dice.bonus:
        yield Number(dice.spelled, dice.values, dice.sign, dice.sides)
        yield Number(dice.spelled, frozenset({Fraction(abs(dice.bonus))}), "+" if dice.bonus > 0 else "-")


def _sides(number: Number) -> Iterator[Number]:
    """Both sides of a stroke: "0/14"."""
    if "/" in number.spelled:
        yield from (Number(one, frozenset({Fraction(one)})) for one in re.findall(r"\d+", number.spelled)[:2])


def _within_ranges(text: str, language: str) -> Iterator[Number]:
    """The whole numbers within the ranges of a text ("4–6")."""
    named, text = _read(text, language), in_digits(text, language)
    for first, last in pairwise(named):
        if first.sides is None and last.sides is None and _TO.fullmatch(text[first.end : last.start]):
            low, high = min(first.values, default=Fraction(0)), max(last.values, default=Fraction(0))
            if 0 < high - low <= WIDEST_RANGE:
                between = range(int(low) + 1, int(high) + 1)
                yield from (Number(str(one), frozenset({Fraction(one)})) for one in between)


LONGEST_EXPRESSION = 200
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
    expression, *others = plain_text(written[:LONGEST_EXPRESSION]).split("=")
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
