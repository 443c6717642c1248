"""Headings that a passage mentions: where a chain of references goes on without a page number."""

import pytest

from rag.library.books.page import Heading, Page
from rag.library.library import Library
from rag.state import PageId
from tests.rag.library.small_library import SmallLibrary, parsed_book

KIN = PageId("march/kin.pdf", 1)


@pytest.fixture
def march(small: SmallLibrary) -> Library:
    """A game whose second book has a heading on every page, one of them twice; and another game."""
    perils = ("Open Wounds", "Outcasts", "Camp", "Camp")
    pages = [
        Page(number, str(number), f"{name}\n\nIt is told.", (Heading(2, name, 0),), "text", False)
        for number, name in enumerate(perils, 1)
    ]
    small.put_parsed("march/kin.pdf", parsed_book("A branded courier counts as one.", title="Kin"))
    small.put_parsed("march/perils.pdf", parsed_book(*pages, title="Perils"))
    small.put_parsed("other/lamps.pdf", parsed_book(pages[1], title="Lamps"))
    small.ingest()
    return small.open()


@pytest.mark.parametrize(
    ("passage", "page"),
    [
        ("A branded courier counts as an outcast.", 2),
        ("It is handled like any open wound.", 1),
        ("An open door and a bridge over the river: a wound.", None),
        ("Then comes the camp.", None),
    ],
    ids=["in another number", "of two words", "whose words are apart", "of several pages"],
)
def test_a_heading_that_a_passage_mentions_is_found_in_its_game(
    march: Library, passage: str, page: int | None
) -> None:
    found = march.retriever("player").mentioned(KIN, passage)
    assert [str(one.id) for one in found] == ([f"march/perils.pdf#{page}"] if page else [])


def test_a_page_that_the_reader_may_not_see_mentions_nothing(march: Library) -> None:
    hidden = PageId("march/gm/secrets.pdf", 1)
    assert march.retriever("player").mentioned(hidden, "An outcast.") == []
