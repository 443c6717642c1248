"""Reading order: lines and tables in drawing order → blocks as a reader meets them. Pure geometry."""

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from rag.library.readers.pdf.lines import PrintedCell, PrintedLine, parted
from rag.library.readers.pdf.tables.columns import runs_on
from rag.library.readers.pdf.tables.table import Table
from rag.library.readers.runs import in_runs
from rag.rules import rule

NUMBERED = re.compile(r"^[^\W\d_]+\.?\s(?:\d+|[IVXLC]+|[A-Z])(?:[.-]\d+)*\s*[:.–—-]\s*(?=\w)")
"""How the caption of a numbered table begins: "Table 4:", "Tabela 2-1.", "Tafel IV –"."""

_LEADING = 2.2  # in font sizes: lines further apart are not one block
_TOUCH = 0.2  # in font sizes: what the letters of a row take less than its height
_SIDE_BY_SIDE = 4.0  # points that boxes of neighbouring columns may overlap
OTHER_SIZE = 0.06
_FEWEST_LINES = 4  # of columns that were drawn across
_MOSTLY = 0.6  # of the lines of a column

_FEWEST_IN_COLUMN = 3  # lines of blocks that make columns of a page
_FEWEST_IN_SIDEBAR = 2

Boxes = npt.NDArray[np.float64]
Order = npt.NDArray[np.bool_]


@dataclass(slots=True)
class LayoutBlock:
    """Lines below one another that were drawn one after the other; or a table, with its caption.

    `caption` stands right above the table.
    """

    lines: list[PrintedLine]
    table: Table | None = None
    caption: PrintedLine | None = None

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom in points."""
        return (
            min(line.x0 for line in self.lines),
            min(line.top for line in self.lines),
            max(line.x1 for line in self.lines),
            max(line.baseline for line in self.lines),
        )


@rule(without=lambda lines: lines)
def part_columns(lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Lines that were drawn across columns of prose, parted and put column after column.

    So are those above and below that leave the same gaps free, where one of the columns goes on as prose.
    """
    ordered, prose, waiting = list[PrintedLine](), list[PrintedLine](), list[PrintedLine]()
    gaps: list[float] = []
    for run in [*in_runs(lines, lambda above, line: _is_below(above[-1], line)), []]:
        if run and not _are_prose(run):
            waiting += run
            continue
        below = _going_on(waiting, gaps)
        ordered += _by_columns([*prose, *below], gaps)
        waiting = waiting[len(below) :]
        gaps = _gaps(run)
        above = _going_on(waiting[::-1], gaps)[::-1]
        ordered += waiting[: len(waiting) - len(above)]
        prose, waiting = [*above, *run], []
    return ordered


def _gaps(run: Sequence[PrintedLine]) -> list[float]:
    """Where the columns of a run of lines part."""
    columns = list(zip(*(line.cells for line in run), strict=True))
    return [
        (max(cell.x1 for cell in left) + min(cell.x0 for cell in right)) / 2
        for left, right in pairwise(columns)
    ]


def _going_on(lines: Sequence[PrintedLine], gaps: Sequence[float]) -> list[PrintedLine]:
    """The lines next to columns of prose that leave the gaps free, where one column is prose there too."""
    free = list(takewhile(lambda line: not any(c.x0 < x < c.x1 for c in line.cells for x in gaps), lines))
    parts: list[list[PrintedCell]] = [[] for _ in range(len(gaps) + 1)]
    for line in _by_columns(free, gaps):
        parts[bisect_right(gaps, line.x0)] += line.cells
    are_prose = (len(part) >= _FEWEST_LINES and runs_on(part) for part in parts)
    return free if gaps and all(parts) and any(are_prose) else []


def _by_columns(lines: Sequence[PrintedLine], gaps: Sequence[float]) -> list[PrintedLine]:
    """The lines, parted where columns do, column after column."""
    parts = [part for line in lines for part in parted(line, lambda word: bisect_right(gaps, word.x0))]
    return [line for _, line in sorted(parts, key=itemgetter(0))]


@rule(without=lambda lines: lines)
def by_rows(lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Lines, those of a table that was drawn column after column put row after row.

    Its columns have cells at the same heights; they are no prose, and one of them holds numbers.
    """
    columns = in_runs(
        lines, lambda above, line: len(above[-1].cells) == len(line.cells) == 1 and _follows(above[-1], line)
    )
    ordered: list[PrintedLine] = []
    for group in in_runs(columns, lambda group, column: bool(_common(group[-1], column))):
        whole = [line for column in group for line in column]
        heights = set[int]().union(*(_common(*pair) for pair in pairwise(group)))
        if any(_holds_numbers(column, heights) for column in group):
            whole = sorted(whole, key=lambda line: (round(line.baseline), line.x0))
        ordered += whole
    return ordered


def _common(left: Sequence[PrintedLine], right: Sequence[PrintedLine]) -> set[int]:
    """The heights that two columns of a table share; none where they are no columns of one."""
    heights = {round(line.baseline) for line in left} & {round(line.baseline) for line in right}
    sides = [[line.cells[0] for line in side if round(line.baseline) in heights] for side in (left, right)]
    return heights if len(heights) >= _FEWEST_LINES and not any(map(runs_on, sides)) else set()


def _holds_numbers(column: Sequence[PrintedLine], heights: Collection[int]) -> bool:
    """Whether most of what a column has at some heights begins with a number."""
    cells = [line.text[:1].isdigit() for line in column if round(line.baseline) in heights]
    return sum(cells) > _MOSTLY * len(cells)


def _is_below(above: PrintedLine, line: PrintedLine) -> bool:
    if len(line.cells) != len(above.cells) or not _follows(above, line):
        return False
    pairs = zip(above.cells, line.cells, strict=True)
    return all(abs(one.x0 - other.x0) < _SIDE_BY_SIDE for one, other in pairs)


def _are_prose(run: Sequence[PrintedLine]) -> bool:
    """Whether cells below one another are lines of prose: several words each, most as wide as the column."""
    are_columns = len(run) >= _FEWEST_LINES and len(run[0].cells) > 1
    return are_columns and all(runs_on(column) for column in zip(*(line.cells for line in run), strict=True))


def reading_order(lines: Sequence[PrintedLine], tables: Sequence[Table]) -> list[LayoutBlock]:
    """Blocks of `lines` in the order of reading; the lines of `tables` stay together.

    Within a block the drawing order is trusted, between blocks geometry decides: a block comes before
    another that it stands above, and before all to the right of it unless something as wide as both
    stands between them (T. M. Breuel, High Performance Document Layout Analysis, 2003).
    """
    blocks = _with_captions(_blocks(lines, tables))
    return [blocks[index] for index in _sorted(_before(blocks))]


def _blocks(lines: Sequence[PrintedLine], tables: Sequence[Table]) -> list[LayoutBlock]:
    """Tables, and runs of lines between them, in drawing order; a table where its first line was drawn."""
    owner = {id(line): table for table in tables for line in table.lines}
    blocks: list[LayoutBlock] = []
    for line in lines:
        table = owner.get(id(line))
        if table:
            if line is table.lines[0]:
                blocks.append(LayoutBlock(list(table.lines), table))
        elif blocks and not blocks[-1].table and _follows(blocks[-1].lines[-1], line):
            blocks[-1].lines.append(line)
        else:
            blocks.append(LayoutBlock([line]))
    return blocks


def _with_captions(blocks: list[LayoutBlock]) -> list[LayoutBlock]:
    """The blocks, each table with the line right above it taken off its own block."""
    for block in [block for block in blocks if block.table]:
        for other in [other for other in blocks if not other.table]:
            if not block.caption and _is_caption(other, block):
                block.caption = other.lines.pop()
                block.lines.insert(0, block.caption)
        blocks = [one for one in blocks if one.lines]
    return blocks


def _is_caption(block: LayoutBlock, table: LayoutBlock) -> bool:
    """Whether the last line of a block stands alone right above a table."""
    left, top, right, _ = table.box
    last, above = block.lines[-1], block.lines[-2:-1]
    is_within = left - last.size < last.x0 and last.x1 < right + last.size
    is_centred = abs(last.x0 + last.x1 - left - right) < last.size
    # The letters of a caption may touch the top of its table.
    is_near = -_TOUCH < (top - last.baseline) / last.size < _LEADING
    is_alone = not above or last.bold != above[0].bold or last.size != above[0].size
    return (is_within or is_centred) and is_near and is_alone and not last.text.endswith((".", ","))


def _follows(before: PrintedLine, line: PrintedLine) -> bool:
    """Whether a line stands right below another in one column; in another size, only within its width."""
    step = line.baseline - before.baseline
    if not 0 < step < _LEADING * max(before.size, line.size):
        return False
    if abs(before.size - line.size) < OTHER_SIZE * line.size:
        return min(before.x1, line.x1) > max(before.x0, line.x0)
    return _is_within(before, line) or _is_within(line, before)


def _is_within(narrow: PrintedLine, wide: PrintedLine) -> bool:
    return wide.x0 - _SIDE_BY_SIDE < narrow.x0 and narrow.x1 < wide.x1 + _SIDE_BY_SIDE


def _before(blocks: Sequence[LayoutBlock]) -> Order:
    """`order[a, b]`: block a is read before block b."""
    boxes = np.array([block.box for block in blocks]).reshape(-1, 4)
    if not _has_columns(blocks, boxes):
        boxes[:, 0], boxes[:, 2] = boxes[:, 0].min(initial=0), boxes[:, 2].max(initial=0)
    elif _has_title(blocks, boxes):
        boxes[0, 0], boxes[0, 2] = boxes[:, 0].min(), boxes[:, 2].max()
    left, top, right, bottom = boxes.T
    middle, centre = (top + bottom) / 2, (left + right) / 2
    overlap = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
    narrow = np.minimum((right - left)[:, None], right - left)
    in_column = overlap > np.minimum(_SIDE_BY_SIDE, narrow / 2)
    above = middle[:, None] < middle
    is_left = ~in_column & (centre[:, None] < centre)
    over_both = in_column[:, None, :] & in_column[None, :, :]
    low = np.minimum(middle[:, None], middle)[:, :, None]
    high = np.maximum(middle[:, None], middle)[:, :, None]
    separated = (over_both & (low < middle) & (middle < high)).any(axis=2)
    order: Order = (in_column & above) | (is_left & ~separated)
    np.fill_diagonal(order, False)
    return order


def _has_columns(blocks: Sequence[LayoutBlock], boxes: Boxes) -> bool:
    """Whether anywhere on the page a column stands beside another or beside a sidebar."""
    left, top, right, bottom = boxes.T
    lines = np.array([len(block.lines) for block in blocks])
    fewest, most = np.minimum(lines[:, None], lines), np.maximum(lines[:, None], lines)
    are_long = (fewest >= _FEWEST_IN_SIDEBAR) & (most >= _FEWEST_IN_COLUMN)
    beside = (top[:, None] < bottom) & (top < bottom[:, None]) & (right[:, None] < left + _SIDE_BY_SIDE)
    return bool((are_long & beside).any())


def _has_title(blocks: Sequence[LayoutBlock], boxes: Boxes) -> bool:
    """Whether the first block stands above all others in the largest letters, on whichever side."""
    title, others = blocks[0], blocks[1:]
    is_largest = all(title.lines[0].size > line.size for block in others for line in block.lines)
    return bool(is_largest and (boxes[0, 3] < boxes[1:, 1]).all())


def _sorted(before: Order) -> list[int]:
    """Topological order; among the free the first drawn; a circle is broken at the block least bound."""
    waiting = before.sum(axis=0).astype(float)
    result: list[int] = []
    for _ in range(len(before)):
        chosen = int(waiting.argmin())
        result.append(chosen)
        waiting -= before[chosen]
        waiting[chosen] = np.inf
    return result
