"""One spelling for what is counted: number words as digits, one kind of sign and space; pure text.

English and Portuguese.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from text_to_num import alpha2digit

from rag.library.language.numerals import COUNTING

LONGEST_LINE = 5_000
"""Characters that are read of a line of evidence; what is beyond them proves nothing."""

UNITS = {
    "second": r"seconds?|secs?|segundos?",
    "minute": r"minutes?|mins?|minutos?",
    "hour": r"hours?|hrs?|horas?|h",
    "day": r"days?|dias?",
    "week": r"weeks?|semanas?",
    "month": r"months?|m[êe]s|meses",
    "year": r"years?|anos?",
    "round": r"rounds?|rodadas?",
    "turn": r"turns?|turnos?",
    "foot": r"feet|foot|ft|p[ée]s?",
    "inch": r"inch(?:es)?|polegadas?",
    "yard": r"yards?|yds?|jardas?",
    "mile": r"miles?|milhas?",
    "metre": r"met(?:re|er)s?|metros?|m",
    "kilometre": r"kilomet(?:re|er)s?|quil[ôo]metros?|km",
    "centimetre": r"centimet(?:re|er)s?|cent[íi]metros?|cm",
    "pound": r"pounds?|lbs?|libras?",
    "ounce": r"ounces?|oz|onças?",
    "ton": r"tons?|toneladas?",
    "kilogram": r"kilo(?:gram)?s?|quilo(?:grama)?s?|kg",
    "gold": r"gold(?:\spieces?|\scoins?)?|gps?|(?:peças?|moedas?)\sde\souro|po",
    "silver": r"silver(?:\spieces?|\scoins?)?|sps?|(?:peças?|moedas?)\sde\sprata",
    "copper": r"copper(?:\spieces?|\scoins?)?|(?:peças?|moedas?)\sde\scobre",
    "platinum": r"platinum(?:\spieces?|\scoins?)?|(?:peças?|moedas?)\sde\splatina",
    "hit point": r"hit\spoints?|hps?|pontos?\sde\svida|pvs?",
    "experience": r"experience(?:\spoints?)?|xps?|pontos?\sde\sexperi[êe]ncia|px",
    "level": r"levels?|n[íi]ve(?:l|is)",
    "die": r"dice|die|dados?",
    "times": r"times|vez(?:es)?",
}
"""What is counted, in both languages. An amount in one of them is not proven by an amount in another."""
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
"""The units that are converted: a day has 24 hours in every book. Feet are never turned into metres."""
LABELS = (
    "ac ca",
    "hd dv",
    "hp pv",
    "st str for",
    "dx dex des",
    "con",
    "int",
    "wis sab",
    "cha car",
    "tn dc nd cd na",
)
"""Abbreviations that mean the same in the two languages."""
NO_LABELS = re.compile(
    "a|all|an|and|are|as|at|but|by|can|de|do|e|em|for|from|has|if|in|is|it|may|must|no|not|o|of|on|or|os|per|que"
    "|se|so|the|to|um|up|was|you"
)
"""Short words that are no abbreviation, also in capitals."""

ANY_UNIT = "|".join(UNITS.values())
_MEASURE = "|".join(words for unit, words in UNITS.items() if unit not in ("die", "times"))
_FEMININE = r"p[ée]\b|hora|semana|rodada|jarda|milha|libra|onça|polegada|tonelada|peça|moeda|vez"
"""Units behind a Portuguese "a", which is no English one: "a rodada", "a pé"."""
UNIT_OF = re.compile(
    "|".join(f"(?P<u{at}>{words})" for at, words in enumerate(UNITS.values())), re.IGNORECASE
)
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
_NOT_AFTER_TENS = (
    r"(?<!nt[ae]\se\s)(?<!cento\se\s)(?<!mil\se\s)(?<!-)(?<!ty\s)"  # vinte e um, trinta e um, twenty one
)
_NUMBER_FOLLOWS = (
    r"(?![\s-](?:hundred|thousand|million|and\sa\shalf|e\smei[oa]|half|third|quarter|fifth|point)\b)"
)
_ONE_OF = (
    r"of|another|who|that|which|is|are|was|can|may|must|cannot|has|have|will|would|should|does|to|in|on|or|and|with"
    r"|by|at|as|if|from|for|it|he|she|they|you|the|these|those|the|after|before|when|not|nor|but"
)
WEAK = re.compile(
    rf"""\b(?:no|each|any|every|this|that|which|another|some|the)[\s-]one\b
    | \bone\b(?=\s(?:{_ONE_OF})\b)
    | (?<!^)(?<!only\s)(?<!just\s)(?<!:\s)\bone\b(?=\s*(?:[.,;:!?)'"]|$))
    | {_NOT_AFTER_TENS}\buma?\b(?!\s(?:{_MEASURE}|vez|dúzia|mil|milhão|e\smei[oa])\b)
      (?<!apenas\sum)(?<!apenas\suma)(?<!só\sum)(?<!só\suma)(?<!somente\sum)(?<!somente\suma){_NUMBER_FOLLOWS}
    | (?<!ty-)(?<!(?:d[ée]c|g[ée]s)im[oa][\s-])
      \b(?:first|second|primeir[oa]s?|segund[oa]s?)\b(?![\s-](?:{_MEASURE})\b)
    | \bonce\b(?!\s*(?:[.,;:)]|$|per|an?\b|every|each|in\b|daily|only|during|for\b))
    | \bat\sonce\b | \buma\svez\s(?:que|mais)\b | \bde\suma\svez\b | \bera\suma\svez\b
    | \bterceiros\b | \b(?:segunda|terça|quarta|quinta|sexta)-feira\b
    | \b[dD](?:6|20)(?=\s[A-Z][a-z])(?<![\d\s][dD]\d)(?<!\sd20)
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
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


_PARTS = {
    "hal": 2, "thi": 3, "ter": 3, "qua": 4, "fou": 4, "fif": 5, "qui": 5, "six": 6, "sex": 6, "eig": 8,
    "oit": 8, "ten": 10, "déc": 10,
}  # fmt: skip
_COUNTS = {"a": "1", "one": "1", "two": "2", "three": "3", "um": "1", "dois": "2", "três": "3", "tres": "3"}
_PART = re.compile(
    rf"""\b(?:(?P<count>one[\s-](?=half|(?:third|quarter|fourth|fifth|sixth|eighth|tenth)(?!s|[\s-]level))
          |(?:two|three|\d)[\s-](?=halves|(?:third|quarter|fourth|fifth|sixth|eighth|tenth)s))
        (?P<part>[a-z]+)
      | (?P<a>an?)\s(?P<share>quarter
        |(?:third|fourth|fifth|sixth|eighth|tenth)(?=\s(?:of|as|the|less|more)\b))
      | (?P<um>um|dois|tr[êe]s|\d)\s(?P<terço>terços?|(?:quarto|quinto|sexto|oitavo|décimo)s?
        (?=\sd[ao]s?\b|\sde\s(?:su?a|seu|{_MEASURE}|vida|dano|movimento|deslocamento|custo|valor)\b))
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
_CONVERTED_WORDS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\s*%|\s+(?:percent|per\scent|por\scento)\b", "%"),
        (r"(?<=\d)[\s-]+(?:second|segundo)s?\b", " sec"),
        (r"\b(?:seconds|segundos)\b", "sec"),
        (r"\b(one|a|an|per|each|every|um|por|cada)[\s-](?:second|segundo)\b(?=\s*[.,;:)!?]|$|\s(?:of|after|de|ap)\b)",
         r"\1 sec"),
        (rf"\bquart[oa]s?\b(?!\s(?:{_MEASURE})\b)", "~"),
        (r"\bhalf\s(?:a\s)?dozen\b|\bmeia\sdúzia\b", "6"),
        (r"\b(?:a|uma)\s(?:dozen|dúzia)\b", "12"),
        (r"\b(?:twice|double[ds]?|dobro|dobra(?:d[oa])?|dupl[oa]|duplica(?:d[oa])?)\b", "2 times"),
        (r"\b(?:thrice|triple[ds]?|tripl[oa]|triplica(?:d[oa])?)\b", "3 times"),
        (r"\bonce\b", "1 times"),
        (r"\b(?:halved?|halfway|metade)\b", "1/2"),
        (rf"\bhalf\s(?:an?\s)?(?=(?:{_MEASURE})\b)", "1/2 "),
        (rf"\bhalf(?!-(?!(?:{_MEASURE})\b))\b", "1/2"),
        (rf"\bmei[oa]\s(?=(?:{_MEASURE})\b)", "1/2 "),
        (r"(?<=\se\s)mei[oa]\b", "1/2"),
        (rf"(?<=[a-z])-(?=(?:{ANY_UNIT}|points?|sided|lados)\b)", " "),
        (r"\b([x×])\s?(?=\d)", r"\1 "),
        (r"\b(?:single|sole|únic[oa])\b", "1"),
        (r"\bper\s[a-z]+\s(?=levels?\b)", "per "),
        (rf"\b(?:an?(?!\s(?:{_FEMININE}))|per|each|every|por|cada)\s(?=(?:{_MEASURE})\b)"
         rf"|(?<=\w/)(?=(?:{_MEASURE})\b)", "1 "),
        (r"\b(?:daily|diariamente|diári[oa]|ao\sdia)\b", "1 day"),
    )
)  # fmt: skip
_CONVERTED_NUMBERS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"(?<=\d)\s(?=000(?:\D|$))", ""),
        (r"\b(\d{1,3})\s1000(000)?\b", lambda found: found[1] + "000" + (found[2] or "")),
        (r"\b(\d{1,3})\s(?:dozen|dúzias?)\b", lambda found: str(12 * int(found[1]))),
        (rf"\b(\d{{1,3}})((?:\s(?:{_MEASURE}))?)\s(?:and|e)\s(?:(?:an?|uma?|1)\s)?1/2\b", r"\1 1/2\2"),
        (r"\b(\d{0,3})\s?d(\d*)\s?(?:plus|mais)\s?(?=\d)", r"\1d\2+"),
        (
            r"\b(?:minus|menos|subtracts?|subtraia|subtrai|(?:reduced|decreased)\sby|reduzid[oa]s?\sem)\s(?=\d)",
            "-",
        ),
        (r"\b(?:plus|mais|adds?|some|soma|adiciona|increased\sby|aumentad[oa]s?\sem)\s(?=\d)", "+"),
        (r"\b(?:(\d{1,3})\s)?(\d{1,3})\ssided\s(?:dice|die)\b", r"\1d\2"),
        (r"(?:\b(\d{1,3})\s)?\bdados?\sde\s(\d{1,3})\s(?:faces|lados)\b", r"\1d\2"),
    )
)

BEFORE_PARTS = 4
"""So many conversions come before parts are read: a second is no part."""


_ARTICLE = re.compile(r"(\bos\b)", re.IGNORECASE)
"""English reads the Portuguese article as zeros."""


def normalized(text: str, without: re.Pattern[str] | None = None) -> str:
    """A plain text with its number words as digits: "half an hour" → "1/2 hour", "dois dias" → "2 dias".

    Words `without` number are left out.
    """
    text = _PART.sub(_as_fraction, _converted(text, _CONVERTED_WORDS[:BEFORE_PARTS]))
    text = without.sub("~", text) if without else text
    text = _converted(text, _CONVERTED_WORDS[BEFORE_PARTS:])
    for language in COUNTING:
        text = "".join(_in_digits(part, language) for part in _ARTICLE.split(text))
    return _converted(text, _CONVERTED_NUMBERS)


def _in_digits(text: str, language: str) -> str:
    if _ARTICLE.fullmatch(text):
        return text
    return "".join(alpha2digit(piece, language, threshold=0) for piece in _pieces(text))


def _as_fraction(found: re.Match[str]) -> str:
    count = (found["count"] or (found["a"] and "a") or found["um"]).lower().strip(" -")
    part = (found["part"] or found["share"] or found["terço"]).lower()
    return f"{_COUNTS.get(count, count)}/{_PARTS[part[:3]]}"


def _converted(
    text: str, conversions: "Iterable[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]"
) -> str:
    for pattern, replacement in conversions:
        text = pattern.sub(replacement, text)
    return text


def _pieces(text: str, length: int = 1_000) -> Iterator[str]:
    """A text in pieces that end at a space: number words take time that grows with the square of a text."""
    while text:
        end = len(text) if len(text) <= length else text.rfind(" ", 0, length) + 1 or length
        yield text[:end]
        text = text[end:]
