"""What may be typed in a conversation besides questions."""

from argparse import Namespace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rag.cli.ask import Session
from rag.config import load_settings
from rag.library.books.book import BookSummary
from rag.state import AnswerWithSources, Outcome, Source
from rag.texts import texts_for
from tests.scripted import replied

BOOKS = [
    BookSummary(title, f"{game}/{title}.pdf", game, "en", "player", (), 1, None, None)
    for title, game in (("Basic Rules", "Basic Tide"), ("Monsters", "Basic Tide"), ("Core", "Iron Crowns"))
]
SOURCE = Source(book="Core", file="f", game="Iron Crowns", page="1", pdf_page=1, quote="x", verified=True)


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("game iron crowns", "Iron Crowns"),
        ("jogo monsters", "Basic Tide"),
        ("game basic tide", "Basic Tide"),
        ("2", "Basic Tide"),
        ("1", None),
        ("game 2", "Iron Crowns"),
        ("game over?", None),
        ("how far do I jump", None),
    ],
)
def test_a_game_is_chosen_by_name_or_by_a_number(line: str, game: str | None) -> None:
    session = session_of(None)
    assert (session.chooses_game(line), session.options.book) == (game is not None, game)


def test_what_games_there_are_is_told_and_all_can_be_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    session = session_of("Core")
    assert all(map(session.chooses_game, ("games", "game gurps")))
    told = " ".join(capsys.readouterr().err.split())
    assert "Games: [1] Basic Tide · [2] Iron Crowns." in told
    assert "There is no game “gurps” here. Games: [1]" in told
    assert (session.chooses_game("jogo todos"), session.options.book) == (True, None)


def session_of(book: str | None) -> Session:
    """A conversation about a book whose last answer offers another game as the second number."""
    library = SimpleNamespace(books=lambda reader: BOOKS)
    options = Namespace(reader="player", book=book)
    session = Session(cast(Any, library), cast(Any, None), options, load_settings(), texts_for("en"))
    answer = AnswerWithSources(answer="", found=True, outcome=Outcome.PASSAGES, sources=[SOURCE])
    session.last = replied(answer).model_copy(update={"other_games": ["Basic Tide"]})
    return session
