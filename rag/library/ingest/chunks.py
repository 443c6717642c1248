"""Splitting a page into chunks: the pieces of about 110 words that are embedded and searched."""

import re
from collections.abc import Iterable, Iterator

SPLITTER_VERSION = 1
"""Bumped when the spans change: books are embedded again."""

TARGET_WORDS = 110
"""Pieces of 60 and of 110 words find equally well, beyond 200 worse (measured with the embedded model)."""

_SHORTEST = 25
_ENOUGH_BEFORE_HEADING = 40
_ENOUGH_BEFORE_PARAGRAPH = 80
_LONGEST = 140

Offsets = tuple[int, int]
"""Start and end of a chunk in the text of its page."""

_LINE = re.compile(r"[^\n]+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-ZÀ-Ý0-9•*])")
_WORD = re.compile(r"\S{1,200}")
"""No word is longer: what is, is cut, so that no chunk grows without end."""


def split_page(text: str, heading_offsets: Iterable[int] = ()) -> list[Offsets]:
    """Cut a page into chunks of about `TARGET_WORDS` words.

    Chunks end with a sentence, a table row or a paragraph, and rather before a heading than after
    it. They cover every word of the page once, in order.
    """
    headings = frozenset(heading_offsets)
    spans: list[Offsets] = []
    start, end, count = 0, 0, 0
    for unit_start, unit_end in _units(text):
        size = len(_WORD.findall(text, unit_start, unit_end))
        is_paragraph = "\n\n" in text[end:unit_start]
        if count and _cuts_before(count, size, unit_start in headings, is_paragraph):
            spans.append((start, end))
            count = 0
        if not count:
            start = unit_start
        end = unit_end
        count += size
    if count:
        spans.append((start, end))
    return _with_short_end_joined(text, spans, headings)


def _cuts_before(count: int, size: int, is_heading: bool, is_paragraph: bool) -> bool:
    """Whether a chunk of `count` words ends before the next unit of `size` words."""
    is_paragraph_full = is_paragraph and count >= _ENOUGH_BEFORE_PARAGRAPH
    is_full = is_paragraph_full or (is_heading and count >= _ENOUGH_BEFORE_HEADING)
    overshoot, shortfall = count + size - TARGET_WORDS, TARGET_WORDS - count
    return is_full or overshoot > max(shortfall, 0) or count + size > _LONGEST


def _with_short_end_joined(text: str, spans: list[Offsets], headings: frozenset[int]) -> list[Offsets]:
    """Join a last chunk of a few words to the one before it: alone it means nothing."""
    if len(spans) < 2 or spans[-1][0] in headings:
        return spans
    (start, _), (last_start, end) = spans[-2:]
    if len(_WORD.findall(text, last_start, end)) >= _SHORTEST:
        return spans
    return [*spans[:-2], (start, end)]


def _units(text: str) -> Iterator[Offsets]:
    """The smallest pieces that stay whole: table rows, and sentences up to `_LONGEST` words."""
    for line in _LINE.finditer(text):
        start = line.start()
        for sentence_end in _SENTENCE_END.finditer(text, line.start(), line.end()):
            yield from _trimmed(text, start, sentence_end.end())
            start = sentence_end.end()
        yield from _trimmed(text, start, line.end())


def _trimmed(text: str, start: int, end: int) -> Iterator[Offsets]:
    """The span without surrounding blanks, cut where it runs on beyond `_LONGEST` words."""
    found = list(_WORD.finditer(text, start, end))
    for first in range(0, len(found), _LONGEST):
        piece = found[first : first + _LONGEST]
        yield piece[0].start(), piece[-1].end()
