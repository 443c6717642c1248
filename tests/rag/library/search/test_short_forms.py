"""Short forms of questions ("hp"), written out as the books print them."""

import pytest

from rag.library.books.page import Heading, Page
from rag.library.language.likeness import shared_words
from rag.library.search.query import QueryReader
from tests.rag.library.small_library import SmallLibrary, parsed_book


@pytest.fixture(scope="module")
def queries(tmp_path_factory: pytest.TempPathFactory) -> QueryReader:
    small = SmallLibrary(tmp_path_factory.mktemp("queries"))
    text = "Wounds\n\nWhoever has lost all hit points lies on the ground. A class has its armor."
    page = Page(1, "1", text, (Heading(1, "Wounds", 0),), "text", False)
    small.put_parsed("wounds/w.pdf", parsed_book(page, title="Wounds"))
    return small.read().retriever("player").queries


@pytest.mark.parametrize(
    ("question", "written_out"),
    [
        ("what happens at 0 HP?", "what happens at 0 HP (hit points)?"),
        ("what happens at 0 xp?", "what happens at 0 xp?"),
        ("what is a hpq?", "what is a hpq?"),
        ("O que acontece com 0 pv?", "O que acontece com 0 pv (pontos de vida)?"),
    ],
)
def test_a_short_form_is_searched_as_written_out_where_books_print_all_of_that(
    queries: QueryReader, question: str, written_out: str
) -> None:
    (query,) = queries.read([question])
    assert query.text == question
    assert query.meaning.startswith(written_out)


@pytest.mark.parametrize("question", ["what happens at 0 hp?", "O que acontece com 0 pv?"])
def test_a_line_that_prints_a_short_form_written_out_is_like_its_question(question: str) -> None:
    texts = ["At no hit points you fall.", "At no points you lose.", "You are hit."]
    told, *others = shared_words(question, texts, ["en"] * 3)
    assert told > max(others)
