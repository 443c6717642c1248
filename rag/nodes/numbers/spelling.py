"""One spelling for what is counted: number words as digits, one kind of sign and space; pure text.

The words are those of every language that has `[amounts]` in its data file.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from text_to_num import alpha2digit

from rag.library.language.grammar_words import one_of
from rag.library.language.language import AMOUNTS, LANGUAGES
from rag.library.language.numerals import COUNTING

LONGEST_LINE = 5_000
"""Characters that are read of a line of evidence; what is beyond them proves nothing."""


def _by_name(tables: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    """The words of all languages under their common names."""
    words: defaultdict[str, list[str]] = defaultdict(list)
    for table in tables:
        for name, those in table.items():
            words[name] += those
    return dict(words)


UNITS = {name: one_of(words) for name, words in _by_name(one.units for one in LANGUAGES.values()).items()}
"""What is counted. An amount in one of them is not proven by an amount in another."""
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
"""The units that are converted: a day has 24 hours in every book. Feet are never turned into metres."""
LABELS = tuple(map(frozenset, _by_name(one.labels for one in LANGUAGES.values()).values()))
"""Abbreviations that mean the same."""
NO_LABELS = re.compile(one_of(AMOUNTS.no_labels))
"""Short words that are no abbreviation, also in capitals."""

ANY_UNIT = "|".join(UNITS.values())
_MEASURE = "|".join(words for unit, words in UNITS.items() if unit not in ("die", "times"))
UNIT_OF = re.compile(
    "|".join(f"(?P<u{at}>{words})" for at, words in enumerate(UNITS.values())), re.IGNORECASE
)


_NAMED = {"unit": ANY_UNIT, "measure": _MEASURE, "after_article": one_of(AMOUNTS.after_article)}


def _pattern(text: str) -> str:
    """A pattern of a language's data, with the words of all languages where it names them in braces."""
    for name, words in _NAMED.items():
        text = text.replace(f"{{{name}}}", words)
    return text


_SPELLINGS = str.maketrans(
    {
        "−": "-",
        "–": "-",
        "—": "-",
        "‐": "-",
        "‑": "-",
        "’": "'",
        "′": "'",
        "⁄": "/",
        "÷": "/",
        "·": "×",
        "*": "×",
    }
)
_NAME_OF_A_SYSTEM = r"\b[dD](?:6|20)(?=\s[A-Z][a-z])(?<![\d\s][dD]\d)(?<!\sd20)"
WEAK = re.compile(
    "|".join([*map(_pattern, AMOUNTS.no_amounts), _NAME_OF_A_SYSTEM]), re.IGNORECASE | re.MULTILINE
)
"""Words that are numbers at times; where they stand like this, a statement claims none by them."""


def plain_text(text: str) -> str:
    """A text with ASCII digits, fractions as "1/2", one kind of dash, single spaces, nothing invisible."""
    lines = "".join(map(_plain_character, text[:LONGEST_LINE])).splitlines()
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


@lru_cache(maxsize=1024)
def _plain_character(character: str) -> str:
    match unicodedata.category(character):
        case "Nd":
            return str(unicodedata.decimal(character))
        case "No":
            return f" {unicodedata.normalize('NFKC', character)}".translate(_SPELLINGS)
        case "Cf":
            return ""
        case "Zs":
            return " "
    return character.translate(_SPELLINGS)


_Conversion = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _conversions(*pairs: tuple[str, str | Callable[[re.Match[str]], str]]) -> list[_Conversion]:
    return [(re.compile(_pattern(pattern), re.IGNORECASE), replacement) for pattern, replacement in pairs]


_PARTS = {begin: digits for language in LANGUAGES.values() for begin, digits in language.parts.items()}
_LONGEST_FIRST = sorted(_PARTS, key=len, reverse=True)


def _digits_of(word: str) -> str:
    """The digits of a count or part by how it begins: "two", "thirds"; digits are what they are."""
    return next((_PARTS[begin] for begin in _LONGEST_FIRST if word.lower().startswith(begin)), word)


def _as_fraction(found: re.Match[str]) -> str:
    return f"{_digits_of(found['count'])}/{_digits_of(found['part'])}"


_SECOND = one_of(AMOUNTS.second)
# A second is no part: it is read before them.
_CONVERTED_FIRST = _conversions(
    (rf"\s*%|\s+{one_of(AMOUNTS.percent)}\b", "%"),
    (rf"(?<=\d)[\s-]+{one_of([*AMOUNTS.second, *AMOUNTS.seconds])}\b", " sec"),
    (rf"\b{one_of(AMOUNTS.seconds)}\b", "sec"),
    (
        rf"\b({one_of(AMOUNTS.before_second)})[\s-]{_SECOND}\b"
        rf"(?=\s*[.,;:)!?]|$|\s{one_of(AMOUNTS.after_second)}\b)",
        r"\1 sec",
    ),
    *((rf"\b(?:{share})\b", _as_fraction) for share in AMOUNTS.shares),
)
_CONVERTED_WORDS = _conversions(
    *(pair for language in LANGUAGES.values() for pair in language.spellings.items()),
    (r"\b([x×])\s?(?=\d)", r"\1 "),
    (rf"(?<=\w/)(?=(?:{_MEASURE})\b)", "1 "),
)
_CONVERTED_NUMBERS = _conversions(
    (r"(?<=\d)\s(?=000(?:\D|$))", ""),
    (r"\b(\d{1,3})\s1000(000)?\b", lambda found: found[1] + "000" + (found[2] or "")),
    (rf"\b(\d{{1,3}})\s{one_of(AMOUNTS.dozens)}\b", lambda found: str(12 * int(found[1]))),
    (
        rf"\b(\d{{1,3}})((?:\s(?:{_MEASURE}))?)\s{one_of(AMOUNTS.joints)}"
        rf"\s(?:(?:{one_of(AMOUNTS.articles)}|1)\s)?1/2\b",
        r"\1 1/2\2",
    ),
    (rf"\b(\d{{0,3}})\s?d(\d*)\s?{one_of(AMOUNTS.plus)}\s?(?=\d)", r"\1d\2+"),
    (rf"\b{one_of(AMOUNTS.subtracted)}\s(?=\d)", "-"),
    (rf"\b{one_of([*AMOUNTS.plus, *AMOUNTS.added])}\s(?=\d)", "+"),
    *(
        (
            rf"\b(?:{dice.replace(' ', chr(92) + 's')})\b",
            lambda found: f"{found['count'] or ''}d{found['sides']}",
        )
        for dice in AMOUNTS.dice
    ),
)
_NO_NUMBERS = re.compile(rf"(\b{one_of(AMOUNTS.no_numbers)}\b)", re.IGNORECASE)


def normalized(text: str, without: re.Pattern[str] | None = None) -> str:
    """A plain text with its number words as digits: "half an hour" → "1/2 hour", "dois dias" → "2 dias".

    Words `without` number are left out.
    """
    text = _converted(text, _CONVERTED_FIRST)
    text = without.sub("~", text) if without else text
    text = _converted(text, _CONVERTED_WORDS)
    for language in COUNTING:
        text = "".join(_in_digits(part, language) for part in _NO_NUMBERS.split(text))
    return _converted(text, _CONVERTED_NUMBERS)


def _in_digits(text: str, language: str) -> str:
    if _NO_NUMBERS.fullmatch(text):
        return text
    return "".join(alpha2digit(piece, language, threshold=0) for piece in _pieces(text))


def _converted(text: str, conversions: Iterable[_Conversion]) -> str:
    for pattern, replacement in conversions:
        text = pattern.sub(replacement, text)
    return text


def _pieces(text: str, length: int = 1_000) -> Iterator[str]:
    """A text in pieces that end at a space: number words take time that grows with the square of a text."""
    while text:
        end = len(text) if len(text) <= length else text.rfind(" ", 0, length) + 1 or length
        yield text[:end]
        text = text[end:]
