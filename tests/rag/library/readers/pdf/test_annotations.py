"""Links of a file are words of a page with the page they lead to."""

from collections.abc import Callable
from pathlib import Path

from reportlab.lib.pagesizes import A5
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFString
from reportlab.pdfgen.canvas import Canvas

from rag.library.books.page import Page, PageLink
from rag.library.readers.pdf.annotations import LinkArea, with_links
from rag.library.readers.pdf.reader import read_book

PAGES = (
    "The fall hurts unless Tidesense holds it back.",
    "Whoever drowns looks at the table of depths.",
    "Tidesense reads the water.",
)


def read_with(tmp_path: Path, draw: Callable[[Canvas, int], None]) -> list[tuple[PageLink, ...]]:
    """The links of a book with a line a page, on which `draw` puts annotations."""
    canvas = Canvas(str(tmp_path / "book.pdf"), pagesize=A5, invariant=True)
    for number, text in enumerate(PAGES, start=1):
        canvas.bookmarkPage(f"page-{number}")
        canvas.setFont("Courier", 10)  # six points a letter
        canvas.drawString(40, 500, text)
        draw(canvas, number)
        canvas.showPage()
    canvas.save()
    return [page.links for page in read_book(tmp_path / "book.pdf").pages]


def under(number: int, words: str) -> tuple[float, float, float, float]:
    """The rectangle of words on a page."""
    start = 40 + 6 * PAGES[number - 1].index(words)
    return start, 496, start + 6 * len(words), 510


def test_the_words_under_a_link_lead_to_its_page(tmp_path: Path) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        if number == 1:
            canvas.linkRect("", "page-3", under(1, "Tidesense"))

    start = PAGES[0].index("Tidesense")
    assert read_with(tmp_path, draw) == [((start, start + 9, 3, None),), (), ()]


def test_a_link_to_another_file_names_it(tmp_path: Path) -> None:
    def draw(canvas: Canvas, number: int) -> None:
        if number == 2:
            place = PDFArray([4, PDFName("Fit")])
            action = {"S": PDFName("GoToR"), "F": PDFString("sea.pdf"), "D": place}
            canvas._addAnnotation(
                PDFDictionary(
                    {
                        "Type": PDFName("Annot"),
                        "Subtype": PDFName("Link"),
                        "Rect": PDFArray(under(2, "table of depths")),
                        "A": PDFDictionary(action),
                    }
                )
            )

    start = PAGES[1].index("table of depths")
    assert read_with(tmp_path, draw)[1] == ((start, start + 15, 5, "sea.pdf"),)


def page(number: int, text: str) -> Page:
    return Page(number, str(number), text, (), "text", False)


def test_a_link_on_every_page_is_none() -> None:
    pages = [
        page(number, f"Back to the map. Rule {number}, then a rule at some length.") for number in range(9)
    ]
    assert not any(one.links for one in with_links(pages, [[LinkArea("map", 3)]] * len(pages)))
