"""How good retrieval is, as figures that hold: the sample game always, the real rulebooks where they are.

The bounds are what is reached, a few questions below: they fall when something breaks, not by noise.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from rag.config import load_settings
from rag.evaluation.questions import QuestionLanguage, read_questions
from rag.evaluation.run import ALL, LANGUAGES, Evaluation, QuestionResult, evaluate
from rag.graph import RulesGraph
from rag.library.library import Library
from rag.models.embeddings import EmbeddingModel, embedding_model
from sample_game.questions import QUESTIONS
from tests.conftest import CORPUS, SAMPLE_BOOKS
from tests.scripted import WordEmbeddings

Bounds = Mapping[tuple[QuestionLanguage, str], Mapping[str, float]]
"""The least value of each measure, by language and type of question."""

SAMPLE: Bounds = {
    ("en", ALL): {"hit@5": 0.92, "full@10": 0.82, "context": 0.89, "pages_exact": 1, "quotes_verified": 1},
    ("pt", ALL): {"hit@5": 0.85, "full@10": 0.75, "context": 0.85, "pages_exact": 1, "quotes_verified": 1},
}
RULEBOOKS: Bounds = {
    ("en", ALL): {"hit@5": 0.92, "full@10": 0.88, "context": 0.93, "pages_exact": 1, "quotes_verified": 1},
    ("en", "xref"): {"context": 0.90},
    ("pt", ALL): {"hit@5": 0.85, "full@10": 0.72, "context": 0.80, "pages_exact": 1, "quotes_verified": 1},
    ("pt", "xref"): {"context": 0.75},
}
INVENTED: Bounds = {
    ("pt", ALL): {"hit@5": 0.95, "context": 0.95, "quotes_verified": 1},
    ("pt", "chain"): {"context": 0.8},
    ("pt", "unnamed"): {"context": 0.8},
    ("pt", "page"): {"context": 1},
    ("pt", "mixed"): {"hit@5": 0.9},
}
"""Of two lines of three books whose references have codes, in a library of twelve other games.

In the second a chain's last page is told by its heading alone.
"""
RIGHT_GAMES = 0.85
"""The least share of questions that name no game which are answered from the right one."""


async def evaluated(
    books: Path, index: Path, questions: Path, languages: Sequence[QuestionLanguage] = LANGUAGES
) -> Evaluation:
    """The evaluation without a chat model.

    The packaged embedding searches; which sentence of a found page is quoted is left to a cheap one.
    """
    settings = {"library_dir": books, "index_dir": index, "embedding_model": "embedded", "chroma_url": None}
    packaged = load_settings().model_copy(update=settings)
    library = Library.open(packaged, embedding_model(packaged))
    rules_graph = RulesGraph(library, None, EmbeddingModel("words", WordEmbeddings(), 1.0))
    return await evaluate(read_questions(questions), library, rules_graph, languages=languages)


def shortfalls(
    evaluation: Evaluation, bounds: Bounds
) -> dict[tuple[QuestionLanguage, str, str], float | None]:
    """The measures below their bound, with the value that was reached."""
    reached = {(language, kind): row for language, kind, row in evaluation.rows()}
    return {
        (*group, measure): reached[group][measure]
        for group, measures in bounds.items()
        for measure, bound in measures.items()
        if (reached[group][measure] or 0) < bound
    }


@pytest.mark.timeout(300)
async def test_the_sample_game_reaches_its_figures(sample_index: Path) -> None:
    evaluation = await evaluated(SAMPLE_BOOKS, sample_index, QUESTIONS)
    assert shortfalls(evaluation, SAMPLE) == {}


async def test_a_line_with_codes_and_a_mixed_library_reach_their_figures(invented: Path) -> None:
    """Asked in Portuguese, which is harder than English; a question that names no game, of the right one."""
    books, index, questions = (invented / name for name in ("books", "index", "questions.jsonl"))
    evaluation = await evaluated(books, index, questions, ["pt"])
    assert shortfalls(evaluation, INVENTED) == {}
    mixed = [result for result in evaluation.results if result.question.type == "mixed"]
    assert sum(map(is_of_right_game, mixed)) >= RIGHT_GAMES * len(mixed)


def is_of_right_game(result: QuestionResult) -> bool:
    """Whether the first source of an answer is from the game of the pages that are needed."""
    sources, needed = result.reply.answer.sources, result.question.gold[0].file
    return bool(sources) and sources[0].file.partition("/")[0] == needed.partition("/")[0]


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS.is_dir(), reason="CORPUS_DIR is not set")
@pytest.mark.timeout(600)
async def test_real_rulebooks_reach_their_figures(corpus_index: Path) -> None:
    evaluation = await evaluated(CORPUS / "books", corpus_index, CORPUS / "questions.jsonl")
    assert shortfalls(evaluation, RULEBOOKS) == {}
