"""Misspelt words of questions, put right by the words of the books."""

import pytest

from rag.library.books.page import Heading, Page
from rag.library.language import spelling
from rag.library.search.query import QueryReader
from tests.rag.library.small_library import SmallLibrary, parsed_book


@pytest.fixture(scope="module")
def queries(tmp_path_factory: pytest.TempPathFactory) -> QueryReader:
    """A game that explains lanterns, and often says that something is later."""
    small = SmallLibrary(tmp_path_factory.mktemp("queries"))
    text = "Lantern\n\nA lantern burns for hours. Later it is dark. Later it burns, later still it is out."
    text += " Bargaining takes a day.\n\nPlate Mail\n\nOf steel.\n\nWarhammer\n\nOf iron.\n\nFireball\n\nHot."
    text += "\n\nOgre\n\nBig."
    headings = (
        Heading(1, name, text.index(name))
        for name in ("Lantern", "Plate Mail", "Warhammer", "Fireball", "Ogre")
    )
    page = Page(1, "1", text, tuple(headings), "text", False)
    small.put_parsed("dark/d.pdf", parsed_book(page, title="Dark"))
    return small.read().retriever("player").queries


def searched(queries: QueryReader, question: str) -> str:
    return queries.read([question])[0].text


def test_a_misspelt_word_is_searched_as_the_topic_that_it_is_a_slip_away_from(queries: QueryReader) -> None:
    assert searched(queries, "what does a latern do") == "what does a lantern do"


def test_a_word_of_the_glossary_is_put_right_in_the_asked_language(queries: QueryReader) -> None:
    assert searched(queries, "Quanto tempo dura a lanerna?") == "Quanto tempo dura a lanterna?"


def test_a_misspelt_word_that_people_ask_with_is_put_right(queries: QueryReader) -> None:
    assert searched(queries, "como funsiona a lanterna") == "como funciona a lanterna"


def test_a_misspelt_form_of_a_word_of_which_the_books_have_another_is_put_right(queries: QueryReader) -> None:
    assert searched(queries, "may i bargan with it") == "may i bargain with it"


@pytest.mark.parametrize(
    ("asked", "printed"),
    [("war hammer", "warhammer"), ("Platemail", "Plate mail"), ("lanternits", "lanternits")],
)
def test_what_is_a_topic_in_one_word_or_in_two_is_searched_so(
    queries: QueryReader, asked: str, printed: str
) -> None:
    assert searched(queries, f"cost of a {asked}") == f"cost of a {printed}"


def test_a_name_of_two_words_is_known_by_the_one_word_of_another_language(queries: QueryReader) -> None:
    assert queries.explains("bola de fogo")
    assert not queries.explains("bola de luz")


@pytest.mark.parametrize("name", ["ogro", "ogree"])
def test_a_name_is_known_whose_language_it_does_not_tell_or_that_is_misspelt(
    queries: QueryReader, name: str
) -> None:
    assert queries.explains(name)


async def test_a_search_tells_what_it_searched_for_misspelt_words(small: SmallLibrary) -> None:
    small.put_parsed("dark/d.pdf", parsed_book("A lantern burns for hours.", title="Dark"))
    small.ingest()
    [found] = await small.open().retriever("player").asearch(["what does a latern do"])
    assert found.misspelt == {"latern": "lantern"}


@pytest.mark.parametrize(
    "question", ["how fast is a house", "what does latter do", "what does lat do", "o que diz a seção de luz"]
)
def test_words_of_a_dictionary_and_short_ones_are_searched_as_typed(
    queries: QueryReader, question: str
) -> None:
    assert searched(queries, question) == question


def test_a_word_longer_than_any_of_a_language_is_searched_as_typed(
    queries: QueryReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spelling, "LONGEST_MISSPELT", len("lanter"))
    assert searched(queries, "what does a latern do") == "what does a lantern do"
    assert searched(queries, "what does a lanturn do") == "what does a lanturn do"
