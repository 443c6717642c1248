"""Which game of several an answer is from, and which others could answer."""

import pytest

from rag.library.books.found_page import FoundPage
from rag.nodes.citations import source_of
from rag.nodes.generate import games_answered_from, pages_of_taken_games
from rag.state import AnswerWithSources, MeantGames, Outcome, PageId, Question
from tests.scripted import found_page

ELVES = found_page("Elves fall lightly.", 1, "Elves", game="Elves")
ROBOTS = found_page("Robots fall hard.", 2, "Robots", game="Robots")
MEANT = MeantGames(taken=("Elves",), others=("Robots", "Trains"))


def asked(meant: MeantGames | None, *named: PageId) -> list[Question]:
    return [Question(question="Falling?", games=meant, named=frozenset(named))]


def quoting(*texts: str) -> AnswerWithSources:
    sources = [source_of(page, page.text) for page in (ELVES, ROBOTS) if page.text in texts]
    return AnswerWithSources(answer="", sources=sources, found=True, outcome=Outcome.PASSAGES)


@pytest.mark.parametrize(
    ("quoted", "meant", "told"),
    [
        ([ELVES], MEANT, ("Elves", ["Robots", "Trains"])),
        ([ROBOTS], MEANT, ("Robots", ["Elves", "Trains"])),
        ([ELVES, ROBOTS], MEANT, ("Elves", ["Trains"])),
        ([ELVES], None, (None, [])),
        ([], MEANT, (None, [])),
    ],
)
def test_an_answer_is_from_the_game_it_quotes_first_and_those_it_does_not_quote_could_answer(
    quoted: list[FoundPage], meant: MeantGames | None, told: tuple[str | None, list[str]]
) -> None:
    assert games_answered_from(quoting(*(page.text for page in quoted)), asked(meant)) == told


def test_passages_are_quoted_from_the_game_that_is_taken() -> None:
    assert pages_of_taken_games([ROBOTS, ELVES], asked(MEANT)) == [ELVES]


def test_a_page_that_is_asked_for_is_quoted_whatever_its_game() -> None:
    assert pages_of_taken_games([ROBOTS, ELVES], asked(MEANT, ROBOTS.id)) == [ROBOTS, ELVES]


def test_where_no_page_is_of_the_game_all_are_quoted() -> None:
    assert pages_of_taken_games([ROBOTS], asked(MEANT)) == [ROBOTS]
