"""A printed reference means pages only where they can be told for certain."""

from dataclasses import replace
from typing import Any

import pytest

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog
from rag.library.books.page import Heading, Page, PageKind
from rag.library.references import Reference, find_references
from rag.library.references.resolve import BookIndex, Resolver


def page(
    number: int, label: str | None, text: str = "", heading: str | None = None, kind: PageKind = "text"
) -> Page:
    return Page(number, label, text, (Heading(1, heading, 0),) if heading else (), kind, False)


def book(title: str, file: str, game: str = "Game") -> BookSummary:
    return BookSummary(title, file, game, "en", "player", (), 1, None, None, 0, 0)


BOOKS = [book("Home", "home.pdf"), book("Other Book", "other.pdf"), book("Far", "far.pdf", game="Far")]
INDEXES = {
    "home.pdf": BookIndex(
        0,
        [
            page(1, "i", "Riposte . . . 2", "Riposte", kind="contents"),
            page(2, "1", "See Falling on page 2 and Machines on page 2."),
            page(3, "2", "Falling hurts."),
            page(4, "3", "", "Chapter 4: Riposte"),
            page(5, "5", "Nonhuman races pay more.", "4.3.8 FUNDS (R3)"),
            page(6, "6", "", "PART 5: STRANGE RACES"),
            page(7, "7", "A warrior fights.", "6 Sea Fights"),
            page(8, "8", "Dexterity counts.", "Chapter Eleven"),
            page(9, "9", "Return the blow.", "Counterblow (Optional)"),
            page(10, "2-3", "", "6.5 Boarding"),
            page(11, "A-3", "", "Clerics vs. Undead"),
            page(12, None, "", "Table 3: Falling Damage"),
            page(13, None, "", "Part 4: Ships"),
        ],
    ),
    "other.pdf": BookIndex(13, [page(1, "1", "Other rules."), page(2, "2", "", "Parry")]),
    "far.pdf": BookIndex(15, [page(1, "1", "", "Dodge")]),
}
RESOLVER = Resolver(BOOKS[0], Catalog(BOOKS), INDEXES, {})


def meant(on_page: int = 1, **facts: Any) -> tuple[int, int] | None:
    """The ids of the first and last page that a reference means."""
    found = RESOLVER.resolve(Reference("as printed", 0, 10, **facts), on_page)
    return (found.first, found.last) if found else None


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("see page 2", (2, 2)),
        ("see pages 1-3", (1, 3)),
        ("see page 99", None),
        ("see Other Book, page 1", (13, 13)),
        ("see GURPS Powers, page 1", None),
        ("PDF page 2", (1, 1)),
        ("see page 2-3", (9, 9)),
        ("see page 2–3", (9, 9)),
        ("see page A-3", (10, 10)),
        ("see Chapter 4", (3, 3)),
        ("see Chapter XI", (7, 7)),
        ("ver capítulo onze", (7, 7)),
        ("see section 6.5", (9, 9)),
        ("see section 6.7", None),
        ("the table on the next page", (2, 2)),
        ("a tabela da página anterior", (0, 0)),
    ],
)
def test_what_is_printed_means_pages_of_this_book_or_of_one_that_is_named(
    text: str, pages: tuple[int, int] | None
) -> None:
    [printed] = find_references(text, [one.title for one in BOOKS], {})
    found = RESOLVER.resolve(printed, 1)
    assert (found and (found.first, found.last)) == pages


@pytest.mark.parametrize(
    ("name", "label", "page_id"),
    [
        ("Falling", "2", 2),
        ("Machines", "2", None),
        ("Machines", "1", None),
        ("FUNDS (R2)", "5", 4),
        ("Warriors", "7", 6),
        ("Arrior", "7", None),
    ],
)
def test_a_name_beside_a_page_must_stand_on_that_page_which_is_not_the_referring_one(
    name: str, label: str, page_id: int | None
) -> None:
    pages = None if page_id is None else (page_id, page_id)
    assert meant(heading=name, first=label, last=label) == pages


def test_a_topic_or_a_section_is_of_this_book_unless_another_goes_by_its_name() -> None:
    assert meant(heading="Bob the Elf", first="2", last="2") is None
    assert meant(heading="Bob the Elf", first="2", last="2", is_part=True) == (2, 2)
    assert meant(heading="Bob the Elf", first="2", last="2", is_topic=True) == (2, 2)
    assert meant(heading="Other", first="2", last="2", is_topic=True) == (14, 14)


def test_a_range_is_one_where_no_page_has_such_a_number() -> None:
    assert meant(first="2", last="3", whole="2-9") == (2, 3)


def test_a_range_is_no_page_whose_number_has_the_same_digits() -> None:
    index = BookIndex(0, [page(1, "2"), page(2, "3"), page(3, "23"), page(4, "A3")])
    assert (index.labelled("2-3"), index.labelled("A-3")) == (None, 3)


def test_a_page_that_only_refers_to_a_book_is_none_of_its_pages() -> None:
    vain, spoken_of = (Reference("Deep Roads, p. 2", 4, 20, heading="Deep Roads"), "Deep Roads wind.")
    pages = [page(1, "1"), page(2, "2", "See Deep Roads, p. 2."), page(3, "3", heading="Ways"), page(4, "4")]
    index = BookIndex(0, pages, [(1, vain)])
    assert not index.says(1, "Deep Roads", besides=0)
    assert BookIndex(0, [*pages[:1], replace(pages[1], text=spoken_of)]).says(1, "Deep Roads", besides=0)
    assert index.says(3, "Ways", besides=0), "it stands under that heading"


def test_two_pages_of_a_sheet_are_at_one_position() -> None:
    left, right = (replace(page(8, label), half=half) for half, label in ((1, "6"), (2, "15")))
    sheet = BookIndex(20, [page(7, "5"), left, right, page(9, "16")])
    assert [sheet.positioned("8"), sheet.positioned("9")] == [21, 23]
    assert [sheet.labelled("6"), sheet.labelled("15")] == [21, 22]
