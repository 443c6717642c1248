"""The parts that answer a question, over a scripted graph."""

from pathlib import Path

import pytest

from bot.answers.table import Answers
from bot.budgets import Budgets
from bot.questions.answering import Answering
from rag.config import StrategyName
from rag.state import Progress, Stage
from tests.bot.table import ScriptedRulesGraph


@pytest.fixture
def rules_graph() -> ScriptedRulesGraph:
    return ScriptedRulesGraph(steps=[Progress(Stage.FOLLOWING, 2, "Powers p. 100")])


@pytest.fixture
def answering(tmp_path: Path, rules_graph: ScriptedRulesGraph) -> Answering:
    answers = Answers(tmp_path, kept_days=90)
    budgets = Budgets(tmp_path, {})
    return Answering(rules_graph, answers, budgets, StrategyName.MULTI_HOP, lambda reader: 1)
