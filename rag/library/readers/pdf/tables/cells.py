"""The cells of a row: which columns each covers, and whether it goes on below."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rag.library.readers.pdf.tables.levels import CLOSE, Level, Run
from rag.library.readers.pdf.tables.regions import SAME_RULE, Region
from rag.library.readers.pdf.tables.rulings import Band

_HALF = 0.5
_WHITE = 0xFFFFFF

Span = tuple[int, int]
"""The first and the last column that a cell covers."""


@dataclass(slots=True)
class CellRow:
    """A row: its levels, the columns that each cell covers, the colour behind it.

    `texts` are the words of the cell that begins in each column, "" where none does.

    `joins_above` tells for each column whether its cell is the one of the row above.
    """

    levels: list[Level]
    spans: list[Span] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    joins_above: list[bool] = field(default_factory=list)
    colour: int | None = None

    @property
    def middle(self) -> float:
        return (self.levels[0].middle + self.levels[-1].middle) / 2

    @property
    def size(self) -> float:
        """The font's, in points."""
        return self.levels[0].size

    @property
    def is_bold(self) -> bool:
        return all(level.is_bold for level in self.levels)

    @property
    def is_whole(self) -> bool:
        """Whether one cell goes over all columns."""
        return len(self.spans) == 1 and len(self.joins_above) > 1

    @property
    def is_title(self) -> bool:
        """Whether the row names the rows below it."""
        return (self.is_bold or self.is_whole) and bool(self.texts[0]) and not any(self.texts[1:])

    def reading(self, headings: Sequence[str], above: Sequence[str] = ()) -> str:
        """The row with each cell under its column's heading: "Level: 3; Open Locks: 35"."""
        named = zip(headings, self.complete(above), strict=True)
        return "; ".join(f"{heading}: {cell}" if heading else cell for heading, cell in named if cell)

    def complete(self, above: Sequence[str]) -> list[str]:
        """The cells, with those that go on from the row above."""
        joined = zip(self.texts, above or self.texts, self.joins_above, strict=True)
        return [cell or (over if joins else "") for cell, over, joins in joined]

    def runs(self, span: Span, columns: Sequence[float]) -> Iterator[Run]:
        """The runs of one of its cells, from top to bottom."""
        parts = [columns[first - 1] for first, _ in self.spans[1:]]
        place = self.spans.index(span)
        for level in self.levels:
            for run in level.cut(parts).runs:
                if bisect_right(parts, run.middle) == place:
                    yield run

    def own_runs(self, level: Level, columns: Sequence[float]) -> list[Run]:
        """The runs of a level without those of cells that hang down from the row above."""
        runs = level.cut(columns).runs
        return [run for run in runs if not self.joins_above[bisect_right(columns, run.middle)]]


def spans_of(row: CellRow, region: Region, columns: Sequence[float]) -> Iterator[Span]:
    """The columns of each cell of a row."""
    first = 0
    for column, x in enumerate(columns):
        if not _is_merged(row, region, x):
            yield first, column
            first = column + 1
    yield first, len(columns)


def _is_merged(row: CellRow, region: Region, x: float) -> bool:
    """Whether no rule and no gap parts a row at `x`."""
    rules = [rule for rule in region.inner if abs(rule.at - x) <= SAME_RULE]
    if any(rule.start <= row.middle <= rule.end for rule in rules):
        return False
    if sum(rule.end - rule.start for rule in rules) > _HALF * (region.bottom - region.top):
        return True
    return any(_covers(run, x, level.size) for level in row.levels for run in level.runs)


def _covers(run: Run, x: float, size: float) -> bool:
    """Whether a run goes over a place, without a gap there that is wider than a space."""
    if any(word.x0 < x < word.x1 for word in run.words):
        return True
    return any(
        before.x1 <= x <= after.x0 and after.x0 - before.x1 < CLOSE * size
        for before, after in pairwise(run.words)
    )


def open_columns(above: CellRow, row: CellRow, region: Region, columns: Sequence[float]) -> list[bool]:
    """For each column whether its cell goes on from one row to the next, where others are parted."""
    between = [rule for rule in region.horizontal if above.levels[0].middle < rule.at < row.levels[-1].middle]
    edges = [region.x0, *columns, region.x1]
    middles = [(left + right) / 2 for left, right in pairwise(edges)]
    are_parted = bool(region.inner and between)
    return [are_parted and not any(rule.start <= x <= rule.end for rule in between) for x in middles]


def colour_behind(
    row: CellRow, region: Region, columns: Sequence[float], bands: Sequence[Band]
) -> int | None:
    """The colour of the smallest band behind the first cell of a row; None for white and none."""
    own = (run for level in row.levels for run in row.own_runs(level, columns))
    first = next(own, row.levels[0].runs[0])
    behind = [one for one in bands if one.top <= row.middle <= one.bottom and one.x0 < first.middle < one.x1]
    smallest = min(behind, key=lambda band: (band.bottom - band.top) * (band.x1 - band.x0), default=None)
    return smallest.colour if smallest and smallest.colour != _WHITE else None
