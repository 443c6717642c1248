"""Rules that go on in a book which is not in the library are said to do so."""

from typing import Any

from langchain_core.documents import Document

from rag.nodes.unavailable_pages import MOST_PLACES, places_elsewhere
from rag.state import Source
from tests.scripted import page, reference

QUOTE = "Engines cost fuel; see Machines p. 4."
TEXT = f"Steam is hot.\n\n{QUOTE}\n\nBoats float; see Ships p. 9."


def engine_page(*references: dict[str, Any], text: str = TEXT) -> Document:
    return page(text, 12, references=references)


def quoted(quote: str = QUOTE) -> Source:
    return Source(
        book="Core", file="game/core.pdf", game="Game", page="12", pdf_page=16, quote=quote, verified=True
    )


def missing(target: str) -> dict[str, Any]:
    return reference(target, target, TEXT, in_library=False)


def test_the_page_of_a_missing_book_that_the_quoted_paragraph_names_is_told() -> None:
    assert places_elsewhere([quoted()], [engine_page(missing("Machines p. 4"))]) == ["Machines p. 4"]


def test_what_another_paragraph_names_is_not_told() -> None:
    assert places_elsewhere([quoted()], [engine_page(missing("Ships p. 9"))]) == []


def test_a_reference_that_leads_somewhere_is_not_told() -> None:
    leads = reference("Machines p. 4", "Machines p. 4", TEXT)
    assert places_elsewhere([quoted()], [engine_page(leads)]) == []


def test_a_page_that_the_quoted_book_itself_lacks_is_not_told() -> None:
    own = missing("Machines p. 4") | {"book": "Core"}
    assert places_elsewhere([quoted()], [engine_page(own)]) == []


def test_at_most_three_places_are_told_each_once() -> None:
    names = [f"Book{number} p. 1" for number in range(MOST_PLACES + 2)]
    text = " ".join(["See", *names, names[0]])
    references = [reference(name, name, text, in_library=False) for name in names]
    found = places_elsewhere([quoted(text)], [engine_page(*references, text=text)])
    assert found == names[:MOST_PLACES]
