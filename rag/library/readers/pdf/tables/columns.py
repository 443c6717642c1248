"""Where columns part that no rule parts: by the gaps that run through nearly all rows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.library.readers.pdf.tables.levels import CLOSE, Level, finest

_GAP = 0.5  # font sizes between columns, at least
_MANY = 6  # rows that agree on a gap: then it may be as narrow as a space
_CROSSING = 0.1  # of the rows may cross a gap between columns
_TYPICAL = 0.4  # times as often as the commonest number of cells
_HALF = 0.5
_FEWEST_IN_COLUMN = 2  # levels that have something in it
_FEWEST_VOTERS = 3  # rows that tell the columns, without the names of groups of columns above them


def columns_of(levels: Sequence[Level]) -> list[float]:
    """Where columns part: the middles of the gaps that run through nearly all rows of several cells.

    Names over groups of columns leave no gap there: without them more columns may be told.
    """
    counts = Counter(len(level.runs) for level in levels)
    most = max(counts.values(), default=0)
    common = max((count for count, times in counts.items() if times >= _TYPICAL * most), default=0)
    ordered = sorted(levels, key=lambda level: level.baseline)
    voters = [level for level in ordered if len(level.runs) > 1 and len(level.runs) >= _HALF * common]
    columns = _parting(voters, ordered)
    groups = next((place for place, level in enumerate(voters) if len(level.runs) >= common), 0)
    if not groups or len(voters) - groups < _FEWEST_VOTERS:
        return columns
    below = [level for level in ordered if level.baseline >= voters[groups].baseline]
    return max(columns, _parting(voters[groups:], below), key=len)


def _parting(voters: Sequence[Level], levels: Sequence[Level]) -> list[float]:
    """The middles of the gaps through nearly all voters, each where the fewest cells of all levels stand."""
    allowed = int(_CROSSING * len(voters))
    gaps: list[list[_Gap]] = [[]]
    for gap in _gaps(voters):
        if gap.crossings > allowed:
            gaps.append([])
        else:
            gaps[-1].append(gap)
    least = (_GAP if len(voters) < _MANY else CLOSE) * voters[0].size if voters else 0.0
    wide = [run for run in gaps if run and run[-1].end - run[0].start > least]
    clear = [min(run, key=lambda gap: (gap.crossings, gap.start - gap.end)) for run in wide]
    of_all = list(_gaps(levels)) if clear else []
    bounds = [_clearest(gap, of_all) for gap in clear]
    return _filled([gap for gap in bounds if _parts_levels(gap.middle, voters, allowed)], voters)


def _clearest(gap: "_Gap", of_all: "Sequence[_Gap]") -> "_Gap":
    """The part of a gap between columns that the fewest cells stand in, given the gaps of all levels."""
    within = [
        _Gap(max(one.start, gap.start), min(one.end, gap.end), one.crossings)
        for one in of_all
        if one.start < gap.end and gap.start < one.end
    ]
    return min(within, key=lambda one: (one.crossings, one.start - one.end), default=gap)


def _parts_levels(x: float, levels: Sequence[Level], fewest: int) -> bool:
    """Whether more than a few levels have something to the left of a place, and to the right."""
    left = sum(level.runs[0].middle < x for level in levels)
    right = sum(level.runs[-1].middle > x for level in levels)
    return min(left, right) > fewest


def _filled(gaps: Sequence["_Gap"], levels: Sequence[Level]) -> list[float]:
    """The middles of gaps, without the narrower one of two that part off a word of one level alone."""
    bounds = [gap.middle for gap in gaps]
    times = Counter(column for level in levels for column in level.filled(bounds))
    for column, (left, right) in enumerate(pairwise(gaps), start=1):
        if times[column] < min(len(levels), _FEWEST_IN_COLUMN):
            narrower = min(left, right, key=lambda gap: gap.end - gap.start)
            return _filled([gap for gap in gaps if gap is not narrower], levels)
    return bounds


@dataclass(frozen=True, slots=True)
class _Gap:
    """A stretch between two edges of cells, and how many cells cross it."""

    start: float
    end: float
    crossings: int

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


def _gaps(levels: Sequence[Level]) -> Iterator[_Gap]:
    """All stretches between edges of cells, from left to right."""
    runs = [run for level in levels for run in finest(level).runs]
    edges = [edge for run in runs for edge in ((run.x0, 1), (run.x1, -1))]
    crossings = 0
    for (x, step), (after, _) in pairwise(sorted(edges)):
        crossings += step
        if after > x:
            yield _Gap(x, after, crossings)
