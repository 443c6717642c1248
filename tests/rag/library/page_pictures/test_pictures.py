"""A quotation marked on its page: all of its words, none beside them, or nothing at all."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from rag.errors import BookFileAbsent, BookFileChanged, PageNotDrawn, QuotationNotLocated
from rag.library.books.files import library_files
from rag.library.page_pictures.pages import PageToDraw, quoted_on
from rag.library.page_pictures.pictures import draw, located_crops
from rag.library.readers.pdf.lines import RawPage, read_page
from rag.library.readers.pdf.ocr.scans import KEPT_PAGE
from tests.rag.library.page_pictures.made_pages import MadeBook, MadePage, Piece, pixels_of, prose, text_page

RULE = """A swimmer who carries more than twenty
stones sinks. Each round under water costs
one point of breath, and whoever has none
left drowns in the round after that one.
The ferryman may be asked for help at any
time, but he takes a coin for every stone."""
QUOTE = (
    "Each round under water costs one point of breath, and whoever has none left drowns in the round after "
    "that one."
)
QUOTED = range(9, 9 + len(QUOTE.split()))


@pytest.fixture
def book(tmp_path: Path) -> MadeBook:
    """A book of one page with the rule."""
    return MadeBook(tmp_path, MadePage((*prose(RULE, 40, 300, QUOTED),)))


WAYS = {
    "upright": MadePage((), 0, 0),
    "shown turned": MadePage((), 0, 90),
    "written and shown sideways": MadePage((), 1, 90),
    "written sideways": MadePage((), 3, 0),
    "upside down": MadePage((), 2, 180),
    "cropped": MadePage((), 0, 0, cut=60),
    "cropped and sideways": MadePage((), 1, 270, cut=40),
}


@pytest.mark.parametrize("way", WAYS)
def test_all_words_of_a_quotation_are_marked_and_no_other(way: str, tmp_path: Path) -> None:
    page = replace(WAYS[way], pieces=(*prose(RULE, 40, 300, QUOTED),))
    book = MadeBook(tmp_path, page)
    book.assert_marks_what_is_quoted(book.quoting(QUOTE))


def test_a_picture_shows_the_lines_around_the_quotation_upright(tmp_path: Path) -> None:
    upright = MadeBook(tmp_path, MadePage((*prose(RULE, 40, 300, QUOTED),)))
    [expected] = upright.pictures(QUOTE)
    for number, way in enumerate(("shown turned", "written sideways", "upside down")):
        folder = tmp_path / str(number)
        folder.mkdir()
        [picture] = MadeBook(folder, replace(WAYS[way], pieces=upright.page.pieces)).pictures(QUOTE)
        assert pixels_of(picture).shape == pixels_of(expected).shape
        assert abs(pixels_of(picture) - pixels_of(expected)).mean() < 8


def test_the_other_column_is_not_shown(tmp_path: Path) -> None:
    left, right = prose(RULE, 30, 100, QUOTED), prose("\n".join(["unrelated words"] * 9), 270, 90)
    book = MadeBook(tmp_path, MadePage((*left, *right), width=520))
    [crop] = book.crops(book.quoting(QUOTE))
    assert crop.shown.right < 270


def test_a_quotation_that_goes_on_in_the_next_column_has_a_picture_of_each(tmp_path: Path) -> None:
    above = [Piece("Drowning rules of the long and cold river", 30, 60)]
    filled = "\n".join(["filler words stand here over the whole of the column"] * 20)
    left = prose(filled + "\nWhoever has no breath left in the", 30, 80, range(200, 207))
    right = prose("water drowns after one round of it.\n" + filled, 360, 80, range(7))
    book = MadeBook(tmp_path, MadePage((*above, *left, *right), width=700))
    wanted = book.quoting("Whoever has no breath left in the water drowns after one round of it.")
    assert len(book.crops(wanted)) == 2
    book.assert_marks_what_is_quoted(wanted)


TABLE = [
    ("Weapon", "Short", "Medium", "Long"),
    ("Sling", "50", "100", "150"),
    ("Longbow", "70", "140", "210"),
    ("Shortbow", "50", "100", "150"),
    ("Crossbow", "80", "160", "240"),
]


def table(rows: Sequence[tuple[str, ...]], quoted: int, *, by_columns: bool) -> list[Piece]:
    """A table, drawn row by row or column by column; one row is quoted."""
    cells = [
        (column, row, Piece(cell, 40 + 90 * column, 100 + 14 * row, row == quoted))
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]
    order = sorted(cells, key=lambda one: one[:2]) if by_columns else cells
    return [piece for _, _, piece in order]


@pytest.mark.parametrize("by_columns", [False, True])
def test_a_row_is_marked_in_whatever_order_its_table_was_drawn(by_columns: bool, tmp_path: Path) -> None:
    text = "\n".join("  ".join(row) for row in TABLE)
    book = MadeBook(tmp_path, MadePage(tuple(table(TABLE, 2, by_columns=by_columns))), text)
    book.assert_marks_what_is_quoted(book.quoting("Longbow 70 140 210"))


def test_a_row_is_shown_with_the_header_far_above_it(tmp_path: Path) -> None:
    rows = [
        TABLE[0],
        *((f"Bow{number}", f"{number}", f"{number + 100}", f"{number + 200}") for number in range(30)),
    ]
    text, readings = "  ".join(TABLE[0]), []
    for row in rows[1:]:
        start = len(text) + 1
        text += "\n" + "  ".join(row)
        cells = zip(TABLE[0], row, strict=True)
        readings.append((start, len(text), "; ".join(f"{name}: {cell}" for name, cell in cells)))
    book = MadeBook(tmp_path, MadePage(tuple(table(rows, 28, by_columns=True))), text, tuple(readings))
    wanted = book.quoting("Bow27 27 127 227")
    [crop] = book.crops(wanted)
    assert crop.shown.top < 100
    assert crop.shown.bottom > 100 + 14 * 28
    book.assert_marks_what_is_quoted(wanted)


TWICE = "Range: ten paces.\nThe owl sees all.\n\nRange: ten paces.\nThe bat hears all."


def test_of_two_sentences_alike_the_one_at_the_offset_is_marked(tmp_path: Path) -> None:
    book = MadeBook(tmp_path, MadePage((*prose(TWICE, 40, 100, range(7, 10)),)))
    second = book.text.rindex("Range")
    book.assert_marks_what_is_quoted(book.quoting("Range: ten paces.", second))


def test_what_is_not_printed_on_the_page_is_not_marked(book: MadeBook) -> None:
    page = text_page("Each round under ice costs two points of breath.")
    quoted = quoted_on(page.text, page)
    with pytest.raises(QuotationNotLocated):
        draw(PageToDraw(book.file, page, quoted))


def test_of_a_sheet_with_two_pages_the_half_is_drawn(tmp_path: Path) -> None:
    book = MadeBook(
        tmp_path, MadePage((Piece("left", 50, 50), Piece("right", 400, 50)), width=600, height=400)
    )
    [left], [right] = (draw(PageToDraw(book.file, text_page("", half=half))) for half in (1, 2))
    assert pixels_of(left).shape == (800, 600, 3)
    ink = [(pixels_of(picture)[:, :, 0] < 100).nonzero()[1].min() for picture in (left, right)]
    assert ink == pytest.approx([100, 200], abs=4)


def test_a_scan_is_marked_where_ocr_saw_the_words(tmp_path: Path) -> None:
    """A picture of the page in place of its letters; what was read of it is kept beside the index."""
    printed = MadeBook(tmp_path, MadePage((*prose(RULE, 40, 300, QUOTED),)))
    wanted = printed.quoting(QUOTE)
    with pypdfium2.PdfDocument(printed.file.path) as document:
        raw = read_page(document[0])
    kept = tmp_path / "ocr" / "tesserocr-2-eng" / "1.json"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(KEPT_PAGE.dump_json(RawPage(raw.lines, raw.width, raw.height)))
    scan = replace(wanted, page=replace(wanted.page, layer="ocr"))
    assert draw(scan) == draw(wanted)
    kept.unlink()
    with pytest.raises(QuotationNotLocated):
        draw(scan)


def test_letters_without_a_height_are_not_marked(book: MadeBook) -> None:
    with pypdfium2.PdfDocument(book.file.path) as document:
        raw = read_page(document[0])
    flat = [replace(line, size=0.2) for line in raw.lines]
    assert located_crops(replace(raw, lines=flat), book.quoting(QUOTE)) == []


def test_a_book_that_is_not_on_this_machine_is_told_so(book: MadeBook) -> None:
    book.file.path.unlink()
    with pytest.raises(BookFileAbsent):
        draw(book.quoting(QUOTE))


def test_a_file_that_is_another_by_now_or_damaged_is_not_shown(book: MadeBook) -> None:
    book.file.path.write_bytes(b"%PDF-1.4 " + b"0" * 100)
    with pytest.raises(BookFileChanged):
        draw(book.quoting(QUOTE))
    [[damaged], _] = library_files(book.folder, {}, [".pdf"])
    with pytest.raises(PageNotDrawn):
        draw(replace(book.quoting(QUOTE), book=replace(book.file, stamp=damaged.stamp)))


def test_what_stands_between_the_cells_of_a_row_is_not_marked(tmp_path: Path) -> None:
    """The cell between them has two lines, above and below that on which they stand."""
    between = [Piece("upper line", 150, 94), Piece("lower line", 150, 106)]
    cells = [Piece("Result", 40, 100, is_quoted=True), Piece("ten", 300, 100, is_quoted=True)]
    book = MadeBook(tmp_path, MadePage((*cells, *between)), "Result ten. Upper line lower line")
    book.assert_marks_what_is_quoted(book.quoting("Result ten"))


def test_the_edge_of_another_columns_quoted_line_is_marked_too(tmp_path: Path) -> None:
    """The picture of a narrow column is widened into its neighbour, which is quoted as well."""
    left = prose("the dragon\nbreathes marsh gas abc\nthen flies\nover fields", 40, 80, range(10))
    right = prose("that burns\nfor an hour", 190, 80, range(2))
    book = MadeBook(tmp_path, replace(WAYS["upright"], pieces=(*left, *right)))
    wanted = book.quoting("the dragon breathes marsh gas abc then flies over fields that burns")
    assert book.crops(wanted)[1].shown.left < 140
    book.assert_marks_what_is_quoted(wanted)
