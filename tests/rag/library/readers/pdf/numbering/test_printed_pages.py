"""Printed numbers and printed words of whole PDF files, kind by kind."""

import json
import os
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, RectangleObject
from reportlab.lib.pagesizes import A4, A5, landscape
from reportlab.pdfgen.canvas import Canvas

from rag.library.books.book import ParsedBook
from rag.library.readers.pdf.reader import read_book
from tests.rag.library.readers.pdf.made_pages import HEIGHT, PROSE, WIDTH, DrawNumbered, MakeBook, numbered

WORDS = (
    *("amber", "birch", "cedar", "dusk", "ember", "fjord"),
    *("grove", "heath", "inlet", "knoll", "ledge", "marsh"),
)


def prose(canvas: Canvas, x: float = 40, top: float = HEIGHT - 110, lines: int = 12) -> None:
    for row in range(lines):
        canvas.drawString(x, top - 14 * row, PROSE if row % 4 else f"Of tides {row}. {PROSE[:30]}")


def labels(book: ParsedBook) -> list[str | None]:
    return [page.label for page in book.pages]


def counted(count: int, first: int = 1) -> list[str]:
    return [str(number) for number in range(first, first + count)]


class TestNumbersInTheMargin:
    @pytest.mark.parametrize(
        "foot",
        [
            *("{}", "{} / 24", "Page {} of 24", "- {} -", "[{}]", "• {} •", "Seite {}", "oldal {}"),
            *("Chapter Two   {}", "{}   Low Water", "{}—Fantastic Creatures", "Fantastic Creatures—{}"),
        ],
    )
    @pytest.mark.parametrize("height", [24, HEIGHT - 25])
    def test_a_number_in_head_or_foot_is_read_in_any_form(
        self, read: MakeBook, foot: str, height: float
    ) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            prose(canvas)
            canvas.drawCentredString(WIDTH / 2, height, foot.format(number + 2))

        assert labels(read(*numbered(draw, 6))) == counted(6, 3)

    @pytest.mark.parametrize("top", [False, True])
    def test_a_number_in_a_deep_margin_is_read_and_left_out_of_the_text(
        self, read: MakeBook, top: bool
    ) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            prose(canvas, top=0.7 * HEIGHT, lines=16 if number % 3 else 6)
            canvas.drawCentredString(WIDTH / 2, (0.78 if top else 0.22) * HEIGHT, f"- {number} -")

        book = read(*numbered(draw, 8))

        assert labels(book) == counted(8)
        assert [f"- {page.label} -" in page.text for page in book.pages] == [False] * 8

    def test_a_footnote_beside_the_number_of_its_page_is_text(self, read: MakeBook) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            prose(canvas)
            canvas.drawString(40, 40, f"{number} See the Bells of {WORDS[number]}")
            canvas.drawCentredString(WIDTH / 2, 20, f"{number}")

        book = read(*numbered(draw, 5))

        assert ["See the Bells" in page.text for page in book.pages] == [True] * 5


def sideways(canvas: Canvas, text: str, x: float, turn: int = 90) -> None:
    canvas.saveState()
    canvas.translate(x, canvas._pagesize[1] / 2)
    canvas.rotate(turn)
    canvas.drawString(0, 0, text)
    canvas.restoreState()


ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII"]
UNKNOWN: list[str | None] = [None] * 8


def beside(text: str) -> DrawNumbered:
    """A head that counts three pages further, and the page's number sideways."""

    def draw(canvas: Canvas, number: int) -> None:
        canvas.drawString(40, HEIGHT - 40, text.format(number + 3))
        sideways(canvas, str(number), WIDTH - 20)

    return draw


def at(
    text: str,
    x: float = 40,
    y: float = HEIGHT - 40,
    size: float = 10,
    font: str = "Helvetica",
    first: int = 4,
) -> DrawNumbered:
    """A line that counts from `first` up."""

    def draw(canvas: Canvas, number: int) -> None:
        canvas.setFont(font, size)
        canvas.drawString(x, y, text.format(number + first - 1, word=WORDS[number]))
        canvas.setFont("Helvetica", 10)

    return draw


def under_a_large_numeral(canvas: Canvas, number: int) -> None:
    at("{}", y=HEIGHT - 60, size=28)(canvas, number)
    canvas.drawCentredString(WIDTH / 2, 24, str(number))


def beside_the_text(canvas: Canvas, number: int) -> None:
    canvas.drawString(8 if number % 2 else WIDTH - 20, HEIGHT / 2, str(number))


def over_an_imprint(canvas: Canvas, number: int) -> None:
    imprint = ["Letters at Low Water", "All rights", "Sold at sea", "Not to be copied"]
    for row, words in enumerate([str(number), *imprint]):
        canvas.drawCentredString(WIDTH / 2, 56 - 10 * row - 2 * bool(row), words)


@pytest.mark.parametrize(
    ("margins", "expected"),
    [
        pytest.param(beside("Table {}"), counted(8), id="sideways beside numbers of tables"),
        pytest.param(beside("{}"), UNKNOWN, id="sideways beside lone numbers"),
        pytest.param(under_a_large_numeral, counted(8), id="under a large numeral"),
        pytest.param(beside_the_text, counted(8), id="beside the text"),
        pytest.param(over_an_imprint, counted(8), id="over an imprint"),
        pytest.param(at("Scenario {}", size=18), UNKNOWN, id="scenarios"),
        pytest.param(at("{} See {word}", y=40, size=7, first=1), UNKNOWN, id="footnotes"),
        pytest.param(at("Card {}/54", y=24, first=7), UNKNOWN, id="cards"),
        pytest.param(
            at("{}", WIDTH / 2 - 6, HEIGHT - 60, 11, "Helvetica-Bold", 41), UNKNOWN, id="numbered entries"
        ),
        pytest.param(at("{}", y=HEIGHT - 60, size=28), UNKNOWN, id="large numerals"),
        pytest.param(at("Table {}"), UNKNOWN, id="captions"),
        pytest.param(
            lambda canvas, number: canvas.drawCentredString(WIDTH / 2, 24, ROMAN[number - 1]),
            ROMAN,
            id="roman",
        ),
    ],
)
def test_a_label_is_right_or_unknown_whatever_else_counts_up(
    read: MakeBook, margins: DrawNumbered, expected: list[str | None]
) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        prose(canvas)
        margins(canvas, number)

    assert labels(read(*numbered(draw, 8))) == expected


class TestSheets:
    def test_a_booklet_is_cited_page_by_page_and_read_in_order(self, read: MakeBook) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            low, high = number, 13 - number
            for x, printed in zip((40, 470), (high, low) if low % 2 else (low, high), strict=True):
                canvas.drawString(x, 400, f"The tide of day {printed} is high")
                canvas.drawString(x, 386, "and nobody knows why it is so.")
                canvas.drawString(x + 150, 24, str(printed))

        book = read(*numbered(draw, 6), size=landscape(A4))

        assert labels(book) == counted(12)
        assert [f"day {page.label} is" in page.text for page in book.pages] == [True] * 12
        assert [page.pdf_page for page in book.pages] == [*range(1, 7), *range(6, 0, -1)]

    def test_spreads_hold_two_pages_each_after_a_single_cover(self, read: MakeBook) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            canvas.setPageSize(A5 if number == 1 else landscape(A4))
            prose(canvas, lines=6)
            if number > 1:
                prose(canvas, x=460, lines=6)
                canvas.drawString(40, 20, str(2 * number - 2))
                canvas.drawRightString(800, 20, str(2 * number - 1))

        assert labels(read(*numbered(draw, 5))) == [None, *counted(8, 2)]


class TestWordsAsPrinted:
    def test_text_outside_the_crop_box_is_left_out(self, tmp_path: Path) -> None:
        buffer = BytesIO()
        canvas = Canvas(buffer, pagesize=A4)
        prose(canvas, x=120, top=600)
        canvas.drawString(60, 820, "core.indd 12 03/02/2019 17:15")
        canvas.save()
        writer = PdfWriter(PdfReader(buffer))
        writer.pages[0].cropbox = RectangleObject((50, 50, 545, 790))
        writer.write(tmp_path / "book.pdf")
        [page] = read_book(tmp_path / "book.pdf").pages

        assert "indd" not in page.text
        assert PROSE in page.text

    def test_words_parted_by_a_gap_alone_are_two(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            canvas.setFillGray(0)
            text = canvas.beginText(40, 400)
            text.setFont("Helvetica", 10)
            text._code.append("[(skills are) -230 (used) -230 (here)] TJ")
            canvas.drawText(text)

        assert read(draw).pages[0].text == "skills are used here"

    @pytest.mark.parametrize("spacing", [2.5, 4.0])
    def test_a_heading_with_spaced_letters_stays_whole(self, read: MakeBook, spacing: float) -> None:
        def draw(canvas: Canvas) -> None:
            canvas.drawString(40, 400, "COMBAT", charSpace=spacing)
            prose(canvas, top=370)

        assert read(draw).pages[0].text.startswith("COMBAT")

    def test_text_drawn_twice_stands_once(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            for shift in (0, 0.4):
                canvas.drawString(40 + shift, 400 - shift, "The blind are rolled less often.")
                canvas.drawString(40 + shift, 386 - shift, "All will be well.")

        text = read(draw).pages[0].text

        assert text.count("rolled") == text.count("well") == 1
        assert "will" in text

    @pytest.mark.parametrize(
        ("font", "codes", "shown"),
        [
            ("CMSY10", "d", "⌈"),
            ("CMSY10", "e", "⌉"),
            ("MSAM10", "X", "✓"),
            ("ABCDEF+Wingdings-Regular", "l", "●"),
            ("CMEX10", "9", ""),
            ("Webdings", "q", ""),
        ],
    )
    def test_the_sign_of_a_symbol_font_is_never_a_letter_or_digit(
        self, tmp_path: Path, font: str, codes: str, shown: str
    ) -> None:
        buffer = BytesIO()
        canvas = Canvas(buffer, pagesize=A5)
        canvas.drawString(40, 400, "The cost is")
        canvas.setFont("Courier", 10)
        canvas.drawString(100, 400, codes)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(120, 400, "twelve")
        canvas.save()
        writer = PdfWriter(PdfReader(buffer))
        for held in writer._objects:
            if isinstance(held, DictionaryObject) and held.get("/BaseFont") == "/Courier":
                held[NameObject("/BaseFont")] = NameObject(f"/{font}")
        writer.write(tmp_path / "book.pdf")
        [page] = read_book(tmp_path / "book.pdf").pages

        assert page.text.split() == ["The", "cost", "is", *shown, "twelve"]


@pytest.mark.corpus
@pytest.mark.skipif(not os.environ.get("CORPUS_DIR"), reason="CORPUS_DIR is not set")
@pytest.mark.parametrize(
    "file",
    [
        "odd6/core.pdf",
        "3p/livro-de-regras-digital.pdf",
        "3p/livro-de-regras-impressao.pdf",
        "hema/rulebook.pdf",
    ],
)
def test_every_printed_number_of_a_real_book_is_right(file: str) -> None:
    layouts = Path(os.environ.get("CORPUS_DIR", "."), "layouts")
    printed = json.loads((layouts / "labels.json").read_text(encoding="utf-8"))[file]
    found: list[list[str]] = [[] for _ in printed]
    for page in read_book(layouts / file).pages:
        found[page.pdf_page - 1] += [page.label] if page.label else []

    assert found == [[] if one is None else [one] if isinstance(one, str) else one for one in printed]
