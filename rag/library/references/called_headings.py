"""Headings called by name: "as described under Riposte", "see 'Called Shots'". Pure."""

import re
from collections.abc import Iterator

from rag.library.references.names import Names
from rag.library.references.patterns import CAPITAL, NAME, SEE, THE
from rag.library.references.reference import Reference

_DESCRIBED = (
    r"(?i:described|explained|detailed|listed|given|discussed|found|covered|defined|outlined|rules|"
    r"descrit[oa]s?|explicad[oa]s?|detalhad[oa]s?|listad[oa]s?|definid[oa]s?|regras)\s+(?:under|in|for|em|sob|no|na|de)"
)
_HEADING_WORD = r"(?:(?:heading|entry|title|título|verbete)\s+(?:of\s+|de\s+)?)?"
_QUOTED = r"[\"“](?P<quoted>[^\"”“\n]{2,60}?)[\"”]|['‘](?P<single>[^'’‘\n]{2,60}?)['’](?!\w)"
_CALLED = re.compile(
    rf"(?:(?<!ll\s)(?<!to\s)(?<!can\s)(?<!you\s)\b{SEE}|\b{_DESCRIBED}|\b[Aa]s\s+per)\s+{THE}{_HEADING_WORD}"
    rf"(?:{_QUOTED}|(?P<name>{NAME}(?:,\s{CAPITAL}(?=[).]))?))"
)
_UNDER = re.compile(
    r"\b(?:described|explained|detailed|descrit[oa]s?|explicad[oa]s?)\s+(?:under|sob)\s+"
    r"(?P<name>[^\W\d_]+(?:[\s-][^\W\d_]+){0,2})(?=\s*(?:[.,;:)]|\n\n|$))"
)
"""A heading in small letters, where nothing else can follow."""
_NO_HEADING = re.compile(r"(?:Pages?|Chapters?|Páginas?|Capítulos?)\b|[A-Z]{1,3}\d+$")


def find_headings(text: str, names: Names) -> Iterator[Reference]:
    """The headings that `text` calls by name, and the book they are said to be in."""
    for pattern in (_CALLED, _UNDER):
        for match in pattern.finditer(text):
            group = next(group for group in ("quoted", "single", "name") if match.groupdict().get(group))
            name, book = names.parted(match[group])
            if _NO_HEADING.match(name) or names.is_book(name):
                continue
            after = None if book else names.book_after(text, match.end())
            start, end = match.start(group), after.end("name") if after else match.end(group)
            yield Reference(text[start:end], start, end, book=after["name"] if after else book, heading=name)
