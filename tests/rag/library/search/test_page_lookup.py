"""A page is opened by whatever form it is cited in."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import UnnumberedPage
from rag.library.books.found_page import FoundPage
from rag.library.books.page import Heading
from rag.library.library import Library
from rag.library.search.page_lookup import PageName, page_name
from rag.library.search.retriever import ParentDocumentRetriever
from rag.state import PageId
from rag.texts import LOCALES, texts_for
from rag.texts.blocks import citation
from tests.rag.library.small_library import SmallLibrary, parsed_book

WORDS = ["p.", "P.", "p", "pp.", "pg", "pg.", "pag", "pág.", "Pág.", "page", "página", "pagina", ""]


@given(st.sampled_from(WORDS), st.integers(1, 2000).map(str) | st.sampled_from(["iv", "xii", "A-3", "102b"]))
def test_a_word_for_page_may_stand_before_the_printed_number(word: str, number: str) -> None:
    assert page_name(f" {word} {number} ") == PageName(number)


@pytest.mark.parametrize("locale", LOCALES)
@given(st.integers(1, 2000))
def test_a_position_is_read_as_we_cite_it(locale: str, number: int) -> None:
    cited = citation("", None, number, texts_for(locale)).removeprefix(", ")
    assert page_name(cited) == PageName(str(number), is_pdf_page=True)


@given(st.text(max_size=20))
def test_any_text_is_the_name_of_some_page(text: str) -> None:
    assert page_name(text).number in text


# How people ask for pages

PAGES = [
    "Fireball. A ball of fire bursts.",
    "Fireball deals 3d6. Plate Mail is heavy.",
    "Turn Undead.",
    "Rest.",
    "Torches.",
]
"""Printed 50 to 54."""


def ingested(small: SmallLibrary) -> Library:
    """A library whose books are read in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rag.library.ingest.ingest.read_books", small.read_here)
        small.ingest()
    return small.open()


def opened(
    titles: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory, **last_pages: str
) -> ParentDocumentRetriever:
    """A library of books with `PAGES`; of some, by the last letter of the title, the last page differs."""
    small = SmallLibrary(tmp_path_factory.mktemp("wordings"))
    for title in titles:
        pages = [*PAGES[:-1], last_pages.get(title[-1], PAGES[-1])]
        small.put_parsed(f"{title}.pdf", parsed_book(*pages, title=title, first_number=50))
    return ingested(small).retriever("player")


@pytest.fixture(scope="module")
def one_book(tmp_path_factory: pytest.TempPathFactory) -> ParentDocumentRetriever:
    return opened(("Dungeon Rules",), tmp_path_factory)


@pytest.fixture(scope="module")
def several_books(tmp_path_factory: pytest.TempPathFactory) -> ParentDocumentRetriever:
    return opened(("Dungeon Rules", "Sea Rules", "Light"), tmp_path_factory)


async def looked_up(
    retriever: ParentDocumentRetriever, question: str
) -> tuple[set[tuple[str, int]], list[str]]:
    """The book and printed number of each page that a question names, and the books it names in vain."""
    (result,) = await retriever.asearch([question])
    named = {(page.file.removesuffix(".pdf"), page.pdf_page + 49) for page in result.named}
    return named, [absent.book for absent in result.absent]


WITHOUT_A_BOOK = [
    ("Na página 54, o que diz sobre tochas?", 54),
    ("Does Fireball (p. 51) hit allies?", 51),
    ("What is on page 54?", 54),
    ("What does page 54 say about torches?", 54),
    ("Page 54 says that torches burn for six turns, right?", 54),
    ("On page 52, what happens to skeletons?", 52),
    ("According to page 52, do skeletons flee?", 52),
    ("Explain page 52", 52),
    ("How does Turn Undead (p. 52) work?", 52),
    ("How does Turn Undead work, p. 52?", 52),
    ("Turn Undead, page 52: do skeletons flee?", 52),
    ("Quick question: page 54, how long do torches burn?", 54),
    ("The rule on page 52 is unclear", 52),
    ("Aparece na pág. 50 que a bola de fogo explode?", 50),
    ("O que diz a página 54?", 54),
    ("A página 54 diz que tochas queimam seis turnos?", 54),
    ("Página 54: quanto dura uma tocha?", 54),
    ("Como funciona Expulsar Mortos-Vivos (p. 52)?", 52),
    ("A Bola de Fogo (p. 51) acerta aliados?", 51),
    ("Me mostra a página 54", 54),
    ("Tá escrito na p. 54 que tochas duram seis turnos", 54),
    ("E na página 54?", 54),
    ("It says on page 52 that skeletons flee", 52),
    ("Sorry, I meant page 54", 54),
    ("Thanks! And page 54?", 54),
    ("Regarding page 54, how long do torches burn?", 54),
    ("Under Torches on p. 54 it says six turns", 54),
    ("The GM pointed me to page 54", 54),
    ("If I read p. 54 correctly, torches burn six turns", 54),
    ("Oi! Na p. 54 fala de tochas?", 54),
    ("Sobre a página 54: quanto dura?", 54),
    ("Do Clerics (p. 52) make skeletons flee?", 52),
]


@pytest.mark.parametrize(("question", "number"), WITHOUT_A_BOOK)
async def test_a_page_without_a_book_is_opened_in_every_book(
    one_book: ParentDocumentRetriever, several_books: ParentDocumentRetriever, question: str, number: int
) -> None:
    assert await looked_up(one_book, question) == ({("Dungeon Rules", number)}, [])
    books = {("Dungeon Rules", number), ("Sea Rules", number), ("Light", number)}
    assert await looked_up(several_books, question) == (books, [])


async def test_a_page_of_few_books_is_shown_alone_where_nothing_else_is_asked(
    several_books: ParentDocumentRetriever,
) -> None:
    assert len(await several_books.ainvoke("What is on page 54?")) == 3


WITH_A_BOOK = [
    ("What does page 54 of Dungeon Rules say?", "Dungeon Rules", 54),
    ("Dungeon Rules, page 54", "Dungeon Rules", 54),
    ("In Dungeon Rules, page 54, how long do torches burn?", "Dungeon Rules", 54),
    ("On page 54 of the Dungeon Rules, how long?", "Dungeon Rules", 54),
    ("Does Fireball (Dungeon Rules p. 51) hit allies?", "Dungeon Rules", 51),
    ("Does Fireball (p. 51, Dungeon Rules) hit allies?", "Dungeon Rules", 51),
    ("light page 54", "Light", 54),
    ("I'm looking at Sea Rules, p. 52", "Sea Rules", 52),
    ("My copy of Sea Rules says on page 52 that skeletons flee", "Sea Rules", 52),
    ("According to Sea Rules (p. 52) skeletons flee", "Sea Rules", 52),
    ("Na página 54 do Dungeon Rules, quanto dura?", "Dungeon Rules", 54),
    ("No Dungeon Rules, página 54, quanto dura?", "Dungeon Rules", 54),
    ("O que diz a p. 52 do Sea Rules?", "Sea Rules", 52),
    ("Does Turn Undead work (see Sea Rules, page 52)?", "Sea Rules", 52),
    ("Does Turn Undead (p. 52) in Sea Rules work?", "Sea Rules", 52),
    ("In Sea Rules, does Turn Undead (p. 52) work?", "Sea Rules", 52),
]


@pytest.mark.parametrize(("question", "book", "number"), WITH_A_BOOK)
async def test_a_page_with_a_book_is_opened_in_it_alone(
    several_books: ParentDocumentRetriever, question: str, book: str, number: int
) -> None:
    assert await looked_up(several_books, question) == ({(book, number)}, [])


@pytest.mark.parametrize(
    ("question", "book"),
    [
        ("What does Deep Powers p. 51 say?", "Deep Powers"),
        ("What does page 51 of Deep Powers say?", "Deep Powers"),
        ("O que diz o Deep Powers, p. 51?", "Deep Powers"),
        ("Player's Handbook p. 51", "Player's Handbook"),
        ("Does Fireball (Player's Handbook p. 51) hit?", "Player's Handbook"),
        ("No Livro dos Monstros, p. 51, o que há?", "Livro dos Monstros"),
        ("According to the Core Manual, p. 51, what happens?", "Core Manual"),
        ("DMG p. 51", "DMG"),
    ],
)
async def test_a_page_of_an_unknown_book_is_opened_nowhere(
    one_book: ParentDocumentRetriever, question: str, book: str
) -> None:
    assert await looked_up(one_book, question) == (set(), [book])


@pytest.mark.parametrize(
    "question", ["In Torches on page 52, what flees?", "What does page 52 of Torches say?"]
)
async def test_a_heading_of_the_books_is_no_other_book(
    tmp_path_factory: pytest.TempPathFactory, question: str
) -> None:
    small = SmallLibrary(tmp_path_factory.mktemp("heading"))
    light = parsed_book(*PAGES, title="Light", first_number=50)
    headed = replace(light.pages[4], headings=(Heading(1, "Torches", 0),))
    small.put_parsed("Light.pdf", replace(light, pages=(*light.pages[:4], headed)))
    assert await looked_up(ingested(small).retriever("player", "Light"), question) == ({("Light", 52)}, [])


async def test_a_page_behind_a_topic_that_is_not_there_is_told(one_book: ParentDocumentRetriever) -> None:
    assert await looked_up(one_book, "Does Fireball (p. 99) hit allies?") == (set(), ["Dungeon Rules"])


# Pages that many books have


@pytest.fixture(scope="module")
def many_books(tmp_path_factory: pytest.TempPathFactory) -> ParentDocumentRetriever:
    titles = tuple(f"Volume {letter}" for letter in "ABCDEFGHIJ")
    return opened(titles, tmp_path_factory, J="Fireball sets fire to webs.")


async def test_a_page_that_many_books_have_is_opened_in_none_and_they_are_named(
    many_books: ParentDocumentRetriever,
) -> None:
    (result,) = await many_books.asearch(["What's on page 54?"])
    (ambiguous,) = result.ambiguous
    assert (result.named, result.absent) == (frozenset(), ())
    assert ambiguous.books == tuple(f"Volume {letter}" for letter in "ABCDEFGH")
    assert (ambiguous.page, ambiguous.more) == ("54", 2)


@pytest.mark.parametrize(
    "question", ["What's on page 54 of Volume C?", "In Volume C, what does page 54 say?", "page 99"]
)
async def test_a_page_of_one_book_or_of_none_is_not_ambiguous(
    many_books: ParentDocumentRetriever, question: str
) -> None:
    (result,) = await many_books.asearch([question])
    assert result.ambiguous == ()


async def test_several_pages_of_the_only_book_are_opened(one_book: ParentDocumentRetriever) -> None:
    opened_pages, _ = await looked_up(one_book, "Summarize pages 50-54")
    assert opened_pages == {("Dungeon Rules", number) for number in range(50, 55)}


async def test_what_is_asked_about_tells_which_of_many_books_is_meant(
    many_books: ParentDocumentRetriever,
) -> None:
    assert await looked_up(many_books, "Does Fireball (p. 54) burn webs?") == ({("Volume J", 54)}, [])


# Labels that are no plain numbers, and sheets with two


@pytest.fixture(scope="module")
def booklet(tmp_path_factory: pytest.TempPathFactory) -> ParentDocumentRetriever:
    """A booklet of two sheets, and an appendix whose chapters count their own pages."""
    small = SmallLibrary(tmp_path_factory.mktemp("booklet"))
    first = parsed_book("Riposte hurts.", "Feint first.", "Parry last.", "Rest well.", title="Duel")
    places = [(1, 2), (2, 1), (2, 2), (1, 1)]
    sheets = tuple(
        replace(page, pdf_page=pdf_page, half=half)
        for page, (pdf_page, half) in zip(first.pages, places, strict=True)
    )
    small.put_parsed("Duel.pdf", replace(first, pages=sheets))
    second = parsed_book("One.", "Two.", "Three.", title="Field Manual")
    labels = ["2-2", "2-3", "A-1"]
    chapters = tuple(replace(page, label=label) for page, label in zip(second.pages, labels, strict=True))
    small.put_parsed("Field Manual.pdf", replace(second, pages=chapters))
    return ingested(small).retriever("player")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Duel page 1", "Riposte hurts."),
        ("Duel p. 4", "Rest well."),
        ("Duel p. 3", "Parry last."),
        ("Field Manual page 2-3", "Two."),
        ("Field Manual page 2–2", "One."),
        ("Field Manual p. A-1", "Three."),
    ],
)
async def test_a_page_is_opened_alone_by_its_own_number(
    booklet: ParentDocumentRetriever, query: str, text: str
) -> None:
    assert [page.page_content for page in await booklet.ainvoke(query)] == [text]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("What is on p. A-1?", "Three."),
        ("What is on page 2-3?", "Two."),
        ("O que tem na página 2-2?", "One."),
        ("p. 4", "Rest well."),
    ],
)
async def test_a_label_that_one_book_alone_has_is_a_look_up_of_that_page(
    booklet: ParentDocumentRetriever, query: str, text: str
) -> None:
    assert [page.page_content for page in await booklet.ainvoke(query)] == [text]


async def test_a_question_about_a_page_that_one_book_alone_has_is_searched_too(
    booklet: ParentDocumentRetriever,
) -> None:
    assert len(await booklet.ainvoke("Does riposte hurt on p. A-1?")) > 1


async def test_each_page_of_a_sheet_is_cited_with_its_own_number(booklet: ParentDocumentRetriever) -> None:
    pages = [FoundPage.of(page) for page in await booklet.ainvoke("riposte feint parry rest")]
    ids = {page.label: page.id for page in pages if page.book == "Duel"}

    assert ids["2"] == PageId("Duel.pdf", 2, 1)
    assert ids["3"] == PageId("Duel.pdf", 2, 2)
    assert [page.metadata["page"] for page in booklet.fetch([ids["3"]])] == ["3"]


# Books without numbers that can be read


@pytest.fixture(scope="module")
def without_numbers(tmp_path_factory: pytest.TempPathFactory) -> Library:
    small = SmallLibrary(tmp_path_factory.mktemp("numbers"))
    pages = ["One.", "Two.", "Three."]
    small.put_parsed("Tides.pdf", parsed_book(*pages, title="Tides", first_number=None))
    unread = parsed_book(*pages, title="Currents", first_number=None)
    small.put_parsed("Currents.pdf", replace(unread, numbers_unread=True))
    return ingested(small)


@pytest.mark.parametrize(
    ("book", "page", "numbering", "is_position"),
    [
        ("Tides", "3", "unnumbered", True),
        ("Tides", "20", "unnumbered", False),
        ("Currents", "2", "unread", True),
        ("Currents", "iv", "unread", False),
    ],
)
async def test_a_number_asked_for_in_vain_tells_whether_any_could_be_read(
    without_numbers: Library, book: str, page: str, numbering: str, is_position: bool
) -> None:
    (result,) = await without_numbers.retriever("player").asearch([f"What does {book} say on page {page}?"])
    with pytest.raises(UnnumberedPage) as error:
        without_numbers.page(book, page, "player")

    [absent] = result.absent
    assert (absent.page, absent.numbering, absent.is_position) == (page, numbering, is_position)
    assert error.value.values["numbering"] == numbering


def test_a_book_whose_numbers_could_not_be_read_is_listed_with_that(without_numbers: Library) -> None:
    noted = {book.title: [one["key"] for one in book.problems] for book in without_numbers.books("player")}

    assert noted == {"Tides": [], "Currents": ["book-numbers-unread"]}


# Codes before page numbers
