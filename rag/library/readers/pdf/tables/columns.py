"""Where columns part that no rule parts, by the gaps through nearly all rows; and prose, told from rows."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.library.readers.pdf.tables.levels import CLOSE, Level, Run, finest

_GAP = 0.5  # font sizes between columns, at least
_MANY = 6  # rows that agree on a gap: then it may be as narrow as a space
_CROSSING = 0.1  # of the rows may cross a gap between columns
_TYPICAL = 0.4  # times as often as the commonest number of cells
_HALF = 0.5
_FEWEST_IN_COLUMN = 2  # levels that have something in it
_FEWEST_VOTERS = 3  # rows that tell the columns, without the names of groups of columns above them
_RUN_ON = 0.25  # of the lines may go over columns
_FEWEST_LINES = 3  # of a column of prose
_WORDS = 4  # of a line of prose, on average
_FULL = 0.55  # of the column's width: a line of prose, at least
_FEWEST_WORDS = 4  # whose gaps tell running text from cells
_EVEN = 1.5  # times the narrowest gap: the spaces of a justified line
_AFTER_SENTENCE = 2.2  # times the narrowest gap: the space after a full stop or colon
_STRETCHED = 2.0  # font sizes: a space of justified text is no wider


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
    if len(voters) - groups < _FEWEST_VOTERS:
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


def is_prose(levels: Sequence[Level], columns: Sequence[float]) -> bool:
    """Whether lines run on in every column, or in one alone."""
    if not columns:
        return len(levels) > 1
    if sum(level.crosses(columns) for level in levels) > max(1, _RUN_ON * len(levels)):
        return True
    parts: list[list[Run]] = [[] for _ in range(len(columns) + 1)]
    for level in levels:
        for run in level.runs:
            parts[bisect_right(columns, run.middle)].append(run)
    return all(map(runs_on, parts))


def runs_on(part: Sequence[Run]) -> bool:
    """Whether what stands below one another are lines of prose: several words each, most nearly full."""
    if len(part) < _FEWEST_LINES:
        return False
    width = max(run.x1 for run in part) - min(run.x0 for run in part)
    words = sum(len(run.words) for run in part)
    full = sum(run.x1 - run.x0 > _FULL * width for run in part)
    return words >= _WORDS * len(part) and full > _HALF * len(part)


def is_justified(level: Level, columns: Sequence[float]) -> bool:
    """Whether the gaps of a line are stretched spaces: even ones, between more words than there are columns.

    A space after a full stop or colon may be twice as wide.
    """
    words = level.words
    if len(level.runs) < 2 or len(words) < max(_FEWEST_WORDS, len(columns) + 2):
        return False
    gaps = [(before.text, after.x0 - before.x1) for before, after in pairwise(words)]
    narrowest = min(gap for _, gap in gaps)
    return all(
        gap < _STRETCHED * level.size
        and gap <= narrowest * (_AFTER_SENTENCE if text.endswith((".", "!", "?", ":")) else _EVEN)
        for text, gap in gaps
    )
