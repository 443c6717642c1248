"""Numbers as books print and people write them: digits, roman numerals, words. Pure."""

from text_to_num import text2num

from rag.library.language.grammar_words import one_of
from rag.library.language.language import LANGUAGES, Language

_ROMAN_STEPS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def to_roman(number: int) -> str:
    """A roman numeral in lower case."""
    text = ""
    for value, digits in _ROMAN_STEPS:
        text += digits * (number // value)
        number %= value
    return text


_ROMAN = {to_roman(number): number for number in range(1, 4000)}


def from_roman(text: str) -> int | None:
    """The value of a roman numeral in either case, None if it is none."""
    return _ROMAN.get(text.lower())


COUNTING = [code for code, language in LANGUAGES.items() if language.numbers]
"""The languages whose number words are read."""


def _spelled_pattern(language: Language) -> str:
    """The pattern `spelled` of a language, with the patterns it is made of."""
    pieces: dict[str, str] = {}
    for name, pattern in language.numbers.items():
        for known, piece in pieces.items():
            pattern = pattern.replace(f"{{{known}}}", piece)
        pieces[name] = one_of([pattern])
    return pieces["spelled"]


SPELLED = rf"(?i:{'|'.join(_spelled_pattern(LANGUAGES[code]) for code in COUNTING)})"
"""A pattern of numbers in words, up to hundreds."""

NUMERAL = rf"(?:\d{{1,3}}|[IVXLC]{{1,8}}|{SPELLED})"
"""A pattern of the numbers of chapters."""


def number_of(text: str) -> int | None:
    """The number that a numeral of any kind means: "11", "XI", "Eleven", "onze"; None if it is none."""
    if text.isdecimal():
        return int(text)
    return from_roman(text) or _spelled(text)


def _spelled(text: str) -> int | None:
    for code in COUNTING:
        try:
            number: int = text2num(" ".join(text.lower().split()), code)
        except ValueError:
            continue
        return number
    return None
