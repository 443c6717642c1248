"""A page that is asked for and that no book has is said to be missing."""

from rag.nodes.unavailable_pages import with_absent_pages
from rag.state import AbsentPage, AnswerWithSources, Outcome, Question
from tests.scripted import page

ABSENT = {"book": "Core", "page": "500", "printed": "1–230"}
PASSAGES = AnswerWithSources(answer="“Boats float.”", found=True, outcome=Outcome.PASSAGES)


def asked(*, named: bool = False) -> list[Question]:
    found = page("Boats float.", 12, absent=[ABSENT], named=named)
    return [Question(question="What is on page 500?", context=[found, found])]


def test_a_page_that_is_not_there_is_told_and_what_is_quoted_instead_is_not_found() -> None:
    answer = with_absent_pages(PASSAGES, asked())
    assert (answer.absent, answer.found) == ([AbsentPage(**ABSENT)], False)


def test_beside_a_page_that_is_there_the_answer_is_found() -> None:
    assert with_absent_pages(PASSAGES, asked(named=True)).found


def test_what_a_model_answered_stays_found() -> None:
    answered = PASSAGES.model_copy(update={"outcome": Outcome.ANSWERED})
    assert with_absent_pages(answered, asked()).found


def test_nothing_is_told_where_nothing_was_asked_in_vain() -> None:
    assert (
        with_absent_pages(PASSAGES, [Question(question="Boats?", context=[page("Boats float.", 12)])])
        == PASSAGES
    )


def test_only_what_the_asker_asks_is_told_not_what_the_conversation_adds() -> None:
    boats = Question(question="And boats?", context=[page("Boats float.", 12)])
    assert with_absent_pages(PASSAGES, [boats, *asked()]) == PASSAGES
