"""PDF → pages: text in reading order, printed labels, headings, declared codes.

`read_book` reads the file through PDFium (`pdf`, `lines`), takes away what is not text (`furniture`),
puts the rest in order (`layout`, `paragraphs`, `spelling`) and names what it finds (`labels`,
`headings`, `declarations`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rag.errors import BookWithoutText
from rag.library.catalogue import DeclaredBook
from rag.library.declarations import declared_codes
from rag.library.furniture import body, edges, repeated_lines
from rag.library.headings import body_size, is_heading, key, levels, style
from rag.library.labels import printed_labels
from rag.library.language import language_of
from rag.library.layout import reading_order
from rag.library.lines import Sheet
from rag.library.paragraphs import Paragraph, paragraphs
from rag.library.pdf import OutlineEntry, PdfFile
from rag.library.spelling import vocabulary
from rag.library.tables import find_tables
from rag.library.titles import sensible_title

READER_VERSION = 1
"""Bumped when the output changes: books are read again."""

PageKind = Literal["text", "contents", "index"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the highest, `offset` its first character in `Page.text`."""

    level: int
    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the file.

    `pdf_page` counts from 1; `label` is the printed number, None where unknown. In `text` paragraphs are
    separated by an empty line, lines within them joined; the rows of a table stand on lines of their own,
    their cells two spaces apart. Contents and index pages help to find but are not cited. `continues`:
    the last sentence runs on to the next page.
    """

    pdf_page: int
    label: str | None
    text: str
    headings: tuple[Heading, ...]
    kind: PageKind
    continues: bool


@dataclass(frozen=True, slots=True)
class ParsedBook:
    """A book as read. `title` is the file's own if sensible, `language` ISO 639-1, `codes` what the book
    says that the letters before its page references mean. `pages` holds every page, also empty ones.
    """

    title: str | None
    language: str
    codes: dict[str, str]
    pages: tuple[Page, ...]


def read_book(
    path: Path,
    declared: DeclaredBook | None = None,
    on_page: Callable[[int, int], None] | None = None,
) -> ParsedBook:
    """Read a PDF; `on_page(done, all)` is told of each page.

    PDFium is not thread-safe: call this in a process of its own. Raises `BookNeedsPassword`,
    `BookTruncated`, `BookEmpty`, `BookNotPdf`, `BookWithoutText`, for other damage `BookError`.
    """
    with PdfFile(path) as file:
        title, file_labels, outline = sensible_title(file.title), file.labels(), file.outline()
        sheets: list[Sheet] = []
        for sheet in file.sheets():
            sheets.append(sheet)
            if on_page:
                on_page(len(sheets), len(file))
    if not any(sheet.lines for sheet in sheets):
        raise BookWithoutText(file=path.name)
    page_edges = [edges(sheet) for sheet in sheets]
    labels = printed_labels(
        [edge.folios for edge in page_edges],
        file_labels,
        declared.first_printed_page if declared else None,
        declared.on_pdf_page if declared else None,
    )
    repeated = repeated_lines(sheets, page_edges)
    bodies = [
        body(sheet, edge, repeated, label) for sheet, edge, label in zip(sheets, page_edges, labels, strict=True)
    ]
    known = vocabulary(line.text for lines in bodies for line in lines)
    contents = [paragraphs(reading_order(lines, find_tables(lines, known)), known) for lines in bodies]
    pages = _pages(contents, labels, outline)
    sample = "\n".join(page.text for page in pages[:: max(1, len(pages) // 30)])
    codes = declared_codes("\n".join(page.text for page in pages))
    return ParsedBook(title, language_of(sample), codes, tuple(pages))


def _pages(
    contents: Sequence[list[Paragraph]], labels: Sequence[str | None], outline: Sequence[OutlineEntry]
) -> list[Page]:
    size = body_size(contents)
    bookmarks: dict[int, dict[str, int]] = {}
    for entry in outline:
        bookmarks.setdefault(entry.pdf_page, {})[key(entry.title)] = entry.level
    found = [
        [paragraph for paragraph in page if is_heading(paragraph, size, frozenset(bookmarks.get(number, ())))]
        for number, page in enumerate(contents, start=1)
    ]
    bookmarked = [
        (heading, bookmarks[number][key(heading.text)])
        for number, page in enumerate(found, start=1)
        for heading in page
        if key(heading.text) in bookmarks.get(number, {})
    ]
    ranks = levels((heading for page in found for heading in page), bookmarked)
    pages = []
    for number, (page, label, heads) in enumerate(zip(contents, labels, found, strict=True), start=1):
        text, offsets = _text(page)
        marked = {id(heading) for heading in heads}
        headings = tuple(
            Heading(bookmarks.get(number, {}).get(key(one.text)) or ranks[style(one)], one.text, offset)
            for one, offset in zip(page, offsets, strict=True)
            if id(one) in marked
        )
        pages.append(Page(number, label, text, headings, "text", _continues(page)))
    return pages


def _text(page: Sequence[Paragraph]) -> tuple[str, list[int]]:
    """The text of a page and the offset of each paragraph in it."""
    text, offsets = "", []
    for index, paragraph in enumerate(page):
        if index:
            text += "\n" if paragraph.is_row and page[index - 1].is_row else "\n\n"
        offsets.append(len(text))
        text += paragraph.text
    return text, offsets


def _continues(page: Sequence[Paragraph]) -> bool:
    if not page or page[-1].is_row or page[-1].bold:
        return False
    return not page[-1].text.endswith(tuple(".!?:…\"”’')]*"))
