"""What a picture of a quotation shows: its lines in their column, with some lines above and below. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from rag.library.page_pictures.words import Box, PrintedWord

LINES_AROUND = 3.0
"""Lines shown above and below a quotation."""
FAR = 12.0
"""Lines between two parts of a quotation that are not shown together."""
_LEADING = 1.2
_MARGIN, _EDGE = 0.7, 0.1
_HANGING = 1.5
_WORD_GAP = 1.5
"""In font sizes: from line to line, white beside and above what is shown, how far a line may rise in a
paragraph, and how far two words are apart at most that are marked as one.
"""
_MOSTLY = 0.5
"""Share of a line that stands above or below another."""
NARROWEST = 200.0
"""Points: what is narrower is shown with what stands beside it."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A part of a page, and what is to be marked where it shows it."""

    shown: Box
    marked: tuple[Box, ...] = ()


def marked_boxes(words: Sequence[PrintedWord], numbers: Sequence[int]) -> list[Box]:
    """What the words of a quotation cover, a box for those that stand side by side."""
    boxes = [words[numbers[0]].box]
    for before, word in pairwise(words[number] for number in numbers):
        is_behind = word.x1 - before.x0 > 0 and word.x0 - before.x1 < _WORD_GAP * word.size
        if is_behind and word.is_on_line_of(before):
            boxes[-1] = boxes[-1].around(word.box)
        else:
            boxes.append(word.box)
    return boxes


def crops(
    boxes: Sequence[Box],
    cells: Sequence[Box],
    sheet: Box,
    header: Sequence[Box] = (),
    *,
    is_row: bool = False,
) -> list[Crop]:
    """What to show of a page for a quotation: one crop a column, a table's row with its header in one.

    `boxes` are the quotation's, in the order of reading, `cells` all cells of lines on the page.
    """
    parts = [list(boxes)] if is_row else _columns(boxes)
    return [Crop(_shown(part, cells, sheet, header), tuple(boxes)) for part in parts]


def _columns(boxes: Sequence[Box]) -> list[list[Box]]:
    """The boxes of each column, or of each side of something large that stands between them."""
    parts = [[boxes[0]]]
    for before, box in pairwise(boxes):
        rises = box.bottom < before.top - _HANGING * before.height
        is_far = box.top - before.bottom > FAR * _LEADING * before.height
        if rises or is_far:
            parts.append([])
        parts[-1].append(box)
    return parts


def _shown(boxes: Sequence[Box], cells: Sequence[Box], sheet: Box, header: Sequence[Box]) -> Box:
    """What is shown of a page for a part of a quotation: from its header on, with whole lines around it."""
    line = _LEADING * min(box.height for box in boxes)
    quoted = _union(boxes)
    near = _union([*_lines_in(quoted.widened(0, LINES_AROUND * line), quoted, cells), quoted, *header])
    shown = _union([near, *_lines_in(near, near, cells)])
    across = max(_MARGIN * line, (NARROWEST - shown.width) / 2)
    return Box(shown.left, near.top, shown.right, near.bottom).widened(across, _EDGE * line).within(sheet)


def _lines_in(reach: Box, column: Box, cells: Sequence[Box]) -> list[Box]:
    """The lines within reach that stand above, below or in a column, not merely beside it."""
    return [
        cell
        for cell in cells
        if reach.top < cell.middle < reach.bottom
        and min(cell.right, column.right) - max(cell.left, column.left)
        > _MOSTLY * min(cell.width, column.width)
    ]


def _union(boxes: Sequence[Box]) -> Box:
    return reduce(Box.around, boxes)
