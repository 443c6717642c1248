"""Pages that are pictures: told as such, and read by OCR where it is installed."""

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from rag.errors import BookScanned, BookWithoutText
from rag.library.readers.pdf import reader
from rag.library.readers.pdf.lines import read_page
from rag.library.readers.pdf.ocr import engine, scans
from tests.rag.library.readers.pdf.made_pages import HEIGHT, WIDTH, DrawPage, MakeBook, pdf

RULE = (
    "A first level character cannot hire retainers before the tide",
    "has turned twice, and nobody may follow a swimmer who carries",
    "more than three stones. Whoever breaks this rule pays a fine of",
    "twelve stamps to the harbour, and the debt is written down at",
    "once. Debts of the dead are paid by those who were nearest.",
)
SCAN_DOTS_PER_INCH = 150


def rule(canvas: Canvas) -> None:
    for number, line in enumerate(RULE):
        canvas.drawString(40, HEIGHT - 90 - 15 * number, line)
    canvas.drawCentredString(WIDTH / 2, 25, "7")


def scanned(draw: DrawPage, turns: int = 0) -> DrawPage:
    """The page as a scanner gives it: a picture, perhaps lying on its side."""
    document = pypdfium2.PdfDocument(pdf(draw))
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


def test_a_scanned_page_is_read_word_for_word(read: MakeBook) -> None:
    page = read(scanned(rule)).pages[0]

    assert page.layer == "ocr"
    assert " ".join(page.text.split()) == " ".join(RULE)


def test_a_drawing_gives_no_words(read: MakeBook) -> None:
    pages = read(rule, scanned(circle)).pages

    assert (pages[1].text, pages[1].layer) == ("", "printed")


def test_a_page_that_was_kept_is_not_read_again(read: MakeBook, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = PagesInMemory()
    first = read(scanned(rule), scanned(circle), kept=kept)
    monkeypatch.setattr(engine.PictureReader, "read", lambda self, page: pytest.fail("was read again"))

    assert read(scanned(rule), scanned(circle), kept=kept).pages == first.pages


@pytest.mark.parametrize("broken", [b"", b"[1, 2, 3]"])
def test_a_damaged_kept_page_is_read_again(read: MakeBook, broken: bytes) -> None:
    kept = PagesInMemory()
    kept.save(1, broken)

    assert "retainers" in read(scanned(rule), kept=kept).pages[0].text


class TestWithoutOcr:
    def test_a_book_of_pictures_is_told_to_need_ocr_an_empty_one_is_not(
        self, read: MakeBook, no_ocr: None
    ) -> None:
        with pytest.raises(BookScanned):
            read(scanned(rule))
        with pytest.raises(BookWithoutText) as told:
            read(lambda canvas: None)
        assert not isinstance(told.value, BookScanned)

    def test_a_book_with_a_picture_among_printed_pages_awaits_ocr(self, read: MakeBook, no_ocr: None) -> None:
        book = read(rule, scanned(rule))

        assert [page.layer for page in book.pages] == ["printed", "missing"]
        assert book.awaits("tesserocr-2")
        assert not book.awaits("")


def over_background(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (20, 30), 230)), 0, 0, WIDTH, HEIGHT)
    rule(canvas)


def stamped(text: str) -> DrawPage:
    def draw(canvas: Canvas) -> None:
        scanned(rule)(canvas)
        canvas.drawString(40, 10, text)

    return draw


def picture(width: float, height: float) -> DrawPage:
    image = Image.new("L", (40, 60), 90)
    return lambda canvas: canvas.drawImage(ImageReader(image), 70, 80, width, height)


def outlines(canvas: Canvas) -> None:
    for number in range(400):
        canvas.rect(40 + number % 40 * 8, 100 + number // 40 * 12, 5, 7, fill=1)


@pytest.mark.parametrize(
    ("draw", "layer"),
    [
        pytest.param(rule, "printed", id="letters that are seen"),
        pytest.param(with_hidden_text, "hidden", id="invisible letters over a picture"),
        pytest.param(over_background, "printed", id="letters over a page-wide background"),
        pytest.param(stamped("scanned by somebody"), "missing", id="a scan with a stamp"),
        pytest.param(stamped("Order 12345678: bought by Maria Souza"), "missing", id="a scan with its buyer"),
        pytest.param(picture(280, 400), "missing", id="a scan with wide margins"),
        pytest.param(picture(60, 60), "printed", id="a small picture"),
        pytest.param(outlines, "missing", id="letters turned into outlines"),
    ],
)
def test_what_the_letters_of_a_page_are_is_told(draw: DrawPage, layer: str) -> None:
    with pypdfium2.PdfDocument(pdf(draw)) as document:
        assert scans.text_layer(document[0], read_page(document[0])) == layer
