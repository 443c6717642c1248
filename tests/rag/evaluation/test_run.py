"""Evaluation: the measures and their laws, the question file, and a small library asked and scored."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from pydantic import ValidationError

from rag.cli.evaluation_report import STATEMENT_COUNTS, print_evaluation
from rag.config import SAMPLE_LIBRARY, Settings
from rag.errors import QuestionFileError
from rag.evaluation.check import doubts, in_known_books
from rag.evaluation.questions import GoldPage, GoldQuestion, read_questions
from rag.evaluation.run import Evaluation, checked, evaluate
from rag.evaluation.scores import (
    quotation_scores,
    ranking_scores,
)
from rag.graph import RulesGraph
from rag.library.library import Library
from rag.models.embeddings import EmbeddingModel
from rag.nodes.verification import Fault
from rag.state import PageId, Source
from rag.texts import LOCALES, texts_for
from sample_game.questions import QUESTIONS
from tests.conftest import Run
from tests.scripted import (
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

places = st.builds(PageId, st.sampled_from(["a.pdf", "b.pdf"]), st.integers(1, 6))
rankings = st.lists(places, unique=True, max_size=12)


def gold(place: PageId, label: str | None = None) -> dict[str, Any]:
    return {"file": place.file, "pdf_page": place.pdf_page, "page": label, "quote": ""}


def question(needed: Sequence[PageId] = (), also_ok: Sequence[PageId] = (), **facts: Any) -> GoldQuestion:
    pages = {"gold": [gold(place) for place in needed], "also_ok": [gold(place) for place in also_ok]}
    return GoldQuestion.model_validate({"id": "q", "type": "single", "question": "Q?", **pages, **facts})


questions = st.builds(
    question, st.lists(places, unique=True, min_size=1, max_size=3), st.lists(places, max_size=2)
)


def test_questions_without_an_answer_count_in_no_ranking() -> None:
    scores = ranking_scores([([FIRST], question([FIRST])), ([], question())])
    assert scores["hit@1"] == scores["full@10"] == scores["mrr"] == 1


def write(path: Path, *lines: str) -> Path:
    file = path / "questions.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


GOOD = json.dumps({"id": 1, "type": "single", "question": "Q?", "gold": [gold(FIRST, "iv")]})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (GOOD.replace('"gold"', '"golden"'), "gold: Field required"),
        (GOOD.replace('"pdf_page": 1', '"pdf_page": 0'), "gold.0.pdf_page: Input should be greater than 0"),
        (GOOD[:-1], "Invalid JSON"),
    ],
)
def test_a_malformed_line_is_named_with_what_is_wrong(tmp_path: Path, line: str, reason: str) -> None:
    with pytest.raises(QuestionFileError) as raised:
        read_questions(write(tmp_path, GOOD, line))
    assert raised.value.values["line"] == 2
    assert raised.value.values["reason"].startswith(reason)


def test_a_file_that_is_not_there_or_has_no_question_is_an_error(tmp_path: Path) -> None:
    for file in (tmp_path / "none.jsonl", write(tmp_path, "")):
        with pytest.raises(QuestionFileError):
            read_questions(file)


def source(quote: str, label: str | None = "12") -> Source:
    facts = {"book": "Core", "file": "core.pdf", "game": "Game", "page": label, "pdf_page": 16}
    return Source.model_validate({**facts, "quote": quote, "verified": True})


def test_a_quote_must_stand_on_its_page_whatever_the_source_claims() -> None:
    texts = {PageId("core.pdf", 16): "Magery costs 5 points, plus 10 points per level."}
    assert checked(source("Magery costs 50 points"), texts, {}).is_verbatim is False
    assert checked(source("Magery costs\n5 points"), texts, {}).is_verbatim is True


def proven_by(*quotes: str) -> GoldQuestion:
    """A question whose proofs stand on the page of `source`."""
    pages = [{"file": "core.pdf", "pdf_page": 16, "page": "12", "quote": quote} for quote in quotes]
    return question(gold=pages)


def test_a_proof_counts_where_one_of_the_first_quotations_holds_its_words() -> None:
    asked = proven_by("costs 5 points", "10 points per level")
    rambling = [source(f"Nothing {number}.") for number in range(3)]
    held = source("Magery costs 5\npoints.")
    scores = [quotation_scores([(sources, asked)]) for sources in ([held], [*rambling, held])]
    assert [(one["proof"], one["proof_full"], one["noise"]) for one in scores] == [(1, 0, 0), (0, 0, 1)]


def test_the_first_quotations_are_counted_and_measured() -> None:
    scores = quotation_scores([([source("four"), source("fives")], proven_by("x")), ([], question())])
    assert (scores["quotations"], scores["quoted_characters"]) == (2, 9)


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
            question([page_id(12)], id="found", question="What does Magery cost?"),
            question([page_id(12)], id="lost", question="What does magic cost?"),
        ]
    )
    ((_, _, overall), _) = evaluation.rows()
    assert (overall["questions"], overall["hit@1"], overall["context"]) == (2, 0.5, 0.5)
    (miss,) = evaluation.to_json()["misses"]
    assert (miss["id"], miss["missing_in_context"]) == (
        "lost",
        [{"file": "game/core.pdf", "page": None, "pdf_page": 16}],
    )


async def test_the_name_of_a_book_alone_is_searched_as_the_question_before_asked_of_it() -> None:
    history = [{"question": "What does Magery cost?", "answer": "5 points."}]
    asked = [question([page_id(12)], question="Strike Core?", history=history)]
    as_a_rule, as_a_book = await scored(asked), await scored(asked, titles={"Strike Core": "a.pdf"})
    assert [one.rows()[0][2]["hit@1"] for one in (as_a_rule, as_a_book)] == [0, 1]


async def test_each_wording_is_asked_and_scored_by_language_and_type() -> None:
    asked = question([page_id(12)], question="Magery?", question_pt="Quanto custa Magery?")
    evaluation = await scored([asked])
    assert [(language, kind) for language, kind, _ in evaluation.rows()] == [
        ("en", "all"),
        ("en", "single"),
        ("pt", "all"),
        ("pt", "single"),
    ]


async def test_a_refusal_counts_and_an_invented_answer_is_a_miss() -> None:
    refusal: Script = {
        "SubQuestions": {"sub_questions": []},
        "Sufficiency": {"sufficient": True, "new_queries": []},
        "Draft": {"missing": None, "statements": []},
    }
    unanswerable = [question(question="What does a pistol cost?")]
    refused = await scored(unanswerable, refusal)
    assert refused.rows()[0][2]["refused"] == 1
    assert refused.misses() == []
    quoted = await scored(unanswerable)
    assert quoted.rows()[0][2]["refused"] == 0
    assert len(quoted.misses()) == 1


async def test_model_calls_and_failures_of_the_model_are_counted() -> None:
    failing: Script = dict.fromkeys(("SubQuestions", "Sufficiency", "Draft"), RuntimeError("down"))
    overall = (await scored([question([page_id(12)], question="Magery?")], failing)).rows()[0][2]
    assert overall["model_failed"] == 1
    assert overall["model_calls"] == 3


STATED: Script = {
    "SubQuestions": {"sub_questions": []},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": {
        "statements": [
            {"evidence": ["1.1"], "text": "Magery costs 5 points, plus 10 points per level."},
            {"evidence": ["1.1"], "text": "Magery costs 7 points."},
            {"evidence": ["9.9"], "text": "Every dragon is immune to fire."},
        ],
        "missing": None,
    },
    "SupportVerdicts": {"supports": []},
}


async def test_what_became_of_statements_is_counted_by_reason() -> None:
    evaluation = await scored([question([page_id(12)], question="What does Magery cost?")], STATED)
    counted = evaluation.statements()["en"]
    assert {name: count for name, count in counted.items() if count} == {
        "drafted": 3,
        "claimed": 1,
        "numbers": 1,
        "no-line": 1,
    }
    assert evaluation.to_json()["statements"] == {"en": counted}


@pytest.mark.parametrize("locale", LOCALES)
async def test_with_a_model_the_report_names_every_fate(
    locale: str, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = texts_for(locale)
    asked = [question([page_id(12)], question="What does Magery cost?")]
    print_evaluation(await scored(asked), texts)
    assert texts("evaluation-statements") not in capsys.readouterr().out
    print_evaluation(await scored(asked, STATED), texts)
    printed = capsys.readouterr().out
    assert all(texts(key) in printed for key in STATEMENT_COUNTS.values())
    assert STATEMENT_COUNTS.keys() == {"drafted", "claimed", "calculated", *Fault}


def test_a_page_without_position_and_section_is_no_gold() -> None:
    with pytest.raises(ValidationError, match="section"):
        GoldPage(file="core.pdf", page="3")


@pytest.fixture(scope="module")
def sample_library(sample_index: Path) -> Library:
    settings = Settings.model_construct(library_dir=SAMPLE_LIBRARY, index_dir=sample_index)
    return Library.open(settings, EmbeddingModel("embedded", WordEmbeddings(), 1.0))


@pytest.mark.parametrize(
    ("changed", "doubt"),
    [
        ({"pdf_page": 10_000}, "evaluation-quote-elsewhere"),
        ({"page": "999"}, "evaluation-quote-elsewhere"),
        ({"quote": "Words that stand nowhere in these books"}, "evaluation-quote-elsewhere"),
        ({"file": "no.pdf"}, "evaluation-unknown-files"),
    ],
)
def test_a_gold_page_that_the_books_contradict_is_doubted(
    sample_library: Library, changed: dict[str, Any], doubt: str
) -> None:
    asked = read_questions(QUESTIONS)[0]
    odd = asked.model_copy(update={"gold": [asked.gold[0].model_copy(update=changed)]})
    assert [one.key for one in doubts([odd], sample_library, "player")] == [doubt]


def test_a_book_to_ask_in_that_is_not_there_is_doubted_and_all_are_asked(sample_library: Library) -> None:
    asked = [question(id="gone", book="Gone"), question(id="all")]
    assert [one.key for one in doubts(asked, sample_library, "player")] == ["evaluation-unknown-book"]
    assert [one.book for one in in_known_books(asked, sample_library, "player")] == [None, None]


def test_the_questions_of_the_sample_game_are_beyond_doubt(sample_library: Library) -> None:
    assert doubts(read_questions(QUESTIONS), sample_library, "player") == []


def sample(tmp_path: Path, *ids: str) -> str:
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return str(write(tmp_path, *(line for line in lines if json.loads(line)["id"] in ids)))


def test_the_command_prints_one_object(rag: Run, tmp_path: Path) -> None:
    run = rag("evaluate", sample(tmp_path, "low-001", "low-026", "low-029"), "--json", "--language", "en")
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


def test_the_command_prints_tables_and_each_miss_for_people(rag: Run, tmp_path: Path) -> None:
    run = rag("evaluate", sample(tmp_path, "low-001", "low-029"), "--language", "pt")
    assert run.returncode == 0, run.stderr
    assert "hit@10" in run.stdout
    assert "low-029 · unanswerable · pt" in run.stdout


def test_the_command_says_which_gold_books_are_not_in_the_library(rag: Run, tmp_path: Path) -> None:
    odd = json.dumps({**json.loads(GOOD), "id": "odd", "book": "No Such Game"})
    run = rag("evaluate", str(write(tmp_path, GOOD, odd)), "--json")
    assert run.returncode == 0
    assert "a.pdf" in run.stderr
    assert "odd: there is no book or game “No Such Game”" in run.stderr


def test_a_malformed_file_is_one_line_and_status_1(rag: Run, tmp_path: Path) -> None:
    run = rag("evaluate", str(write(tmp_path, GOOD, "{}")))
    assert (run.returncode, run.stdout) == (1, "")
    assert len(run.stderr.strip().splitlines()) == 1
    assert "line 2: id: Field required" in run.stderr
