"""Numbers of a statement, proven by the book lines it cites; pure text.

`prove_numbers` reads the amounts of a statement and of its evidence in one spelling ("an hour", "1 hora",
"60 minutes") and names those that nothing proves: no line, no written calculation that holds, and not the
case of whoever asks. English and Portuguese.
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from text_to_num import alpha2digit

PAGE_REFERENCE = re.compile(
    r"\b(?:pp?|pgs?|p[áa]gs?|pages?|p[áa]ginas?)(?:\.\s*|\s+|(?=\d))(?:(?-i:[A-Z]{1,3})\s?)?(?:\d+|[ivxlc]+\b)",
    re.IGNORECASE,
)
"""A page as only code may name it."""

LONGEST_STATEMENT = 2_000
"""Characters of a statement or a question; a longer one is not read, and unproven."""
MOST_AMOUNTS = 100
"""A statement that names more amounts is unproven."""
LONGEST_LINE = 5_000
"""Characters that are read of a line of evidence; what is beyond them proves nothing."""
UNREAD = "…"
"""Stands for the numbers of a statement that is not read."""
WIDEST_RANGE = 100
MOST_DIGITS = 12
"""A number of more digits is compared as it is spelled."""


@dataclass(frozen=True, slots=True)
class NumberProof:
    """The numbers of a statement that nothing proves, and whether one was calculated instead of printed."""

    unproven: frozenset[str]
    is_calculated: bool


def prove_numbers(statement: str, evidence: Iterable[str], case: Sequence[str] = ()) -> NumberProof:
    """Prove the numbers of a statement by its evidence, by its own calculations, or by the asker's case.

    Evidence are the cited lines with what the caller lets speak for them (headings, lines beside them);
    `case` are the questions.
    """
    text = _normalized(_plain(statement[: LONGEST_STATEMENT + 1]), _WEAK)
    claims = _amounts(text)
    if len(statement) > LONGEST_STATEMENT or len(claims) > MOST_AMOUNTS:
        return NumberProof(frozenset({UNREAD}), is_calculated=False)
    printed = _Offers(evidence)
    given = [fact for question in case for fact in _case_facts(question[:LONGEST_STATEMENT])]
    calculated = _Calculated(text, printed, [fact.amount for fact in given])
    is_calculated = has_proof = False
    open_claims: list[Amount] = []
    for claim in claims:
        if not calculated.refutes(claim) and printed.prove(claim, claims):
            has_proof = True
        elif calculated.proves(claim):
            has_proof = is_calculated = True
        else:
            open_claims.append(claim)
    unproven = {
        claim.spelled
        for claim in open_claims
        if calculated.refutes(claim) or not _repeats_case(claim, text, given, has_proof)
    }
    return NumberProof(frozenset(unproven), is_calculated)


def unproven_numbers(statement: str, evidence: Iterable[str], case: Sequence[str] = ()) -> set[str]:
    """The numbers of a statement that nothing proves."""
    return set(prove_numbers(statement, evidence, case).unproven)


def unsupported_numbers(statement: str, evidence: Iterable[str]) -> set[str]:
    """The numbers of a statement that neither its evidence nor a calculation proves."""
    return unproven_numbers(statement, evidence)


def numbers_in(text: str) -> set[str]:
    """The numbers that a text states, in one spelling: "1,000" → "1000", "3 D 6" → "3d6", "half" → "1/2"."""
    amounts = _amounts(_normalized(_plain(text), _WEAK))
    return {number for amount in amounts for number in amount.spelled.split("–")}


# One spelling: words, signs and spaces

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

_ANY_UNIT = "|".join(UNITS.values())
_MEASURE = "|".join(words for unit, words in UNITS.items() if unit not in ("die", "times"))
_FEMININE = r"p[ée]\b|hora|semana|rodada|jarda|milha|libra|onça|polegada|tonelada|peça|moeda|vez"
"""Units behind a Portuguese "a", which is no English one: "a rodada", "a pé"."""
_UNIT_OF = re.compile(
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
_WEAK = re.compile(
    rf"""\b(?:no|each|any|every|this|that|which|another|some|the)[\s-]one\b
    | \bone\b(?=\s(?:{_ONE_OF})\b)
    | (?<!^)(?<!only\s)(?<!just\s)(?<!:\s)\bone\b(?=\s*(?:[.,;:!?)'"]|$))
    | {_NOT_AFTER_TENS}\buma?\b(?!\s(?:{_MEASURE}|vez|dúzia|mil|milhão|e\smei[oa])\b)
      (?<!apenas\sum)(?<!apenas\suma)(?<!só\sum)(?<!só\suma)(?<!somente\sum)(?<!somente\suma){_NUMBER_FOLLOWS}
    | \b(?:first|second|primeir[oa]s?|segund[oa]s?)\b(?![\s-](?:{_MEASURE})\b)(?<!twenty-first)(?<!ty-second)
    | \bonce\b(?!\s*(?:[.,;:)]|$|per|an?\b|every|each|in\b|daily|only|during|for\b))
    | \bat\sonce\b | \buma\svez\s(?:que|mais)\b | \bde\suma\svez\b | \bera\suma\svez\b
    | \bterceiros\b | \b(?:segunda|terça|quarta|quinta|sexta)-feira\b
    | \b[dD](?:6|20)(?=\s[A-Z][a-z])(?<![\d\s][dD]\d)(?<!\sd20)
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
"""Words that are numbers at times; where they stand like this, a statement claims none by them."""


def _plain(text: str) -> str:
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
        (rf"(?<=[a-z])-(?=(?:{_ANY_UNIT}|points?|sided|lados)\b)", " "),
        (r"\b([x×])\s?(?=\d)", r"\1 "),
        (r"\b(?:single|sole|únic[oa])\b", "1"),
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


def _normalized(text: str, without: re.Pattern[str] | None = None) -> str:
    """A plain text with its number words as digits: "half an hour" → "1/2 hour", "dois dias" → "2 dias".

    Words `without` number are left out.
    """
    text = _PART.sub(_as_fraction, _converted(text, _CONVERTED_WORDS[:BEFORE_PARTS]))
    text = without.sub("~", text) if without else text
    text = _converted(text, _CONVERTED_WORDS[BEFORE_PARTS:])
    # English reads the article "os" of Portuguese as zeros.
    parts = (piece for part in _ARTICLE.split(text) for piece in _pieces(part))
    text = "".join(
        part if _ARTICLE.fullmatch(part) else alpha2digit(part, "en", threshold=0) for part in parts
    )
    text = "".join(alpha2digit(piece, "pt", threshold=0) for piece in _pieces(text))
    return _converted(text, _CONVERTED_NUMBERS)


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


# Amounts


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
       (?P<bonus>\s?[+-]\s?\d{{1,3}}(?!\d|\s?[dD](?![^\W\d_])|[.,]\d))?
     | (?:(?P<whole>\d{{1,6}})\s)?(?P<above>\d{{1,6}})/(?P<below>\d{{1,6}})(?![\d/])
     | (?P<plain>\d+(?:[.,]\d+)*)(?:st|nd|rd|th|[ºª°]|ᵒˢ|ᵃˢ)?)
    (?P<measure>\s?%|'(?![^\W\d_])
     |[\s-]?(?:(?:more|full|whole|extra|additional|further|consecutive|mais|inteir[oa]s|complet[oa]s)\s)?
      (?P<unit>{_ANY_UNIT})(?![^\W_]))?""",
    re.VERBOSE,
)
_PENALTY = r"penalt(?:y|ies)|penalidades?|redutor(?:es)?"
_BONUS = r"bonus(?:es)?|b[ôó]nus"
_SIGN_BEFORE = re.compile(
    rf"\b(?:(?P<minus>{_PENALTY})|(?:{_BONUS}))(?:\s(?:of|de|is|é))?:?\s$", re.IGNORECASE
)
_SIGN_AFTER = re.compile(
    rf"[\s-](?:points?\s|pontos?\sde\s|de\s)?(?:(?P<minus>{_PENALTY})|(?:{_BONUS}))\b", re.IGNORECASE
)
_TO = re.compile(r"\s?-\s?|\s(?:to|a|até|through)\s", re.IGNORECASE)
_AND = re.compile(r"\s(?:and|e)\s", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|entre)\s$", re.IGNORECASE)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")

_WORD_AFTER = re.compile(r"[\s-]([^\W\d_]{2,})")
_WORD_BEFORE = re.compile(
    r"([^\W\d_]{2,})(?:\s(?:of|de|do|da|a|the|is|was|um|uma|é|era|foi))?[\s-]$", re.IGNORECASE
)


def _amounts(text: str) -> list[Amount]:
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
        after=_stem(after[1]) if after else "",
        start=start,
        end=found.end(),
    )
    if found["plain"]:
        yield from (_plain_amount(common, number) for number in _plain_numbers(found["plain"]))
    elif found["below"]:
        yield _fraction(common, found)
    else:
        yield _dice(common, found)


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
        letters.strip(": ").isupper() and not NO_LABELS.fullmatch(name) and not _UNIT_OF.fullmatch(name)
    )
    return name if is_abbreviation or any(name in same.split() for same in LABELS) else ""


def _unit(found: re.Match[str]) -> str:
    if found["unit"]:
        named = _UNIT_OF.fullmatch(found["unit"])
        return list(UNITS)[int((named.lastgroup or "u0")[1:])] if named else ""
    return {"%": "%", "'": "foot"}.get((found["measure"] or "").strip(), "")


def _with_words_before(amount: Amount, text: str) -> Amount:
    """An amount with the word before it and the sign that words give it: "a penalty of 2" is -2.

    A printed sign counts first.
    """
    before = _WORD_BEFORE.search(text, max(0, amount.start - 30), amount.start)
    amount = replace(amount, before=_stem(before[1]) if before else "")
    named = _SIGN_BEFORE.search(text, max(0, amount.start - 25), amount.start)
    named = named or _SIGN_AFTER.match(text, amount.end)
    return replace(amount, sign="-" if named["minus"] else "+") if named and not amount.sign else amount


def _stem(word: str) -> str:
    return word.casefold().rstrip("s")


def _as_range(first: Amount, last: Amount, text: str) -> Amount | None:
    between = text[first.end : last.start]
    is_to = _TO.fullmatch(between) or (
        _AND.fullmatch(between) and _BETWEEN.search(text, max(0, first.start - 10), first.start)
    )
    is_bare = not (first.die or last.die or last.sign or last.label or first.last is not None)
    if not is_to or not is_bare:
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

_Key = tuple[str, Fraction, Fraction | None, Fraction]


class _Offers:
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
        parts = [Amount("", dice.value, unit="die")]
        if dice.bonus:
            parts.append(Amount("", abs(dice.bonus), sign="+" if dice.bonus > 0 else "-", beside=BONUS))
        for part in parts:
            self._alone[_key(part)].add(part)


_IMPLIED_ONE = re.compile(r"\b(?:an?|another|uma?)\s([^\W\d_]{3,})", re.IGNORECASE)
_IMPLIED_NONE = re.compile(r"\bno\s([a-z]{3,})", re.IGNORECASE)
_NONE = re.compile(r"\b(?:none|nil|nenhuma?)\b", re.IGNORECASE)


@lru_cache(maxsize=256)
def _evidence_amounts(text: str) -> tuple[Amount, ...]:
    """The amounts that a line speaks of, also those it only implies: "a retainer", "no hit points"."""
    plain = _plain(text)
    amounts = _amounts(_normalized(_NONE.sub("0", plain)))
    implied = [
        Amount("", Fraction(value), beside=_stem(found[1]))
        for value, pattern in ((1, _IMPLIED_ONE), (0, _IMPLIED_NONE))
        for found in pattern.finditer(plain)
    ]
    return (*amounts, *implied)


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
    return any(claimed in same.split() and offered in same.split() for same in LABELS)


def _is_beside(claim: Amount, offer: Amount) -> bool:
    if offer.beside == BONUS:
        return bool(claim.sign)
    return not offer.beside or offer.beside == claim.after


def _speaks_of(offer: Amount, claim: Amount) -> bool:
    """Whether a range speaks of a number: "6-8" of 7; a wide one only of its ends."""
    if offer.last is None or not _agree(claim, offer, _is_same_unit(claim, offer)):
        return False
    if claim.value in (offer.value, offer.last):
        return True
    is_whole = claim.value.denominator == 1 and claim.sign == offer.sign
    return is_whole and offer.value < claim.value < offer.last <= offer.value + WIDEST_RANGE


# Calculations

Value = dict[str, Fraction]
"""Numbers and dice by what is counted: {"": 35}, {"d6": 3, "": 2}, {"%": 20}."""

MOST_TOKENS = 40
"""Tokens of one side of an equation."""
MOST_EQUATIONS = 40
LONGEST_GAP = 40
"""Characters between dice and their average, between a number and what it is rounded to."""
PASSES = 3
"""A result may be a term of what is calculated next, this often."""

_TOKEN = re.compile(
    rf"""(?P<term>(?<![^\W_])\d{{0,3}}[dD]\d{{1,4}}(?![^\W_])|\d{{1,3}}D(?![^\W_])|\d+(?:[.,]\d+)*)
      (?P<measure>\s?%|[\s-]?(?P<unit>{_ANY_UNIT})(?![^\W_]))?
    | (?P<op>[+\-×/]|(?<![^\W_])[xX](?![^\W\d_])
      |\b(?:multiplied\sby|multiplicado\spor|divided\sby|dividido\spor)\b)
    | (?P<open>\() | (?P<close>\)) | (?P<equals>=)
    | (?P<soft>\b(?:equals|is|are|makes|gives|é|são|dá)\b(?!\s[a-z]))
    | (?P<of>\b(?:of|de|d[oa]s?)\b)
    | (?P<stop>[.;:,!?\n]|\b(?:per|por|each|every|cada|or|ou|if|se|and|e|so|thus|então|logo)\b)
    | (?P<word>[^\W\d_]+)""",
    re.VERBOSE | re.IGNORECASE,
)
_OPERATORS = {"x": "×", "m": "×", "d": "/"}
_ROUNDED = re.compile(
    r"\b(?:round(?:ed|ing|s)?|arredond\w{1,5})\s(?:it\s)?(?:(?P<down>down|(?:para|pra)\sbaixo)|up|(?:para|pra)\scima)\b",
    re.IGNORECASE,
)
_AVERAGE = re.compile(r"\b(?:averag\w*|avg|mean|média|médio|em\smédia)\b", re.IGNORECASE)


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


class _Calculated:
    """What the calculations of a normalized statement prove and refute: equations, averages, rounding."""

    def __init__(self, text: str, printed: _Offers, given: Sequence[Amount]) -> None:
        """Terms may be `printed`, `given` by the asker, or results themselves."""
        self._text = text
        self._printed = printed
        self._given = given
        self._claims = _amounts(text)
        self._results: list[tuple[Value, str]] = []
        self._proven: set[tuple[int, int]] = set()
        self._refuted: set[tuple[int, int]] = set()
        equations = _equations(_tokens(text))
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
            _value_of(amount) == value and (not unit or amount.unit in ("", "%", unit))
            for value, unit in self._results
        )

    def _is_known(self, amount: Amount) -> bool:
        """Whether the books or an earlier calculation say an amount."""
        return self._printed.prove(amount, self._claims) or self._has_result(amount)

    def _is_proven(self, amount: Amount) -> bool:
        return self._is_known(amount) or any(_is_equal(amount, fact) for fact in self._given)

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
        terms = [token.amount for token in _with_fractions(side, self._is_known) if token.amount]
        units = set(_units(side))
        others = {unit for other in sides if len(other) == 1 for unit in _units(other)}
        has_units = not units or others <= units or bool(units & SECONDS.keys() and others <= SECONDS.keys())
        return (
            has_units
            and all(map(self._is_proven, terms))
            and all(self._is_known(term) or _value_of(term) != result for term in terms)
        )

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
        if is_average and self._is_known(dice) and _value_of(mean) == _average(_value_of(dice)):
            self._prove(mean)

    def _prove(self, result: Amount) -> None:
        self._proven.add((result.start, result.end))
        self._results.append((_value_of(result), result.unit))


def _is_inside(claim: Amount, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= claim.start and claim.end <= end for start, end in spans)


def _value_of(amount: Amount) -> Value:
    factor = -1 if amount.sign == "-" else 1
    counted = amount.die or ("%" if amount.unit == "%" else "")
    value = {counted: factor * amount.value}
    return value | {"": amount.bonus} if amount.bonus else value


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    for found in _TOKEN.finditer(text):
        kind = (found.lastgroup or "word") if not found["term"] else "term"
        amount = next(iter(_amounts(found[0])), None) if kind == "term" else None
        token = _Token(kind, found[0], *found.span(), amount)
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
        else:
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
        before = [token for token in segment[max(0, at - 4) : at] if token.kind != "word"]
        inner = segment[at + 1 : at + 1 + MOST_TOKENS]
        closed = next((end for end, token in enumerate(inner) if token.kind == "close"), None)
        if closed and before and before[-1].kind == "term":
            yield _Equation((tuple(inner[:closed]), (before[-1],)), is_hard=False)


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
    if _AVERAGE.search(near) and value == _average(wanted):
        return True
    rounded = _ROUNDED.search(near)
    if rounded is None or set(wanted) != {""} or set(value) != {""}:
        return False
    return _rounded(wanted[""], rounded) == value[""]


def _rounded(value: Fraction, said: re.Match[str]) -> Fraction:
    return Fraction(math.floor(value) if said["down"] else math.ceil(value))


def _average(dice: Value) -> Value:
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
        value = (
            _multiplied(value, other)
            if _OPERATORS.get(operator[0].lower(), operator) == "×"
            else _divided(value, other)
        )
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
    return {counted: amount * seconds for counted, amount in _value_of(token.amount).items()}


def _multiplied(left: Value, right: Value) -> Value:
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


# The asker's case


@dataclass(frozen=True, slots=True)
class _CaseFact:
    """An amount that a question gives. `is_own`: of the asker's own ("my 5th level thief")."""

    amount: Amount
    name: str
    is_own: bool


_ASKS_WHAT = re.compile(
    r"(?:^|[,;:]\s|\b(?:and|e|in|at|on|by|for|of|from|a|em|com|de|por|para)\s)"
    r"(?:what|which|who|whose|where|when|how(?!\scome)|quant[oa]s?|qual|quais|que|como|onde|quando)\b"
    r"|\b(?:how\s(?:much|many|far|long|often|fast|high)|what|which|quant[oa]s?|qual|quais)\b",
    re.IGNORECASE,
)
_ASKS_WHETHER = re.compile(
    r"(?:^|\b(?:and|or|but|e|ou|mas)\s|[,;:]\s)(?:do|does|did|is|are|was|were|am|can|could|may|must|will|would|should"
    r"|has|have|had|isn't|doesn't|pode|posso|podem|é|são|tem|deve|será)\b",
    re.IGNORECASE,
)
_ASKS_WHY = re.compile(r"\b(?:why|how\scome|por\s?qu[eê])\b", re.IGNORECASE)
_OWN = re.compile(
    r"\b(?:my|our|meus?|minhas?|noss[oa]s?|(?:i|we)\s(?:have|am|are|rolled)|i'm|we're|tenho|temos|sou|estou|tirei)"
    r"(?:\s[^\W\d_]+){0,3}\s?$",
    re.IGNORECASE,
)
_ATTRIBUTE = (
    r"level|n[íi]vel|strength|for[çc]a|dexterity|destreza|constitution|constitui[çc][ãa]o|intelligence|intelig[êe]ncia"
    r"|wisdom|sabedoria|charisma|carisma|skill|per[íi]cia|roll|result|score|valor|resultado"
)
_CONDITION = re.compile(
    r"""(?:^|[.;:(,]\s?|\b(?:with|at|from|of|against|having|your|an?|the|as|com|de|d[ao]|em|n[ao]|contra|seu|sua|uma?|[oa]|ao|à
      |if\syou\shave|se\stiver)\s|(?:^|[.;:(,]\s?)(?:for|after|during|para|por|após|durante|(?:[a-z]+(?:ing|ndo)|cair|queda))\s)
      $""",
    re.VERBOSE | re.IGNORECASE,
)
"""What stands before a number that is a condition: "with", "your", the begin of a clause."""
_NAME = re.compile(
    rf"\b((?-i:[A-Z])[^\W\d_]+|{_ATTRIBUTE})(?:\s(?:of|de|is|was|é|era|foi))?\s$", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.?!\n]+(?:[.,]\d+[^.?!\n]*)*[.?!]*")


@lru_cache(maxsize=64)
def _case_facts(question: str) -> tuple[_CaseFact, ...]:
    """The amounts that a question gives, not those that it asks about.

    What is asked with "how much" takes its numbers for granted; so does what is told before it. Who asks yes
    or no, or why, gives only what is the asker's own: of "does a torch burn for 999 turns?" nothing.
    """
    text = _normalized(_plain(question))
    sentences = [found[0].strip() for found in _SENTENCE.finditer(text)]
    asks_what = any(map(_ASKS_WHAT.search, sentences))
    facts: list[_CaseFact] = []
    for sentence in sentences:
        whether = _ASKS_WHETHER.search(sentence)
        is_told = asks_what and not _ASKS_WHY.search(sentence)
        is_asked = sentence.endswith("?") and not _ASKS_WHAT.search(sentence)
        for amount in _amounts(sentence):
            is_own = bool(_OWN.search(sentence, max(0, amount.start - 60), amount.start))
            if is_own or (is_told and not is_asked and not (whether and whether.start() < amount.start)):
                facts.append(_CaseFact(amount, _name_of(amount, sentence), is_own))
    return tuple(facts)


def _name_of(amount: Amount, text: str) -> str:
    """The name before a number; not the first word of a sentence, which is capitalized anyway."""
    name = _NAME.search(text, max(0, amount.start - 60), amount.start)
    return _stem(name[1]) if name and name.start() else ""


def _repeats_case(claim: Amount, text: str, facts: Sequence[_CaseFact], has_proof: bool) -> bool:
    """Whether a statement repeats an amount of the question as a condition: "with ST 12 you lift 29 lb".

    It must stand as one, with the same neighbour, in a statement that proves another number; one of the
    asker's own may open a statement without ("your 5th level thief may not").
    """
    opens = len(text[: claim.start].split()) <= 4
    return any(
        _is_equal(claim, fact.amount)
        and _is_bound_alike(claim, fact.amount)
        and _is_condition(claim, text, fact.name)
        and (has_proof or (fact.is_own and opens))
        for fact in facts
    )


def _is_condition(claim: Amount, text: str, name: str) -> bool:
    """Whether a number stands as a condition, directly or behind the name that the question gives it."""
    if _CONDITION.search(text, max(0, claim.start - 60), claim.start):
        return True
    named = _NAME.search(text, max(0, claim.start - 60), claim.start)
    if not named or _stem(named[1]) != name:
        return False
    return bool(_CONDITION.search(text, max(0, named.start() - 60), named.start()))


def _is_equal(claim: Amount, fact: Amount) -> bool:
    return _is_among(claim, {_key(fact): {fact}})


def _is_bound_alike(claim: Amount, fact: Amount) -> bool:
    """Whether an amount has the same unit, letters or neighbouring word in both."""
    pairs = (
        (claim.unit, fact.unit),
        (claim.label or claim.before, fact.label or fact.before),
        (claim.after, fact.after),
    )
    return any(one and one == other for one, other in pairs)
