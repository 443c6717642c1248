"""A page as the lines that a statement may cite: sentences, and table rows under their column names. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rag.library.books.found_page import FoundPage
from rag.library.books.page import TITLE_END, TableRow
from rag.library.language.language import LANGUAGES
from rag.state import Span


def _is_behind(words: Iterable[str]) -> str:
    """A pattern for a place right behind one of the words."""
    return "(?:" + "|".join(rf"(?<=\b(?i:{re.escape(word)}))" for word in sorted(set(words))) + ")"


_ABBREVIATION = _is_behind(word for language in LANGUAGES.values() for word in language.abbreviations)
_BEFORE_NUMBER = _is_behind(
    word for language in LANGUAGES.values() for word in language.abbreviations_before_numbers
)
_SMALL_LETTER = "[a-zß-öø-ÿа-яё]"
SENTENCE = re.compile(
    rf"[^\n]+?(?:(?=[.!?])(?!{_ABBREVIATION}\.)(?!{_BEFORE_NUMBER}\.\s+[\dIVX])"
    rf"[.!?]+[\"”’)]*(?=\s)(?![^\S\n]+{_SMALL_LETTER})|(?=\n)|\Z)",
    re.DOTALL,
)
"""What ends with a mark before white space, unless a small letter follows: that is the same sentence."""
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

    @property
    def is_heading(self) -> bool:
        """Whether it is nothing but the heading of what follows."""
        return self.printed == self.heading


def lines_of(page: FoundPage) -> tuple[Line, ...]:
    """The lines of a page, in order; each keeps its number however few of them are shown."""
    return _lines(page.text, page.rows, page.sections, next(iter(page.headings[-1:]), ""))


# By what lines are made of: to hash and compare all of a page would take longer.
@lru_cache(PAGES_SPLIT_AT_ONCE)
def _lines(
    text: str, rows: tuple[TableRow, ...], sections: tuple[tuple[int, str], ...], heading_before: str
) -> tuple[Line, ...]:
    starts = [offset for offset, _ in sections]
    lines = []
    for number, (span, reading) in enumerate(_pieces(text, rows), start=1):
        printed = " ".join(text[span.start : span.end].split())
        above = bisect_right(starts, span.start)
        heading = sections[above - 1][1] if above else heading_before
        shown = _without_title(reading, heading) or printed
        lines.append(Line(number, span, shown, printed, heading, is_row=bool(reading)))
    return tuple(lines)


def cells_of(reading: str) -> str:
    """The cells of a row under their column names, without the title of its table."""
    title, dash, row = reading.partition(TITLE_END)
    return row if dash and ": " not in title else reading


def _without_title(reading: str, heading: str) -> str:
    """A row without the title of its table where that is the heading over it, which is shown there."""
    title, dash, row = reading.partition(TITLE_END)
    return row if dash and heading.endswith(title) else reading


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The sentences of a text between two places, as they are printed; white space alone is none."""
    for match in SENTENCE.finditer(text, start, len(text) if end is None else end):
        if match[0].strip():
            yield Span(*match.span())


def _pieces(text: str, rows: Iterable[TableRow]) -> Iterator[tuple[Span, str]]:
    """The spans of sentences and rows, each row with how it reads under its column names."""
    position = 0
    for start, end, reading in rows:
        for sentence in sentences(text, position, start):
            yield sentence, ""
        yield Span(start, end), reading
        position = end
    for sentence in sentences(text, position):
        yield sentence, ""
