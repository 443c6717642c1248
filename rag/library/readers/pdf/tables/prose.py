"""Lines of prose, told from rows of a table."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from rag.library.readers.pdf.tables.levels import Level, Run

_RUN_ON = 0.25  # of the lines may go over columns
_FEWEST_LINES = 3  # of a column of prose
_WORDS = 3.5  # of a line of prose, on average
_FULL = 0.55  # of the column's width: a line of prose, at least
_HALF = 0.5
_FEWEST_WORDS = 4  # whose gaps tell running text from cells
_EVEN = 1.5  # times the narrowest gap: the spaces of a justified line
_AFTER_SENTENCE = 2.2  # times the narrowest gap: the space after a full stop or colon
_STRETCHED = 2.0  # font sizes: a space of justified text is no wider


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
    return all(_runs_on(part) for part in parts)


def _runs_on(part: Sequence[Run]) -> bool:
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
