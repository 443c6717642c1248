"""Which game of several an answer is from, and which others could answer."""

from rag.nodes.citations import source_of
from rag.nodes.taken_games import games_answered_from, pages_of_taken_games
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


def test_an_answer_is_from_the_game_it_quotes_and_the_others_could_answer() -> None:
    assert games_answered_from(quoting(ELVES.text), asked(MEANT)) == ("Elves", ["Robots", "Trains"])


def test_of_the_game_that_the_model_quoted_instead_the_likelier_one_is_another() -> None:
    assert games_answered_from(quoting(ROBOTS.text), asked(MEANT)) == ("Robots", ["Elves", "Trains"])


def test_a_game_that_is_quoted_too_is_no_other() -> None:
    assert games_answered_from(quoting(ELVES.text, ROBOTS.text), asked(MEANT)) == ("Elves", ["Trains"])


def test_nothing_is_said_of_games_where_the_question_is_about_one() -> None:
    assert games_answered_from(quoting(ELVES.text), asked(None)) == (None, [])


def test_nothing_is_said_of_games_where_nothing_is_quoted() -> None:
    assert games_answered_from(quoting(), asked(MEANT)) == (None, [])


def test_passages_are_quoted_from_the_game_that_is_taken() -> None:
    assert pages_of_taken_games([ROBOTS, ELVES], asked(MEANT)) == [ELVES]


def test_a_page_that_is_asked_for_is_quoted_whatever_its_game() -> None:
    assert pages_of_taken_games([ROBOTS, ELVES], asked(MEANT, ROBOTS.id)) == [ROBOTS, ELVES]


def test_where_no_page_is_of_the_game_all_are_quoted() -> None:
    assert pages_of_taken_games([ROBOTS], asked(MEANT)) == [ROBOTS]
