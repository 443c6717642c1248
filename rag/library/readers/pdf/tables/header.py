"""The header of a table: how many of its rows name the columns or groups of them, and what they say."""

import re
from collections.abc import Collection, Sequence

from rag.library.readers.pdf.hyphenation import join_cell
from rag.library.readers.pdf.tables.cells import CellRow, Span
from rag.rules import rule

_MOSTLY, _HALF, _FEW = 0.75, 0.5, 0.25  # of the rows
_FEWEST_ROWS = 3  # of a table whose only rule parts the header from them
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d")
_DIGIT = "9"
_CENTRED = 1.0  # font sizes between the middle of a name and that of its columns


def header_rows(rows: Sequence[CellRow], above_rule: int, *, is_ruled: bool) -> int:
    """How many rows the header has; 0 where there is none.

    `above_rule` stand above the only rule. Without rules a plain first row is less surely one: then words
    stand in it over numbers.
    """
    first_section = next((number for number in range(1, len(rows)) if _is_section(rows[number])), len(rows))
    count = min(_marked(rows, above_rule), first_section)
    if not count and (not _is_like_the_rest(rows) if is_ruled else _is_set_otherwise(rows)):
        count = 1
    while 0 < count < first_section and (
        (count == 1 and not rows[0].is_whole and any(last > first for first, last in rows[0].spans))
        or _hangs_down(rows[0], rows[count])
        or _is_named_too(rows[count:])
    ):
        count += 1
    return count if count < len(rows) else 0


def heading_of(rows: Sequence[CellRow], column: int, known: Collection[str]) -> str:
    """What all rows of the header say over a column."""
    texts = [row.texts[first] for row in rows for first, last in row.spans if first <= column <= last]
    heading = ""
    for text in dict.fromkeys(filter(None, texts)):
        heading = join_cell(heading, text, known)
    return heading


def _is_section(row: CellRow) -> bool:
    """Whether a row names the rows below it."""
    return bool(row.texts[0]) and not any(row.texts[1:]) and not any(row.joins_above)


def _hangs_down(first: CellRow, below: CellRow) -> bool:
    """Whether a cell of the header goes on in a row below: not one that came down into the header already."""
    pairs = zip(first.joins_above, below.joins_above, strict=True)
    return any(goes_on and not began for began, goes_on in pairs)


def _is_named_too(rows: Sequence[CellRow]) -> bool:
    """Whether the first of these rows names the columns as the row above it: words in every cell, over
    numbered rows whose cells are made otherwise ("Level" and "1 Hit Die" over 1 and 13).
    """
    first, rest = rows[0], rows[1:]
    is_over_numbers = all(map(_DIGITS.search, (row.texts[0] for row in rest)))
    return (
        len(rest) >= _FEWEST_ROWS
        and is_over_numbers
        and not _DIGITS.search(first.texts[0])
        and not _is_like_the_rest(rows)
    )


def _is_set_otherwise(rows: Sequence[CellRow]) -> bool:
    """Whether the first row has no number and most others have one."""
    first, *rest = ["".join(row.texts) for row in rows]
    if len(rest) < _FEWEST_ROWS - 1 or _DIGITS.search(first):
        return False
    return sum(bool(_DIGITS.search(row)) for row in rest) >= _MOSTLY * len(rest)


def _marked(rows: Sequence[CellRow], above_rule: int) -> int:
    """How many rows at the top are filled or bold as no others are, or parted by the only rule."""
    colours: list[int | None] = [row.colour for row in rows]
    weights: list[int | None] = [1 if row.is_bold else None for row in rows]
    for marks in (colours, weights):
        if marks[0] is None:
            continue
        count = next((place for place, mark in enumerate(marks) if mark != marks[0]), len(rows))
        if count <= _HALF * len(rows) and marks[count:].count(marks[0]) < _FEW * len(rows):
            return count
    return above_rule if len(rows) >= _FEWEST_ROWS else 0


def _is_like_the_rest(rows: Sequence[CellRow]) -> bool:
    """Whether the first row is one of many: numbers stand in it as below it."""
    first, rest = rows[0], rows[1:]
    if sum(map(bool, first.texts)) <= _HALF * len(first.texts):
        return True
    if sum(row.texts[0].endswith(":") for row in rows) > _HALF * len(rows):
        return True
    return any(
        _DIGIT in (shape := _shape(cell))
        and sum(_shape(row.texts[column]) == shape for row in rest) >= _HALF * len(rest)
        for column, cell in enumerate(first.texts)
    )


def _shape(cell: str) -> str:
    """What a cell is made of: "9" of numbers and signs, "9a" of "1 gp", "9a9" of "2d6"."""
    letters = _LETTERS.sub("a", cell)
    return re.sub(r"[^a9]", "", re.sub(r"[\d\W]*\d[\d\W]*", _DIGIT, letters))


Edges = Sequence[tuple[float, float]]
"""The left and the right edge of what stands in each column."""


@rule(without=lambda header, rows, columns: None)
def widen_groups(header: Sequence[CellRow], rows: Sequence[CellRow], columns: Sequence[float]) -> None:
    """Let each name over the names of columns cover all those that it is centred over.

    One that stands over a single column is a part of its name.
    """
    if len(header) < 2:
        return
    names = header[-1]
    edges = _edges([names, *rows], columns)
    for row in header[:-1]:
        wide = {_widened(row, at, edges, columns): row.texts[at[0]] for at in row.spans if row.texts[at[0]]}
        taken = {column for first, last in wide for column in range(first, last + 1)}
        alone = [(column, column) for column in range(len(edges)) if column not in taken]
        texts = {first: text for (first, _), text in wide.items()}
        row.spans = sorted([*wide, *alone])
        row.texts = [texts.get(column, "") for column in range(len(edges))]


def _edges(rows: Sequence[CellRow], columns: Sequence[float]) -> list[tuple[float, float]]:
    """The edges of the columns; the cells over several of them left out."""
    runs = [
        [run for row in rows if (column, column) in row.spans for run in row.runs((column, column), columns)]
        for column in range(len(columns) + 1)
    ]
    return [
        (min((run.x0 for run in own), default=0.0), max((run.x1 for run in own), default=0.0)) for own in runs
    ]


def _widened(row: CellRow, own: Span, edges: Edges, columns: Sequence[float]) -> Span:
    """The most columns that a name over several is centred over, with those beside it that have no name."""
    first, last = own
    runs = list(row.runs(own, columns))
    if first == last or not runs:
        return own
    middle = (min(run.x0 for run in runs) + max(run.x1 for run in runs)) / 2
    lefts, rights = [first], [last]
    while lefts[-1] > 1 and not row.texts[lefts[-1] - 1]:
        lefts.append(lefts[-1] - 1)
    while rights[-1] + 1 < len(edges) and not row.texts[rights[-1] + 1]:
        rights.append(rights[-1] + 1)
    spans = [(left, right) for left in lefts for right in rights]
    centred = [
        (left, right)
        for left, right in spans
        if abs((edges[left][0] + edges[right][1]) / 2 - middle) < _CENTRED * row.levels[0].size
    ]
    return max(centred, key=lambda span: span[1] - span[0], default=own)
