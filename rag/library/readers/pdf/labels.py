"""Printed page labels by evidence: a wrong label is worse than none. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.library.language.numerals import from_roman, to_roman

AGREEMENT = 0.85
"""Share of the pages with a candidate that must carry the number an offset foretells."""

_FEWEST_VOTES = 3
_FEWEST_AT_ALL = 2  # of small roman numerals, which little else looks like, or in a file of two pages
_BREAK = 3  # so many pages in a row with other numbers end a run


@dataclass(frozen=True, slots=True, order=True)
class _Offset:
    """Printed number minus position, in one numbering."""

    is_roman: bool
    value: int

    def label(self, index: int) -> str:
        number = index + self.value
        return to_roman(number) if self.is_roman else str(number)


def printed_labels(
    page_numbers: Sequence[Sequence[str]],
    file_labels: Sequence[str | None],
    first_printed: int | None = None,
    on_pdf_page: int | None = None,
) -> list[str | None]:
    """The printed label of every page, None where the evidence does not tell.

    `page_numbers` are the numbers in the head and foot of each page, the likeliest first, `file_labels` the
    labels stored in the file. A declaration (`first_printed` stands on the 1-based `on_pdf_page`) wins.
    Else the page numbers: an offset holds between two captured numbers where at least 85 % of the pages with
    numbers agree; there may be several. Labels of the file fill the rest unless page numbers contradict them.
    """
    captured = _from_page_numbers(page_numbers)
    labels = _merged(captured, file_labels)
    if first_printed is not None and on_pdf_page is not None:
        labels = _declared(labels, first_printed, on_pdf_page)
    return labels


def _from_page_numbers(page_numbers: Sequence[Sequence[str]]) -> list[str | None]:
    printed = [frozenset(candidates) for candidates in page_numbers]
    votes = [_votes(index, candidates) for index, candidates in enumerate(printed)]
    labels: list[str | None] = [None] * len(votes)
    likeliest = [_votes(index, candidates[:1]) for index, candidates in enumerate(page_numbers)]
    common = Counter(offset for offsets in [*votes, *likeliest] for offset in offsets)
    for offset, _ in sorted(common.items(), key=lambda item: (-item[1], item[0])):
        runs = [run for run in _runs(votes, offset) if len(run) >= _fewest_votes(offset, run, printed)]
        for first, last in ((run[0], run[-1]) for run in runs):
            if all(label is None for label in labels[first : last + 1]):
                labels[first : last + 1] = [offset.label(index) for index in range(first, last + 1)]
    return labels


def _votes(index: int, candidates: Iterable[str]) -> frozenset[_Offset]:
    offsets = set()
    for candidate in candidates:
        if candidate.isdecimal():
            offsets.add(_Offset(False, int(candidate) - index))
        elif number := from_roman(candidate):
            offsets.add(_Offset(True, number - index))
    return frozenset(offsets)


def _fewest_votes(offset: _Offset, run: Sequence[int], printed: Sequence[frozenset[str]]) -> int:
    """How many pages must carry the numbers that an offset foretells: fewer where chance is unlikely."""
    is_small_roman = offset.is_roman and all(offset.label(index) in printed[index] for index in run)
    is_short_file = len(printed) < _FEWEST_VOTES
    return _FEWEST_AT_ALL if is_small_roman or is_short_file else _FEWEST_VOTES


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


def _merged(captured: list[str | None], file_labels: Sequence[str | None]) -> list[str | None]:
    """Captured page numbers first; the file's labels elsewhere, unless contradicted or used twice."""
    both = [(own, given) for own, given in zip(captured, file_labels, strict=True) if own and given]
    agreeing = sum(own == given for own, given in both)
    if agreeing < AGREEMENT * len(both):
        return captured
    uses = Counter(file_labels)
    taken = set(captured)
    return [
        own or (given if given not in taken and uses[given] == 1 else None)
        for own, given in zip(captured, file_labels, strict=True)
    ]


def _declared(labels: Sequence[str | None], first_printed: int, on_pdf_page: int) -> list[str | None]:
    start = on_pdf_page - 1
    declared = [str(first_printed + index - start) for index in range(start, len(labels))]
    before = [label if label not in set(declared) else None for label in labels[:start]]
    return [*before, *declared]
