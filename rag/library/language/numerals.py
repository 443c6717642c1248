"""Numbers as books print and people write them: digits, roman numerals, words of two languages. Pure."""

import re

from text_to_num import text2num

_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN = re.compile(r"m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_STEPS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def from_roman(text: str) -> int | None:
    """The value of a roman numeral in either case, None if it is none."""
    digits = text.lower()
    if not digits or not _ROMAN.fullmatch(digits):
        return None
    values = [_ROMAN_DIGITS[digit] for digit in digits]
    return sum(
        -one if one < next_one else one for one, next_one in zip(values, [*values[1:], 0], strict=True)
    )


def to_roman(number: int) -> str:
    """A roman numeral in lower case."""
    text = ""
    for value, digits in _ROMAN_STEPS:
        text += digits * (number // value)
        number %= value
    return text


_LANGUAGES = ("en", "pt")
_ONE_TO_19 = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen)"
)

_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_BELOW_100 = rf"(?:{_TENS}(?:[\s-]{_ONE_TO_19})?|{_ONE_TO_19})"
_UM_A_19 = (
    r"(?:uma?|dois|duas|tr[êe]s|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|quatorze|catorze|quinze"
    r"|dez[ea]sseis|dez[ea]ssete|dezoito|dez[ea]nove)"
)

_DEZENAS = r"(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)"
_ABAIXO_DE_100 = rf"(?:{_DEZENAS}(?:\s+e\s+{_UM_A_19})?|{_UM_A_19})"
_CENTENAS = r"(?:cem|cento|duzentos|trezentos|quatrocentos|quinhentos)"

SPELLED = (
    rf"(?i:{_ONE_TO_19}\s+hundred(?:\s+(?:and\s+)?{_BELOW_100})?|{_BELOW_100}"
    rf"|{_CENTENAS}(?:\s+e\s+{_ABAIXO_DE_100})?|{_ABAIXO_DE_100})"
)
"""A pattern of numbers in words, up to hundreds."""

NUMERAL = rf"(?:\d{{1,3}}|[IVXLC]{{1,8}}|{SPELLED})"
"""A pattern of the numbers of chapters."""


def number_of(text: str) -> int | None:
    """The number that a numeral of any kind means: "11", "XI", "Eleven", "onze"; None if it is none."""
    if text.isdecimal():
        return int(text)
    return from_roman(text) or _spelled(text)


def _spelled(text: str) -> int | None:
    for language in _LANGUAGES:
        try:
            number: int = text2num(" ".join(text.lower().split()), language)
        except ValueError:
            continue
        return number
    return None
