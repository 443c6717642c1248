"""Codes with a number and no page word: "(B102, MA45)", "see B102"; no "B2 bomber". Pure."""

import re
from collections.abc import Iterator

from rag.library.language.grammar_words import one_of
from rag.library.language.language import CODES, GRAMMAR_FUNCTION_WORDS, NAMES
from rag.library.references.entries import tied_name
from rag.library.references.page_numbers import JOINT, PageNumbers, PrintedPages
from rag.library.references.patterns import SEE

_NOT_AFTER = re.compile(rf"\b(?i:{one_of(CODES.not_after)})\s+$")
_AFTER = re.compile(rf"(?:[(\[;]|\b{SEE}|\b(?i:{one_of(CODES.after)}))\s*$")
_DICE_SIDES = frozenset(["2", "3", "4", "6", "8", "10", "12", "20", "30", "66", "100"])

_NEXT_WORD = re.compile(r"(?:[^\S\n]|\n(?!\n))+([^\W\d_]+)")
_LAST_WORD = re.compile(r"([^\W\d_]+)\s+$")
_MAY_FOLLOW = GRAMMAR_FUNCTION_WORDS.union(CODES.may_follow)
_ASKING = frozenset(CODES.asking)
"""Words with which people ask for a page."""
_ASKED = re.compile(rf"\b(?i:{one_of(_ASKING)}\s+{one_of(NAMES.the)})\s+$")


def find_codes(
    text: str, numbers: PageNumbers, *, is_question: bool, in_notes: bool = False
) -> Iterator[PrintedPages]:
    """The codes in `text` that mean pages; in a question they may stand anywhere in a sentence, in a group's
    notes beside the name of a rule on its line.
    """
    last_end = -1
    for pages in numbers.bare_codes(text):
        is_listed = last_end >= 0 and bool(re.fullmatch(JOINT, text[last_end : pages.start]))
        is_die = (pages.code or "").upper() == "D" and pages.first in _DICE_SIDES
        is_tied = in_notes and bool(tied_name(text, pages.start, pages.end))
        if not is_die and (is_tied or _is_meant(text, pages, is_question=is_question, is_listed=is_listed)):
            last_end = pages.end
            yield pages


def _is_meant(text: str, pages: PrintedPages, *, is_question: bool, is_listed: bool) -> bool:
    before = text[max(0, pages.start - 24) : pages.start]
    after = _NEXT_WORD.match(text, pages.end)
    if after and is_question and after[1].lower() in _ASKING:
        return True
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
    return not word or word[1].lower() in GRAMMAR_FUNCTION_WORDS | _ASKING


THIS_BOOK = ""
"""Stands in `declared_codes` for the book that speaks."""

_ANCHOR = re.compile(rf"\b{one_of(CODES.references)}\b[^.\n]{{0,40}}?\b{one_of(CODES.begin)}", re.IGNORECASE)
_REACH = 600  # characters after an anchor in which more codes may be named
_CODE = r"[\"“'‘]?(?P<code>[A-Z]{1,5}\d?)[\"”'’]?"
_WORD = r"[A-ZÀ-Þ0-9][\w'’&-]*"
_NAME = rf"{_WORD}(?:(?:\s+{one_of(CODES.small)})*\s+{_WORD})*"
_DECLARATION = re.compile(
    rf"\b{one_of(CODES.by)}\s+(?:{one_of(CODES.letters)}\s+)?{_CODE}(?:,\s+{one_of(CODES.no_letter)})?,?\s+"
    rf"(?:{one_of(CODES.all)}\s+)?(?:{one_of(CODES.refer)}\s+)?(?:{one_of(CODES.to)}\s+)?"
    rf"(?:{one_of(CODES.the)}\s+)?[\"“'*_]?(?:(?P<own>{one_of(CODES.own)}\b)|(?P<name>{_NAME}))"
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
