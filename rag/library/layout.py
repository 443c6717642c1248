"""Reading order: lines and tables in drawing order → blocks as a reader meets them. Pure geometry."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.library.lines import Line
from rag.library.tables import Table

_LEADING = 2.2  # in font sizes: lines further apart are not one block
_SIDE_BY_SIDE = 4.0  # points that boxes of neighbouring columns may overlap

Order = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Block:
    """Lines below one another that were drawn one after the other; or a table, with its caption."""

    lines: list[Line]
    table: Table | None = None
    caption: Line | None = None

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom in points."""
        return (
            min(line.x0 for line in self.lines),
            min(line.top for line in self.lines),
            max(line.x1 for line in self.lines),
            max(line.baseline for line in self.lines),
        )


def reading_order(lines: Sequence[Line], tables: Sequence[Table]) -> list[Block]:
    """Blocks of `lines` in the order of reading; the lines of `tables` stay together.

    Within a block the drawing order is trusted, between blocks geometry decides: a block comes before
    another that it stands above, and before all to the right of it unless something as wide as both
    stands between them (T. M. Breuel, High Performance Document Layout Analysis, 2003).
    """
    blocks = _blocks(lines, tables)
    return [blocks[index] for index in _sorted(_before(blocks))]


def _blocks(lines: Sequence[Line], tables: Sequence[Table]) -> list[Block]:
    """Tables, and runs of lines between them, in drawing order; a table where its first line was drawn."""
    owner = {id(line): table for table in tables for line in table.lines}
    blocks: list[Block] = []
    for line in lines:
        table = owner.get(id(line))
        if table:
            if line is table.lines[0]:
                caption = _pop_caption(blocks, table)
                blocks.append(Block([*([caption] if caption else []), *table.lines], table, caption))
        elif blocks and not blocks[-1].table and _follows(blocks[-1].lines[-1], line):
            blocks[-1].lines.append(line)
        else:
            blocks.append(Block([line]))
    return blocks


def _pop_caption(blocks: list[Block], table: Table) -> Line | None:
    """The line drawn just before a table if it stands alone right above it; taken off its block."""
    if not blocks or blocks[-1].table:
        return None
    lines = blocks[-1].lines
    left, top, right, _ = Block(table.lines).box
    last = lines[-1]
    is_within = left - last.size < last.x0 and last.x1 < right
    is_over = is_within and 0 < top - last.baseline < _LEADING * last.size
    is_alone = len(lines) == 1 or last.bold != lines[-2].bold or last.size != lines[-2].size
    if not (is_over and is_alone) or last.text.endswith((".", ",")):
        return None
    lines.pop()
    if not lines:
        blocks.pop()
    return last


def _follows(before: Line, line: Line) -> bool:
    step = line.baseline - before.baseline
    overlaps = min(before.x1, line.x1) - max(before.x0, line.x0) > 0
    return overlaps and 0 < step < _LEADING * max(before.size, line.size)


def _before(blocks: Sequence[Block]) -> Order:
    """`order[a, b]`: block a is read before block b."""
    left, top, right, bottom = np.array([block.box for block in blocks]).reshape(-1, 4).T
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
