"""What stands at one height on a page, in runs of close words."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, Word, cells_of
from rag.library.readers.runs import in_runs

SAME_LEVEL = 3.0  # points between baselines
CLOSE = 0.38  # font sizes: a gap no wider is a space for sure
_SPACE = 0.6  # font sizes: a gap that is wider parts cells
_MIDDLE = 0.3  # of the font size above the baseline: half the height of small letters
_INSIDE = 2.0  # points that a word may stand out of its column
_MOSTLY = 0.7  # of the columns have something on a line of cells

Run = PrintedCell
"""Words of a line that stand close."""


@dataclass(slots=True)
class Level:
    """What stands at one height, from left to right."""

    baseline: float
    size: float
    runs: list[Run]

    @property
    def middle(self) -> float:
        return self.baseline - _MIDDLE * self.size

    @property
    def words(self) -> list[Word]:
        return [word for run in self.runs for word in run.words]

    @property
    def is_bold(self) -> bool:
        return all(word.bold for word in self.words)

    @property
    def numbers(self) -> int:
        """How many runs hold a digit."""
        return sum(any(map(str.isdigit, run.text)) for run in self.runs)

    def filled(self, columns: Sequence[float]) -> set[int]:
        """The columns that something stands in, given the places where they part."""
        return {bisect_right(columns, run.middle) for run in self.cut(columns).runs}

    def crosses(self, columns: Sequence[float]) -> bool:
        """Whether a run goes over a place where columns part."""
        return any(run.x0 < x < run.x1 for run in self.runs for x in columns)

    def cut(self, columns: Sequence[float]) -> "Level":
        """The level with its runs cut where columns part, between words."""
        parts = [
            Run(list(part))
            for run in self.runs
            for _, part in groupby(run.words, key=lambda word: bisect_right(columns, (word.x0 + word.x1) / 2))
        ]
        return Level(self.baseline, self.size, parts)

    def is_cut_by(self, columns: Sequence[float]) -> bool:
        """Whether close words stand in most columns, none of them in two."""
        filled = {bisect_right(columns, (word.x0 + word.x1) / 2) for word in self.words}
        is_whole = not any(
            word.x0 < x - _INSIDE and x + _INSIDE < word.x1 for word in self.words for x in columns
        )
        return is_whole and len(self.runs) > 1 and len(filled) >= max(2, _MOSTLY * (len(columns) + 1))


def levels_of(lines: Iterable[PrintedLine]) -> list[Level]:
    """Lines from top to bottom, those at one height together, in runs of close words."""
    ordered = sorted(lines, key=lambda line: line.baseline)
    levels = in_runs(ordered, lambda level, line: line.baseline - level[0].baseline <= SAME_LEVEL)
    return list(map(_level, levels))


def _level(lines: Sequence[PrintedLine]) -> Level:
    size = median(line.size for line in lines)
    words = sorted((word for line in lines for word in line.words), key=lambda word: word.x0)
    return Level(lines[0].baseline, size, cells_of(words, _SPACE * size))


def finer(level: Level, columns: int) -> Level:
    """A level with its runs cut at narrower gaps, where that makes one for each column."""
    cut = finest(level)
    return cut if len(cut.runs) == columns else level


def finest(level: Level) -> Level:
    """A level with its runs cut at all gaps that are wider than a space."""
    runs = [part for run in level.runs for part in cells_of(run.words, CLOSE * level.size)]
    return Level(level.baseline, level.size, runs)


def bands_between(levels: Sequence[Level], heights: Sequence[float]) -> list[list[Level]]:
    """The levels between two heights each; where there are none, nothing."""
    bands: dict[int, list[Level]] = {}
    for level in levels:
        bands.setdefault(bisect_right(heights, level.middle), []).append(level)
    return [bands[place] for place in sorted(bands)]


def middle_of(line: PrintedLine) -> float:
    """The height of the middle of a line's letters."""
    return line.baseline - _MIDDLE * line.size
