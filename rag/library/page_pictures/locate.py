"""Where a quotation stands among the words of its page: all of it, and surely, or nowhere. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rag.library.page_pictures.words import Letters, PrintedWord

CONTEXTS = (0, 40, 160, 640)
"""Letters on each side of a quotation that are looked for with it, until its place is sure, and as likely as
any with more of them.
"""
CLEARLY = 0.5
"""By how much every other way to read a quotation must cost more than the best one."""
LEAP, RETURN = 1.0, 0.25
"""What it costs to go on anywhere but at the next word, beside the lines between the two, and to go on where
one of the next lines begins.
"""
_NEXT_LINES = 3.0
_LEADING = 1.2
_SAME_LINE = 0.55
_SIDE_BY_SIDE = 0.3
"""In font sizes: from line to line, between words of one line, and how far these may overlap."""

_AT_ONCE = 256

Ids = npt.NDArray[np.intp]
Costs = npt.NDArray[np.float64]


class TextSpan(NamedTuple):
    """Characters `start` to `end` of a page's text."""

    start: int
    end: int


def spans_of(quote: str, text: str) -> list[TextSpan]:
    """Where the letters of a quotation stand in a page's text, from word to word."""
    wanted, page = Letters.of(quote).characters, Letters.of(text)
    found: list[TextSpan] = []
    at = page.characters.find(wanted) if wanted else -1
    while at >= 0:
        start, end = page.offsets[at], page.offsets[at + len(wanted) - 1] + 1
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            found.append(TextSpan(start, end))
        at = page.characters.find(wanted, at + 1)
    return found


def locate(text: str, span: TextSpan, page: "DrawnWords") -> list[int]:
    """The words of a page that print a span of its text, in order; none where that is not sure.

    `text` are the page's words as they were read, put in order and joined. What stands around the span tells
    places apart that read alike.
    """
    letters = Letters.of(text)
    inside = [number for number, offset in enumerate(letters.offsets) if span.start <= offset < span.end]
    if not inside:
        return []
    starts = _word_starts(text, letters)
    readings = (
        _reading_around(letters, range(inside[0], inside[-1] + 1), context, starts, page)
        for context in CONTEXTS
    )
    sure: list[int] = []
    for reading, start, end in readings:
        if sure and reading.allows(sure, start, end):
            return sure
        sure = reading.sure(start, end)
    return sure


def _reading_around(
    letters: Letters, inside: range, context: int, starts: Sequence[int], page: "DrawnWords"
) -> "tuple[_Reading, int, int]":
    """The letters of a quotation with those around it, and where it begins and ends among them."""
    first = max(start for start in starts if start <= max(0, inside.start - context))
    last = min(start for start in starts if start >= min(len(letters.offsets), inside.stop + context))
    return _Reading(letters.characters[first:last], page), inside.start - first, inside.stop - first


def _word_starts(text: str, letters: Letters) -> list[int]:
    """At which of its letters words of a text begin, and where the last one ends."""
    starts = [0]
    for number, (before, offset) in enumerate(zip(letters.offsets, letters.offsets[1:], strict=False), 1):
        if any(map(str.isspace, text[before + 1 : offset])):
            starts.append(number)
    return [*starts, len(letters.offsets)]


class DrawnWords:
    """The words of a page as they were drawn, and how far it is from each to what may be read next."""

    def __init__(self, words: Sequence[PrintedWord]) -> None:
        self.words = words
        self._baselines: Costs = np.array([word.baseline for word in words])
        self._sizes: Costs = np.array([max(1.0, word.size) for word in words])
        self._left: Costs = np.array([word.x0 for word in words])
        self._right: Costs = np.array([word.x1 for word in words])
        numbers: defaultdict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(words):
            numbers[word.letters].append(number)
        self._numbers = {letters: np.array(own, np.intp) for letters, own in numbers.items()}
        self._lengths = sorted({len(letters) for letters in numbers})

    def beginning(self, wanted: str, at: int) -> list[tuple[int, Ids]]:
        """The words that some letters from a place on are, by where they end."""
        ends = (at + length for length in self._lengths if at + length <= len(wanted))
        return [(end, own) for end in ends if (own := self._numbers.get(wanted[at:end])) is not None]

    def are_side_by_side(self, left: int, right: int) -> bool:
        """Whether a word is the next to the right of another on its line."""
        return bool(self._right_of[left] == right)

    @cached_property
    def _right_of(self) -> Ids:
        """For each word the next one to the right on its line, -1 where there is none."""
        parts = [self._neighbours(first) for first in range(0, len(self.words), _AT_ONCE)]
        return np.concatenate(parts) if parts else np.empty(0, np.intp)

    @cached_property
    def _begins_line(self) -> npt.NDArray[np.bool_]:
        """Of each word whether none stands to the left of it on its line."""
        begins = np.ones(len(self.words), bool)
        begins[self._right_of[self._right_of >= 0]] = False
        return begins

    def _neighbours(self, first: int) -> Ids:
        """The neighbours of as many words as are compared with all others at once."""
        some = slice(first, first + _AT_ONCE)
        size = np.minimum(self._sizes[some, None], self._sizes)
        on_line = np.abs(self._baselines[some, None] - self._baselines) < _SAME_LINE * size
        gaps = self._left - self._right[some, None]
        is_right = on_line & (gaps > -_SIDE_BY_SIDE * size) & (self._left > self._left[some, None])
        gaps = np.where(is_right, gaps, np.inf)
        return np.where(is_right.any(axis=1), gaps.argmin(axis=1), -1)

    def steps(self, before: Ids, after: Ids) -> Costs:
        """What it costs to read each of `after` behind each of `before`.

        Nothing where it was drawn next or stands next on the line, little where it begins one of the next
        lines, else the more the more lines are between.
        """
        size = np.maximum(self._sizes[before][:, None], self._sizes[after])
        lines = (self._baselines[after] - self._baselines[before][:, None]) / (_LEADING * size)
        is_return = self._begins_line[after] & (lines > 0) & (lines < _NEXT_LINES)
        is_next = (after == before[:, None] + 1) | (after == self._right_of[before][:, None])
        return np.where(is_next, 0.0, np.where(is_return, RETURN, LEAP + np.abs(lines)))


@dataclass(slots=True)
class _Words:
    """The words with which the letters from one place to another may be read, and what that costs.

    `behind` is the least cost of what comes before them, them included, `ahead` that of what follows.
    """

    end: int
    numbers: Ids
    behind: Costs
    ahead: Costs


class _Reading:
    """All ways to read some letters in the words of a page, from a word's begin to a word's end.

    The least costly one is a shortest path (R. Bellman, Dynamic Programming, 1957): a state is a word at a
    place of the letters.
    """

    def __init__(self, wanted: str, page: DrawnWords) -> None:
        self._wanted, self._page = wanted, page
        self._from: dict[int, list[_Words]] = {}
        self._go_ahead()
        self._go_back()

    def _go_ahead(self) -> None:
        ending: defaultdict[int, list[_Words]] = defaultdict(list)
        for at in range(len(self._wanted)):
            if at and at not in ending:
                continue
            before = ending[at]
            for end, numbers in self._page.beginning(self._wanted, at):
                reached = [
                    (group.behind[:, None] + self._page.steps(group.numbers, numbers)).min(axis=0)
                    for group in before
                ]
                behind = np.min(reached, axis=0) if at else np.zeros(len(numbers))
                group = _Words(end, numbers, behind, np.full(len(numbers), np.inf))
                self._from.setdefault(at, []).append(group)
                ending[end].append(group)

    def _go_back(self) -> None:
        for at in sorted(self._from, reverse=True):
            for group in self._from[at]:
                if group.end == len(self._wanted):
                    group.ahead = np.zeros(len(group.numbers))
                elif following := self._from.get(group.end):
                    group.ahead = np.min(
                        [
                            (self._page.steps(group.numbers, next_.numbers) + next_.ahead).min(axis=1)
                            for next_ in following
                        ],
                        axis=0,
                    )

    def sure(self, start: int, end: int) -> list[int]:
        """The words from one place of the letters to another, where no other way to read them comes near."""
        path = self._path
        if not path or not self._is_once:
            return []
        chosen = {at: number for at, number, _ in path}
        best = path[0][2]
        for at, groups in self._from.items():
            for group in groups:
                if at >= end or group.end <= start:
                    continue
                others = (group.behind + group.ahead)[group.numbers != chosen.get(at, -1)]
                if others.min(initial=np.inf) < best + CLEARLY:
                    return []
        return [number for at, number, _ in path if start <= at < end]

    def allows(self, numbers: list[int], start: int, end: int) -> bool:
        """Whether these words print what is from one place of the letters to another, if all can be read."""
        return not self._path or (
            self._is_once and numbers == [number for at, number, _ in self._path if start <= at < end]
        )

    @property
    def _is_once(self) -> bool:
        """Whether the least costly way reads no word twice."""
        return len({number for _, number, _ in self._path}) == len(self._path)

    @cached_property
    def _path(self) -> list[tuple[int, int, float]]:
        """The least costly way: each word with its place in the letters; the cost of all with the first."""
        path: list[tuple[int, int, float]] = []
        at = 0
        while at < len(self._wanted):
            best: tuple[float, int, int] | None = None
            for group in self._from.get(at, ()):
                costs = group.ahead
                if path:
                    costs = costs + self._page.steps(np.array([path[-1][1]]), group.numbers)[0]
                least = int(costs.argmin())
                if best is None or costs[least] < best[0]:
                    best = (float(costs[least]), int(group.numbers[least]), group.end)
            if best is None or not np.isfinite(best[0]):
                return []
            path.append((at, best[1], best[0]))
            at = best[2]
        return path
