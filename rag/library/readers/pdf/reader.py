"""PDF → pages: text in reading order, printed labels, headings, declared codes.

`read_book` reads the file through PDFium (`document`, `lines`), takes away what is not text (`margins`),
puts the rest in order (`layout`, `rulings`, `ruled_tables`, `tables`, `paragraphs`, `hyphenation`) and names
what it finds (`labels`, `page_kind`, `headings`, and the codes of `references`).
"""

from collections.abc import Callable, Collection, Sequence
from itertools import count, groupby
from pathlib import Path

from rag.errors import BookWithoutText
from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import DeclaredBook, readable
from rag.library.books.page import Heading, Page, PageKind
from rag.library.books.titles import sensible_title
from rag.library.language.identify import language_of
from rag.library.readers.pdf.document import PdfFile
from rag.library.readers.pdf.headings import heading_levels, without_ornament
from rag.library.readers.pdf.hyphenation import join_drop_caps, vocabulary
from rag.library.readers.pdf.labels import printed_labels
from rag.library.readers.pdf.layout import part_captions, part_columns, reading_order
from rag.library.readers.pdf.lines import Line, RawPage
from rag.library.readers.pdf.margins import bodies, edge_lines, page_numbers
from rag.library.readers.pdf.page_kind import page_kinds
from rag.library.readers.pdf.paragraphs import Paragraph, paragraphs
from rag.library.readers.pdf.ruled_tables import ruled_tables
from rag.library.readers.pdf.rulings import Rulings
from rag.library.readers.pdf.tables import find_tables
from rag.library.references.codes import THIS_BOOK, declared_codes

READER_VERSION = 5
"""Bumped when the output changes: books are read again."""

_SAMPLED_PAGES = 30  # for the language


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
        raw_pages: list[RawPage] = []
        for raw_page in file.raw_pages():
            raw_pages.append(raw_page)
            if on_page:
                on_page(len(raw_pages), len(file))
    if not any(raw_page.lines for raw_page in raw_pages):
        raise BookWithoutText(file=path.name)
    labels = printed_labels(
        [page_numbers(edge_lines(raw_page)) for raw_page in raw_pages],
        file_labels,
        declared.first_printed_page if declared else None,
        declared.on_pdf_page if declared else None,
    )
    lines = bodies(raw_pages, labels)
    kinds = page_kinds([[line.text for line in page] for page in lines])
    known = vocabulary(line.text for page in lines for line in page)
    titles: list[list[str]] = [[] for _ in raw_pages]
    for entry in outline:
        titles[entry.pdf_page - 1].append(entry.title)
    contents = [
        _content(page, raw_page.rulings, kind, known, own)
        for page, raw_page, kind, own in zip(lines, raw_pages, kinds, titles, strict=True)
    ]
    levels = heading_levels(contents, outline)
    pages = list(map(_page, count(1), labels, kinds, contents, levels))
    text = "\n\n".join(page.text for page in pages)
    sample = "\n".join(page.text for page in pages[:: 1 + len(pages) // _SAMPLED_PAGES])
    own = (declared.title if declared else None) or title or readable(path.stem)
    codes = {code: own if name == THIS_BOOK else name for code, name in declared_codes(text).items()}
    return ParsedBook(title, language_of(sample), codes, tuple(pages))


def _content(
    lines: Sequence[Line],
    rulings: Rulings,
    kind: PageKind,
    known: Collection[str],
    titles: Collection[str],
) -> list[Paragraph]:
    """What stands on a page, in reading order; `titles` are those of the outline for it."""
    parted, ruled = ruled_tables(lines, rulings, known)
    taken = {id(line) for table in ruled for line in table.lines}
    whole: list[Line] = []
    for is_ruled, stretch in groupby(parted, key=lambda line: id(line) in taken):
        run = list(stretch)
        whole += run if is_ruled else join_drop_caps(part_columns(run), known)
    free = [line for line in whole if id(line) not in taken]
    tables = [*ruled, *find_tables(free, known, titles)]
    blocks = reading_order(part_captions(whole, tables), tables)
    return paragraphs(blocks, known, of_entries=kind != "text")


def _page(
    number: int, label: str | None, kind: PageKind, content: Sequence[Paragraph], levels: Sequence[int | None]
) -> Page:
    text, offsets = _text(content)
    placed = list(zip(content, offsets, strict=True))
    headings = tuple(
        _heading(level, one.text, offset)
        for (one, offset), level in zip(placed, levels, strict=True)
        if level
    )
    rows = tuple((offset, offset + len(one.text), one.reading) for one, offset in placed if one.reading)
    return Page(number, label, text, headings, kind, _continues(content), rows)


def _heading(level: int, printed: str, offset: int) -> Heading:
    text = without_ornament(printed)
    return Heading(level, text, offset + len(printed) - len(text))


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
