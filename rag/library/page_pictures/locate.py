"""Where a quotation stands among the words of its page: all of it, and surely, or nowhere. Pure."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rag.library.page_pictures.words import Letters, PrintedWord

CONTEXTS = (640, 160, 40, 0)
"""Letters on each side of a quotation that are looked for with it: as many as the words of the page print."""
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
    for context in CONTEXTS:
        first = max(start for start in starts if start <= max(0, inside[0] - context))
        last = min(start for start in starts if start >= min(starts[-1], inside[-1] + 1 + context))
        if ways := _ways_to_read(letters.characters[first:last], page):
            return _sure(ways, inside[0] - first, inside[-1] + 1 - first)
    return []


def _word_starts(text: str, letters: Letters) -> list[int]:
    """At which of its letters words of a text begin, and where the last one ends."""
    starts = [bisect_left(letters.offsets, word.start()) for word in re.finditer(r"\S+", text)]
    return [0, *starts, len(letters.offsets)]


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

    `behind` is the least cost of what comes before them, `ahead` that of what follows.
    """

    start: int
    end: int
    numbers: Ids
    behind: Costs
    ahead: Costs


def _ways_to_read(wanted: str, page: DrawnWords) -> list[_Words]:
    """The ways to read some letters in the words of a page, from a word's begin to a word's end.

    The least costly one is a shortest path (R. Bellman, Dynamic Programming, 1957): a state is a word at a
    place of the letters.
    """
    starting: defaultdict[int, list[_Words]] = defaultdict(list)
    ending: defaultdict[int, list[_Words]] = defaultdict(list)
    for at in range(len(wanted)):
        if at and at not in ending:
            continue
        for end, numbers in page.beginning(wanted, at):
            reached = [
                (before.behind[:, None] + page.steps(before.numbers, numbers)).min(axis=0)
                for before in ending[at]
            ]
            behind = np.min(reached, axis=0) if at else np.zeros(len(numbers))
            words = _Words(at, end, numbers, behind, np.full(len(numbers), np.inf))
            starting[at].append(words)
            ending[end].append(words)
    for words in ending[len(wanted)]:
        words.ahead[:] = 0.0
    for at in sorted(ending, reverse=True):
        for words, after in product(ending[at], starting[at]):
            follows = (page.steps(words.numbers, after.numbers) + after.ahead).min(axis=1)
            words.ahead = np.minimum(words.ahead, follows)
    return [words for at in starting for words in starting[at]] if ending[len(wanted)] else []


def _sure(ways: Sequence[_Words], start: int, end: int) -> list[int]:
    """The words from one place of the letters to another; none where there are other ways to read them.

    Other ways are those that cost little more than the least costly one, and that which reads a word twice.
    """
    costs = [words.behind + words.ahead for words in ways]
    most = min(cost.min() for cost in costs) + CLEARLY
    likely = sorted(
        (words.start, words.end, number)
        for words, cost in zip(ways, costs, strict=True)
        for number in words.numbers[cost < most].tolist()
    )
    inside = [one for one in likely if one[0] < end and start < one[1]]
    numbers = [number for *_, number in inside]
    outside = {number for first, last, number in likely if last <= start or end <= first}
    is_one_way = all(before[1] == after[0] for before, after in pairwise(inside))
    is_once = len({*numbers} - outside) == len(numbers)
    return numbers if is_one_way and is_once else []
