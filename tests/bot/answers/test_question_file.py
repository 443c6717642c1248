"""Rated answers as a question file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.answers.question_file import RatedAnswer, Rating, gold_question, question_file
from bot.answers.table import KeptSource
from rag.evaluation.questions import GoldPage, GoldQuestion, read_questions
from rag.library.books.ruling import ruling_file

LAMP = KeptSource("Wading Orders", "tides/wading.pdf", "13", 18, "Six paces.")
FOG = KeptSource("Wading Orders", "tides/wading.pdf", "14", 19, "Fog halves it.")
RATED = RatedAnswer(
    message=7,
    audience="player",
    book="Tides",
    question="And in fog?",
    standalone_question="How far does a lamp light in fog?",
    sources=(LAMP, FOG),
    has_statements=True,
    created=0.0,
    ratings={Rating.RIGHT: 2, Rating.NOT_ASKED: 1},
)


def page(source: KeptSource) -> GoldPage:
    return GoldPage(file=source.file, page=source.page, pdf_page=source.pdf_page, quote=source.quote)


def gold(**rated: Any) -> GoldQuestion:
    """The question of an answer that was rated so."""
    question = gold_question(replace(RATED, **rated))
    assert question is not None
    return question


def test_a_right_answers_sources_are_all_needed() -> None:
    assert gold_question(RATED) == GoldQuestion(
        id="7",
        type="multi",
        question="How far does a lamp light in fog?",
        book="Tides",
        gold=[page(LAMP), page(FOG)],
    )


def test_of_closest_passages_any_may_be_the_right_one() -> None:
    question = gold(has_statements=False)
    assert (question.gold, question.also_ok, question.type) == ([page(LAMP)], [page(FOG)], "single")


def test_a_ruling_is_no_page_that_books_could_have() -> None:
    ruling = KeptSource("Table ruling", ruling_file("Tides"), None, 1, "Three paces.")
    question = gold(sources=(ruling, LAMP))
    assert question.gold == [page(LAMP)]
    assert gold_question(replace(RATED, sources=(ruling,))) is None


def test_the_page_that_a_gm_wrote_down_stands_above_all_ratings() -> None:
    written = replace(FOG, quote="")
    question = gold(ratings={Rating.WRONG: 1}, page=written)
    assert (question.gold, question.also_ok) == ([page(written)], [])


def test_a_refusal_that_is_right_is_a_question_without_an_answer() -> None:
    question = gold(sources=(), has_statements=False)
    assert (question.gold, question.type) == ([], "unanswerable")


def test_a_section_is_known_by_its_name_alone() -> None:
    section = KeptSource("House Rules", "house.md", None, 2, "Half.", "House Rules › Fog")
    question = gold(sources=(section,))
    assert question.gold == [GoldPage(file="house.md", section="House Rules › Fog", quote="Half.")]


def test_the_file_reads_as_a_question_file(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(question_file([RATED, replace(RATED, message=8, ratings={Rating.WRONG: 1})]))
    assert read_questions(path) == [gold_question(RATED)]
