"""The header of a table: how many of its rows name the columns, and what they say over each."""

import re
from collections.abc import Collection, Sequence

from rag.library.readers.pdf.hyphenation import join_cell
from rag.library.readers.pdf.tables.cells import CellRow

_HALF, _FEW = 0.5, 0.25  # of the rows
_FEWEST_ROWS = 3  # of a table whose only rule parts the header from them
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d")
_DIGIT = "9"


def header_rows(rows: Sequence[CellRow], ruled_rows: int) -> int:
    """How many rows the header has, given how many rows rules part; 0 where there is none."""
    first_section = next((number for number in range(1, len(rows)) if _is_section(rows[number])), len(rows))
    count = min(_marked(rows, ruled_rows), first_section)
    if not count and not _is_like_the_rest(rows):
        count = 1
    while 0 < count < first_section and (
        _has_groups(rows[count - 1]) or any(rows[count].joins_above) or _is_named_too(rows[count:])
    ):
        count += 1
    while count > 1 and not any(rows[count - 1].texts[1:]):
        count -= 1
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


def _has_groups(row: CellRow) -> bool:
    """Whether a row names groups of columns."""
    return row.has_spanning and not row.is_whole


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
        and all(map(_LETTERS.search, first.texts))
        and not any(cell == row.texts[column] for row in rest for column, cell in enumerate(first.texts))
        and not _is_like_the_rest(rows)
    )


def _marked(rows: Sequence[CellRow], ruled_rows: int) -> int:
    """How many rows at the top are filled or bold as no others are, or parted by the only rule."""
    colours: list[int | None] = [row.colour for row in rows]
    weights: list[int | None] = [1 if row.is_bold else None for row in rows]
    for marks in (colours, weights):
        if marks[0] is None:
            continue
        count = next((place for place, mark in enumerate(marks) if mark != marks[0]), len(rows))
        if marks[count:].count(marks[0]) < _FEW * len(rows):
            return count if count < len(rows) else 0
    return int(len(rows) >= _FEWEST_ROWS and ruled_rows == 2)


def _is_like_the_rest(rows: Sequence[CellRow]) -> bool:
    """Whether the first row is one of many: numbers stand in it as below it, or each row has a bold name."""
    first, rest = rows[0], rows[1:]
    if sum(map(bool, first.texts)) <= _HALF * len(first.texts):
        return True
    if all(row.first_is_bold for row in rows) and not any(row.is_bold for row in rows):
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
