"""What is to be drawn: a page of a book's file, and which words of its text are to be marked. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from pathlib import Path

from rag.library.books.files import LibraryFile
from rag.library.books.page import GROUP_JOINT, TITLE_END, Page, TableRow
from rag.library.page_pictures.locate import TextSpan, spans_of

_CELLS, _NAME = "; ", ": "
"""Between the cells of a row as it is read, and between the name of a column and its cell."""

_LINE = re.compile(r"[^\n]*\S[^\n]*")
FEWEST_NAMES = 2
"""Names of columns in a header: one word may also be what a text or a title says."""


@dataclass(frozen=True, slots=True)
class PictureFile(LibraryFile):
    """The file of a book where it should be, as it was indexed; `ocr` is the folder of what OCR has read."""

    ocr: Path


@dataclass(frozen=True, slots=True)
class Quoted:
    """What of a page's text is to be marked; of table rows also the header over them."""

    span: TextSpan
    header: TextSpan | None = None
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class PageToDraw:
    """A page of a file that is to be drawn: the lines around what is quoted, or all of it."""

    book: PictureFile
    page: Page
    quoted: Quoted | None = None


def quoted_on(quote: str, page: Page, offset: int | None = None) -> Quoted | None:
    """Where a quotation stands on its page; None where nowhere, or twice and `offset` does not tell."""
    spans = spans_of(quote, page.text)
    if len(spans) > 1 and offset is not None:
        spans = [span for span in spans if _first_letter(page.text, offset) == span.start]
    return _quoted(page, spans[0]) if len(spans) == 1 else None


def _first_letter(text: str, offset: int) -> int:
    """Where the first letter or digit at or behind an offset stands."""
    return next((at for at in range(offset, len(text)) if text[at].isalnum()), len(text))


def _quoted(page: Page, span: TextSpan) -> Quoted:
    rows = [row for row in page.rows if row[0] < span.end and span.start < row[1]]
    if not rows:
        return Quoted(span)
    is_row = rows[0][0] <= span.start and span.end <= rows[-1][1]
    header = header_over(page.text, page.rows, rows[0])
    return Quoted(span, header if header and header.end <= span.start else None, is_row)


def header_over(text: str, rows: Sequence[TableRow], row: TableRow) -> TextSpan | None:
    """The nearest lines above a row that print nothing but the names of its table's columns, and several.

    Other rows of the table and titles of groups of them may stand between. Rows of a table share its title
    and a column.
    """
    own = _column_names(row)
    table = [other for other in rows if _title(other) == _title(row) and own & _column_names(other)]
    names = set().union(*map(_column_names, table))
    words = {word for name in names for word in name.split()}
    floor = max((other[1] for other in rows if other not in table and other[1] <= row[0]), default=0)

    def is_between(line: re.Match[str]) -> bool:
        return not words.issuperset(line[0].split()) or any(one[0] <= line.start() < one[1] for one in table)

    above = reversed([*_LINE.finditer(text, floor, row[0])])
    header = [*takewhile(lambda line: not is_between(line), dropwhile(is_between, above))]
    printed = {word for line in header for word in line[0].split()}
    if sum(printed.issuperset(name.split()) for name in names) < FEWEST_NAMES:
        return None
    return TextSpan(header[-1].start(), header[0].end())


def _title(row: TableRow) -> str:
    """The title of the table of a row, without that of its group; "" where it has none."""
    title, dash, _ = row[2].partition(TITLE_END)
    return title.partition(GROUP_JOINT)[0] if dash else ""


def _column_names(row: TableRow) -> set[str]:
    """The names of the columns in which a row has a cell."""
    _, dash, titled = row[2].partition(TITLE_END)
    cells = (titled if dash else row[2]).split(_CELLS)
    return {name for name, separator, _ in (cell.partition(_NAME) for cell in cells) if separator}
