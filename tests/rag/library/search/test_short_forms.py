"""Short forms of questions ("hp"), written out as the books print them."""

import pytest

from rag.library.books.page import Heading, Page
from rag.library.language.likeness import shared_words
from rag.library.search.query import QueryReader
from tests.rag.library.small_library import SmallLibrary, parsed_book


@pytest.fixture
def queries(small: SmallLibrary) -> QueryReader:
    text = "Wounds\n\nWhoever has lost all hit points lies on the ground. A class has its armor."
    page = Page(1, "1", text, (Heading(1, "Wounds", 0),), "text", False)
    small.put_parsed("wounds/w.pdf", parsed_book(page, title="Wounds"))
    small.ingest()
    return small.open().retriever("player").queries


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
    assert queries.read([question])[0].text == written_out


@pytest.mark.parametrize("question", ["what happens at 0 hp?", "O que acontece com 0 pv?"])
def test_a_line_that_prints_a_short_form_written_out_is_like_its_question(question: str) -> None:
    texts = ["At no hit points you fall.", "At no points you lose.", "You are hit."]
    told, *others = shared_words(question, texts, ["en"] * 3)
    assert told > max(others)


@pytest.mark.parametrize(
    "question",
    ["how many experience points for level 3?", "xp for lvl 3?", "pontos de experiência do nível 3?"],
)
def test_a_row_under_a_short_form_is_like_a_question_that_writes_it_out(question: str) -> None:
    told, *others = shared_words(
        question, ["Lv: 3; Exp.: 400", "Room: 3; Torches: 40", "points of a level"], ["en"] * 3
    )
    assert told > max(others)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("can rogues swim?", "can rogues (thief) swim?"),
        ("can a priest swim?", "can a priest swim?"),
        ("o ladino sabe nadar?", "o ladino sabe nadar?"),
        ("magias de capangas", "magias de capangas (retainer)"),
    ],
    ids=["as the books call it", "not explained in the books", "no name in their language", "no stem alone"],
)
def test_what_books_explain_under_another_name_is_searched_by_that_too(
    small: SmallLibrary, question: str, asked: str
) -> None:
    names = ("Thieves", "Magic-Users", "Retainers")
    headings = tuple(Heading(1, name, 20 * number) for number, name in enumerate(names))
    text = "".join(f"{name}\n\n".ljust(20) for name in names)
    page = Page(1, "1", text, headings, "text", False)
    small.put_parsed("classes/c.pdf", parsed_book(page, title="Classes"))
    small.ingest()
    assert small.open().retriever("player").queries.read([question])[0].text == asked


def test_a_line_that_calls_a_thing_as_rulebooks_do_is_like_its_question() -> None:
    told, other = shared_words(
        "can rogues swim?", ["Thieves cannot swim.", "Clerics cannot swim."], ["en"] * 2
    )
    assert told > other


def test_what_is_called_by_a_word_of_no_book_and_no_dictionary_need_but_be_printed(
    small: SmallLibrary,
) -> None:
    small.put_parsed(
        "thieves/t.pdf", parsed_book("A sneak attack from behind does double damage.", title="T")
    )
    small.put_parsed("wounds/w.pdf", parsed_book("Hit points are lost.", title="W"))
    small.ingest()
    queries = small.open().retriever("player").queries
    assert queries.asks_something("backstab")
    assert queries.read(["backstab"])[0].text == "backstab (sneak attack)"


def test_a_word_for_which_no_book_has_another_name_asks_nothing(queries: QueryReader) -> None:
    assert not queries.asks_something("backstab")
