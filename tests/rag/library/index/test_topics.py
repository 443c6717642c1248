"""Topics: what pages explain under a name of its own, and by which words they are found."""

from rag.library.books.page import Heading, Page, PageKind
from rag.library.index.topics import Topic, names_of_topic, topics_of


def page(text: str, *headings: str, kind: PageKind = "text", terms: tuple[tuple[int, str], ...] = ()) -> Page:
    marked = tuple(Heading(1, heading, text.index(heading)) for heading in headings)
    return Page(1, "1", text, marked, kind, False, terms=terms)


def test_a_table_goes_by_what_it_tells_without_what_it_is_arranged_by() -> None:
    assert names_of_topic("Saving Throw Tables by Class", "en")[-1] == ("save", "throw")


def test_a_heading_at_the_foot_of_a_page_belongs_to_what_follows() -> None:
    found = topics_of(page("Rain falls.\n\nDash", "Dash"), "en", [(0, 17)], first_chunk=7)
    assert list(found) == [Topic(("dash",), 8)]
