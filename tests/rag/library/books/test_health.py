"""The health of a book: what could not be read of it is told, with what to do."""

import pytest

from rag.library.books.health import BookHealth, health_of
from rag.library.books.page import Page, TextLayer


def page(text: str = "Rules.", label: str | None = "1", layer: TextLayer = "printed") -> Page:
    return Page(1, label, text, (), "text", False, layer=layer)


@pytest.mark.parametrize(
    ("pages", "known_words", "problems"),
    [
        ([page(), *[page("", layer="missing")] * 60], None, ["book-pages-missing"]),
        ([page(), *[page("")] * 9], None, ["book-pages-empty"]),
        ([*[page()] * 20, page("", layer="missing")], 0.98, []),
        ([page(), page(layer="hidden")], None, ["book-text-hidden"]),
        ([page()], 0.2, ["book-words-unknown"]),
    ],
)
def test_what_could_not_be_read_of_a_book_is_told(
    pages: list[Page], known_words: float | None, problems: list[str]
) -> None:
    assert health_of(pages, known_words).problems(len(pages)) == problems


def test_what_is_low_is_named_with_its_share() -> None:
    health = BookHealth(text=0.5, words=None, labels=0.1, ocr=3)
    assert health.low(6) == {"health-text": 0.5, "health-labels": 0.1, "health-ocr": 0.5}
