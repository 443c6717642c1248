"""Codes that a book declares in its own words. Pure.

"Page references that begin with B refer to Basic Set; with MA, to Martial Arts."
"""

import re

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
