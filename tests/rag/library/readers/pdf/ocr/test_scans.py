"""Pages that are pictures: told as such, and read by OCR where it is installed."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.pagesizes import A5
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from rag.errors import BookScanned, BookWithoutText
from rag.library.readers.pdf import reader
from rag.library.readers.pdf.lines import RawPage
from rag.library.readers.pdf.ocr import engine, scans
from rag.library.readers.pdf.reader import read_book

WIDTH, HEIGHT = A5
RULE = (
    "A first level character cannot hire retainers before the tide",
    "has turned twice, and nobody may follow a swimmer who carries",
    "more than three stones. Whoever breaks this rule pays a fine of",
    "twelve stamps to the harbour, and the debt is written down at",
    "once. Debts of the dead are paid by those who were nearest.",
)
SCAN_DOTS_PER_INCH = 150

Draw = Callable[[Canvas], None]


def drawn(*pages: Draw) -> bytes:
    file = BytesIO()
    canvas = Canvas(file, pagesize=A5)
    for draw in pages:
        canvas.setFont("Helvetica", 11)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def rule(canvas: Canvas) -> None:
    for number, line in enumerate(RULE):
        canvas.drawString(40, HEIGHT - 90 - 15 * number, line)
    canvas.drawCentredString(WIDTH / 2, 25, "7")


def scanned(draw: Draw, turns: int = 0) -> Draw:
    """The page as a scanner gives it: a picture, perhaps lying on its side."""
    document = pypdfium2.PdfDocument(drawn(draw))
    pixels = document[0].render(scale=SCAN_DOTS_PER_INCH / 72, grayscale=True).to_numpy()
    document.close()
    picture = Image.fromarray(pixels.reshape(pixels.shape[:2])).rotate(90 * turns, expand=True)

    def paint(canvas: Canvas) -> None:
        size = (HEIGHT, WIDTH) if turns % 2 else (WIDTH, HEIGHT)
        canvas.setPageSize(size)
        canvas.drawImage(ImageReader(picture), 0, 0, *size)

    return paint


def with_hidden_text(canvas: Canvas) -> None:
    scanned(rule)(canvas)
    text = canvas.beginText(40, HEIGHT - 90)
    text.setTextRenderMode(3)
    for line in RULE:
        text.textLine(line)
    canvas.drawText(text)


def circle(canvas: Canvas) -> None:
    canvas.circle(200, 200, 50)


@pytest.fixture
def book(tmp_path: Path) -> Callable[..., Path]:
    def write(*pages: Draw) -> Path:
        path = tmp_path / "book.pdf"
        path.write_bytes(drawn(*pages))
        return path

    return write


@pytest.fixture
def no_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "ocr_engine", lambda: None)


class PagesInMemory:
    """Keeps pages as the index does, and counts how many are saved."""

    def __init__(self) -> None:
        self.pages: dict[int, bytes] = {}

    def load(self, position: int) -> bytes | None:
        return self.pages.get(position)

    def save(self, position: int, content: bytes) -> None:
        self.pages[position] = content


class TestWithOcr:
    def test_a_scanned_page_is_read_word_for_word_with_its_printed_number(
        self, book: Callable[..., Path]
    ) -> None:
        page = read_book(book(scanned(rule))).pages[0]
        assert page.layer == "ocr"
        assert " ".join(page.text.split()) == " ".join(RULE)

    def test_a_page_that_lies_on_its_side_is_read_upright(self, book: Callable[..., Path]) -> None:
        assert "cannot hire retainers" in read_book(book(scanned(rule, turns=1))).pages[0].text

    def test_a_drawing_gives_no_words(self, book: Callable[..., Path]) -> None:
        pages = read_book(book(rule, scanned(circle))).pages
        assert (pages[1].text, pages[1].layer) == ("", "printed")

    def test_a_page_that_was_kept_is_not_read_again(
        self, book: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, kept = book(scanned(rule)), PagesInMemory()
        first = read_book(path, kept=kept)
        monkeypatch.setattr(engine.PictureReader, "read", lambda self, page: pytest.fail("was read again"))
        assert read_book(path, kept=kept).pages == first.pages

    def test_a_picture_without_words_is_kept_as_one(self) -> None:
        assert engine.unpacked(engine.packed(None)) is None

    def test_what_is_kept_is_the_page(self, book: Callable[..., Path]) -> None:
        document = pypdfium2.PdfDocument(book(scanned(rule)))
        installed = engine.ocr_engine()
        assert installed
        page = engine.PictureReader(installed).read(document[0])
        document.close()
        assert page is not None
        assert engine.unpacked(engine.packed(page)) == page

    @pytest.mark.parametrize("broken", [b"", b"[1, 2, 3]"])
    def test_a_damaged_kept_page_is_read_again(self, book: Callable[..., Path], broken: bytes) -> None:
        kept = PagesInMemory()
        kept.save(1, broken)
        assert "retainers" in read_book(book(scanned(rule)), kept=kept).pages[0].text


class TestWithoutOcr:
    def test_a_book_of_pictures_is_told_to_need_ocr(self, book: Callable[..., Path], no_ocr: None) -> None:
        with pytest.raises(BookScanned):
            read_book(book(scanned(rule)))

    def test_an_empty_book_is_not(self, book: Callable[..., Path], no_ocr: None) -> None:
        with pytest.raises(BookWithoutText) as told:
            read_book(book(lambda canvas: None))
        assert not isinstance(told.value, BookScanned)

    def test_a_picture_among_printed_pages_is_missing(self, book: Callable[..., Path], no_ocr: None) -> None:
        assert [page.layer for page in read_book(book(rule, scanned(rule))).pages] == ["printed", "missing"]

    def test_a_book_with_missing_pages_awaits_ocr(self, book: Callable[..., Path], no_ocr: None) -> None:
        parsed = read_book(book(rule, scanned(rule)))
        assert parsed.awaits("tesserocr-2")
        assert not parsed.awaits("")


class TestTextLayer:
    def layer(self, *pages: Draw) -> str:
        document = pypdfium2.PdfDocument(drawn(*pages))
        try:
            return scans.text_layer(document[0], reader_page(document[0]))
        finally:
            document.close()

    def test_letters_that_are_seen_are_printed(self) -> None:
        assert self.layer(rule) == "printed"

    def test_invisible_letters_over_a_picture_are_hidden(self) -> None:
        assert self.layer(with_hidden_text) == "hidden"

    def test_printed_letters_over_a_page_wide_background_are_printed(self) -> None:
        def over_background(canvas: Canvas) -> None:
            canvas.drawImage(ImageReader(Image.new("L", (20, 30), 230)), 0, 0, WIDTH, HEIGHT)
            rule(canvas)

        assert self.layer(over_background) == "printed"

    def test_a_scan_with_only_a_stamp_on_it_is_missing(self) -> None:
        def stamped(canvas: Canvas) -> None:
            scanned(rule)(canvas)
            canvas.drawString(40, 10, "scanned by somebody")

        assert self.layer(stamped) == "missing"

    def test_a_buyers_line_on_a_scan_is_no_text_of_it(self) -> None:
        def stamped(canvas: Canvas) -> None:
            scanned(rule)(canvas)
            canvas.drawString(40, 10, "Order 12345678: bought by Maria Souza <maria.souza@example.com>")

        assert self.layer(stamped) == "missing"

    def test_a_scan_may_leave_wide_margins(self) -> None:
        def small_scan(canvas: Canvas) -> None:
            canvas.drawImage(ImageReader(Image.new("L", (40, 60), 90)), 70, 80, 280, 400)

        assert self.layer(small_scan) == "missing"

    def test_a_small_picture_on_an_empty_page_is_none_of_text(self) -> None:
        def small(canvas: Canvas) -> None:
            canvas.drawImage(ImageReader(Image.new("L", (20, 30), 90)), 50, 50, 60, 60)

        assert self.layer(small) == "printed"

    def test_letters_turned_into_outlines_are_missing(self) -> None:
        def outlines(canvas: Canvas) -> None:
            for number in range(400):
                canvas.rect(40 + number % 40 * 8, 100 + number // 40 * 12, 5, 7, fill=1)

        assert self.layer(outlines) == "missing"


def reader_page(page: pypdfium2.PdfPage) -> RawPage:
    from rag.library.readers.pdf.lines import read_page

    return read_page(page)
