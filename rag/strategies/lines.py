"""A page as the lines that a statement may cite: sentences, and table rows under their column names. Pure.

A sentence that a page break tears is shown whole on both pages; which words stand on which is told.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from rag.library.books.found_page import FoundPage
from rag.library.books.page import TITLE_END, TableRow
from rag.library.language.grammar_words import one_of
from rag.library.language.language import CHAPTERS, GRAMMAR_FUNCTION_WORDS, HEADINGS, LANGUAGES
from rag.rules import rule
from rag.state import Span, over_page_break


def _is_behind(words: Iterable[str]) -> str:
    """A pattern for a place right behind one of the words."""
    return "(?:" + "|".join(rf"(?<=\b(?i:{re.escape(word)}))" for word in sorted(set(words))) + ")"


_ABBREVIATION = _is_behind(word for language in LANGUAGES.values() for word in language.abbreviations)
_BEFORE_NUMBER = _is_behind(
    word for language in LANGUAGES.values() for word in language.abbreviations_before_numbers
)
_SMALL_LETTER = "[a-zß-öø-ÿа-яё]"
SENTENCE = re.compile(
    rf"(?:(?<![^\n])(?!{_SMALL_LETTER})(?:(?:(?!{_SMALL_LETTER})\S+|\S{{1,3}})[^\S\n]+){{1,4}})?"
    rf"[^\n]+?(?:(?=[.!?])(?!{_ABBREVIATION}\.)(?!{_BEFORE_NUMBER}\.\s+[\dIVX])"
    rf"[.!?]+[\"”’)]*(?=\s)(?![^\S\n]+{_SMALL_LETTER})|(?=\n)|\Z)",
    re.DOTALL,
)
"""What ends with a mark before white space, unless a small letter follows: that is the same sentence.

So is the title ("Ward of Stone.") or number that begins a paragraph: its first four words at most, each short
or with a capital.
"""
LONGEST_TORN = 600
"""Characters of a sentence that are put together over a page break."""
_CELLS, _UNDER = "; ", ": "
_OPENING, _CLOSING = "\"“‘'(\u005b", "\"”’')\u005d* "
_ENDS = (".", "!", "?", ":", ";")
_LABEL = re.compile(r"([^:]{1,40}):\s|((?:[A-ZÀ-Þ][\w’'-]*\s){1,3})(?=[+−-]?\d)")
HEADING_NUMBER = re.compile(
    rf"\A(?:{one_of([*HEADINGS.parts, *CHAPTERS.singular, *CHAPTERS.sections])}\s+\d+(?:\.\d+)*\b[:.)]?"
    r"|\d+(?:(?:\.\d+)+\.?(?=\s)|[:.)])|\d{1,2}(?=\s+(?-i:[A-ZÀ-Þ])))",
    re.IGNORECASE,
)
"""What numbers a heading ("PART 2:", "8.11.7", "2 Combat"): it proves no number of a statement."""
PAGES_SPLIT_AT_ONCE = 256
"""Pages whose lines are remembered: judge and generator look at the same ones."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence or table row of a page; `number` counts the lines of the page from 1.

    `text` is what is shown: the whole sentence on one line, or the row under its column names. `printed` are
    the words on this page; of a torn sentence `before` is where it begins in the text of the page before,
    `after` where it ends in that of the next. `headings` are those it stands under, the nearest last.
    """

    number: int
    span: Span
    text: str
    printed: str
    headings: tuple[str, ...] = ()
    is_row: bool = False
    before: Span | None = None
    after: Span | None = None

    @property
    def heading(self) -> str:
        """The nearest heading above it, "" where there is none."""
        return self.headings[-1] if self.headings else ""

    @property
    def is_heading(self) -> bool:
        """Whether it is nothing but the heading of what follows."""
        return self.printed == self.heading

    @property
    def is_name(self) -> bool:
        """Whether it is a heading that only names what follows, and tells no number: it says no rule."""
        return self.is_heading and not any(map(str.isdigit, HEADING_NUMBER.sub("", self.printed)))


@dataclass(frozen=True, slots=True)
class CitedLine:
    """A line of a found page that a statement rests on."""

    page: FoundPage
    line: Line

    def __hash__(self) -> int:
        return hash((self.page.id, self.line.number))


def lines_of(page: FoundPage) -> tuple[Line, ...]:
    """The lines of a page, in order; each keeps its number however few of them are shown."""
    before, after = (near.text if near and near.is_joined else "" for near in (page.previous, page.next))
    return _lines(page.text, page.rows, page.sections, page.above, before, after)


# By what lines are made of, for each search finds the page anew.
@lru_cache(PAGES_SPLIT_AT_ONCE)
def _lines(
    text: str,
    rows: tuple[TableRow, ...],
    sections: tuple[tuple[int, tuple[str, ...]], ...],
    headings_before: tuple[str, ...],
    text_before: str,
    text_after: str,
) -> tuple[Line, ...]:
    starts = [offset for offset, _ in sections]
    lines: list[Line] = []
    for number, (span, reading) in enumerate(_pieces(text, rows), start=1):
        printed = " ".join(text[span.start : span.end].split())
        above = bisect_right(starts, span.start)
        headings = sections[above - 1][1] if above else headings_before
        shown = _without_title(reading, next(reversed(headings), "")) or printed
        lines.append(Line(number, span, shown, printed, headings, is_row=bool(reading)))
    if torn := torn_sentence(text_before, text):
        begun = torn[0]
        whole = over_page_break(text_before[begun.start : begun.end], lines[0].text)
        lines[0] = replace(lines[0], text=whole, before=begun)
    if torn := torn_sentence(text, text_after):
        ended = torn[1]
        whole = over_page_break(lines[-1].text, text_after[ended.start : ended.end])
        lines[-1] = replace(lines[-1], text=whole, after=ended)
    return tuple(lines)


@rule(without=lambda text, following: None)
def torn_sentence(text: str, following: str) -> tuple[Span, Span] | None:
    """The two parts of the sentence that begins at the foot of a page and ends at the head of the next.

    It is one where the second part begins with a small letter, or the first ends with a word that leads on
    ("of", "the"), and the second ends as a sentence does; else None.
    """
    begun = list(sentences(text, text.rfind("\n") + 1))[-1:]
    ended = next(sentences(following), None)
    if not begun or not ended:
        return None
    first, second = text[begun[0].start : begun[0].end].split(), following[ended.start : ended.end]
    leads_on = first[-1].lower() in GRAMMAR_FUNCTION_WORDS or second.lstrip(_OPENING)[:1].islower()
    is_whole = second.rstrip(_CLOSING).endswith(_ENDS)
    is_said = any(map(str.isalpha, "".join(first)))
    is_short = sum(map(len, first)) + len(second) <= LONGEST_TORN
    return (begun[0], ended) if leads_on and is_whole and is_said and is_short else None


def cells_of(reading: str) -> str:
    """The cells of a row under their column names, without the title of its table."""
    title, dash, row = reading.partition(TITLE_END)
    return row if dash and ": " not in title else reading


@dataclass(frozen=True, slots=True)
class Cell:
    """A value under the name of its column; "" where there is none."""

    column: str
    value: str


def cells(reading: str) -> list[Cell]:
    """The cells of a row as it reads under its column names; the first is what the row is of."""
    read = []
    for piece in cells_of(reading).split(_CELLS):
        column, under, value = piece.partition(_UNDER)
        read.append(Cell(column, value) if under else Cell("", piece.rstrip(":")))
    return read


def label_of(text: str) -> str:
    """The label of a value, "Range" of "Range: 30 feet", or "Speed" of "Speed 30 ft."; "" of a sentence."""
    found = _LABEL.match(text)
    return found[found.lastindex or 0].strip() if found else ""


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
    for start, end, reading in (*rows, (len(text), len(text), "")):
        for sentence in sentences(text, position, start):
            yield sentence, ""
        if reading:
            yield Span(start, end), reading
        position = end
