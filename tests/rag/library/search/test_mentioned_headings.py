"""Headings that a passage mentions: where a chain of references goes on without a page number."""

import pytest

from rag.library.books.page import Heading, Page
from rag.library.library import Library
from rag.state import PageId
from tests.rag.library.small_library import SmallLibrary, parsed_book


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


def test_a_page_that_the_reader_may_not_see_mentions_nothing(march: Library) -> None:
    hidden = PageId("march/gm/secrets.pdf", 1)
    assert march.retriever("player").mentioned(hidden, "An outcast.") == []
