"""Codes with a number and no page word: "(B102, MA45)", "see B102"; no "B2 bomber". Pure."""

import re
from collections.abc import Iterator

from rag.library.language.words import FUNCTION_WORDS
from rag.library.references.page_numbers import JOINT, PageNumbers, Pages
from rag.library.references.patterns import SEE, any_of

_NOT_AFTER = re.compile(
    r"\b(?i:an?|one|the|um|uma|os?|as?|vitamins?|vitaminas?|rooms?|areas?|level|sector|hex|grid|deck|bay|gate|cell"
    r"|class|type|model|mark|grade|rank|figure|table|map|sala|área|nível|setor|tipo|modelo|classe|figura|tabela"
    r"|mapa)\s+$"
)

_AFTER = re.compile(rf"(?:[(\[;]|\b{SEE}|\b(?i:also|per|também))\s*$")
_GRADE = re.compile(r"\d\s*[(\[]$")
"""A number before the bracket: the code tells its grade, as in "level 3 (B2)"."""
_DICE_SIDES = frozenset(["2", "3", "4", "6", "8", "10", "12", "20", "30", "66", "100"])
_DESIGNATIONS = frozenset(["AK47", "B12", "B17", "B29", "B52", "C4", "M1", "M14", "M16", "M60", "P90"])
"""Names of things that everybody knows; without a page word or "see" they are no pages."""
_SEEN = re.compile(rf"\b{SEE}\s+$")

_NEXT_WORD = re.compile(r"(?:[^\S\n]|\n(?!\n))+([^\W\d_]+)")
_LAST_WORD = re.compile(r"([^\W\d_]+)\s+$")
_FUNCTION_WORDS = FUNCTION_WORDS["en"] | FUNCTION_WORDS["pt"]
_MAY_FOLLOW = _FUNCTION_WORDS | {"first", "instead", "below", "above", "primeiro", "abaixo", "acima"}
_ASKING_WORDS = (
    "say says said tell tells mean means cover covers describe describes explain explains give gives list "
    "lists mention mentions mentioned cite cites cited citing quote quotes quoted state states read reads "
    "contain contains show shows point points pointed lead leads refer refers referred referring reference "
    "references referenced rule rules page pages printed "
    "diz dizem fala falam trata tratam manda explica explicam explique descreve conta lista mostra mostre "
    "significa cita citam citada citado menciona mencionam mencionada mencionado referencia referenciada "
    "remete remetem aponta apontam regra regras página páginas leia"
)

_ASKING = frozenset(_ASKING_WORDS.split())
"""Words with which people ask for a page."""
_ASKED = re.compile(rf"\b(?i:{any_of(_ASKING)}\s+(?:the|os?|as?))\s+$")


def find_codes(text: str, numbers: PageNumbers, *, is_question: bool) -> Iterator[Pages]:
    """The codes in `text` that mean pages; in a question they may stand anywhere in a sentence."""
    last_end = -1
    for pages in numbers.bare_codes(text):
        is_listed = last_end >= 0 and bool(re.fullmatch(JOINT, text[last_end : pages.start]))
        if _is_meant(text, pages, is_question=is_question, is_listed=is_listed):
            last_end = pages.end
            yield pages


def _is_meant(text: str, pages: Pages, *, is_question: bool, is_listed: bool) -> bool:
    before = text[max(0, pages.start - 24) : pages.start]
    after = _NEXT_WORD.match(text, pages.end)
    code = (pages.code or "").upper()
    if (code == "D" and pages.first in _DICE_SIDES) or _GRADE.search(before):
        return False
    if after and is_question and after[1].lower() in _ASKING:
        return True
    if code + pages.first in _DESIGNATIONS and not _SEEN.search(before):
        return False
    if after and after[1] not in _MAY_FOLLOW:
        return False
    if is_question and _ASKED.search(before):
        return True
    if _NOT_AFTER.search(before):
        return False
    return is_listed or bool(_AFTER.search(before)) or (is_question and _may_ask(before))


def _may_ask(before: str) -> bool:
    """Whether a page may be asked for after these words; a thing before a code has it for a name."""
    word = _LAST_WORD.search(before)
    return not word or word[1].lower() in _FUNCTION_WORDS | _ASKING


THIS_BOOK = ""
"""Stands in `declared_codes` for the book that speaks."""

_ANCHOR = re.compile(
    r"\b(?:(?:page\s+)?references?|page\s+numbers?|refer[êe]ncias?(?:\s+de\s+páginas?)?|números?\s+de\s+páginas?)\b"
    r"[^.\n]{0,40}?\b(?:begin|start|prefixed|preceded|marked|começ|inici|precedid|marcad)",
    re.IGNORECASE,
)

_REACH = 600  # characters after an anchor in which more codes may be named
_CODE = r"[\"“'‘]?(?P<code>[A-Z]{1,5}\d?)[\"”'’]?"
_NAME = r"[A-ZÀ-Þ0-9][\w'’&-]*(?:(?:\s+(?:of|the|and|to|in|de|da|do|das|dos|e|a|o))*\s+[A-ZÀ-Þ0-9][\w'’&-]*)*"
_OWN = r"(?:this|these|est[ae]s?|ess[ae]s?)\b"
_DECLARATION = re.compile(
    rf"\b(?:with|by|com|por)\s+(?:an?\s+|the\s+letters?\s+|as?\s+letras?\s+|um\s+)?{_CODE}"
    r"(?:,\s+or\s+has\s+no\s+letter)?,?\s+"
    r"(?:all\s+)?(?:(?:refers?|are|is|points?|means?|stands?|belongs?|remetem?|referem(?:-se)?|são|é|indicam?|apontam?)\s+)?"
    rf"(?:(?:to|for|in|from|a|ao|à|para|d[eoa])\s+)?(?:the\s+|o\s+|a\s+)?[\"“'*_]?(?:(?P<own>{_OWN})|(?P<name>{_NAME}))"
)


def declared_codes(text: str) -> dict[str, str]:
    """Codes and the names of the books they stand for; `THIS_BOOK` for the one that speaks."""
    codes: dict[str, str] = {}
    for anchor in _ANCHOR.finditer(text):
        end = text.find("\n\n", anchor.start())
        stop = min(anchor.start() + _REACH, end if end >= 0 else len(text))
        for match in _DECLARATION.finditer(text, anchor.start(), stop):
            name = THIS_BOOK if match["own"] else " ".join(match["name"].split())
            codes.setdefault(match["code"], name)
    return codes
