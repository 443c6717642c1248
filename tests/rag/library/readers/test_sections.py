"""A document without pages becomes a book of positions, cited by the sections that begin on them."""

import pytest

from rag.errors import BookWithoutWords
from rag.library.books.book import ParsedBook
from rag.library.readers.blocks import DocumentBlock
from rag.library.readers.sections import PAGE_WORDS, book_of

RULES = [
    DocumentBlock("House Rules", 1),
    DocumentBlock("Bleeding", 2),
    DocumentBlock("A wound bleeds until it is bandaged."),
    DocumentBlock("Bandages", 3),
    DocumentBlock("One roll of Medicine."),
    DocumentBlock("Falling", 2),
    DocumentBlock("A fall costs 1d6."),
]


def book(blocks: list[DocumentBlock], told_title: str = "") -> ParsedBook:
    return book_of(blocks, "notes.md", "Notes", told_title)


def sections(blocks: list[DocumentBlock], told_title: str = "") -> list[str]:
    return list(book(blocks, told_title).sections)


def written(heading: str, level: int, words: int) -> list[DocumentBlock]:
    """A section of so many words."""
    return [DocumentBlock(heading, level), *[DocumentBlock("word " * 50)] * (words // 50)]


def test_each_heading_with_its_text_is_a_section_below_those_above_it() -> None:
    assert sections(RULES) == ["Bleeding", "Bleeding › Bandages", "Falling"]


def _headings(*written: str) -> list[DocumentBlock]:
    """Headings as Markdown has them, each with a text below it."""
    marked = [line.split(" ", maxsplit=1) for line in written]
    return [
        block
        for marks, text in marked
        for block in (DocumentBlock(text, len(marks)), DocumentBlock("Words of it."))
    ]


SPELLS = ["### Fly", "### Gate", "### Giant Insect", "### Globe", "### Grease", "### Haste"]


@pytest.mark.parametrize(
    ("stray", "last"),
    [
        (["## Giant Insect"], "Spells › Haste"),
        (["## The Insect", "#### Actions"], "Spells › Haste"),
        (["## Giant Insect", "##### Actions"], "Spells › Haste"),
    ],
)
def test_a_heading_in_the_midst_of_a_list_takes_nothing_that_follows(stray: list[str], last: str) -> None:
    found = sections(_headings("# Spells", *SPELLS[:3], *stray, *SPELLS[3:], "# Beasts"), "A Game")
    assert found[-2:] == [last, "Beasts"]
    assert {"Spells › Gate", "Spells › Globe"} <= set(found)


@pytest.mark.parametrize(
    ("headings", "last"),
    [
        (["# Spells", "## A to F", *SPELLS[:1], "## G to Z", *SPELLS[1:]], "Spells › G to Z › Haste"),
        (
            ["# Rules", "## Basics", "### Rolls", "### Combat", "## Combat", "### Attacks"],
            "Rules › Combat › Attacks",
        ),
        (["# Spells", "## First", *SPELLS, "## Second", *SPELLS], "Spells › Second › Haste"),
    ],
)
def test_headings_in_order_stay_below_their_own(headings: list[str], last: str) -> None:
    assert sections(_headings(*headings), "A Game")[-1] == last


def test_of_a_tables_own_rules_the_title_is_no_part_of_the_first_rule() -> None:
    own = book_of(RULES, "game/house-rules.md", "House Rules")
    assert own.title == "House Rules"
    assert own.pages[0].text.startswith("Bleeding\n\nA wound bleeds")
    assert list(own.sections) == ["Bleeding", "Bleeding › Bandages", "Falling"]


def test_the_title_that_a_file_gives_itself_comes_first() -> None:
    assert book(RULES, "Rules of Our Table").title == "Rules of Our Table"
    assert sections(RULES, "Rules of Our Table")[0] == "House Rules › Bleeding"


def test_a_long_section_is_several_positions_of_one_name() -> None:
    paragraph = DocumentBlock("word " * 100)
    pages = book([DocumentBlock("Wounds", 1), *[paragraph] * 12]).pages
    assert len(pages) == 3
    assert {page.section_starts for page in pages} == {((0, ""),)}
    assert all(len(page.text.split()) <= PAGE_WORDS + 1 for page in pages)


def test_printed_pages_are_the_positions_where_they_are_known() -> None:
    blocks = [
        DocumentBlock("Wounds", 1),
        DocumentBlock("Before."),
        DocumentBlock("", page="12"),
        DocumentBlock("A wound bleeds until"),
        DocumentBlock("", page="13"),
        DocumentBlock("it is bandaged."),
        DocumentBlock("Falls", 2),
        DocumentBlock("They hurt."),
    ]
    pages = book(blocks, "Core Rules").pages
    assert [page.label for page in pages] == [None, "12", "13"]
    assert [page.section_starts[0] for page in pages] == [(0, "Wounds")] * 3
    assert [name for _, name in pages[2].section_starts] == ["Wounds", "Wounds › Falls"]
    assert pages[1].continues


def test_no_number_stands_twice_in_a_book() -> None:
    numbers = ["12", "12", ""]
    blocks = [
        block for number in numbers for block in (DocumentBlock("", page=number), DocumentBlock("Words."))
    ]
    assert [page.label for page in book(blocks).pages] == ["12", None, None]


@pytest.mark.parametrize("blocks", [[], [DocumentBlock("12 34")], [DocumentBlock("", page="3")]])
def test_a_document_without_a_letter_is_no_book(blocks: list[DocumentBlock]) -> None:
    with pytest.raises(BookWithoutWords):
        book(blocks)
