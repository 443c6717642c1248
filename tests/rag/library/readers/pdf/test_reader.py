"""From a PDF to pages: the text as a reader meets it, with its printed numbers and headings."""

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import reportlab
from pypdf import PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle, UserAccessPermissions
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from rag.errors import BookEmpty, BookError, BookNeedsPassword, BookNotPdf, BookTruncated, BookWithoutText
from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import DeclaredBook
from rag.library.books.page import Page
from rag.library.readers.pdf.reader import read_book
from tests.rag.library.readers.pdf.made_pages import (
    HEIGHT,
    LEADING,
    LEFT,
    PROSE,
    SIZE,
    TOP,
    WIDTH,
    DrawPage,
    MakeBook,
    lines,
    numbered,
    pdf,
    prose,
    with_text,
)

RIGHT, COLUMN = 220.0, 160.0


def in_order(page: Page, *words: str) -> bool:
    places = [page.text.index(word) for word in words]
    return places == sorted(places)


def only(book: ParsedBook) -> Page:
    [page] = book.pages
    return page


class TestReadingOrder:
    @staticmethod
    def by_columns(canvas: Canvas) -> None:
        lines(canvas, *prose("left"))
        lines(canvas, *prose("right"), x=RIGHT)

    @staticmethod
    def right_first(canvas: Canvas) -> None:
        lines(canvas, *prose("right"), x=RIGHT)
        lines(canvas, *prose("left"))

    @staticmethod
    def across(canvas: Canvas) -> None:
        for number, (left, right) in enumerate(zip(prose("left"), prose("right"), strict=True)):
            canvas.drawString(LEFT, TOP - number * LEADING, left)
            canvas.drawString(RIGHT, TOP - number * LEADING, right)

    @pytest.mark.parametrize("draw", [by_columns, right_first, across])
    def test_columns_are_read_from_left_to_right_however_they_were_drawn(
        self, read: MakeBook, draw: DrawPage
    ) -> None:
        assert in_order(only(read(draw)), "left0", "left5", "right0", "right5")

    def test_a_table_drawn_last_is_read_where_it_stands(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            lines(canvas, *prose("left", 4), top=TOP - 150)
            lines(canvas, *prose("right", 4), x=RIGHT, top=TOP - 150)
            canvas.drawCentredString(WIDTH / 2, 30, "17")
            for row, cells in enumerate(
                [("Level", "Cost", "Notes"), ("1", "5", "none"), ("2", "10", "rare")]
            ):
                for column, cell in enumerate(cells):
                    canvas.drawString(LEFT + 120 * column, TOP - row * LEADING, cell)

        page = only(read(draw))

        assert page.text.startswith("Level  Cost  Notes\n1  5  none\n2  10  rare\n\nleft0")

    def test_something_as_wide_as_the_page_parts_what_is_above_from_what_is_below(
        self, read: MakeBook
    ) -> None:
        def draw(canvas: Canvas) -> None:
            for word, x in (("left", LEFT), ("right", RIGHT)):
                lines(canvas, *prose(word, 4), x=x)
                lines(canvas, *prose(f"low{word}", 4), x=x, top=TOP - 180)
            lines(canvas, f"Across: {PROSE} and so on", top=TOP - 110)

        assert in_order(only(read(draw)), "left0", "right0", "Across", "lowleft0", "lowright0")

    def test_a_short_sidebar_is_read_after_the_text_that_it_stands_beside(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            lines(canvas, "Sidebar Head", "gulls only", x=RIGHT + 40, top=TOP + 1)
            lines(canvas, *prose("main"))
            lines(canvas, f"Below: {PROSE} and so on", top=TOP - 110)

        assert in_order(only(read(draw)), "main0", "main5", "Sidebar Head", "gulls", "Below")

    def test_the_title_of_a_page_is_read_before_all_its_columns(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            lines(canvas, "Tides", x=RIGHT + 80, top=TOP + 40, size=20)
            lines(canvas, *prose("left"))
            lines(canvas, *prose("right"), x=RIGHT)

        assert in_order(only(read(draw)), "Tides", "left0", "right0")


class TestText:
    def test_lines_of_a_paragraph_are_joined_and_paragraphs_parted(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            lines(canvas, "The sea leaves in spring and", "comes back in the fall.")
            lines(canvas, "Boats wait on the sand.", top=TOP - 50)

        page = only(read(draw))

        assert page.text == "The sea leaves in spring and comes back in the fall.\n\nBoats wait on the sand."

    def test_a_word_broken_at_a_line_end_is_joined_where_the_book_has_it_whole(self, read: MakeBook) -> None:
        book = read(with_text("Every modifica-", "tion costs five. No modification is free."))

        assert only(book).text == "Every modification costs five. No modification is free."

    def test_a_compound_keeps_its_hyphen_at_a_line_end(self, read: MakeBook) -> None:
        book = read(
            with_text(
                "Roll a six-", "sided die. Some have six faces, some are one sided.", "Some are six-sided."
            )
        )

        assert "a six-sided die" in only(book).text

    def test_ligatures_become_letters(self, read: MakeBook) -> None:
        pdfmetrics.registerFont(TTFont("Vera", Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"))

        def draw(canvas: Canvas) -> None:
            canvas.setFont("Vera", SIZE)
            canvas.drawString(LEFT, TOP, "A ﬁne ﬂame")

        assert only(read(draw)).text == "A fine flame"

    def test_the_stretched_spaces_of_a_narrow_justified_column_are_no_gaps_between_cells(
        self, read: MakeBook
    ) -> None:
        spaces = {
            "the herring crew fights": 7,
            "lanterns burn extraordinarily": 13,
            "by stormy constellations": 22,
        }
        column = 3 * [*spaces]

        def draw(canvas: Canvas) -> None:
            canvas.setFont("Helvetica", 10)
            for row, text in enumerate(column):
                x = 40.0
                for word in text.split():
                    canvas.drawString(x, TOP - 12 * row, word)
                    x += canvas.stringWidth(word) + spaces[text]

        assert only(read(draw)).text == " ".join(column)

    def test_a_drop_cap_belongs_to_its_word(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            canvas.setFont("Helvetica", 34)
            canvas.drawString(LEFT, TOP - 2 * LEADING, "T")
            lines(
                canvas,
                "here was once a wader who",
                "went out too far, and came",
                "back with the tide.",
                x=LEFT + 24,
            )

        assert only(read(draw)).text.startswith("There was once a wader who went out")

    def test_small_capitals_are_one_word_and_the_mark_of_a_note_no_digit(self, read: MakeBook) -> None:
        parts = [("C", 14, 0), ("ASTING ", 11, 0), ("T", 14, 0), ("IME", 11, 0), ("6", 7, 4), (" 3D", 11, 0)]

        def draw(canvas: Canvas) -> None:
            x = LEFT
            for text, size, rise in parts:
                canvas.setFont("Helvetica", size)
                canvas.drawString(x, TOP + rise, text)
                x += canvas.stringWidth(text, "Helvetica", size)

        assert only(read(draw)).text == "CASTING TIME⁶ 3D"

    def test_a_page_that_ends_in_mid_sentence_continues(self, read: MakeBook) -> None:
        book = read(with_text("The wader goes on and"), with_text("comes home. There she sleeps."))

        assert [page.continues for page in book.pages] == [True, False]


class TestHeadsAndFeet:
    @staticmethod
    def of_buyer(canvas: Canvas, number: int) -> None:
        canvas.drawString(LEFT, HEIGHT - 30, "LETTERS AT LOW WATER")
        lines(canvas, f"Rule number {'abcdefgh'[number]} holds.", PROSE + ".")
        canvas.drawCentredString(WIDTH / 2, 30, f"– {number + 40} –")
        canvas.drawString(LEFT, 15, "Jo Fisher (jo@example.org) - order #48213")

    @pytest.mark.parametrize(("count", "absent"), [(2, "Fisher|48213"), (5, "Fisher|48213|LETTERS|–")])
    def test_headers_footers_page_numbers_and_the_buyers_name_are_no_text(
        self, read: MakeBook, count: int, absent: str
    ) -> None:
        for page in read(*numbered(self.of_buyer, count)).pages:
            assert "Rule number" in page.text
            assert not re.search(absent, page.text)

    def test_a_line_that_returns_within_the_text_of_every_page_is_text(self, read: MakeBook) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            lines(canvas, *prose("start", number + 1), "", "Other Aspects:", PROSE)
            canvas.drawCentredString(WIDTH / 2, 30, str(number))

        assert all("Other Aspects:" in page.text for page in read(*numbered(draw, 6)).pages)

    @pytest.mark.parametrize(
        ("rule", "first"), [("Skill: Alteration", {1, 4, 7, 10}), ("Cost: 3", {1, 2, 3, 4, 5})]
    )
    def test_the_first_lines_of_the_text_are_no_header(
        self, read: MakeBook, rule: str, first: set[int]
    ) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            begins = [f"{'abcdefghijkl'[number - 1]} begins here"] * (number not in first or "Cost" in rule)
            lines(canvas, *begins, *[rule] * (number in first), top=HEIGHT - 40)
            lines(canvas, PROSE)

        pages = read(*numbered(draw, 12)).pages

        assert {page.pdf_page for page in pages if rule in page.text} == first

    @pytest.mark.parametrize(("size", "other"), [(SIZE, (6,)), (14, (5, 6, 7, 8))])
    def test_a_header_of_one_chapter_is_no_text_whatever_its_size_and_on_its_only_page(
        self, read: MakeBook, size: float, other: Sequence[int]
    ) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            head = "The Only Page" if number in other else "The Tides"
            lines(canvas, head, top=HEIGHT - 30, size=size)
            lines(canvas, PROSE, PROSE)

        assert not any(re.search("Only|Tides", page.text) for page in read(*numbered(draw, 8)).pages)

    @pytest.mark.parametrize(
        "headings",
        [
            ("Room 1", "Room 2", "Room 3", "The Drowned Chapel", "Room 5", "Lamp Oil Prices", "Room 7"),
            ("Level 1 Spells", "Level 2 Spells", "Ghost Sails", "Level 3 Spells", "Level 4 Spells"),
            ("Spells", "Spells", "Spells", "Ghost Sails", "Spells", "Spells"),
        ],
    )
    def test_headings_at_the_top_of_every_page_are_text(
        self, read: MakeBook, headings: tuple[str, ...]
    ) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            lines(canvas, headings[number - 1], top=HEIGHT - 60, size=16)
            lines(canvas, *prose(f"body{number}"))
            canvas.drawCentredString(WIDTH / 2, 30, str(number))

        pages = read(*numbered(draw, len(headings))).pages

        assert {one.text for page in pages for one in page.headings} >= set(headings) - {"Spells"}

    @pytest.mark.parametrize(
        "watermark",
        [
            ["Licensed to Jo Fisher"],
            ["Jo Fisher - order 8812{number:02}"],
            ["Pedido 99-812"],
            ["Jo Fisher", "jo@example.org", "#{number}"],
            ["Comprado por: Zélia Pescadora"],
        ],
    )
    def test_a_line_that_names_the_buyer_is_no_text_wherever_it_stands(
        self, read: MakeBook, watermark: list[str]
    ) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            lines(canvas, *prose(f"body{number}"))
            written = [line.format(number=number) for line in watermark]
            lines(canvas, *written, x=LEFT + 5 * number, top=300 - 17 * number, size=7)

        text = "\n".join(page.text for page in read(*numbered(draw, 6)).pages)

        assert not re.search("Fisher|example|Pescadora|edido|8812", text)

    def test_a_rule_on_every_page_about_an_order_or_a_licence_is_text(self, read: MakeBook) -> None:
        def draw(canvas: Canvas, number: int) -> None:
            rules = ["Follow the order 3 times.", "Sold to merchants: 5 silver.", "in order not to drown"]
            lines(canvas, *prose("body", number), "", *rules)

        pages = read(*numbered(draw, 6)).pages

        assert all("the order 3 times. Sold to merchants" in page.text for page in pages)
        assert all("in order not to drown" in page.text for page in pages)


class TestLabels:
    def test_labels_of_the_file_serve_where_nothing_is_printed(self, tmp_path: Path) -> None:
        writer = PdfWriter(clone_from=BytesIO(pdf(*[with_text(PROSE)] * 5)))
        writer.set_page_label(0, 1, style=PageLabelStyle.LOWERCASE_ROMAN)
        writer.set_page_label(2, 4, style=PageLabelStyle.DECIMAL)
        writer.write(tmp_path / "book.pdf")

        assert [page.label for page in read_book(tmp_path / "book.pdf").pages] == ["i", "ii", "1", "2", "3"]

    def test_nothing_is_invented_but_what_is_declared_wins(self, read: MakeBook) -> None:
        declared = DeclaredBook("book.pdf", first_printed_page=1, on_pdf_page=3)
        pages = [with_text(PROSE)] * 4

        assert [page.label for page in read(*pages).pages] == [None] * 4
        assert [page.label for page in read(*pages, declared=declared).pages] == [None, None, "1", "2"]


class TestHeadings:
    def test_headings_have_levels_and_stand_in_the_text(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            lines(canvas, "Combat", size=20, top=TOP + 40)
            lines(canvas, "Attack Rolls", size=14)
            lines(canvas, *prose("body"), top=TOP - 30)
            lines(canvas, "Damage", size=14, top=TOP - 150)
            lines(canvas, *prose("more"), top=TOP - 180)

        page = only(read(draw))
        combat, attack, damage = page.headings

        assert [combat.text, attack.text, damage.text] == ["Combat", "Attack Rolls", "Damage"]
        assert combat.level < attack.level == damage.level
        assert all(page.text.startswith(one.text, one.offset) for one in page.headings)

    def test_a_heading_of_two_lines_is_one(self, read: MakeBook) -> None:
        def draw(canvas: Canvas) -> None:
            lines(canvas, "What the Sea Leaves", "on the Sand", size=13)
            lines(canvas, *prose("body"), top=TOP - 50)

        assert [one.text for one in only(read(draw)).headings] == ["What the Sea Leaves on the Sand"]

    def test_contents_and_index_are_known(self, read: MakeBook) -> None:
        entries = ["Waders", "Knots", "Ropes", "Tides", "Isles", "Roads", "Errata"]

        def contents(canvas: Canvas) -> None:
            lines(
                canvas,
                "Contents",
                *[f"{entry} . . . . . . . . {3 * page + 1}" for page, entry in enumerate(entries)],
            )

        def index(canvas: Canvas) -> None:
            lines(
                canvas,
                "Index",
                *[f"{entry}, {30 - page}, {40 + page}" for page, entry in enumerate(sorted(entries))],
            )

        book = read(contents, *[with_text(*prose("body"))] * 6, index)

        assert [page.kind for page in book.pages] == ["contents", *["text"] * 6, "index"]
        assert "Knots  4\n" in book.pages[0].text
        assert book.pages[7].text.count("\n") >= len(entries) - 1


class TestBadFiles:
    @staticmethod
    def error(tmp_path: Path, data: bytes) -> type[BookError]:
        path = tmp_path / "book.pdf"
        path.write_bytes(data)
        with pytest.raises(BookError) as caught:
            read_book(path)
        return caught.type

    @staticmethod
    def locked(**options: Any) -> bytes:
        writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf(with_text(PROSE)))))
        writer.encrypt(algorithm="RC4-128", **options)
        buffer = BytesIO()
        writer.write(buffer)
        return buffer.getvalue()

    def test_a_password_is_asked_for(self, tmp_path: Path) -> None:
        assert (
            self.error(tmp_path, self.locked(user_password="sea", owner_password="salt")) is BookNeedsPassword
        )

    def test_a_file_that_only_forbids_printing_and_copying_is_read(self, tmp_path: Path) -> None:
        nothing = UserAccessPermissions(0)
        path = tmp_path / "book.pdf"
        path.write_bytes(self.locked(user_password="", owner_password="salt", permissions_flag=nothing))

        assert "sea leaves" in only(read_book(path)).text

    @pytest.mark.parametrize(
        ("data", "told"),
        [
            pytest.param(b"", BookEmpty, id="empty"),
            pytest.param(b"<html><body>Not found</body></html>", BookNotPdf, id="no PDF"),
            pytest.param(pdf(*[with_text(PROSE)] * 3)[:200], BookTruncated, id="truncated"),
            pytest.param(pdf(lambda canvas: canvas.circle(200, 200, 50)), BookWithoutText, id="a picture"),
        ],
    )
    def test_what_is_wrong_with_a_file_is_told(
        self, tmp_path: Path, data: bytes, told: type[BookError]
    ) -> None:
        assert self.error(tmp_path, data) is told
