"""Evaluation: the measures, what of a question file is doubted, a small library asked and scored."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rag.config import SAMPLE_LIBRARY, Settings
from rag.evaluation.check import doubts, prepared
from rag.evaluation.questions import GoldPage, GoldQuestion, read_questions
from rag.evaluation.run import Evaluation, evaluate
from rag.evaluation.scores import RANKING_MEASURES, page_scores, quotation_scores
from rag.graph import RulesGraph
from rag.library.library import Library
from rag.models.embeddings import EmbeddingModel
from rag.state import PageId, Source
from rag.texts import texts_for
from sample_game.questions import QUESTIONS
from tests.conftest import Run
from tests.scripted import (
    CLEARS_ALL,
    OneRetriever,
    Script,
    ScriptedModel,
    ScriptedRetriever,
    WordEmbeddings,
    page,
    page_id,
)

MAGERY = page("Magery costs 5 points, plus 10 points per level.", 12)
STRIKE = page("Rapid Strike halves the skill of both attacks.", 54)
FIRST, SECOND = PageId("a.pdf", 1), PageId("a.pdf", 2)


def proof(pdf_page: int, quote: str = "", label: str | None = None, file: str = "core.pdf") -> dict[str, Any]:
    return {"file": file, "pdf_page": pdf_page, "page": label, "quote": quote}


def question(*needed: PageId, **facts: Any) -> GoldQuestion:
    gold = [proof(place.pdf_page, file=place.file) for place in needed]
    asked = {"id": "q", "type": "single", "question": "Q?", "gold": gold}
    return GoldQuestion.model_validate(asked | facts)


# --- the measures ---------------------------------------------------------------------------------


def test_pages_are_measured_by_the_first_that_answers_and_by_all_that_are_needed() -> None:
    found = [PageId("b.pdf", 9), FIRST, *(PageId("b.pdf", number) for number in range(4)), SECOND]
    measured = page_scores(RANKING_MEASURES, found, question(FIRST, SECOND))
    assert measured == {"hit@1": 0, "hit@5": 1, "hit@10": 1, "full@5": 0, "full@10": 1, "mrr": 0.5}


def source(quote: str) -> Source:
    facts = {"book": "Core", "file": "core.pdf", "game": "Game", "page": "12", "pdf_page": 16}
    return Source.model_validate({**facts, "quote": quote, "verified": True})


def test_a_proof_counts_where_one_of_the_first_quotations_holds_its_words() -> None:
    asked = question(gold=[proof(16, "costs 5 points"), proof(16, "10 points per level")])
    rambling = [source(f"Nothing {number}.") for number in range(3)]
    held = source("Magery costs 5\npoints.")
    scores = [quotation_scores(sources, asked) for sources in ([held], [*rambling, held])]
    assert [(one["proof"], one["proof_full"], one["noise"]) for one in scores] == [(1, 0, 0), (0, 0, 1)]


# --- a small library, asked and scored ------------------------------------------------------------


async def scored(
    asked: Sequence[GoldQuestion], script: Script | None = None, titles: Mapping[str, str] | None = None
) -> Evaluation:
    """The evaluation of questions on a library of two pages, in which books go by their titles."""
    catalog = OneRetriever(
        ScriptedRetriever(pages={"Magery": [MAGERY], "Strike": [STRIKE]}, fallback=[STRIKE])
    )
    catalog.titles = dict(titles or {})
    model = None if script is None else ScriptedModel(script=script)
    rules_graph = RulesGraph(catalog, model, EmbeddingModel("words", WordEmbeddings(), 1.0))
    return await evaluate(asked, catalog, rules_graph)


async def test_a_page_that_search_does_not_find_is_a_miss() -> None:
    evaluation = await scored(
        [
            question(page_id(12), id="found", question="What does Magery cost?"),
            question(page_id(12), id="lost", question="What does magic cost?"),
        ]
    )
    ((_, _, overall), _) = evaluation.rows()
    assert (overall["questions"], overall["hit@1"], overall["context"]) == (2, 0.5, 0.5)
    (miss,) = evaluation.to_json()["misses"]
    assert (miss["id"], miss["missing_in_context"]) == ("lost", ["game/core.pdf PDF p. 16"])


async def test_the_name_of_a_book_alone_is_searched_as_the_question_before_asked_of_it() -> None:
    history = [{"question": "What does Magery cost?", "answer": "5 points."}]
    asked = [question(page_id(12), question="Strike Core?", history=history)]
    as_a_rule, as_a_book = await scored(asked), await scored(asked, titles={"Strike Core": "a.pdf"})
    assert [one.rows()[0][2]["hit@1"] for one in (as_a_rule, as_a_book)] == [0, 1]


async def test_each_wording_is_asked_and_scored_by_language_and_type() -> None:
    asked = question(page_id(12), question="Magery?", question_pt="Quanto custa Magery?")
    rows = (await scored([asked])).rows()
    assert [row[:2] for row in rows] == [("en", "all"), ("en", "single"), ("pt", "all"), ("pt", "single")]


def script_of(draft: Any) -> Script:
    return {
        "SubQuestions": {"sub_questions": []},
        "Sufficiency": {"sufficient": True, "new_queries": []},
        "Draft": draft,
        "SupportVerdicts": CLEARS_ALL,
    }


async def test_a_refusal_counts_and_an_invented_answer_is_a_miss() -> None:
    unanswerable = [question(question="What does a pistol cost?")]
    refused = await scored(unanswerable, script_of({"missing": None, "statements": []}))
    assert (refused.rows()[0][2]["refused"], refused.misses()) == (1, [])
    quoted = await scored(unanswerable)
    assert (quoted.rows()[0][2]["refused"], len(quoted.misses())) == (0, 1)


async def test_model_calls_and_failures_of_the_model_are_counted() -> None:
    failing: Script = dict.fromkeys(("SubQuestions", "Sufficiency", "Draft"), RuntimeError("down"))
    overall = (await scored([question(page_id(12), question="Magery?")], failing)).rows()[0][2]
    assert (overall["model_failed"], overall["model_calls"]) == (1, 3)


async def test_what_became_of_statements_is_counted() -> None:
    statements = [
        {"evidence": ["1.1"], "text": "Magery costs 5 points, plus 10 points per level."},
        {"evidence": ["1.1"], "text": "Magery costs 7 points."},
        {"evidence": ["9.9"], "text": "Every dragon is immune to fire."},
    ]
    script = script_of({"statements": statements, "missing": None})
    asked = [question(page_id(12), question="What does Magery cost?")]
    drafted, quoted = (await scored(asked, script)).rows()[0][2], (await scored(asked)).rows()[0][2]
    assert (drafted["claimed"], drafted["dropped"]) == (1, 2)
    assert (quoted["claimed"], quoted["dropped"]) == (None, None)


# --- what is doubted ------------------------------------------------------------------------------


@pytest.fixture
def sample_library(sample_index: Path) -> Library:
    settings = Settings.model_construct(library_dir=SAMPLE_LIBRARY, index_dir=sample_index)
    return Library.open(settings, EmbeddingModel("embedded", WordEmbeddings(), 1.0))


@pytest.mark.parametrize(
    "changed",
    [{"pdf_page": 10_000}, {"page": "999"}, {"quote": "Words that stand nowhere"}, {"file": "no.pdf"}],
)
def test_a_gold_page_that_the_books_contradict_is_doubted(
    sample_library: Library, changed: dict[str, Any]
) -> None:
    asked = read_questions(QUESTIONS)[0]
    odd = asked.model_copy(update={"gold": [asked.gold[0].model_copy(update=changed)]})
    (said,) = doubts([odd], sample_library, "player", texts_for("en"))
    assert said.startswith(f"{asked.id}: the quote does not stand there, ")


def test_a_book_to_ask_in_that_is_not_there_is_doubted_and_all_are_asked(sample_library: Library) -> None:
    asked = [question(id="gone", book="Gone"), question(id="all")]
    (said,) = doubts(asked, sample_library, "player", texts_for("en"))
    assert said.startswith("gone: there is no book or game “Gone”")
    assert [one.book for one in prepared(asked, sample_library, "player")] == [None, None]


def test_the_questions_of_the_sample_game_are_beyond_doubt(sample_library: Library) -> None:
    assert list(doubts(read_questions(QUESTIONS), sample_library, "player", texts_for("en"))) == []


def test_a_page_without_position_and_section_is_no_gold() -> None:
    with pytest.raises(ValidationError, match="section"):
        GoldPage(file="core.pdf", page="3")


# --- the command ----------------------------------------------------------------------------------


def write(path: Path, *lines: str) -> str:
    file = path / "questions.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return str(file)


def sample(*ids: str) -> list[str]:
    """Lines of the sample game's questions."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if json.loads(line)["id"] in ids]


def test_the_command_scores_each_question_of_several_files_once_and_prints_one_object(
    rag: Run, tmp_path: Path
) -> None:
    (tmp_path / "later").mkdir()
    files = (
        write(tmp_path, *sample("low-001", "low-026")),
        write(tmp_path / "later", *sample("low-001", "low-029")),
    )
    run = rag("evaluate", *files, "--json", "--language", "en")
    assert run.returncode == 0, run.stderr
    printed = json.loads(run.stdout)
    assert (printed["strategy"], printed["mode"]) == ("multi-hop", "quotes")
    assert [(row["language"], row["type"], row["questions"]) for row in printed["scores"]] == [
        ("en", "all", 3),
        ("en", "single", 1),
        ("en", "followup", 1),
        ("en", "unanswerable", 1),
    ]
    assert printed["scores"][0]["pages_exact"] == printed["scores"][0]["quotes_verified"] == 1


def test_the_command_says_what_is_doubtful_before_the_scores(rag: Run, tmp_path: Path) -> None:
    (line,) = sample("low-001")
    odd = json.loads(line)
    odd["gold"][0]["page"] = "999"
    run = rag("evaluate", write(tmp_path, json.dumps(odd)), "--language", "en")
    assert run.returncode == 0
    assert run.stderr.startswith("low-001: the quote does not stand there, ")


def test_the_command_prints_tables_and_each_miss_for_people(rag: Run, tmp_path: Path) -> None:
    run = rag("evaluate", write(tmp_path, *sample("low-001", "low-029")), "--language", "pt")
    assert run.returncode == 0, run.stderr
    assert "hit@10" in run.stdout
    assert ["low-029", "unanswerable", "pt"] in [line.split()[:3] for line in run.stdout.splitlines()]


GOOD = json.dumps({"id": 1, "type": "single", "question": "Q?", "gold": [proof(1, label="iv")]})


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "no question in it"),
        ([GOOD, "{}"], "line 2: id: Field required"),
        ([GOOD, GOOD[:-1]], "line 2: Invalid JSON"),
        ([GOOD, GOOD.replace('"pdf_page": 1', '"pdf_page": 0')], "line 2: gold.0.pdf_page: Input should be"),
    ],
)
def test_a_malformed_file_is_one_line_and_status_1(
    rag: Run, tmp_path: Path, lines: list[str], said: str
) -> None:
    run = rag("evaluate", write(tmp_path, *lines))
    assert (run.returncode, run.stdout) == (1, "")
    assert said in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_a_file_that_is_not_there_is_told(rag: Run, tmp_path: Path) -> None:
    assert rag("evaluate", str(tmp_path / "none.jsonl")).returncode == 1
