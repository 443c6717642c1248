"""How good retrieval is, as figures that hold: the sample game always, the real rulebooks where they are.

The bounds are what is reached, a few questions below: they fall when something breaks, not by noise.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from rag.config import load_settings
from rag.evaluation.questions import QuestionLanguage, read_questions
from rag.evaluation.run import ALL, Evaluation, evaluate
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


async def evaluated(books: Path, index: Path, questions: Path) -> Evaluation:
    """The evaluation without a chat model.

    The packaged embedding searches; which sentence of a found page is quoted is left to a cheap one.
    """
    settings = {"library_dir": books, "index_dir": index, "embedding_model": "embedded", "chroma_url": None}
    packaged = load_settings().model_copy(update=settings)
    library = Library.open(packaged, embedding_model(packaged))
    rules_graph = RulesGraph(library, None, EmbeddingModel("words", WordEmbeddings(), 1.0))
    return await evaluate(read_questions(questions), library, rules_graph)


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


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS.is_dir(), reason="CORPUS_DIR is not set")
@pytest.mark.timeout(600)
async def test_real_rulebooks_reach_their_figures(corpus_index: Path) -> None:
    evaluation = await evaluated(CORPUS / "books", corpus_index, CORPUS / "questions.jsonl")
    assert shortfalls(evaluation, RULEBOOKS) == {}
