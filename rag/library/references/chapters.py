"""Chapters and headings by number or name: "Chapter 11", "as described under Riposte". Pure."""

import re
from collections.abc import Iterator

from rag.library.language.grammar_words import one_of
from rag.library.language.language import CHAPTERS
from rag.library.language.numerals import NUMERAL
from rag.library.references.patterns import NAME, OF, OPEN, begins_one_of
from rag.library.references.reference import Reference
from rag.rules import rule

_PARTS = r"\d{1,2}(?:\.\d{1,2})+"
_DIVISIONS = [*CHAPTERS.plural, *CHAPTERS.singular]
_CHAPTER = re.compile(
    rf"(?<!\w){begins_one_of([*_DIVISIONS, *CHAPTERS.sections])}(?i:{one_of(_DIVISIONS)}"
    rf"|{one_of(CHAPTERS.sections)}(?=\s*{_PARTS}))\s*(?<!\w)(?P<number>{_PARTS}|{NUMERAL})\b"
    rf"(?:\s*[:–—]\s*{OPEN}(?P<name>{NAME}))?(?:\s+{OF}{OPEN}(?P<book>{NAME}))?"
)

_QUOTE = r"[\"“'‘](?P<{0}>[^\"”“\n]{{2,60}}?)[\"”'’]"
_NAMED = re.compile(
    rf"(?:{_QUOTE.format('quoted')}|\b{one_of(CHAPTERS.articles)}\s+(?P<plain>{NAME}))"
    rf"\s+(?P<kind_after>{one_of(CHAPTERS.kinds_after_name)})\b(?:\s+{OF}{OPEN}(?P<book>{NAME}))?"
    rf"|(?P<kind_before>{one_of(CHAPTERS.kinds_before_name)})\s+{_QUOTE.format('quoted_after')}"
    rf"|\b{one_of(CHAPTERS.tables_before_name)}\s+(?:{one_of(CHAPTERS.of_table)}\s+)?(?P<table>{NAME})"
)


def find_chapters(text: str) -> Iterator[Reference]:
    """Chapters, sections and tables by number or name; not the line that opens the chapter itself."""
    for match in _CHAPTER.finditer(text):
        if match[0] != text.strip() and _is_own_line(text, match):
            continue
        yield Reference(
            match[0], match.start(), match.end(),
            book=match["book"], chapter=match["number"], heading=match["name"],
        )  # fmt: skip
    yield from find_named_parts(text)


@rule(without=lambda *_: iter(()))
def find_named_parts(text: str) -> Iterator[Reference]:
    """Find chapters, sections and tables called by name."""
    for match in _NAMED.finditer(text):
        name = match["quoted"] or match["plain"] or match["quoted_after"] or match["table"]
        kind = (match["kind_after"] or match["kind_before"] or "").lower()
        is_chapter = kind in CHAPTERS.chapter_kinds
        yield Reference(
            match[0], match.start(), match.end(), book=match["book"],
            chapter=name if is_chapter else None, heading=None if is_chapter else name,
            is_part=is_chapter or kind in CHAPTERS.section_kinds,
        )  # fmt: skip


def _is_own_line(text: str, match: re.Match[str]) -> bool:
    starts = match.start() == 0 or text[match.start() - 1] == "\n"
    return starts and (match.end() == len(text) or text[match.end()] == "\n" or match["name"] is not None)
