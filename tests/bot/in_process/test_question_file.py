"""What a table found right and wrong is its question file, by which books and search are scored."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from bot.answers.feedback import QUESTIONS
from rag.config import StrategyName
from rag.evaluation.questions import read_questions
from rag.evaluation.run import evaluate
from tests.bot.in_process.answering_table import ROPES, answering_table
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import choose, response
from tests.bot.in_process.test_feedback import write_page
from tests.bot.table import Table


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    with answering_table(tmp_path, monkeypatch) as table:
        yield table


async def test_what_was_rated_and_written_down_scores_the_library_that_answered(chat: Chat) -> None:
    await choose(chat.ana, await chat.ask("How far does a lamp light?"), "Right")
    await choose(chat.ana, await chat.ask("What does a lamp of rope hold?"), "Wrong")
    await write_page(chat.gm, await chat.gm.slash(chat.channel, "gm feedback"), "Wading Orders", "13")
    sent = await chat.gm.slash(chat.channel, "gm feedback", export=True)
    assert sent.ephemeral
    exported, kept = chat.table.folder / "exported.jsonl", chat.table.folder / QUESTIONS
    exported.write_bytes(await response(sent).attachments[0].read())
    assert exported.read_bytes() == kept.read_bytes()
    library, graph = cast(Any, chat.table.library), cast(Any, chat.graph)
    found = await evaluate(
        read_questions(exported), library, graph, languages=("en",), strategy=StrategyName.MULTI_HOP
    )
    by_gold = {result.question.gold[0].page: result for result in found.results}
    assert set(by_gold) == {"12", "13"}
    assert ROPES in [source.quote.removeprefix("Ropes ") for source in by_gold["13"].reply.answer.sources]
    assert found.rows()[0][2]["pages_exact"] == 1.0
