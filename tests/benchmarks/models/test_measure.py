"""What models of every manner get to see, and what of their words is shown, on a few questions.

The figures over all questions of real books are in `docs/measurements.md`; these floors fail where they fall.
"""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.models.__main__ import asked_in, spread
from benchmarks.models.measure import GATHERING, STATEMENTS, ModelBench
from benchmarks.models.scripted import GATHERINGS
from rag.config import PROMPT_TOKENS, Settings
from rag.library.library import Library
from rag.models.embeddings import embedding_model
from tests.conftest import ROOT, SAMPLE_BOOKS

QUESTIONS = ROOT / "sample_game" / "questions.jsonl"
FEW, FEW_GATHERED = 5, 3
TOKENS_OF_A_REQUEST = 2_100


@pytest.fixture(scope="module")
def bench(sample_index: Path) -> ModelBench:
    settings = Settings(library_dir=SAMPLE_BOOKS, index_dir=sample_index)
    embedding = embedding_model(settings)
    return ModelBench(Library.open(settings, embedding), embedding, PROMPT_TOKENS)


@pytest.mark.slow
async def test_however_a_model_gathers_no_gold_quotation_leaves_the_prompt(bench: ModelBench) -> None:
    asked = spread(asked_in(QUESTIONS, "en"), FEW_GATHERED)
    rows = (await bench.scripted(asked, (GATHERING,)))[GATHERING]
    assert [(row["gathering"], row["lost"]) for row in rows] == [(name, []) for name in GATHERINGS]
    assert max(row["to first line"] for row in rows) <= 3
    assert rows[0]["to first line"] == 2
    assert rows[0]["prefix"] > 0.3
    assert max(row["most"] for row in rows) <= PROMPT_TOKENS


@pytest.mark.slow
async def test_what_is_true_is_claimed_and_what_is_false_is_not(bench: ModelBench) -> None:
    asked = spread(asked_in(QUESTIONS, "en"), FEW)
    counted: Counter[str] = Counter()
    for row in (await bench.scripted(asked, (STATEMENTS,)))[STATEMENTS]:
        counted.update({name: count for name, count in row.items() if isinstance(count, int)})
        assert row["request"] < TOKENS_OF_A_REQUEST
    assert counted["true"] > 30
    assert counted["false"] > 20
    assert counted["claims"] == counted["true"]
    assert (counted["false claims"], counted["lost"]) == (0, 0)
    assert counted["credulous"] < counted["false"] * 2 / 3
