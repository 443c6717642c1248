"""Printed page labels by evidence: a wrong label is worse than none. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rag.library.language.numerals import from_roman, to_roman
from rag.library.readers.pdf.numbering.margin_numbers import MarginNumbers

AGREEMENT = 0.85
"""Share of the pages with a candidate that must carry the number an offset foretells."""

_FEWEST_VOTES = 3
_FEWEST_AT_ALL = 2  # of small roman numerals, which little else looks like, or in a file of two pages
_BREAK = 3  # so many pages in a row with other numbers end a run
_ANEW = 2  # other stretches with the same labels: a second volume may begin at 1, hardly a third
_IN_CHAPTER = re.compile(r"(?P<chapter>\w+-|[A-Z]+[.:]?)(?P<number>\d+)")


Numeral = Literal["arabic", "roman", "ROMAN"]


@dataclass(frozen=True, slots=True, order=True)
class _Offset:
    """Printed number minus position, in one numbering; `chapter` is what stands before it: "2-3", "A.3"."""

    chapter: str
    numeral: Numeral
    value: int

    def label(self, index: int) -> str:
        number = index + self.value
        if self.numeral == "arabic":
            return self.chapter + str(number)
        return to_roman(number).upper() if self.numeral == "ROMAN" else to_roman(number)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The pages from `first` to `last`, on which an offset holds; `votes` of them show their number.

    `strength` is how sure that is, against other offsets on these pages.
    """

    offset: _Offset
    first: int
    last: int
    votes: int
    strength: int

    def overlaps(self, other: "_Stretch") -> bool:
        """Whether both speak of a page."""
        return self.first <= other.last and other.first <= self.last


def printed_labels(
    margin_numbers: Sequence[MarginNumbers],
    file_labels: Sequence[str | None],
    first_printed: int | None = None,
    on_page: int | None = None,
) -> list[str | None]:
    """The printed label of every page, None where the evidence does not tell. No label stands twice.

    `margin_numbers` are those in the margins of each page, `file_labels` the labels stored in the file. A
    declaration (`first_printed` stands on the page at index `on_page`) wins. Else the numbers in the margins:
    an offset holds between two captured numbers where at least 85 % of the pages with numbers agree; there
    may be several, but of two as sure as each other neither holds. Labels of the file win where a page does
    not show its number, unless those in the margins contradict them.
    """
    captured = _from_margin_numbers(margin_numbers)
    labels = _merged(captured, file_labels, margin_numbers)
    if first_printed is None or on_page is None:
        return labels
    declared = [str(first_printed + step) for step in range(len(labels) - on_page)]
    return [*(label if label not in declared else None for label in labels[:on_page]), *declared]


def are_unread(margin_numbers: Sequence[MarginNumbers], labels: Sequence[str | None]) -> bool:
    """Whether pages show numbers and yet no label could be told."""
    showing = sum(bool(found.all) for found in margin_numbers)
    return not any(labels) and showing > len(margin_numbers) / 2


def _from_margin_numbers(margin_numbers: Sequence[MarginNumbers]) -> list[str | None]:
    labels: list[str | None] = [None] * len(margin_numbers)
    for stretch in _uncontradicted(_stretches(margin_numbers)):
        taken = {label.lower() for label in labels if label}
        for index in range(stretch.first, stretch.last + 1):
            label = stretch.offset.label(index)
            labels[index] = label if label.lower() not in taken else None
    return labels


def _stretches(margin_numbers: Sequence[MarginNumbers]) -> list[_Stretch]:
    """Where which offset holds, without overlap; the surest first. Of two as sure as each other neither."""
    stretches: list[_Stretch] = []
    equals: list[_Stretch] = []
    waiting = sorted(_possible(margin_numbers), key=lambda one: (-one.strength, one.offset))
    for stretch in waiting:
        rivals = [one for one in waiting if one.strength == stretch.strength and one.overlaps(stretch)]
        if not any(map(stretch.overlaps, [*stretches, *equals])):
            (equals if len(rivals) > 1 else stretches).extend(rivals)
    return stretches


def _possible(margin_numbers: Sequence[MarginNumbers]) -> list[_Stretch]:
    """All stretches that enough pages speak for; the likeliest number of a page speaks twice."""
    votes = [_votes(index, found.all) for index, found in enumerate(margin_numbers)]
    likeliest = [_votes(index, found.likeliest) for index, found in enumerate(margin_numbers)]
    possible: list[_Stretch] = []
    for offset in set[_Offset]().union(*votes):
        for run in _runs(votes, offset):
            # Fewer must carry the numbers that are foretold where chance is unlikely.
            is_unlikely = offset.numeral == "roman" or len(margin_numbers) < _FEWEST_VOTES
            if len(run) >= (_FEWEST_AT_ALL if is_unlikely else _FEWEST_VOTES):
                strength = len(run) + sum(offset in likeliest[index] for index in run)
                possible.append(_Stretch(offset, run[0], run[-1], len(run), strength))
    return possible


def _votes(index: int, candidates: Iterable[str]) -> frozenset[_Offset]:
    offsets = set()
    for candidate in candidates:
        if candidate.isdecimal():
            offsets.add(_Offset("", "arabic", int(candidate) - index))
        elif number := from_roman(candidate):
            offsets.add(_Offset("", "ROMAN" if candidate.isupper() else "roman", number - index))
        elif match := _IN_CHAPTER.fullmatch(candidate):
            offsets.add(_Offset(match["chapter"], "arabic", int(match["number"]) - index))
    return frozenset(offsets)


def _uncontradicted(found: Sequence[_Stretch]) -> list[_Stretch]:
    """The stretches without those that number tables or the like, not pages.

    They stand between two that have one offset, or count anew time and again.
    """
    return [one for one in found if not (_is_contradicted(one, found) or _counts_anew(one, found))]


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
    return [run for run in runs if len(run) >= AGREEMENT * sum(map(bool, votes[run[0] : run[-1] + 1]))]


def _merged(
    captured: Sequence[str | None], file_labels: Sequence[str | None], margin_numbers: Sequence[MarginNumbers]
) -> list[str | None]:
    """Captured page numbers with the file's labels, unless those are contradicted or used twice.

    Where both are told and differ, the number that the page itself shows is right.
    """
    both = [(own, given) for own, given in zip(captured, file_labels, strict=True) if own and given]
    agreeing = sum(own == given for own, given in both)
    if agreeing < AGREEMENT * len(both) or (not both and _are_denied(file_labels, margin_numbers)):
        return [*captured]
    uses = Counter(file_labels)
    taken = set(captured)
    return [
        own if own in shown.all or given is None or given in taken or uses[given] > 1 else given
        for own, given, shown in zip(captured, file_labels, margin_numbers, strict=True)
    ]


def _are_denied(file_labels: Sequence[str | None], margin_numbers: Sequence[MarginNumbers]) -> bool:
    """Whether pages show numbers of their own, too few to count on, and never the one the file gives."""
    pages = zip(file_labels, margin_numbers, strict=True)
    showing = [given in found.alone for given, found in pages if given and found.alone]
    return len(showing) >= _FEWEST_AT_ALL and not any(showing)
