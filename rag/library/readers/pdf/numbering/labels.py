"""Printed page labels by evidence: a wrong label is worse than none. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.library.language.numerals import from_roman, to_roman

AGREEMENT = 0.85
"""Share of the pages with a candidate that must carry the number an offset foretells."""

_FEWEST_VOTES = 3
_FEWEST_AT_ALL = 2  # of small roman numerals, which little else looks like, or in a file of two pages
_BREAK = 3  # so many pages in a row with other numbers end a run
_ANEW = 2  # other stretches with the same labels: a second volume may begin at 1, hardly a third
_IN_CHAPTER = re.compile(r"(?P<chapter>\w+-|[A-Z]+)(?P<number>\d+)")


@dataclass(frozen=True, slots=True, order=True)
class _Offset:
    """Printed number minus position, in one numbering; `chapter` is what stands before it: "2-3", "M4"."""

    chapter: str
    is_roman: bool
    value: int

    def label(self, index: int) -> str:
        number = index + self.value
        return self.chapter + (to_roman(number) if self.is_roman else str(number))


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The pages from `first` to `last`, on which an offset holds; `votes` of them show their number."""

    offset: _Offset
    first: int
    last: int
    votes: int


def printed_labels(
    page_numbers: Sequence[Sequence[str]],
    file_labels: Sequence[str | None],
    first_printed: int | None = None,
    on_page: int | None = None,
) -> list[str | None]:
    """The printed label of every page, None where the evidence does not tell. No label stands twice.

    `page_numbers` are the numbers in the head and foot of each page, the likeliest first, `file_labels` the
    labels stored in the file. A declaration (`first_printed` stands on the page at index `on_page`) wins.
    Else the page numbers: an offset holds between two captured numbers where at least 85 % of the pages with
    numbers agree; there may be several. Labels of the file win where a page does not show its number, unless
    page numbers contradict them.
    """
    captured = _from_page_numbers(page_numbers)
    labels = _merged(captured, file_labels, page_numbers)
    if first_printed is not None and on_page is not None:
        labels = _declared(labels, first_printed, on_page)
    return labels


def are_unread(page_numbers: Sequence[Sequence[str]], labels: Sequence[str | None]) -> bool:
    """Whether pages show numbers and yet no label could be told."""
    showing = sum(bool(candidates) for candidates in page_numbers)
    return not any(labels) and showing > len(page_numbers) / 2


def _from_page_numbers(page_numbers: Sequence[Sequence[str]]) -> list[str | None]:
    labels: list[str | None] = [None] * len(page_numbers)
    for stretch in _uncontradicted(_stretches(page_numbers)):
        taken = set(labels)
        for index in range(stretch.first, stretch.last + 1):
            label = stretch.offset.label(index)
            labels[index] = label if label not in taken else None
    return labels


def _stretches(page_numbers: Sequence[Sequence[str]]) -> list[_Stretch]:
    """Where which offset holds, without overlap; the surest first."""
    printed = [frozenset(candidates) for candidates in page_numbers]
    votes = [_votes(index, candidates) for index, candidates in enumerate(printed)]
    likeliest = [_votes(index, candidates[:1]) for index, candidates in enumerate(page_numbers)]
    by_chapter = _counts_by_chapter(page_numbers)
    common = Counter(offset for offsets in [*votes, *likeliest] for offset in offsets)
    stretches: list[_Stretch] = []
    for offset, _ in sorted(common.items(), key=lambda item: (-item[1], item[0])):
        for run in _runs(votes, offset):
            first, last = run[0], run[-1]
            is_certain = by_chapter and offset.chapter and offset in likeliest[first]
            enough = 1 if is_certain else _fewest_votes(offset, run, printed)
            if len(run) >= enough and all(one.last < first or last < one.first for one in stretches):
                stretches.append(_Stretch(offset, first, last, len(run)))
    return stretches


def _votes(index: int, candidates: Iterable[str]) -> frozenset[_Offset]:
    offsets = set()
    for candidate in candidates:
        if candidate.isdecimal():
            offsets.add(_Offset("", False, int(candidate) - index))
        elif number := from_roman(candidate):
            offsets.add(_Offset("", True, number - index))
        elif match := _IN_CHAPTER.fullmatch(candidate):
            offsets.add(_Offset(match["chapter"], False, int(match["number"]) - index))
    return frozenset(offsets)


def _counts_by_chapter(page_numbers: Sequence[Sequence[str]]) -> bool:
    """Whether the likeliest numbers of following pages count within chapters: "2-8", "2-9", "3-1"."""
    found = [_IN_CHAPTER.fullmatch(candidates[0]) if candidates else None for candidates in page_numbers]
    steps = 0
    for before, after in pairwise(found):
        if before and after:
            is_same = before["chapter"] == after["chapter"]
            steps += int(after["number"]) == (int(before["number"]) + 1 if is_same else 1)
    return steps >= _FEWEST_VOTES


def _fewest_votes(offset: _Offset, run: Sequence[int], printed: Sequence[frozenset[str]]) -> int:
    """How many pages must carry the numbers that an offset foretells: fewer where chance is unlikely."""
    is_small_roman = offset.is_roman and all(offset.label(index) in printed[index] for index in run)
    is_short_file = len(printed) < _FEWEST_VOTES
    return _FEWEST_AT_ALL if is_small_roman or is_short_file else _FEWEST_VOTES


def _uncontradicted(stretches: Sequence[_Stretch]) -> list[_Stretch]:
    """The stretches without those that number tables or the like, not pages.

    They stand between two that have one offset, or count anew time and again.
    """
    return [
        stretch
        for stretch in stretches
        if not (_is_contradicted(stretch, stretches) or _counts_anew(stretch, stretches))
    ]


def _counts_anew(stretch: _Stretch, stretches: Sequence[_Stretch]) -> bool:
    """Whether others have labels of this stretch, so many that none of them tells a page."""
    own = _labels(stretch)
    return sum(not own.isdisjoint(_labels(other)) for other in stretches if other is not stretch) >= _ANEW


def _labels(stretch: _Stretch) -> frozenset[str]:
    return frozenset(map(stretch.offset.label, range(stretch.first, stretch.last + 1)))


def _is_contradicted(stretch: _Stretch, stretches: Sequence[_Stretch]) -> bool:
    before = Counter[_Offset]()
    after = Counter[_Offset]()
    for other in stretches:
        if other.offset != stretch.offset:
            (before if other.last < stretch.first else after)[other.offset] += other.votes
    return any(before[offset] + after[offset] > stretch.votes for offset in before.keys() & after.keys())


def _runs(votes: Sequence[frozenset[_Offset]], offset: _Offset) -> list[list[int]]:
    """The pages of each stretch on which `offset` is agreed on."""
    runs: list[list[int]] = []
    against = 0
    for index, offsets in enumerate(votes):
        if offset in offsets:
            if not runs or against >= _BREAK:
                runs.append([])
            runs[-1].append(index)
            against = 0
        elif offsets:
            against += 1
    return [run for run in runs if _is_agreed(votes, run)]


def _is_agreed(votes: Sequence[frozenset[_Offset]], run: Sequence[int]) -> bool:
    candidates = sum(bool(offsets) for offsets in votes[run[0] : run[-1] + 1])
    return len(run) >= AGREEMENT * candidates


def _merged(
    captured: Sequence[str | None],
    file_labels: Sequence[str | None],
    page_numbers: Sequence[Sequence[str]],
) -> list[str | None]:
    """Captured page numbers with the file's labels, unless those are contradicted or used twice.

    Where both are told and differ, the number that the page itself shows is right.
    """
    both = [(own, given) for own, given in zip(captured, file_labels, strict=True) if own and given]
    agreeing = sum(own == given for own, given in both)
    if agreeing < AGREEMENT * len(both):
        return [*captured]
    uses = Counter(file_labels)
    taken = set(captured)
    return [
        own if own in shown or given is None or given in taken or uses[given] > 1 else given
        for own, given, shown in zip(captured, file_labels, page_numbers, strict=True)
    ]


def _declared(labels: Sequence[str | None], first_printed: int, start: int) -> list[str | None]:
    declared = [str(first_printed + index - start) for index in range(start, len(labels))]
    before = [label if label not in set(declared) else None for label in labels[:start]]
    return [*before, *declared]
