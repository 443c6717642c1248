"""Retrieval: passages are searched, by meaning and by words; whole pages come back, best first."""

import asyncio
import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document

from rag.config import Settings
from rag.errors import AmbiguousPage, EmptyLibrary, UnknownBook, UnknownPage
from rag.library.books.found_page import FoundPage, LinkedPage
from rag.library.books.page import Heading, Page
from rag.library.index.store import Store
from rag.library.library import Library
from rag.library.search.query import Conversation
from rag.library.search.retriever import ParentDocumentRetriever
from rag.state import AbsentPage, PageId, SearchResult
from rag.strategies.lines import lines_of
from tests.rag.library.small_library import HashedWords, SmallLibrary, hashed_model, parsed_book

pytestmark = pytest.mark.slow

TORCH = "A torch burns for six turns and lights thirty feet around its bearer."
LANTERN = "A lantern burns for twenty-four turns on one flask of oil."
FALL = "A fall costs one die of damage a yard, and a climber is hurt less."
SWIM = "Swimming in armour is asking the river to keep you."


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Two games, and one book for the GM."""
    small = SmallLibrary(tmp_path_factory.mktemp("rules"))
    small.put_parsed("dark/light.pdf", parsed_book(TORCH, LANTERN, FALL, title="Light", first_number=10))
    small.put_parsed(
        "dark/gm/traps.pdf", parsed_book("The torch in room nine is a trap.", title="Nine Traps")
    )
    small.put_parsed("wet/rivers.pdf", parsed_book(SWIM, title="Rivers and Seas"))
    return small.read()


def ids(pages: Sequence[Document]) -> list[str]:
    return [str(page.id) for page in pages]


def searched(retriever: ParentDocumentRetriever, query: str) -> SearchResult:
    """The pages for a query, with what became of the pages it names."""
    (result,) = asyncio.run(retriever.asearch([query]))
    return result


def fetched(retriever: ParentDocumentRetriever, *pages: PageId) -> list[str]:
    return ids(retriever.fetch(pages))


def requests_of(retriever: ParentDocumentRetriever) -> list[list[str]]:
    assert isinstance(retriever.embeddings, HashedWords)
    return retriever.embeddings.requests


# Pages


def test_a_book_without_words_can_be_asked_and_has_nothing(small: SmallLibrary) -> None:
    small.put_parsed("scan.pdf", parsed_book("", "", title="Old Scan"))
    small.put_parsed("light.pdf", parsed_book(TORCH, title="Light"))
    small.ingest()
    assert ids(small.open().retriever("player", "Old Scan").invoke("How long does a torch burn?")) == []


def test_the_metadata_of_a_document_tells_what_langchain_users_look_for(rules: Library) -> None:
    document = rules.retriever("player").invoke("How long does a lantern burn?")[0]
    assert document.page_content == LANTERN
    keys = ("book", "file", "game", "page", "pdf_page", "language", "kind")
    told = [document.metadata[key] for key in keys]
    assert told == ["Light", "dark/light.pdf", "Dark", "11", 2, "en", "text"]


def test_the_headings_are_those_in_force_at_the_best_passage_and_a_line_is_below_the_title(
    small: SmallLibrary,
) -> None:
    text = f"{TORCH} " * 8 + f"\n\nFalling\n\n{FALL}"
    headings = (Heading(3, "Falling", text.index("Falling")),)
    above = (Heading(1, "Light", 0), Heading(2, "Dangers", 7))
    first = Page(1, "1", "Light\n\nDangers\n\nMany things are.", above, "text", False)
    pages = (first, Page(2, "2", text, headings, "text", False))
    small.put_parsed("light.pdf", parsed_book(*pages, title="Light"))
    small.ingest()
    retriever = small.open().retriever("player")
    fallen = FoundPage.of(retriever.invoke("fall damage climber")[0])
    assert fallen.headings == ("Light", "Dangers", "Falling")
    assert {line.heading for line in lines_of(fallen)[:8]} == {"Dangers"}
    assert lines_of(fallen)[-1].headings == ("Dangers", "Falling")
    assert FoundPage.of(retriever.invoke("torch turns bearer")[0]).headings == ("Light", "Dangers")


# One request for all


def test_any_number_of_queries_makes_one_embedding_request_and_one_vector_query(
    rules: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    vector_queries = []
    nearest = Store.nearest_chunks

    def counted(self: Store, vectors: Sequence[Any], *rest: Any) -> Any:
        vector_queries.append(len(vectors))
        return nearest(self, vectors, *rest)

    monkeypatch.setattr(Store, "nearest_chunks", counted)
    retriever = rules.retriever("player")
    queries = ["torch", "lantern", "Quanto dura uma tocha?", "fall", "swimming", "oil", "damage"]
    before = len(requests_of(retriever))
    asyncio.run(retriever.asearch(queries))
    assert len(requests_of(retriever)) - before == 1
    assert vector_queries == [len(queries)]


def test_a_batch_answers_in_order_and_like_single_queries(rules: Library) -> None:
    retriever = rules.retriever("player")
    queries = ["lantern", "fall", "Light p. 10", "swimming"]
    found = [result.context for result in asyncio.run(retriever.asearch(queries))]
    assert found == [retriever.invoke(query) for query in queries]


def test_a_slow_embedding_does_not_hold_the_event_loop(small: SmallLibrary) -> None:
    class Slow(HashedWords):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            time.sleep(0.3)
            return super().embed_documents(texts)

    small.put_parsed("light.pdf", parsed_book(TORCH, LANTERN))
    small.ingest()
    small.model = type(small.model)("hashed", Slow(), 1.0)

    async def longest_hold() -> float:
        search = asyncio.create_task(small.open().retriever("player").ainvoke("lantern"))
        holds, last = [0.0], time.monotonic()
        while not search.done():
            await asyncio.sleep(0.005)
            holds.append(time.monotonic() - last)
            last = time.monotonic()
        return max(holds)

    assert asyncio.run(longest_hold()) < 0.25


# Pages called by name


@pytest.mark.parametrize("query", ["Light p. 11", "light, p. 11", "Light page 11"])
def test_a_query_that_is_a_page_fetches_exactly_that_page(rules: Library, query: str) -> None:
    retriever = rules.retriever("player")
    before = len(requests_of(retriever))
    assert ids(retriever.invoke(query)) == ["dark/light.pdf#2"]
    assert len(requests_of(retriever)) == before


@pytest.mark.parametrize(
    "question",
    ["What does page 12 of Light say about torches?", "O que a página 12 de Light diz sobre torches?"],
)
def test_a_question_that_names_a_page_has_it_first(rules: Library, question: str) -> None:
    found = ids(rules.retriever("player").invoke(question))
    assert found[0] == "dark/light.pdf#3"
    assert len(found) > 1


def test_a_range_of_pages_is_fetched_in_order(rules: Library) -> None:
    found = ids(rules.retriever("player").invoke("Light pp. 10–12"))
    assert found == [f"dark/light.pdf#{number}" for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("Lanterns on page 99 of Light?", (AbsentPage(book="Light", page="99", printed="10–12"),)),
        ("What does page 11 of Light say about lanterns?", ()),
        ("What does page 99 say about lanterns?", (AbsentPage(book="", page="99", printed=""),)),
    ],
)
def test_a_page_that_is_not_there_is_searched_for_and_told(
    rules: Library, question: str, absent: tuple[AbsentPage, ...]
) -> None:
    result = searched(rules.retriever("player"), question)
    assert result.context
    assert result.absent == absent


@pytest.mark.parametrize("name", ["Nine Traps", "Deep Powers"])
def test_a_book_for_the_gm_is_to_a_player_one_that_there_is_not(rules: Library, name: str) -> None:
    result = searched(rules.retriever("player"), f"What does page 99 of {name} say?")
    assert result.context
    assert result.absent == (AbsentPage(book=name, page="99", printed=""),)


@pytest.mark.parametrize("question", ["page 11 light", "p 11 light?", "What does page 11 say in Light?"])
def test_a_page_number_belongs_to_the_book_named_beside_it(rules: Library, question: str) -> None:
    result = searched(rules.retriever("player"), question)
    first = FoundPage.of(result.context[0])
    assert (first.book, first.label) == ("Light", "11")
    assert first.id in result.named


def test_a_code_names_its_book(small: SmallLibrary) -> None:
    small.put_parsed("basic.pdf", parsed_book(TORCH, LANTERN, title="Basic Set", codes={"B": "Basic Set"}))
    small.ingest()
    assert ids(small.open().retriever("player").invoke("what does B2 say?"))[0] == "basic.pdf#2"


# Pages fetched by identity

TORCHES, LANTERNS, FALLS = (PageId("dark/light.pdf", number) for number in (1, 2, 3))
TRAPS, RIVERS = PageId("dark/gm/traps.pdf", 1), PageId("wet/rivers.pdf", 1)


def test_a_page_is_fetched_by_its_file_and_position_and_nothing_is_embedded(rules: Library) -> None:
    retriever = rules.retriever("player")
    before = len(requests_of(retriever))
    assert fetched(retriever, LANTERNS) == ["dark/light.pdf#2"]
    assert len(requests_of(retriever)) == before


def test_a_page_for_the_gm_is_fetched_for_the_gm_alone(rules: Library) -> None:
    assert fetched(rules.retriever("player"), TRAPS) == []
    assert fetched(rules.retriever("gm"), TRAPS) == ["dark/gm/traps.pdf#1"]


def test_of_a_chosen_book_no_page_of_another_is_fetched(rules: Library) -> None:
    assert fetched(rules.retriever("gm", book="Light"), RIVERS, TRAPS, LANTERNS) == ["dark/light.pdf#2"]


def test_every_reference_of_the_sample_game_that_resolves_fetches_its_page(library: Library) -> None:
    retriever = library.retriever("gm")
    pages = [FoundPage.of(page) for page in retriever.fetch(every_page(library))]
    references = [reference for page in pages for reference in page.references if reference.pages]
    assert len(references) > 40
    for reference in references:
        found = [FoundPage.of(page) for page in retriever.fetch(reference.pages)]
        assert tuple(page.id for page in found) == reference.pages
        assert (found[0].book, found[0].label) == (reference.book, reference.label)


def every_page(library: Library) -> list[PageId]:
    """Each page of the library."""
    return [PageId(book.file, number) for book in library.books("gm") for number in range(1, book.pages + 1)]


def test_a_page_that_the_reader_may_not_see_mentions_nothing(rules: Library) -> None:
    assert rules.retriever("player").mentioned(TRAPS, TORCH) == []


# References


def test_a_reference_to_another_book_tells_its_page(small: SmallLibrary) -> None:
    small.put_parsed("light.pdf", parsed_book("Oil is dear, see Deep Rivers, p. 1.", title="Light"))
    small.put_parsed("rivers.pdf", parsed_book(SWIM, title="Deep Rivers"))
    small.ingest()
    library = small.open()
    (reference,) = library.page("Light", "1", "player").references
    assert (reference.book, reference.label, reference.place) == ("Deep Rivers", "1", "Deep Rivers p. 1")
    assert fetched(library.retriever("player"), *reference.pages) == ["rivers.pdf#1"]


# Backwards


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Rules, a book that corrects them, and a secret one for the GM that does so too."""
    small = SmallLibrary(tmp_path_factory.mktemp("corrected"))
    pools = Page(2, "2", "Deep Pools\n\nHold your breath.", (Heading(1, "Deep Pools", 0),), "text", False)
    small.put_parsed("game/rules.pdf", parsed_book("Wade with care (see page 2).", pools, title="Wet Rules"))
    text = "Ropes\n\nRopes cost more.\n\nErrata\n\nOn p. 1 of Wet Rules read shoes. Deep Pools are cold."
    headings = tuple(Heading(1, name, text.index(name)) for name in ("Ropes", "Errata"))
    small.put_parsed(
        "game/almanac.pdf", parsed_book(Page(1, "1", text, headings, "text", False), title="Almanac")
    )
    secret = "Errata\n\nOn p. 2 of Wet Rules: Deep Pools bite."
    errata = Page(1, "1", secret, (Heading(1, "Errata", 0),), "text", False)
    small.put_parsed("game/gm/secrets.pdf", parsed_book(errata, title="Nine Secrets"))
    return small.read()


@pytest.mark.parametrize("label", ["1", "2"])
def test_a_page_tells_what_corrects_it_by_number_or_by_heading(corrected: Library, label: str) -> None:
    (correction,) = corrected.page("Wet Rules", label, "player").amended_by
    assert correction.other == LinkedPage(id=PageId("game/almanac.pdf", 1), book="Almanac", label="1")


def test_of_a_chosen_book_the_corrections_are_fetched_as_well(corrected: Library) -> None:
    almanac, secrets = PageId("game/almanac.pdf", 1), PageId("game/gm/secrets.pdf", 1)
    assert fetched(corrected.retriever("player", "Wet Rules"), almanac, secrets) == ["game/almanac.pdf#1"]
    assert fetched(corrected.retriever("gm", "Wet Rules"), secrets) == ["game/gm/secrets.pdf#1"]
    assert fetched(corrected.retriever("player", "Almanac"), PageId("game/rules.pdf", 1)) == []


def test_a_book_declared_to_amend_another_corrects_the_pages_it_names(small: SmallLibrary) -> None:
    small.put_parsed("rules.pdf", parsed_book(FALL, SWIM, title="Wet Rules"))
    small.put_parsed("more.pdf", parsed_book("Wet Rules, p. 2 is wrong about armour.", title="More"))
    small.write("library.toml", '[[book]]\nfile = "more.pdf"\namends = "rules.pdf"\n')
    small.ingest()
    library = small.open()
    amended = [library.page("Wet Rules", label, "player").amended_by for label in ("1", "2")]
    assert [[one.other.id for one in corrections] for corrections in amended] == [[], [PageId("more.pdf", 1)]]


def test_a_player_never_hears_that_a_gm_book_refers_to_or_corrects_a_page(corrected: Library) -> None:
    as_player = corrected.page("Wet Rules", "2", "player")
    as_gm = corrected.page("Wet Rules", "2", "gm")
    assert "Nine Secrets" not in as_player.model_dump_json()
    assert "Nine Secrets" in [other.book for other in as_gm.referred_by]
    assert "Nine Secrets" in [one.other.book for one in as_gm.amended_by]


# Who reads


def test_a_player_sees_the_library_as_if_no_gm_book_were_there(
    small: SmallLibrary, tmp_path: Path, sample: Settings, sample_queries: list[str]
) -> None:
    for path in sample.library_dir.rglob("*"):
        if path.is_file() and "gm" not in path.parts[len(sample.library_dir.parts) :]:
            small.write(path.relative_to(sample.library_dir).as_posix(), path.read_bytes())
    library_toml = (small.directory / "library.toml").read_text().split("\n[[book]]")
    small.write("library.toml", "\n[[book]]".join(book for book in library_toml if "/gm/" not in book))
    shutil.copytree(sample.index_dir / "books", small.settings.index_dir / "books")
    small.ingest()
    whole = Library.open(sample, hashed_model())
    one, other = whole.retriever("player"), small.open().retriever("player")
    assert whole.books("player") == small.open().books("player")
    assert one.batch(sample_queries) == other.batch(sample_queries)
    pages = every_page(small.open())
    with_gm_books, without = (retriever.fetch(pages) for retriever in (one, other))
    assert with_gm_books == without
    assert len(without) == len(pages)


def test_a_word_that_a_gms_book_alone_holds_tips_neither_search_nor_language_for_a_player(
    small: SmallLibrary,
) -> None:
    questions = ["torch kelvran", "kelvren torch", "kelvran", "lanterna valgryn", "valgryn soihtu", "Farol"]

    def told(library: Library, question: str) -> list[object]:
        found = searched(library.retriever("player"), question)
        return [
            [(page.page_content, page.metadata) for page in found.context],
            library.question_language(question, "player"),
            library.queries("player").asks_something(question),
            library.queries("player").named_books(question),
        ]

    small.put_parsed("dark/light.pdf", parsed_book(TORCH, LANTERN, title="Light"))
    small.put_parsed("wet/rivers.pdf", parsed_book(SWIM, title="Rivers and Seas"))
    small.ingest()
    without = [told(small.open(), question) for question in questions]
    secrets = parsed_book("The kelvran guards the torch.", "O farol.", title="Farol", language="pt")
    small.put_parsed("wet/gm/farol.pdf", secrets)
    finnish = parsed_book("Valgryn polttaa soihtu tulessa.", title="Majakka", language="fi")
    small.put_parsed("wet/gm/majakka.pdf", finnish)
    small.ingest()
    assert len(small.open().books("gm")) == 4
    assert [told(small.open(), question) for question in questions] == without


def test_a_player_never_meets_a_gm_book(rules: Library) -> None:
    retriever = rules.retriever("player")
    found = retriever.batch(["torch trap room nine", "Nine Traps p. 1", "Nine Traps"])
    found.append(retriever.fetch([TRAPS, TORCHES]))
    assert "gm" not in json.dumps([[page.metadata, page.page_content] for pages in found for page in pages])
    assert [book.title for book in rules.books("player")] == ["Light", "Rivers and Seas"]
    with pytest.raises(UnknownBook):
        rules.retriever("player", book="Nine Traps")
    with pytest.raises(UnknownBook):
        rules.page("Nine Traps", "1", "player")


def test_a_players_reference_to_a_gm_book_does_not_resolve_nor_name_it(small: SmallLibrary) -> None:
    text = "The rest is told elsewhere (p. T1), and page 2 goes on."
    small.put_parsed("light.pdf", parsed_book(text, TORCH, title="Light"))
    small.put_parsed("gm/traps.pdf", parsed_book(FALL, title="Nine Traps", codes={"T": "Nine Traps"}))
    small.ingest()
    library = small.open()
    as_player = library.page("Light", "1", "player")
    as_gm = library.page("Light", "1", "gm")
    assert "Nine Traps" not in as_player.model_dump_json()
    second, trap = PageId("light.pdf", 2), PageId("gm/traps.pdf", 1)
    assert [reference.pages for reference in as_player.references] == [(), (second,)]
    assert [reference.pages for reference in as_gm.references] == [(trap,), (second,)]


# Which book


@pytest.mark.parametrize("name", ["Light", "LIGHT", "dark/light.pdf", "light.pdf", "Dark", "dark"])
def test_a_book_is_chosen_by_title_file_or_game(rules: Library, name: str) -> None:
    found = rules.retriever("player", book=name).invoke("swimming armour river")
    assert {page.metadata["file"] for page in found} == {"dark/light.pdf"}


def test_an_unknown_page_is_said(rules: Library) -> None:
    with pytest.raises(UnknownPage):
        rules.page("Light", "102", "player")


def test_a_page_is_found_in_whichever_volume_has_it(small: SmallLibrary) -> None:
    small.put_parsed("one.pdf", parsed_book(TORCH, LANTERN, title="The Work"))
    small.put_parsed("two.pdf", parsed_book(FALL, SWIM, title="The Work", first_number=3))
    small.ingest()
    assert small.open().page("the work", "4", "player").id == PageId("two.pdf", 2)


@pytest.fixture(scope="module")
def tide(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A game with a book that bears its name, and two books with a page 1."""
    small = SmallLibrary(tmp_path_factory.mktemp("tide"))
    small.put_parsed("high-tide/errata.pdf", parsed_book(TORCH, title="High Tide"))
    small.put_parsed("high-tide/rules.pdf", parsed_book(FALL, LANTERN, title="Tide Rules"))
    small.put_parsed("high-tide/front.pdf", parsed_book(SWIM, title="Tide Front", first_number=None))
    return small.read()


def test_a_page_that_several_books_of_a_name_have_is_not_chosen_silently(tide: Library) -> None:
    with pytest.raises(AmbiguousPage) as raised:
        tide.page("high tide", "1", "player")
    assert raised.value.values["books"] == "“high-tide/errata.pdf”, “Tide Rules”"


@pytest.mark.parametrize("page", ["2", "p. 2", "pág. 2", "PDF p. 2", "p. 2 do PDF"])
def test_a_page_is_opened_as_it_is_cited(tide: Library, page: str) -> None:
    assert tide.page("Tide Rules", page, "player").id == PageId("high-tide/rules.pdf", 2)


def test_a_page_without_a_printed_number_is_opened_by_its_position(tide: Library) -> None:
    assert tide.page("Tide Front", "PDF p. 1", "player").id == PageId("high-tide/front.pdf", 1)
    with pytest.raises(UnknownPage):
        tide.page("Tide Front", "1", "player")


def test_an_unknown_name_suggests_the_nearest_that_the_reader_may_know(rules: Library) -> None:
    for ask in (lambda name: rules.page(name, "1", "player"), lambda name: rules.retriever("player", name)):
        with pytest.raises(UnknownBook) as raised:
            ask("Rivers and Sees")
        assert raised.value.values["nearest"] == "“Rivers and Seas”"
        with pytest.raises(UnknownBook) as raised:
            ask("Nine Trap")
        assert raised.value.values["nearest"] == "none"


# Named in the question


def test_a_question_that_names_a_book_is_answered_from_it(rules: Library) -> None:
    found = rules.retriever("player").invoke("How long does a torch burn in Rivers and Seas?")
    assert ids(found) == ["wet/rivers.pdf#1"]


@pytest.mark.parametrize(
    ("question", "is_named"),
    [
        ("how long does a torch burn says caor", True),
        ("how long does a torch burn says cow", False),
        ("how much dmg does a torch do", False),
    ],
    ids=["initials", "a word", "a short form"],
)
def test_initials_that_are_no_other_word_name_a_book(
    small: SmallLibrary, question: str, is_named: bool
) -> None:
    small.put_parsed("light.pdf", parsed_book(TORCH, title="Light"))
    for number, title in enumerate(["Cold Ash over Rivers", "Cliffs of Wax", "Dry Marsh Gate"]):
        small.put_parsed(f"{number}.pdf", parsed_book(SWIM, title=title))
    small.ingest()
    found = small.open().retriever("player").invoke(question)
    assert ("light.pdf#1" not in ids(found)) is is_named


def test_of_several_books_that_a_question_names_each_has_its_turn(rules: Library) -> None:
    question = "Compare swimming in armour in Light, and in Rivers and Seas."
    first, second, *_ = rules.retriever("player").invoke(question)
    assert {first.metadata["file"], second.metadata["file"]} == {"wet/rivers.pdf", "dark/light.pdf"}
    assert first.metadata["score"] >= second.metadata["score"]


def test_a_players_question_that_names_a_gm_book_is_searched_as_if_it_named_none(rules: Library) -> None:
    assert ids(rules.retriever("player").invoke("torch in Nine Traps"))[0] == "dark/light.pdf#1"


# Never empty


@pytest.mark.parametrize(
    "query", ["???", "", "🐙", "p. 99999", "the of and", "x" * 5000, 'a "quoted* (query) NEAR/2 ^:']
)
def test_any_query_finds_a_page(rules: Library, query: str) -> None:
    assert rules.retriever("player").invoke(query)


@pytest.mark.parametrize("query", ["How long does a lantern burn?", "???"])
def test_an_embedding_that_fails_leaves_the_words(small: SmallLibrary, query: str) -> None:
    class Failing(HashedWords):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ConnectionError("nobody there")

    small.put_parsed("light.pdf", parsed_book(TORCH, LANTERN))
    small.ingest()
    small.model = type(small.model)("hashed", Failing(), 1.0)
    retriever = small.open().retriever("player")
    assert retriever.invoke(query)
    assert asyncio.run(retriever.ainvoke("lantern"))[0].id == "light.pdf#2"


def test_an_index_by_another_model_is_searched_by_words_and_never_mixed(small: SmallLibrary) -> None:
    small.put_parsed("light.pdf", parsed_book(TORCH, LANTERN))
    small.ingest()
    small.model = hashed_model("another")
    assert small.open().retriever("player").invoke("lantern")[0].id == "light.pdf#2"
    assert isinstance(small.model.embeddings, HashedWords)
    assert not small.model.embeddings.requests


def test_a_book_of_contents_alone_still_gives_a_page(small: SmallLibrary) -> None:
    contents = Page(1, "i", "Lanterns . . . 3", (), "contents", False)
    small.put_parsed("light.pdf", parsed_book(contents))
    small.ingest()
    assert ids(small.open().retriever("player").invoke("lanterns")) == ["light.pdf#1"]


def test_a_library_without_pages_for_the_reader_is_said_to_be_empty(small: SmallLibrary) -> None:
    small.put_parsed("gm/traps.pdf", parsed_book(FALL))
    small.ingest()
    with pytest.raises(EmptyLibrary):
        small.open().retriever("player")


def test_before_any_ingest_there_is_nothing(small: SmallLibrary) -> None:
    assert small.open().books("gm") == []
    with pytest.raises(EmptyLibrary):
        small.open().retriever("gm")


# Languages

MEANINGS = {"lanterna": "lantern", "queima": "burn", "tempo": "turns", "quanto": "long"}


@pytest.fixture(scope="module")
def two_languages(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """An English book and a Portuguese one that says little about it."""
    small = SmallLibrary(tmp_path_factory.mktemp("two_languages"))
    small.model = hashed_model(meanings=MEANINGS)
    small.put_parsed("light.pdf", parsed_book(TORCH, LANTERN, FALL, title="Light"))
    portuguese = "O tempo passa, e quanto tempo passa ninguém sabe: por isso há calendários."
    small.put_parsed("tempo.pdf", parsed_book(portuguese, title="Tempo", language="pt"))
    return small.read()


def test_words_of_another_language_are_searched_by_their_nearest_words(two_languages: Library) -> None:
    found = two_languages.retriever("player", book="Light").invoke("Por quanto tempo queima uma lanterna?")
    assert found[0].id == "light.pdf#2"


def headed(text: str, heading: str, number: int) -> Page:
    """A page of one heading and its text."""
    return Page(number, str(number), f"{heading}\n\n{text}", (Heading(1, heading, 0),), "text", False)


# Several games


@pytest.fixture(scope="module")
def three_games(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Two games in English and one in Hungarian; all tell of falling."""
    small = SmallLibrary(tmp_path_factory.mktemp("three_games"))
    small.put_parsed(
        "robots/r.pdf", parsed_book("A fall costs two harm boxes a storey.", FALL, title="Robots")
    )
    small.put_parsed("elves/e.pdf", parsed_book("A fall costs vigour, three a fathom.", SWIM, title="Elves"))
    zuhan = "Aki lezuhan, minden három méter után egy életerőpontot veszít."
    small.put_parsed("sarkany/s.pdf", parsed_book(zuhan, "A sárkány tüzet fúj.", title="S", language="hu"))
    return small.read()


@pytest.mark.parametrize(
    ("question", "game", "page"),
    [
        ("How much vigour does a fall cost?", "Elves", "elves/e.pdf#1"),
        ("How many harm boxes does a fall cost?", "Robots", "robots/r.pdf#1"),
        ("Mennyi életerőpontot veszít, aki lezuhan?", "Sarkany", "sarkany/s.pdf#1"),
    ],
)
def test_the_words_of_a_question_tell_which_game_is_meant(
    three_games: Library, question: str, game: str, page: str
) -> None:
    result = searched(three_games.retriever("player"), question)
    assert result.games is not None
    assert (result.games.taken[0], result.context[0].id) == (game, page)


def test_a_name_that_may_be_a_word_of_the_rules_makes_its_game_likelier(three_games: Library) -> None:
    retriever = three_games.retriever("player")
    games = [searched(retriever, question).games for question in ("elves falling", "robots falling")]
    assert [game.taken[0] for game in games if game] == ["Elves", "Robots"]


@pytest.fixture(scope="module")
def short_words(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A game of abbreviations, and one in a language in which any short word may stand somewhere."""
    small = SmallLibrary(tmp_path_factory.mktemp("short_words"))
    armour = "Roll DR against AC. Armour has DR 3 and AC 2. A hit of ST 12 costs 2 HP."
    worn = "DR is worn off by AC and ST, as HP are."
    waiting = Page(3, "3", "Wait\n\nYou act last by strength.", (Heading(1, "Wait", 0),), "text", False)
    small.put_parsed("iron/i.pdf", parsed_book(armour, worn, waiting, title="Iron"))
    small.put_parsed("sarkany/s.pdf", parsed_book("A pv és az oi.", title="S", language="hu"))
    return small.read()


@pytest.mark.parametrize(
    "question",
    [
        *("What is DR?", "HP", "AC?", "ST 12", "str 12", "0 pv de dano", "p. 2", "thanks, and the AC?"),
        *("Armour", "Armoru", "Paralysis", "Zauberstab", "wait"),
    ],
)
def test_a_word_or_an_abbreviation_of_the_books_asks_something(short_words: Library, question: str) -> None:
    assert short_words.queries("player").asks_something(question)


@pytest.mark.parametrize(
    "question",
    [
        "oi",
        "olá!",
        "bom dia",
        "Good morning",
        "thanks a lot!",
        "0 pv",
        "7",
        "asd",
        "What is it?",
        "kkkk",
        "asdfgh",
        "oi, tudo bem?",
        "nice lol",
        "boa!",
        "legal",
        "that makes sense",
        "good bot",
        "thx mate",
        "valeu mano",
    ],
)
def test_a_courtesy_chatter_or_a_scrap_asks_nothing(short_words: Library, question: str) -> None:
    assert not short_words.queries("player").asks_something(question)
    assert short_words.queries("player").unheard(question) == (["asdfgh"] if question == "asdfgh" else [])


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("And a fall?", {"robots/r.pdf"}),
        ("And in Elves?", {"elves/e.pdf"}),
        ("And vigour?", {"robots/r.pdf", "elves/e.pdf", "sarkany/s.pdf"}),
        ("And page 2?", {"robots/r.pdf"}),
    ],
)
def test_a_follow_up_stays_in_its_game_unless_it_says_what_only_others_hold(
    three_games: Library, question: str, found: set[str]
) -> None:
    retriever = three_games.retriever("player", conversation=Conversation(("Robots",), goes_on=True))
    assert {page.metadata["file"] for page in searched(retriever, question).context} == found


def test_a_question_in_a_language_that_only_the_books_know_is_asked_in_it(three_games: Library) -> None:
    assert three_games.question_language("Mennyi életerőpontot veszít, aki lezuhan?", "player") == "hu"


def test_a_table_is_found_by_its_heading_its_rows_and_its_columns_together(small: SmallLibrary) -> None:
    table = "Squire\n\nLevel  Venom\n4-5  11\n6-7  10"
    rows = ((22, 29, "Level: 4-5; Venom: 11"), (30, 37, "Level: 6-7; Venom: 10"))
    page = Page(1, "1", table, (Heading(1, "Squire", 0),), "text", False, rows)
    prose = "A squire of level 5 that venom touched, level 5 venom, calls a squire of level 5."
    small.put_parsed("m/m.pdf", parsed_book(page, prose, "Venom of level 5 and a squire.", title="M"))
    small.ingest()
    found = searched(small.open().retriever("player"), "squire venom lvl 5").context
    assert ids(found)[0] == "m/m.pdf#1"


def test_a_bold_name_that_recurs_in_a_book_is_not_taken_for_what_the_book_explains(
    small: SmallLibrary,
) -> None:
    def attack(number: int) -> Page:
        return Page(number, str(number), "Dagger. It hits once.", (), "text", False, terms=((0, "Dagger"),))

    creatures = [attack(number) for number in range(1, 6)]
    small.put_parsed("m/m.pdf", parsed_book(*creatures[:3], title="M"))
    assert small.read().retriever("player").queries.explains("dagger")
    small.put_parsed("m/m.pdf", parsed_book(*creatures, title="M"))
    assert not small.read().retriever("player").queries.explains("dagger")
