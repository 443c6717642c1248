"""Blocks → paragraphs and table rows. Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from rag.library.books.page import GROUP_JOINT, TITLE_END
from rag.library.readers.pdf.hyphenation import join_lines
from rag.library.readers.pdf.layout import NUMBERED, OTHER_SIZE, LayoutBlock
from rag.library.readers.pdf.lines import HYPHEN, PrintedLine
from rag.library.readers.pdf.page_kind import LEADERS
from rag.library.readers.pdf.tables.cells import CellRow
from rag.library.readers.pdf.tables.table import Table
from rag.library.readers.pdf.tables.unruled import NUMBERED_HEADING

CELL_SEPARATOR = "  "
"""Between the cells of a table row: an empty cell leaves two of them."""

_WIDER = 1.25  # times the usual leading: a gap between paragraphs
_LONGEST_TITLE = 90  # characters
_INDENT = 0.7  # font sizes
_SHORT = 0.85  # of the block's width: a line that ends a paragraph
_STUB = 20  # characters: shorter lines are labels, not torn sentences
SENTENCE_ENDS = tuple(".!?:;…\"”’')]*")
LABELLED = re.compile(r"[A-ZÀ-Þ][^.:]{2,30}:\s")  # "Range: 20 metres", one a line
_BULLETS = tuple("•●▪■◆◦‣–—✦❖➤")


@dataclass(slots=True)
class PrintedParagraph:
    """What reads as one: lines of prose or a heading, or one row of a table.

    `reading` is a row with each cell under its column's heading, "" for the rest; `group` the name of its
    group of rows, a part of that. A caption is the line right above a table; what stands beside a heading, on
    its line, is none.
    """

    text: str
    size: float
    bold: bool
    lines: list[PrintedLine]
    is_row: bool = False
    reading: str = ""
    is_caption: bool = False
    is_beside_heading: bool = False
    group: str = ""


def paragraphs(
    blocks: Sequence[LayoutBlock],
    known: Collection[str],
    before: Sequence[PrintedParagraph] = (),
    *,
    of_entries: bool = False,
) -> list[PrintedParagraph]:
    """The paragraphs of a page in order; one that runs on into the next block stays one.

    On a page of the contents or the index each line is an entry of its own, a row. `before` are those of the
    page before: a table that goes on keeps its title.
    """
    found: list[PrintedParagraph] = []
    for block in blocks:
        if block.caption:
            found.append(replace(_joined([block.caption], known), is_caption=True))
        is_continued = block.table is not None and block.table.is_continued
        title, group = _names_of_last_row([*before, *found]) if is_continued else (_title_before(found), "")
        for paragraph in _paragraphs(block, known, of_entries, title, group):
            if found and _runs_on(found[-1], paragraph):
                found[-1].text = join_lines(found[-1].text, paragraph.text, known)
                found[-1].lines += paragraph.lines
            else:
                found.append(paragraph)
    return found


def _title_before(found: Sequence[PrintedParagraph]) -> str:
    """What stands before a table if it may name it: a caption, or a bold line that is no sentence."""
    if not found or found[-1].is_row or found[-1].text.endswith((".", ",")):
        return ""
    last = found[-1]
    is_title = last.is_caption or (last.bold and len(last.text) <= _LONGEST_TITLE)
    return last.text if is_title else ""


def _names_of_last_row(found: Sequence[PrintedParagraph]) -> tuple[str, str]:
    """The title of the table that the last row stands in, and the name of its group; "" where it has none."""
    last = next((one for one in reversed(found) if one.reading), None)
    names, end, _ = last.reading.partition(TITLE_END) if last else ("", "", "")
    group = last.group if last and end else ""
    return names.removesuffix(group).removesuffix(GROUP_JOINT) if end else "", group


def _paragraphs(
    block: LayoutBlock, known: Collection[str], of_entries: bool, title: str, group: str
) -> Iterator[PrintedParagraph]:
    if block.table:
        named = NUMBERED.sub("", block.table.title or title).strip(" .:")
        yield from _rows(block.table, named, group)
    elif of_entries:
        yield from _entries(block, known)
    else:
        yield from (_joined(lines, known) for lines in _pieces(block))


def _rows(table: Table, title: str, group: str) -> Iterator[PrintedParagraph]:
    """The rows of a table, each read under the title of the table, the name of its group and its columns.

    `group` is that of the rows before, where the table goes on.
    """
    if table.title:
        yield PrintedParagraph(table.title, table.lines[0].size, table.lines[0].bold, [], is_caption=True)
    for row in table.header:
        yield _row(row, "")
    above: list[str] = []
    for row in table.rows:
        group = row.texts[0] if row.is_title else group
        reading = row.reading(table.headings, above) if any(table.headings) else ""
        yield replace(_row(row, reading and _titled(reading, title, group)), group=_printed(group))
        above = row.complete(above)


def _titled(reading: str, *names: str) -> str:
    title = _printed(GROUP_JOINT.join(filter(None, names)))
    return f"{title}{TITLE_END}{reading}" if title else reading


def _printed(name: str) -> str:
    """A name as it stands before a row."""
    return name.replace(TITLE_END, " - ").replace(HYPHEN, "-")


def _row(row: CellRow, reading: str) -> PrintedParagraph:
    text = CELL_SEPARATOR.join(row.texts).strip().replace(HYPHEN, "-")
    own = "" if row.is_title else reading
    return PrintedParagraph(text, row.size, row.is_bold, [], not row.is_title, own)


def _entries(block: LayoutBlock, known: Collection[str]) -> Iterator[PrintedParagraph]:
    """Lines of the contents or the index, without dot leaders; headings stay paragraphs."""
    for line in block.lines:
        entry = _joined([line], known)
        has_number = any(map(str.isdigit, line.text[-4:]))
        entry.is_row = has_number or bool(LEADERS.search(line.text))
        entry.text = LEADERS.sub(CELL_SEPARATOR, entry.text)
        yield entry


def _joined(lines: list[PrintedLine], known: Collection[str]) -> PrintedParagraph:
    text = ""
    for line in lines:
        text = join_lines(text, line.text, known)
    return PrintedParagraph(text.replace(HYPHEN, "-"), lines[0].size, all(line.bold for line in lines), lines)


def _pieces(block: LayoutBlock) -> Iterator[list[PrintedLine]]:
    """Split a block into the lines of single paragraphs."""
    lines = block.lines
    left, _, right, _ = block.box
    steps = [(after.baseline - before.baseline) / after.size for before, after in pairwise(lines)]
    leading = median(steps) if steps else 0.0
    piece: list[PrintedLine] = []
    for index, line in enumerate(lines):
        if piece and _opens(piece, line, lines[index + 1 :], leading, left, right):
            yield piece
            piece = []
        piece.append(line)
    yield piece


def _opens(
    piece: Sequence[PrintedLine],
    line: PrintedLine,
    rest: Sequence[PrintedLine],
    leading: float,
    left: float,
    right: float,
) -> bool:
    """Whether `line` begins a paragraph after the lines of `piece`."""
    before = piece[-1]
    size = max(before.size, line.size)
    if abs(before.size - line.size) > OTHER_SIZE * size:
        return True
    if before.text.endswith(HYPHEN):
        return False
    is_numbered = line.bold and NUMBERED_HEADING.match(line.text)
    is_apart = (line.baseline - before.baseline) / size > _WIDER * leading
    if is_numbered or is_apart or line.text.startswith(_BULLETS):
        return True
    ends, is_other = before.text.endswith(SENTENCE_ENDS), before.bold != line.bold
    is_short = before.x1 < left + _SHORT * (right - left)
    if (ends and is_other) or (is_short and (ends or is_other or LABELLED.match(line.text))):
        return True
    # Under a bullet every further line is indented.
    is_item = piece[0].text.startswith(_BULLETS)
    return (not is_item and _is_indented(before, line, rest, left, ends=ends)) or _hangs(piece, line)


def _is_indented(
    before: PrintedLine, line: PrintedLine, rest: Sequence[PrintedLine], left: float, *, ends: bool
) -> bool:
    """Whether a line begins a paragraph by its indent: the line before ends one, or the next goes back."""
    indent = _INDENT * line.size
    if line.x0 - before.x0 <= indent:
        return False
    return ends or (bool(rest) and rest[0].x0 < line.x0 - indent)


def _hangs(piece: Sequence[PrintedLine], line: PrintedLine) -> bool:
    """Whether a line stands out as the first of its paragraph did, over the indented rest of it."""
    indent = _INDENT * line.size
    return abs(piece[0].x0 - line.x0) < indent and piece[-1].x0 - line.x0 > indent


def _runs_on(before: PrintedParagraph, after: PrintedParagraph) -> bool:
    """Whether a paragraph goes on in the next column or block."""
    if not before.lines or not after.lines or before.bold or after.bold:
        return False
    is_same = abs(before.size - after.size) <= OTHER_SIZE * before.size
    is_next_column = after.lines[0].top < before.lines[-1].top
    last = before.lines[-1]
    is_full = len(before.lines) > 1 and last.x1 > max(line.x1 for line in before.lines) - last.size
    goes_on = after.text[:1].islower() or (is_full and len(after.lines) > 1)
    is_open = len(last.text) > _STUB and not before.text.endswith(SENTENCE_ENDS)
    return is_same and is_next_column and is_open and goes_on
