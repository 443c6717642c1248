"""A printed reference means pages only where they can be told for certain."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from rag.library.books.book import BookSummary
from rag.library.books.catalog import Catalog
from rag.library.books.page import Heading, Page, PageKind
from rag.library.references import Reference, find_references
from rag.library.references.resolve import BookIndex, PageRange, looked_through, resolve


def page(
    number: int, label: str | None, text: str = "", heading: str | None = None, kind: PageKind = "text",
    term: str | None = None,
) -> Page:  # fmt: skip
    headings = (Heading(1, heading, 0),) if heading else ()
    terms = ((text.index(term), term),) if term else ()
    return Page(number, label, text, headings, kind, False, terms=terms)


def book(title: str, file: str) -> BookSummary:
    return BookSummary(title, file, "Game", "en", "player", (), 1, None, None, 0, 0)


HOME, OTHER = book("Home", "home.pdf"), book("Other Book", "other.pdf")
CATALOG = Catalog([HOME, OTHER])
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
            page(7, "7", "A warrior fights. Kicks hurt, punches too; a giant kraken.", "6 Sea Fights"),
            page(
                8,
                "8",
                "Sly Feint. A sly feint costs one breath.\n\nDexterity counts.",
                "Chapter Eleven",
                term="Sly Feint.",
            ),
            page(9, "9", "Return the blow.", "Counterblow (Optional)"),
        ],
    ),
    "other.pdf": BookIndex(9, [page(1, "1", "Other rules."), page(2, "2", "", "Riposte")]),
}


def meant(
    reference: Reference,
    on_page: int = 1,
    home: BookSummary = HOME,
    catalog: Catalog = CATALOG,
    indexes: Mapping[str, BookIndex] = INDEXES,
) -> PageRange | None:
    ask = partial(looked_through, home=home, catalog=catalog, books=indexes)
    return resolve(reference, on_page, home.file, ask, indexes)


def reference(**facts: Any) -> Reference:
    return Reference("as printed", 0, 10, **facts)


def test_a_page_number_alone_means_the_same_book() -> None:
    assert meant(reference(first="2", last="2")) == PageRange(2, 2)


def test_a_book_by_name_means_its_page() -> None:
    assert meant(reference(book="Other Book", first="1", last="1")) == PageRange(9, 9)


def test_a_range_means_all_its_pages() -> None:
    assert meant(reference(first="1", last="3")) == PageRange(1, 3)


def test_a_page_that_no_page_is_printed_with_means_nothing() -> None:
    assert meant(reference(first="99", last="99")) is None


def test_a_book_that_is_not_here_means_nothing() -> None:
    assert meant(reference(book="Powers", first="1", last="1")) is None


def test_a_name_beside_a_page_must_stand_on_that_page() -> None:
    assert meant(reference(first="2", last="2", heading="Falling")) == PageRange(2, 2)
    assert meant(reference(first="2", last="2", heading="Machines")) is None


@pytest.mark.parametrize("name", ["Check FUNDS", "FUNDS (R2)", "Non-Human Races"])
def test_words_around_the_name_of_a_heading_do_not_hide_it(name: str) -> None:
    assert meant(reference(heading=name, first="5", last="5")) == PageRange(4, 4)


@pytest.mark.parametrize("name", ["Warriors", "Kicks and Punches", "Kraken, Giant"])
def test_a_page_may_speak_of_what_is_named_in_other_words(name: str) -> None:
    assert meant(reference(heading=name, first="7", last="7")) == PageRange(6, 6)


def test_the_first_word_of_a_sentence_may_not_belong_to_the_name() -> None:
    opening, within = reference(heading="Add Dexterity", first="8", last="8"), "of Iron Dexterity p. 8"
    assert meant(opening) == PageRange(7, 7)
    indexes = {**INDEXES, "home.pdf": BookIndex(0, [page(1, "1", within), page(2, "8", "Dexterity counts.")])}
    named = replace(opening, heading="Iron Dexterity", start=3)
    assert meant(named, 0, indexes=indexes) is None


def test_a_word_within_a_word_is_no_proof() -> None:
    assert meant(reference(heading="Arrior", first="7", last="7")) is None


def test_a_topic_is_of_this_book_unless_another_goes_by_its_name() -> None:
    assert meant(reference(heading="Bob the Elf", first="2", last="2", is_topic=True)) == PageRange(2, 2)
    assert meant(reference(heading="Other", first="2", last="2", is_topic=True)) == PageRange(10, 10)


@pytest.mark.parametrize("number", ["11", "XI", "Eleven", "onze"])
def test_a_chapter_is_found_in_whatever_numerals(number: str) -> None:
    assert meant(reference(chapter=number)) == PageRange(7, 7)


def test_a_heading_that_begins_with_a_number_or_a_part_stands_for_a_chapter() -> None:
    assert meant(reference(chapter="6")) == PageRange(6, 6)
    assert meant(reference(chapter="5")) == PageRange(5, 5)
    assert meant(reference(heading="Sea Fights")) == PageRange(6, 6)


def test_a_part_is_no_chapter_where_the_chapter_is_there() -> None:
    book_of_both = BookIndex(0, [page(1, "1", "", "Part 2: Magic"), page(2, "2", "", "Chapter 2: Ships")])
    assert (book_of_both.chapter("2"), book_of_both.heading("Part 2")) == (1, 0)


@pytest.mark.parametrize(
    ("name", "where"), [("Counterblow", 8), ("Counterblows", 8), ("Sly Feint", 7), ("Fall", None)]
)
def test_a_heading_goes_by_its_core_and_may_stand_in_its_paragraph(name: str, where: int | None) -> None:
    assert meant(reference(heading=name)) == (None if where is None else PageRange(where, where))


NAMED = BookIndex(
    0,
    [
        page(1, "1", "See the Object Armor Class table and Dash. Cost: 1.", term="Cost:"),
        page(2, "2", "Some rule. Dash. You run. Cost: 2.", term="Dash."),
        page(3, "3", "Table 4: Object Armor Class\nCloth  11", term="Table 4: Object Armor Class"),
        page(4, "4", "Sneak. You hide."),
        *(page(number, str(number), "Cost: 3.", term="Cost:") for number in range(5, 9)),
    ],
)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("Object Armor Class", 2),
        ("Object Armor Class Table", 2),
        ("Table 4", 2),
        ("Dash", 1),
        ("Sneak", None),
    ],
)
def test_a_name_before_a_paragraph_or_over_a_table_is_found_where_the_reader_saw_it(
    name: str, where: int | None
) -> None:
    assert NAMED.heading(name) == where


def test_a_name_that_stands_on_many_pages_leads_nowhere() -> None:
    assert NAMED.heading("Cost") is None


def test_a_name_called_a_section_is_in_this_book_whatever_the_page_says() -> None:
    assert meant(reference(heading="Encounter", first="2", last="2")) is None
    assert meant(reference(heading="Encounter", first="2", last="2", is_part=True)) == PageRange(2, 2)


def test_a_chapter_goes_by_a_part_of_its_name() -> None:
    assert meant(reference(chapter="Races", is_part=True)) == PageRange(5, 5)
    assert meant(reference(chapter="Races")) is None


def test_the_referring_page_itself_proves_nothing() -> None:
    assert meant(reference(first="1", last="1", heading="Machines"), on_page=1) is None


def test_a_chapter_is_found_by_number_and_by_name() -> None:
    assert meant(reference(chapter="4")) == PageRange(3, 3)
    assert meant(reference(chapter="Riposte")) == PageRange(3, 3)


def test_a_heading_is_found_but_never_on_a_contents_page() -> None:
    assert meant(reference(heading="Riposte")) == PageRange(3, 3)


def test_the_page_beside_is_the_neighbour() -> None:
    assert meant(reference(relative="next")) == PageRange(2, 2)
    assert meant(reference(relative="previous"), on_page=0) is None
    assert meant(reference(relative="facing"), on_page=2) == PageRange(3, 3)
    assert meant(reference(relative="facing"), on_page=3) == PageRange(2, 2)


def test_a_position_in_the_file_is_no_printed_number() -> None:
    assert meant(reference(first="2", last="2", is_pdf_page=True)) == PageRange(1, 1)


def test_a_table_is_found_with_or_without_the_word_for_it() -> None:
    tables = BookIndex(
        0, [page(1, "1", "", "Clerics vs. Undead"), page(2, "2", "", "Table 3: Falling Damage")]
    )
    assert tables.heading("Clerics vs. Undead table") == 0
    assert tables.heading("Falling Damage") == 1


def test_a_heading_that_the_book_has_not_is_found_in_its_game_only() -> None:
    here, there, elsewhere = book("A", "a.pdf"), book("B", "b.pdf"), replace(book("C", "c.pdf"), game="Other")
    indexes = {
        "a.pdf": BookIndex(0, [page(1, "1")]),
        "b.pdf": BookIndex(1, [page(1, "1", "", "Riposte")]),
        "c.pdf": BookIndex(2, [page(1, "1", "", "Parry")]),
    }
    catalog = Catalog([here, there, elsewhere])
    assert meant(reference(heading="Riposte"), 0, here, catalog, indexes) == PageRange(1, 1)
    assert meant(reference(heading="Parry"), 0, here, catalog, indexes) is None


IN_CHAPTERS = BookIndex(0, [page(1, "2-1"), page(2, "2-2"), page(3, "2-3"), page(4, "2-4"), page(5, "A-1")])


@pytest.mark.parametrize(
    ("text", "found"), [("see page 2-3", 2), ("see page 2–3", 2), ("page A-1", 4), ("see page 2-1", 0)]
)
def test_a_page_counted_within_its_chapter_is_one_page_and_no_range(text: str, found: int) -> None:
    [printed] = find_references(text, [], {})

    assert meant(printed, 3, indexes={"home.pdf": IN_CHAPTERS}) == PageRange(found, found)


def test_a_range_of_plain_pages_stays_one_where_no_chapter_counts_so() -> None:
    [printed] = find_references("see pages 1-3", [], {})

    assert meant(printed) == PageRange(1, 3)


def test_two_pages_of_a_sheet_are_at_one_position() -> None:
    left, right = (replace(page(8, label), half=half) for half, label in ((1, "6"), (2, "15")))
    sheet = BookIndex(20, [page(7, "5"), left, right, page(9, "16")])

    assert [sheet.positioned("8"), sheet.positioned("9")] == [21, 23]
    assert [sheet.labelled("6"), sheet.labelled("15")] == [21, 22]


BY_CHAPTER = BookIndex(
    0,
    [
        page(1, "2-3", "", "6.5 Boarding"),
        page(2, "3-1", "", "Chapter 6: Ships"),
        page(3, "A-3"),
        page(4, "2"),
        page(5, "3"),
    ],
)


def meant_by_chapter(**facts: object) -> PageRange | None:
    return meant(reference(**facts), catalog=Catalog([HOME]), indexes={"home.pdf": BY_CHAPTER})


def test_a_page_numbered_by_its_chapter_is_no_range() -> None:
    assert meant_by_chapter(first="2", last="3", whole="2-3") == PageRange(0, 0)


def test_a_range_is_one_where_no_page_has_such_a_number() -> None:
    assert meant_by_chapter(first="2", last="3", whole="2-9") == PageRange(3, 4)


def test_a_lettered_page_is_one_of_this_book() -> None:
    assert meant_by_chapter(book="A", first="3", last="3", whole="A-3") == PageRange(2, 2)


def test_a_part_of_a_chapter_is_the_heading_of_that_number() -> None:
    assert meant_by_chapter(chapter="6.5") == PageRange(0, 0)
    assert meant_by_chapter(chapter="6.7") is None
