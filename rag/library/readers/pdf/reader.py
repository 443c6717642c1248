"""PDF → pages: text in reading order, printed labels, headings, declared codes.

`read_book` reads the file through PDFium (`document`, `lines`, `symbol_fonts`) or OCR (`ocr`), tells the
printed pages and takes their heads and feet away (`numbering`), puts the rest in order (`layout`, `tables`,
`paragraphs`, `hyphenation`) and names what it finds (`page_kind`, `headings`, `terms`, the links of
`annotations`, and the codes of `references`).
"""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from rag.errors import BookScanned, BookWithoutText
from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import DeclaredBook
from rag.library.books.page import Heading, Page, PageKind, TableRow, Term, TextLayer
from rag.library.books.titles import sensible_title
from rag.library.language.identify import language_of
from rag.library.language.spelling import known_share
from rag.library.readers.pdf.document import PdfFile
from rag.library.readers.pdf.headings import (
    bookmarks_of,
    heading_levels,
    with_headings_apart,
    with_names_apart,
    without_ornament,
)
from rag.library.readers.pdf.hyphenation import join_drop_caps, vocabulary
from rag.library.readers.pdf.layout import OTHER_SIZE, by_rows, part_columns, reading_order
from rag.library.readers.pdf.lines import PrintedLine, RawPage
from rag.library.readers.pdf.numbering.labels import are_unread, printed_labels
from rag.library.readers.pdf.numbering.margin_numbers import margin_numbers
from rag.library.readers.pdf.numbering.margins import bodies
from rag.library.readers.pdf.numbering.sheets import PrintedPage, printed_pages
from rag.library.readers.pdf.ocr.engine import ocr_engine
from rag.library.readers.pdf.ocr.scans import PageKeeper, ScanReader
from rag.library.readers.pdf.page_kind import page_kinds
from rag.library.readers.pdf.paragraphs import PrintedParagraph, paragraphs
from rag.library.readers.pdf.tables.continued import continue_tables
from rag.library.readers.pdf.tables.leaders import without_leaders
from rag.library.readers.pdf.tables.ruled import ruled_tables
from rag.library.readers.pdf.tables.rulings import DrawnLines
from rag.library.readers.pdf.tables.table import Table
from rag.library.readers.pdf.tables.unruled import find_tables
from rag.library.readers.pdf.terms import terms_of
from rag.library.readers.runs import of_most_letters
from rag.library.references.codes import declared_codes

READER_VERSION = 22
"""Bumped when the output changes: books are read again."""

_SAMPLED_PAGES = 30  # for the language


def read_book(
    path: Path,
    declared: DeclaredBook | None = None,
    on_page: Callable[[int, int], None] | None = None,
    kept: PageKeeper | None = None,
) -> ParsedBook:
    """Read a PDF; `on_page(done, all)` is told of each page, pages that OCR reads are kept in `kept`.

    PDFium is not thread-safe: call this in a process of its own. Raises `BookNeedsPassword`,
    `BookTruncated`, `BookEmpty`, `BookNotPdf`, `BookWithoutText` (`BookScanned` where OCR might read it), for
    other damage `BookError`.
    """
    engine = ocr_engine()
    with PdfFile(path) as file:
        title, file_labels, outline = sensible_title(file.title), file.labels(), file.outline()
        raw_pages: list[RawPage] = []
        layers: list[TextLayer] = []
        for raw_page, layer in file.raw_pages(ScanReader(engine, kept) if engine else None):
            raw_pages.append(raw_page)
            layers.append(layer)
            if on_page:
                on_page(len(raw_pages), len(file))
    if not any(raw_page.lines for raw_page in raw_pages):
        raise (BookScanned if "missing" in layers else BookWithoutText)(file=path.name)
    printed = printed_pages(raw_pages)
    positions = [page.pdf_page for page in printed]
    numbers = margin_numbers([page.raw for page in printed])
    labels = printed_labels(
        numbers,
        [None if page.half else file_labels[page.pdf_page - 1] for page in printed],
        declared.first_printed_page if declared else None,
        positions.index(declared.on_pdf_page) if declared and declared.on_pdf_page in positions else None,
    )
    lines = bodies([page.raw for page in printed], labels)
    kinds = page_kinds([[line.text for line in page] for page in lines])
    known = vocabulary(line.text for page in lines for line in page)
    bookmarks = bookmarks_of(outline, positions)
    parted = [
        _with_tables(without_leaders(page) if kind == "text" else page, one.raw.rulings, known, own)
        for page, one, kind, own in zip(lines, printed, kinds, bookmarks, strict=True)
    ]
    blocks = [reading_order(whole, tables) for whole, tables in parted]
    continue_tables([block for page in blocks for block in page])
    contents: list[list[PrintedParagraph]] = []
    for page, kind in zip(blocks, kinds, strict=True):
        contents.append(paragraphs(page, known, contents[-1] if contents else (), of_entries=kind != "text"))
    contents, bookmarks = with_names_apart(with_headings_apart(contents, bookmarks), bookmarks)
    levels = heading_levels(contents, bookmarks)
    layers_of = [layers[page.pdf_page - 1] for page in printed]
    pages = list(map(_page, printed, labels, kinds, contents, levels, layers_of))
    text = "\n\n".join(page.text for page in pages)
    sample = "\n".join(page.text for page in pages[:: 1 + len(pages) // _SAMPLED_PAGES])
    language = language_of(sample)
    known_words = known_share((page.text for page in pages), language)
    return ParsedBook(
        title,
        language,
        declared_codes(text),
        tuple(pages),
        are_unread(numbers, labels),
        known_words,
        ocr_tool(),
    )


def ocr_tool() -> str:
    """What reads pictures of pages here, empty where nothing does."""
    engine = ocr_engine()
    return engine.name if engine else ""


def _with_tables(
    lines: Sequence[PrintedLine], rulings: DrawnLines, known: Collection[str], titles: Collection[str]
) -> tuple[list[PrintedLine], list[Table]]:
    """The lines of a page, columns parted, and its tables; `titles` are those of the outline for it."""
    free, ruled = ruled_tables(lines, rulings, known)
    free = join_drop_caps(by_rows(part_columns(free)), known)
    whole = [line for table in ruled for line in table.lines]
    return [*whole, *free], [*ruled, *find_tables(free, known, titles, rulings.horizontal)]


def _page(
    printed: PrintedPage,
    label: str | None,
    kind: PageKind,
    content: Sequence[PrintedParagraph],
    levels: Sequence[int | None],
    layer: TextLayer,
) -> Page:
    text, headings, rows, terms = "", list[Heading](), list[TableRow](), list[Term]()
    for before, one, level in zip([None, *content], content, levels, strict=False):
        if before:
            text += "\n" if one.is_row and before.is_row else "\n\n"
        offset = len(text)
        text += one.text
        if level:
            name = without_ornament(one.text)
            headings.append(Heading(level, name, offset + len(one.text) - len(name)))
        else:
            terms += [(offset + place, name) for place, name in terms_of(one)]
        if one.reading:
            rows.append((offset, len(text), one.reading))
    return Page(
        printed.pdf_page,
        label,
        text,
        tuple(headings),
        kind,
        _continues(content),
        tuple(rows),
        layer=layer,
        half=printed.half,
        terms=tuple(terms),
    )


def _continues(page: Sequence[PrintedParagraph]) -> bool:
    """Whether the last sentence of a page runs on; a caption or a note in other type does not."""
    if not page or page[-1].is_row or page[-1].bold or page[-1].is_caption:
        return False
    if abs(page[-1].size / of_most_letters(((one.size, one.text) for one in page), 1.0) - 1) > OTHER_SIZE:
        return False
    return not page[-1].text.endswith(tuple(".!?:…\"”’')]*"))
