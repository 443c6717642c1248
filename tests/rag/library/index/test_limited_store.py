"""Two games in one library: to whoever may see one of them, nothing tells of the other."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Literal

import pytest

from rag.errors import EmptyLibrary, RulesError
from rag.graph import RulesGraph
from rag.library.books.book import IsSeen
from rag.library.library import Library
from rag.state import Reply
from rag.texts import texts_for
from tests.rag.library.small_library import SmallLibrary, parsed_book

GAMES = ("Moss", "Rust")
READERS: tuple[Literal["player", "gm"], ...] = ("player", "gm")
TITLES = {
    "Moss": ("Mossborn Handbook", "Fernlore Secrets", "Mosquill Corrections"),
    "Rust": ("Rustbound Manual", "Gearfall Secrets", "Rusquall Corrections"),
}
WORDS = {"Moss": ("greenwick", "hollowfen"), "Rust": ("ironspell", "cogmurder")}
"""What stands in the book of the players, and in the GM's book, of each game and nowhere else."""


def of_game(name: str) -> IsSeen:
    """What somebody sees who may see one game."""
    return lambda book: book.game == name


@pytest.fixture(scope="module")
def two_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Two games of a players' and a GM's book each, whose pages refer to one another's, and errata."""
    with pytest.MonkeyPatch.context() as patch:
        small = SmallLibrary(tmp_path_factory.mktemp("two"))
        patch.setattr("rag.library.ingest.ingest.read_books", small.read_here)
        _fill(small)
        small.ingest()
        yield small.open()


def _fill(small: SmallLibrary) -> None:
    declared = ""
    for game, other in (GAMES, GAMES[::-1]):
        folder = game.lower()
        book, secrets, errata = TITLES[game]
        known, secret = WORDS[game]
        small.put_parsed(
            f"{folder}/book.pdf",
            parsed_book(
                f"A lamp lights six paces. See p. 2. The {known} grows on lamps.",
                f"A rope holds two people. The {known} rots it. See also {TITLES[other][0]}, p. 1.",
                title=book,
            ),
        )
        small.put_parsed(
            f"{folder}/gm/secrets.pdf",
            parsed_book(f"The lamp is cursed by the {secret}. See {book}, p. 1.", title=secrets),
        )
        # The errata of one game correct, by a slip of the host, the book of the other.
        small.put_parsed(
            f"{folder}/errata.pdf",
            parsed_book(f"{TITLES[other][0]}, p. 1 is wrong about lamps and {known}.", title=errata),
        )
        declared += f'[[book]]\nfile = "{folder}/errata.pdf"\namends = "{other.lower()}/book.pdf"\n'
    small.write("library.toml", declared)


def _asked(game: str) -> list[str]:
    """What people may ask to learn of a game."""
    titles, words = TITLES[game], WORDS[game]
    return [
        *titles,
        *words,
        *(f"In {title}, how far does a lamp shine?" for title in titles),
        *(f"What is {word}?" for word in words),
        f"{titles[0]} p. 1",
        f"Which rules refer to {titles[0]} p. 1?",
        f"What is on p. 1 of {titles[1]}?",
        "page 1",
        "How far does a lamp shine?",
        f"How far does a lamp shine in {game}?",
        titles[0][:-1] + "x",
        titles[1].replace("a", "e"),
    ]


def _told(library: Library, reader: Literal["player", "gm"], asked: str) -> Iterator[str]:
    """Everything that a library says to a question, its errors included."""
    yield repr(library.books(reader)) + repr(library.languages(reader))
    files = [f"{game.lower()}/{file}.pdf" for game in GAMES for file in ("book", "gm/secrets", "errata")]
    yield from (_outcome(partial(library.page_at, file, 1, reader)) for file in files)
    yield from (_outcome(partial(library.section, file, "1", reader)) for file in files)
    yield _outcome(lambda: library.page(asked, "1", reader))
    yield _outcome(lambda: library.page(asked, "9", reader))
    yield _outcome(lambda: library.sections(asked, reader))
    yield _outcome(lambda: library.retriever(reader, asked))
    found = library.retriever(reader)
    yield repr(found.batch([asked]))
    yield repr(found.search.find(found.queries.read([asked]), {}))


def _outcome(ask: Callable[[], object]) -> str:
    try:
        return repr(ask()) if not hasattr(found := ask(), "search") else repr(found.search.books)
    except RulesError as error:
        return texts_for("en")(error.key, **error.values)


async def _answer(graph: RulesGraph, asked: str, reader: Literal["player", "gm"], game: str) -> list[str]:
    """All that is told of a question, its error included."""
    try:
        events = [event async for event in graph.ask(asked, reader=reader, is_seen=of_game(game))]
    except RulesError as error:
        return [texts_for("en")(error.key, **error.values)]
    return [json.dumps(event.to_json()) if isinstance(event, Reply) else repr(event) for event in events]


def _secrets(game: str, asked: str) -> set[str]:
    """The words of a game that a question does not say itself."""
    words = {word.casefold() for name in (*TITLES[game], *WORDS[game], game) for word in name.split()}
    common = {"secrets", "corrections", "handbook", "manual"}
    return {word for word in words - common if word not in asked.casefold()}


def _printed(game: str) -> set[str]:
    """The words of the other game's title that the own books print."""
    return {word.casefold() for word in TITLES[game][0].split()} | {game.casefold()}


@pytest.mark.parametrize(("reader", "own"), [*product(READERS, GAMES)])
def test_nothing_of_another_game_is_ever_told(
    two_games: Library, reader: Literal["player", "gm"], own: str
) -> None:
    [other] = {*GAMES} - {own}
    library = two_games.limited_to(of_game(own))
    for asked in (*_asked(own), *_asked(other)):
        for told in _told(library, reader, asked):
            leaked = {word for word in _secrets(other, asked) - _printed(other) if word in told.casefold()}
            assert not leaked, (asked, told)


@pytest.mark.parametrize(("reader", "own"), [*product(READERS, GAMES)])
async def test_no_answer_holds_a_word_of_another_game(
    two_games: Library, reader: Literal["player", "gm"], own: str
) -> None:
    [other] = {*GAMES} - {own}
    graph = RulesGraph(two_games, None, two_games._model)
    for asked in (*_asked(own), *_asked(other)):
        for told in await _answer(graph, asked, reader, own):
            leaked = {word for word in _secrets(other, asked) - _printed(other) if word in told.casefold()}
            assert not leaked, (asked, told)


def test_a_reference_to_another_game_leads_nowhere_for_whoever_does_not_have_it(two_games: Library) -> None:
    def targets(library: Library) -> list[str]:
        page = library.page_at("moss/book.pdf", 2, "player")
        return [target.file for reference in page.references for target in reference.pages]

    assert targets(two_games) == ["rust/book.pdf"]
    assert targets(two_games.limited_to(of_game("Moss"))) == []


def test_pages_of_another_game_neither_refer_to_a_page_nor_correct_it(two_games: Library) -> None:
    whole = two_games.page_at("moss/book.pdf", 1, "player")
    assert {other.id.file for other in whole.referred_by} >= {"rust/book.pdf"}
    assert {other.other.id.file for other in whole.amended_by} == {"rust/errata.pdf"}
    limited = two_games.limited_to(of_game("Moss")).page_at("moss/book.pdf", 1, "player")
    assert "rust" not in repr(limited)


def test_a_word_of_another_game_tips_no_language(small: SmallLibrary) -> None:
    small.put_parsed("moss/book.pdf", parsed_book("A lamp shines.", language="en"))
    small.put_parsed("moss/livro.pdf", parsed_book("A corda segura.", language="pt"))
    small.put_parsed("rust/book.pdf", parsed_book("The corvo shines.", language="en"))
    small.ingest()
    library = small.open()
    assert library.question_language("corvo?", "player") == "en"
    assert library.limited_to(of_game("Moss")).question_language("corvo?", "player") == "pt"


def test_a_limited_library_is_limited_further_and_never_widened(two_games: Library) -> None:
    moss = two_games.limited_to(of_game("Moss"))
    assert moss.limited_to(None).books("gm") == moss.books("gm")
    assert moss.limited_to(of_game("Rust")).books("gm") == []


def test_no_games_are_no_books(two_games: Library) -> None:
    library = two_games.limited_to(of_game("none"))
    assert library.books("gm") == []
    with pytest.raises(EmptyLibrary):
        library.retriever("gm")
