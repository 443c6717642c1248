"""The tables of ratings, and the question file beside them."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.answers.feedback import FEEDBACK, QUESTIONS, Feedback
from bot.answers.question_file import Rating
from bot.answers.table import DAY, KeptSource
from bot.storage.data_table import Of
from rag.evaluation.questions import read_questions
from tests.bot.answers.test_table import KEPT, NOW

ANA, BIA = KEPT.asker, KEPT.asker + 1
SERVER = 7
PAGE = KeptSource("The Book of Knots", "tides/knots.pdf", "5", 9, "")


@pytest.fixture
def feedback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Feedback:
    monkeypatch.setattr("bot.answers.feedback.time.time", lambda: NOW)
    return Feedback(tmp_path, kept_days=90)


def test_a_page_that_is_written_down_outlives_a_change_of_rating(feedback: Feedback) -> None:
    feedback.rate(KEPT, BIA, Rating.WRONG, None)
    feedback.write_page(KEPT.message, PAGE)
    feedback.rate(KEPT, BIA, Rating.NOT_ASKED, None)
    (rated,) = feedback.of_server(SERVER)
    assert rated.page == PAGE


def test_every_change_is_in_the_question_file(feedback: Feedback, tmp_path: Path) -> None:
    path = tmp_path / QUESTIONS
    feedback.rate(KEPT, BIA, Rating.RIGHT, None)
    assert [page.page for page in read_questions(path)[0].gold] == ["13"]
    feedback.rate(KEPT, BIA, Rating.WRONG, None)
    assert not path.exists()
    feedback.write_page(KEPT.message, PAGE)
    assert [page.page for page in read_questions(path)[0].gold] == ["5"]
    feedback.drop(Of.MESSAGE, KEPT.message)
    assert not path.exists()


def test_whoever_asked_takes_the_question_along_when_forgotten(feedback: Feedback, tmp_path: Path) -> None:
    feedback.rate(KEPT, BIA, Rating.RIGHT, None)
    assert feedback.forget(ANA) == 1
    assert feedback.of_server(SERVER) == []
    assert KEPT.question.encode() not in (tmp_path / FEEDBACK).read_bytes()
    assert not (tmp_path / QUESTIONS).exists()


def test_whoever_rated_takes_their_rating_along_when_forgotten(feedback: Feedback) -> None:
    other = replace(KEPT, message=2)
    feedback.rate(KEPT, BIA, Rating.RIGHT, None)
    feedback.rate(other, BIA, Rating.RIGHT, None)
    feedback.rate(other, ANA, Rating.WRONG, None)
    assert feedback.forget(BIA) == 2
    (rated,) = feedback.of_server(SERVER)
    assert (rated.message, rated.ratings) == (2, {Rating.WRONG: 1})


def test_after_their_time_ratings_are_left_without_names(
    feedback: Feedback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feedback.rate(KEPT, BIA, Rating.RIGHT, None)
    feedback.close()
    monkeypatch.setattr("bot.answers.feedback.time.time", lambda: NOW + 90 * DAY + 1)
    later = Feedback(tmp_path, kept_days=90)
    assert later.forget(ANA) == later.forget(BIA) == 0
    (rated,) = later.of_server(SERVER)
    assert rated.ratings == {Rating.RIGHT: 1}


def test_messages_deleted_at_once_are_one_change_of_the_question_file(
    feedback: Feedback, monkeypatch: pytest.MonkeyPatch
) -> None:
    for message in range(1, 6):
        feedback.rate(replace(KEPT, message=message), BIA, Rating.RIGHT, None)
    written: list[bytes] = []
    monkeypatch.setattr("bot.answers.feedback.write_bytes", lambda path, text: written.append(text))
    feedback.drop(Of.MESSAGE, *range(6, 106))
    assert written == []
    feedback.drop(Of.MESSAGE, *range(2, 106))
    assert len(written) == 1
    assert [one.message for one in feedback.of_server(SERVER)] == [1]
