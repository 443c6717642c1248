"""Codes that a book declares in its own words: "Page references that begin with B refer to Basic Set". Pure."""

import re

_CODE = r"[\"“'‘]?(?P<code>[A-Z]{1,5}[0-9]?)[\"”'’]?"
_NAME = r"[\"“*_]?(?:the\s+|o\s+|a\s+|ao\s+|à\s+)?(?P<name>[A-ZÀ-Þ][^.;\"”\n(]{1,60}?)[\"”*_]?(?=\s*(?:[.;,(\n]|$|\band\b|\be\b|\bbook\b|not\b))"
_DECLARATIONS = (
    re.compile(
        r"(?:page|pages)\s+(?:references?|numbers?)\s+(?:that|which)?\s*(?:begin|beginning|start|starting|prefixed|"
        rf"preceded)\s+(?:with|by)\s+(?:a\s+|an\s+|the\s+letters?\s+)?{_CODE}\s+(?:all\s+)?(?:refer|are|point|means?)\s+(?:to|in)?\s*{_NAME}"
    ),
    re.compile(
        r"(?:refer[êe]ncias?|números?)\s+(?:de|a)\s+páginas?\s+(?:que\s+)?(?:começam|começando|iniciam|iniciadas|precedid[ao]s)\s+"
        rf"(?:com|por|em)\s+(?:um\s+|a\s+|as\s+letras?\s+)?{_CODE}\s+(?:se\s+)?(?:referem|remetem|são|indicam|apontam)(?:-se)?\s+(?:ao?|para|d[eo])?\s*{_NAME}"
    ),
)


def declared_codes(text: str) -> dict[str, str]:
    """Codes and the names of the books they stand for, as the text says it."""
    return {
        match["code"]: " ".join(match["name"].split())
        for pattern in _DECLARATIONS
        for match in pattern.finditer(text)
    }
