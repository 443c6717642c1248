"""Where a quotation stands among the words of its page: all of it, and surely, or nowhere. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from rag.library.page_pictures.words import Letters, PrintedWord

CONTEXTS = ((640, 640), (160, 160), (40, 40), (40, 0), (0, 40))
"""Letters before and behind a quotation that are looked for with it: the first that the page prints."""


class TextSpan(NamedTuple):
    """Characters `start` to `end` of a page's text."""

    start: int
    end: int


def spans_of(quote: str, text: str) -> list[TextSpan]:
    """Where the letters of a quotation stand in a page's text, from word to word."""
    wanted, page = Letters.of(quote).characters, Letters.of(text)
    spans = [
        TextSpan(page.offsets[at], page.offsets[at + len(wanted) - 1] + 1)
        for at in _starts(wanted, page.characters)
    ]
    return [
        span
        for span in spans
        if not text[span.start - 1 : span.start].isalnum() and not text[span.end : span.end + 1].isalnum()
    ]


def locate(text: str, span: TextSpan, words: Sequence[PrintedWord], middle: float) -> list[int]:
    """The words of a page that print a span of its text, in order; none where that is not sure.

    They are looked for in the order in which they were drawn, line by line across the page, and so in each
    column, left and right of the `middle`. What stands around the span tells places apart that read alike.
    """
    letters = Letters.of(text)
    inside = [number for number, offset in enumerate(letters.offsets) if span.start <= offset < span.end]
    across = _line_by_line(words)
    by_columns = sorted(across, key=lambda number: words[number].x0 > middle)
    orders = (range(len(words)), across, by_columns)
    for before, behind in CONTEXTS if inside else ():
        start = max(0, inside[0] - before)
        wanted = letters.characters[start : inside[-1] + 1 + behind]
        quoted = slice(inside[0] - start, inside[-1] + 1 - start)
        places = {place for order in orders for place in _places(wanted, quoted, words, order)}
        if places:
            return [*places.pop()] if len(places) == 1 else []
    return []


def _places(
    wanted: str, quoted: slice, words: Sequence[PrintedWord], order: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """The words that are the quoted part of some letters, wherever these stand in an order of the words."""
    starts = [*accumulate((len(words[number].letters) for number in order), initial=0)]
    places = {start: place for place, start in enumerate(starts)}
    for at in _starts(wanted, "".join(words[number].letters for number in order)):
        first, last = places.get(at + quoted.start), places.get(at + quoted.stop)
        if first is not None and last is not None:
            yield tuple(order[first:last])


def _starts(wanted: str, letters: str) -> list[int]:
    """Every place at which some letters begin among others."""
    return [found.start() for found in re.finditer(f"(?={wanted})", letters)] if wanted else []


def _line_by_line(words: Sequence[PrintedWord]) -> list[int]:
    """The words from the upper line to the lowest, in each from left to right, over all columns."""
    lines: list[list[int]] = []
    for number in sorted(range(len(words)), key=lambda number: words[number].baseline):
        if lines and words[lines[-1][-1]].is_on_line_of(words[number]):
            lines[-1].append(number)
        else:
            lines.append([number])
    return [number for line in lines for number in sorted(line, key=lambda number: words[number].x0)]
