"""What a picture of a quotation shows: its lines in their column, with some lines above and below. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from rag.library.page_pictures.words import Box, PrintedWord

LINES_AROUND = 3.0
"""Lines shown above and below a quotation."""
FAR = 12.0
"""Lines between two parts of a quotation, or between a row and its header, that are not shown together."""
_LEADING = 1.2
_MARGIN = 0.7
_HANGING = 1.5
"""In font sizes: from line to line, white around what is shown, how far a line may rise in a paragraph."""
_MOSTLY = 0.5
_TOUCHING = 0.25
"""Shares: of a line that stands above or below another, and of a line's height, where two lines touch."""
NARROWEST = 200.0
"""Points: what is narrower is shown with what stands beside it."""


@dataclass(frozen=True, slots=True)
class Crop:
    """Strips of a page, one below the other, all of one width; what is to be marked where they show it."""

    strips: tuple[Box, ...]
    marked: tuple[Box, ...] = ()


def marked_boxes(words: Sequence[PrintedWord], numbers: Sequence[int]) -> list[Box]:
    """What the words of a quotation cover, a box for those that stand side by side with nothing between."""
    quoted = set(numbers)
    others = [word.box for number, word in enumerate(words) if number not in quoted]
    boxes = [words[numbers[0]].box]
    for before, word in pairwise(words[number] for number in numbers):
        whole = boxes[-1].around(word.box)
        is_next = word.is_on_line_of(before) and word.x0 > before.x0
        if is_next and not _reaches_into(whole, boxes[-1], word.box, others):
            boxes[-1] = whole
        else:
            boxes.append(word.box)
    return boxes


def _reaches_into(whole: Box, left: Box, right: Box, others: Sequence[Box]) -> bool:
    """Whether lines of another cell stand between two boxes that are to be one."""
    gap = Box(left.right, whole.top, right.left, whole.bottom)
    if gap.width < gap.height:
        return False
    shared = [other.within(gap) for other in others]
    return any(part.width > 0 and part.height > _TOUCHING * gap.height for part in shared)


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
    return [Crop(_strips(part, cells, sheet, header), tuple(boxes)) for part in parts]


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


def _strips(boxes: Sequence[Box], cells: Sequence[Box], sheet: Box, header: Sequence[Box]) -> tuple[Box, ...]:
    """What is shown of a page for a part of a quotation: one strip, or its header's and its own."""
    shown = [_with_lines_around(_union(boxes), _line(boxes), cells)]
    if header:
        top = _union(header)
        is_near = shown[0].top - top.bottom < FAR * _line(boxes)
        shown = [shown[0].around(top)] if is_near else [top, shown[0]]
    margin = _MARGIN * _line(boxes)
    within = [cell for strip in shown for cell in cells if strip.top < cell.middle < strip.bottom]
    across = _union([*shown, *(cell for cell in within if _is_of_column(cell, _union(shown)))])
    across = across.widened(max(margin, (NARROWEST - across.width) / 2), 0).within(sheet)
    return tuple(
        _with_margin(Box(across.left, strip.top, across.right, strip.bottom), margin, cells).within(sheet)
        for strip in shown
    )


def _with_margin(strip: Box, margin: float, cells: Sequence[Box]) -> Box:
    """A strip with white above and below it, as far as no other line begins there."""
    beside = [cell for cell in cells if cell.right > strip.left and cell.left < strip.right]
    above = [cell.bottom for cell in beside if cell.middle < strip.top]
    below = [cell.top for cell in beside if cell.middle > strip.bottom]
    top = max([strip.top - margin, *above])
    bottom = min([strip.bottom + margin, *below])
    return Box(strip.left, min(top, strip.top), strip.right, max(bottom, strip.bottom))


def _with_lines_around(quoted: Box, line: float, cells: Sequence[Box]) -> Box:
    """A quotation with whole lines above and below it, as wide as these are."""
    reach = quoted.widened(0, LINES_AROUND * line)
    near = [cell for cell in cells if reach.top < cell.middle < reach.bottom and _is_of_column(cell, quoted)]
    return _union([quoted, *near])


def _is_of_column(cell: Box, quoted: Box) -> bool:
    """Whether a line stands above or below a quotation, not merely beside it."""
    shared = min(cell.right, quoted.right) - max(cell.left, quoted.left)
    return shared > _MOSTLY * min(cell.width, quoted.width)


def _line(boxes: Sequence[Box]) -> float:
    """The distance from line to line."""
    return _LEADING * min(box.height for box in boxes)


def _union(boxes: Sequence[Box]) -> Box:
    return reduce(Box.around, boxes)
