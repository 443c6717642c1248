"""The health of a book: what could not be read of it is told, with what to do."""

from rag.library.books.health import BookHealth, health_of
from rag.library.books.page import Page, TextLayer


def page(text: str = "Rules.", label: str | None = "1", layer: TextLayer = "printed") -> Page:
    return Page(1, label, text, (), "text", False, layer=layer)


def test_shares_count_pages_with_text_and_with_a_printed_number() -> None:
    health = health_of([page(), page(label=None), page("", None), page()], 0.9)
    assert (health.text, health.labels, health.words) == (0.75, 0.5, 0.9)


def test_scans_with_one_page_of_text_are_a_problem() -> None:
    health = health_of([page(), *[page("", layer="missing")] * 60], None)
    assert health.problems(61) == ["book-pages-missing"]


def test_a_book_without_text_is_told_also_where_no_picture_tells_why() -> None:
    assert health_of([page(), *[page("")] * 9], None).problems(10) == ["book-pages-empty"]


def test_a_few_pages_of_pictures_are_none() -> None:
    assert health_of([*[page()] * 20, page("", layer="missing")], 0.98).problems(21) == []


def test_pages_whose_text_is_a_scanners_guess_are_told() -> None:
    assert health_of([page(), page(layer="hidden")], None).problems(2) == ["book-text-hidden"]


def test_letters_under_wrong_codes_are_told_by_a_dictionary() -> None:
    assert health_of([page()], 0.2).problems(1) == ["book-words-unknown"]


def test_a_book_in_good_health_has_nothing_low() -> None:
    assert health_of([page()], 0.97).low(1) == {}


def test_what_is_low_is_named_with_its_share() -> None:
    health = BookHealth(text=0.5, words=None, labels=0.1, ocr=3)
    assert health.low(6) == {"health-text": 0.5, "health-labels": 0.1, "health-ocr": 0.5}
