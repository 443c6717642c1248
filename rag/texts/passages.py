"""A longer quotation as paragraphs to be drawn: its sentences together, its table rows aligned. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, groupby
from textwrap import wrap

from rag.state import MOST_LINES, PassageLine, Source

CELLS, NAME = "; ", ": "
"""Between the cells of a row as it reads, and between a column's name and its cell."""
PHONE_WIDTH = 38
"""Characters of even width that a phone shows side by side within an embed."""
MARKED, UNMARKED = "▸ ", "  "
"""Before the row that answers best, and before the others, where type cannot be bold."""


class ParagraphKind(StrEnum):
    """What a paragraph is; renderers give each its look."""

    TEXT = "text"
    HEADING = "heading"
    TABLE = "table"
    """Its runs are lines to be set in a type of even width."""


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a paragraph that look alike; in a table one of its lines."""

    text: str
    is_closest: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """What stands together."""

    kind: ParagraphKind
    runs: tuple[Run, ...]


def paragraphs(passage: Sequence[PassageLine], width: int) -> Iterator[Paragraph]:
    """The lines of a passage as they are drawn where `width` characters of even width fit side by side."""
    nearest = any(line.is_nearest for line in passage)
    for is_table, group in groupby(_without_headers(passage), key=lambda line: bool(line.row)):
        lines = list(group)
        table = aligned(lines, width) if is_table else []
        if table:
            yield Paragraph(ParagraphKind.TABLE, tuple(table))
        elif is_table:
            told = [line.row if line.is_nearest or not nearest else line.text for line in lines]
            yield from (
                Paragraph(ParagraphKind.TEXT, (Run(text, line.is_closest),))
                for text, line in zip(told, lines, strict=True)
            )
        else:
            yield from _prose(lines)


def excerpt(source: Source) -> tuple[PassageLine, ...]:
    """The lines of a passage that come nearest, those that come next and those around, as it has room.

    Where it is sure which answer, that is one line before and one behind. Those behind come first, before a
    sentence in the midst of its line those that it goes on from, all of them where a line above is told.

    Its heading is told above them. A passage of which no line comes nearest is shown whole.
    """
    passage = source.passage
    shown = {at for at, line in enumerate(passage) if line.is_nearest}
    if not shown:
        return passage
    is_sure = any(line.is_closest for line in passage)
    farthest = 2 if is_sure else len(passage)
    ranked = [at for at, line in enumerate(passage) if line.rank and not is_sure]
    ranked.sort(key=lambda at: passage[at].rank)
    sides = [
        at + (step if _begins(passage[at]) else -step)
        for distance in range(1, farthest)
        for step in (distance, -distance)
        for at in sorted(shown)
    ]
    wanted = [*ranked, *_leading(passage, [*sorted(shown), *ranked])]
    for near in chain(wanted, sides):
        is_beside = {near - 1, near + 1} & shown and near in range(len(passage))
        if not (near in ranked or is_beside) or passage[near].text == source.heading:
            continue
        told = [passage[at] for at in sorted(shown | {near})]
        is_legible = not (passage[near].row and is_sure) or aligned(
            [line for line in told if line.row], PHONE_WIDTH
        )
        is_wanted = near in wanted or (bool(ranked) and {near - 1, near + 1} <= shown)
        if is_legible and _lines_on_phone(told) <= (MOST_LINES if is_wanted else source.room):
            shown.add(near)
    return tuple(passage[at] for at in sorted(shown))


def _leading(passage: Sequence[PassageLine], told: Sequence[int]) -> Iterator[int]:
    """What leads to each sentence on its line of the page where others of lines above are told.

    Without it "On a weak hit" may be gone, and what follows is read as said of a strong one.
    """
    for at in told:
        begun = next((one for one in range(at, 0, -1) if _begins(passage[one])), 0)
        if min(told) < begun:
            yield from range(at - 1, begun - 1, -1)


def _begins(line: PassageLine) -> bool:
    """Whether a line goes on from no other: a row, or what begins its line of the page."""
    return bool(line.row) or line.begins_line


def _lines_on_phone(passage: Sequence[PassageLine]) -> int:
    """Lines that a passage takes on a phone."""
    lines: list[str] = []
    for paragraph in paragraphs(passage, PHONE_WIDTH):
        told = [run.text for run in paragraph.runs]
        lines += told if paragraph.kind is ParagraphKind.TABLE else wrap(" ".join(told), PHONE_WIDTH)
    return len(lines)


def _without_headers(passage: Sequence[PassageLine]) -> list[PassageLine]:
    """The lines but those above a table row that print its column names: each row tells them."""
    kept: list[PassageLine] = []
    names: set[str] = set()
    for line in reversed(passage):
        if line.row:
            names = {word for name in _cells(line.row) or () for word in name.split()}
        elif not names.issuperset(line.text.split()):
            names = set()
        if line.row or not names:
            kept.append(line)
    return kept[::-1]


def aligned(rows: Sequence[PassageLine], width: int) -> list[Run]:
    """Table rows under their column names, cells under one another; nothing where that is too wide."""
    cells = [_cells(line.row) for line in rows]
    if any(row is None for row in cells):
        return []
    named = [row for row in cells if row]
    # A row without a cell does not tell where its column stands.
    names = list(dict.fromkeys(name for row in sorted(named, key=len, reverse=True) for name in row))
    table = [names, *([row.get(name, "") for name in names] for row in named)]
    widths = [max(len(row[column]) for row in table) for column in range(len(names))]
    if len(MARKED) + sum(widths) + 2 * (len(widths) - 1) > width:
        return []
    marks = [UNMARKED, *(MARKED if line.is_closest else UNMARKED for line in rows)]
    drawn = [
        mark + "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip()
        for mark, row in zip(marks, table, strict=True)
    ]
    return [Run(line, line.startswith(MARKED)) for line in drawn]


def _cells(row: str) -> dict[str, str] | None:
    """The cells of a row by column name, "" where it has none; None where two have the same."""
    parts = [cell.partition(NAME) for cell in row.split(CELLS)]
    cells = {name if separator else "": cell or name for name, separator, cell in parts}
    return cells if len(cells) == len(parts) else None


def _prose(lines: Sequence[PassageLine]) -> Iterator[Paragraph]:
    """Headings by themselves, sentences together as far as they follow one another on one line of the page.

    What lies between two that are shown is marked.
    """
    runs: list[Run] = []
    for before, line in zip([None, *lines], lines, strict=False):
        is_apart = before and line.number > before.number + 1
        if runs and (line.begins_line or line.is_heading or is_apart):
            yield Paragraph(ParagraphKind.TEXT, tuple(runs))
            runs = []
        if line.is_heading:
            yield Paragraph(ParagraphKind.HEADING, (Run(line.text),))
        else:
            runs.append(Run(f"… {line.text}" if is_apart else line.text, line.is_closest))
    if runs:
        yield Paragraph(ParagraphKind.TEXT, tuple(runs))
