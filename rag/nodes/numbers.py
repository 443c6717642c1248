"""Numbers of a statement, held against the words they are claimed from; pure text."""

import ast
import operator
import re
import unicodedata
from collections.abc import Callable, Iterable
from fractions import Fraction

from text_to_num import alpha2digit

NUMBER = re.compile(
    r"""(?<![\w.,/])(?P<sign>[+\-−–](?=[\dd]))?
        (?P<body>\d*[dD]\d+(?:[+\-−–]\d+)? | \d+[dD]\b(?:\+\d+)? | \d+/\d+ | \d+(?:[.,]\d+)*
               | [^\W\d_]{1,3}\d+)""",
    re.VERBOSE,
)
"""Dice ("3d6+2", "5D+1", "d12"), fractions, plain numbers with a sign where one stands directly before,
and numbers with letters before them ("B102", "ST13")."""

PAGE_REFERENCE = re.compile(
    r"\b(?:pp?|p[áa]gs?|pages?|p[áa]ginas?)\.?\s*(?:[A-Z]{1,3}\s?)?(?:\d+|[ivxlc]+\b)", re.IGNORECASE
)
"""A page as only code may name it."""

SPELLED_LANGUAGES = ("en", "pt")
SHIELDED = re.compile(r"\bpor cento\b|\bper cent\b|\bquart[oa]\b|\bsecond\b", re.IGNORECASE)
"""Words that would be read as numbers: a percentage's hundred, a bedroom, a moment."""
TIMES = re.compile(r"\b[x×](?=\d)|(?<=\d)[x×]\b|×")
TWO = re.compile(r"\b(?:two|dois|duas)\b(?!-)", re.IGNORECASE)
RANGE = re.compile(r"(?<![\w.,/])(\d{1,4})\s?(?:[-–−]|to|a|até)\s?(\d{1,4})(?![\w.,/]*\d)")
WIDEST_RANGE = 100
THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?:\D|$))")

_TERM = r"[(\s]*\d[\d.,]*(?:[dD]\d*)?(?:\s[^\W\d_]{2,})?[)\s]*"
EQUATION = re.compile(
    rf"(?P<left>{_TERM}(?:[+\-−–×x*·/÷]{_TERM})+)=\s*(?P<right>[+\-−–]?\d[\d.,]*(?:[dD]\d*)?)"
)

UNITS = re.compile(r"\s[^\W\d_]{2,}")
"""What is counted in an equation: "3 × 7 stamps = 21"."""

Value = dict[str, Fraction]
"""A number or dice as amounts a unit: {"": 35} or {"d6": 3, "": 2}."""


def numbers_in(text: str, *, every_word: bool = False) -> set[str]:
    """The numbers of a text in one spelling: "1,000" → "1000", "+2" → "+2", "3D6" → "3d6".

    Spelled numbers count from two upwards ("thirty-five"); with `every_word` also one and the ordinals,
    which elsewhere are articles and common words.
    """
    threshold = 0 if every_word else 3
    text = SHIELDED.sub("%", TIMES.sub(" ", _with_plain_fractions(text)))
    for language in SPELLED_LANGUAGES:
        text = alpha2digit(text, language, threshold=threshold)
    return {_canonical(match) for match in NUMBER.finditer(TWO.sub("2", text))}


def unsupported_numbers(statement: str, evidence: Iterable[str]) -> set[str]:
    """The numbers of a statement that its evidence (quotes, question) does not hold.

    An equation written out in the statement ("5 + 3 × 10 = 35") supports its result where its
    terms are supported and it is true; a false one supports nothing.
    """
    supported = set().union(*(_offered(text) for text in evidence))
    for equation in EQUATION.finditer(statement):
        terms = numbers_in(equation["left"])
        if all(_is_in(term, supported) for term in terms) and holds(equation[0]):
            supported |= numbers_in(equation["right"])
    return {number for number in numbers_in(statement) if not _is_in(number, supported)}


def holds(equation: str) -> bool:
    """Whether an equation of numbers and dice is true: "5 + 3 × 10 = 35", "3 × 1d6 = 3d6"."""
    left, _, right = equation.partition("=")
    left = left.strip()
    if left.count("(") > left.count(")"):
        left = left.removeprefix("(")
    try:
        return _value(left) == _value(right)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return False


def _with_plain_fractions(text: str) -> str:
    """ "½" as " 1/2"."""
    plain = (
        f" {unicodedata.normalize('NFKC', character)}".replace("\u2044", "/")
        if unicodedata.category(character) == "No"
        else character
        for character in text
    )
    return "".join(plain)


def _canonical(match: re.Match[str]) -> str:
    sign = {"−": "-", "–": "-"}.get(match["sign"] or "", match["sign"] or "")
    body = THOUSANDS.sub("", match["body"]).replace("−", "-").replace("–", "-").lower()
    return sign + body.replace(",", ".")


def _offered(text: str) -> set[str]:
    """The numbers a text can vouch for: its own, the parts of its dice ("3d6+2" holds "3d6"), and what
    lies within its ranges (a row for "6-8" speaks of 7)."""
    offered = numbers_in(text, every_word=True) | numbers_in(text)
    for number in list(offered):
        offered |= _parts_of_dice(number) if "d" in number else _decimal(number)
    for match in RANGE.finditer(text):
        first, last = int(match[1]), int(match[2])
        if first < last <= first + WIDEST_RANGE:
            offered |= {str(number) for number in range(first, last + 1)}
    return offered


def _parts_of_dice(number: str) -> set[str]:
    dice, _, bonus = number.lstrip("+-").partition("+")
    count, _, sides = dice.partition("d")
    parts = {dice, count, bonus} | ({f"d{sides}", f"1d{sides}"} if count in ("", "1") and sides else set())
    return parts - {""}


def _decimal(number: str) -> set[str]:
    """A fraction as people also write it: "1/2" → "0.5"."""
    above, slash, below = number.partition("/")
    return {f"{int(above) / int(below):g}"} if slash and int(below) else set()


def _is_in(number: str, supported: set[str]) -> bool:
    """A sign may be dropped or added ("a -2 penalty", "a penalty of 2") but never turned round."""
    if number in supported or number.lstrip("+-") in supported:
        return True
    return number[0] not in "+-" and bool({f"+{number}", f"-{number}"} & supported)


def _value(expression: str) -> Value:
    text = THOUSANDS.sub("", UNITS.sub("", expression.strip())).replace(",", ".")
    text = text.translate(str.maketrans("×·xX÷−–", "****/--"))
    text = re.sub(r"(\d+)[dD](\d*)", r"(\1*d\2)", text)
    return _evaluate(ast.parse(text, mode="eval").body)


_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _evaluate(node: ast.expr) -> Value:
    """Evaluate a tree of the four operations; anything else is a ValueError."""
    match node:
        case ast.Constant(value=int() | float()):
            return {"": Fraction(str(node.value))}
        case ast.Name(id=unit) if re.fullmatch(r"d\d*", unit):
            return {unit: Fraction(1)}
        case ast.UnaryOp(op=ast.USub()):
            return {unit: -amount for unit, amount in _evaluate(node.operand).items()}
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return _combined(node, _evaluate(node.left), _evaluate(node.right))
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            return _scaled(node, _evaluate(node.left), _evaluate(node.right))
    raise ValueError(f"not an arithmetic expression: {ast.dump(node)}")


def _combined(node: ast.BinOp, left: Value, right: Value) -> Value:
    apply = _OPERATORS[type(node.op)]
    zero = Fraction(0)
    return {unit: apply(left.get(unit, zero), right.get(unit, zero)) for unit in left.keys() | right.keys()}


def _scaled(node: ast.BinOp, left: Value, right: Value) -> Value:
    if set(right) != {""}:
        left, right = right, left
    if set(right) != {""} or (isinstance(node.op, ast.Div) and right[""] == 0):
        raise ValueError("dice are multiplied by plain numbers only")
    apply = _OPERATORS[type(node.op)]
    return {unit: apply(amount, right[""]) for unit, amount in left.items()}
