"""A page as the lines that a statement may cite: sentences, and table rows under their column names. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rag.library.books.found_page import FoundPage
from rag.library.books.page import TITLE_END
from rag.library.language.language import LANGUAGES
from rag.state import Span

_ABBREVIATION = "".join(
    rf"(?<!\b{re.escape(word)})" for language in LANGUAGES.values() for word in language.abbreviations
)
SENTENCE = re.compile(rf"[^\n]+?(?:{_ABBREVIATION}[.!?]+[\"”’)]*(?=\s)|(?=\n)|\Z)", re.DOTALL)
PAGES_SPLIT_AT_ONCE = 256
"""Pages whose lines are remembered: judge and generator look at the same ones."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence or table row of a page; `number` counts the lines of the page from 1.

    `text` is what is shown: the sentence on one line, or the row under its column names. `printed` are the
    book's own words. `heading` is the nearest heading above it.
    """

    number: int
    span: Span
    text: str
    printed: str
    heading: str
    is_row: bool = False


@lru_cache(PAGES_SPLIT_AT_ONCE)
def lines_of(page: FoundPage) -> tuple[Line, ...]:
    """The lines of a page, in order; each keeps its number however few of them are shown."""
    starts = [offset for offset, _ in page.sections]
    lines = []
    for number, (span, reading) in enumerate(_pieces(page), start=1):
        printed = " ".join(page.text[span.start : span.end].split())
        above = bisect_right(starts, span.start)
        heading = page.sections[above - 1][1] if above else next(iter(page.headings[-1:]), "")
        text = _without_title(reading, heading) or printed
        lines.append(Line(number, span, text, printed, heading, is_row=bool(reading)))
    return tuple(lines)


def _without_title(reading: str, heading: str) -> str:
    """A row without the title of its table where that is the heading over it, which is shown there."""
    title, dash, row = reading.partition(TITLE_END)
    return row if dash and heading.endswith(title) else reading


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The sentences of a text between two places, as they are printed; white space alone is none."""
    for match in SENTENCE.finditer(text, start, len(text) if end is None else end):
        if match[0].strip():
            yield Span(*match.span())


def _pieces(page: FoundPage) -> Iterator[tuple[Span, str]]:
    """The spans of sentences and rows, each row with how it reads under its column names."""
    position = 0
    for start, end, reading in page.rows:
        for sentence in sentences(page.text, position, start):
            yield sentence, ""
        yield Span(start, end), reading
        position = end
    for sentence in sentences(page.text, position):
        yield sentence, ""
