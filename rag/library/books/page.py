"""A page of a book as it was read, and the headings in force on it. Pure."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

PageKind = Literal["text", "contents", "index"]

TextLayer = Literal["printed", "ocr", "hidden", "missing"]
"""What a page's text is: letters as printed; a picture, read by our OCR, or by that of whoever made the file
(letters nobody sees, over the picture); or a picture that nobody has read.
"""

TableRow = tuple[int, int, str]
"""Start and end of a table row in its page's text, and the row as "Thieves — Level: 3; Open Locks: 35"."""

TITLE_END = " — "
"""Between the title of a table and a row of it, where the table has one."""
GROUP_JOINT = " › "
"""Between the title of a table and that of a group of its rows."""


Term = tuple[int, str]
"""The offset and the words of a name that is no heading: in bold before its paragraph, or over a table."""


SectionStart = tuple[int, str]
"""The offset in its page's text at which a section begins, and the section's name: the headings above its
words, below the book's title, as "Combat › Bleeding"; "" where there is none yet.
"""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the highest, `offset` its first character in `Page.text`."""

    level: int
    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the file.

    It has a position and a place. The position, `pdf_page`, counts from 1 in the file and is always known: a
    format without pages counts what it is divided into. The place, `label`, is what people cite: the printed
    number, None where unknown. In `text` paragraphs are separated by an empty line, lines within them joined;
    the rows of a table stand on lines of their own, their cells two spaces apart, four where one between them
    is empty; `rows` are those with column headings. `terms` are the names that are no headings. Contents and
    index pages help to find but are not cited. `continues`: the last sentence runs on to the next page.
    `half` tells the printed pages of one sheet apart: 1 the left, 2 the right, 0 a whole page. `layer` is
    what the text is: words that OCR read may be wrong. `section_starts` are the places in a format without
    pages, in order, the first at offset 0; none in formats with pages.
    """

    pdf_page: int
    label: str | None
    text: str
    headings: tuple[Heading, ...]
    kind: PageKind
    continues: bool
    rows: tuple[TableRow, ...] = ()
    layer: TextLayer = "printed"
    half: int = 0
    terms: tuple[Term, ...] = ()
    section_starts: tuple[SectionStart, ...] = ()

    @property
    def position(self) -> tuple[int, int]:
        """Where in the file it stands, and on which half of a sheet."""
        return self.pdf_page, self.half

    def searchable(self, start: int = 0, end: int | None = None) -> str:
        """The text from `start` to `end` with each table row under its column headings, for indexing.

        The title of a table is told once, with the first of its rows.
        """
        end = len(self.text) if end is None else end
        text, position, title = "", start, ""
        for row_start, row_end, reading in self.rows:
            if start <= row_start and row_end <= end:
                own, dash, row = reading.partition(TITLE_END)
                is_again = dash and own == title and not self.text[position:row_start].strip()
                text += self.text[position:row_start] + (row if is_again else reading)
                position, title = row_end, own
        return text + self.text[position:end]


SECTION_JOINT = " › "
"""Between the headings in the name of a section."""


def section_at(starts: Sequence[SectionStart], offset: int) -> str | None:
    """The section in force at an offset of a page; None in formats with pages."""
    above = bisect_right([start for start, _ in starts], offset)
    return starts[max(0, above - 1)][1] if starts else None


def section_spans(page: Page) -> list[tuple[int, int]]:
    """Start and end of each section on a page; of a page of a format with pages the whole."""
    starts = [start for start, _ in page.section_starts] or [0]
    return list(zip(starts, [*starts[1:], len(page.text)], strict=True))


HeadingPath = tuple[tuple[int, str], ...]
"""Headings in force, each with its level, outermost first."""


def after(path: HeadingPath, headings: Iterable[Heading]) -> HeadingPath:
    """The path behind `headings`: each ends the headings of its own level and below."""
    for heading in headings:
        path = (*(above for above in path if above[0] < heading.level), (heading.level, heading.text))
    return path


def paths_at_top(pages: Iterable[Page]) -> list[HeadingPath]:
    """For each page the path in force before its first word."""
    path: HeadingPath = ()
    paths = []
    for page in pages:
        paths.append(path)
        path = after(path, page.headings)
    return paths


def path_at(top: HeadingPath, headings: Iterable[Heading], offset: int) -> list[str]:
    """The texts of the headings in force at `offset` of a page whose path at the top is `top`."""
    return [text for _, text in after(top, (heading for heading in headings if heading.offset <= offset))]
