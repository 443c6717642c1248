"""What a table found right and wrong is its question file, by which books and search are scored."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from simcord import ChannelHandle, MemberActor

from bot.answers.feedback import QUESTIONS
from rag.config import StrategyName
from rag.evaluation.questions import read_questions
from rag.evaluation.run import evaluate
from tests.bot.in_process.answering_table import ROPES, answering_table
from tests.bot.in_process.reading import response
from tests.bot.in_process.test_feedback import rate, write_page
from tests.bot.table import Table


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    with answering_table(tmp_path, monkeypatch) as table:
        yield table


async def test_what_was_rated_and_written_down_scores_the_library_that_answered(
    table: Table, ana: MemberActor, gm: MemberActor, channel: ChannelHandle
) -> None:
    await rate(ana, await ana.slash(channel, "rules", question="How far does a lamp light?"), "Right")
    await rate(ana, await ana.slash(channel, "rules", question="What does a lamp of rope hold?"), "Wrong")
    await write_page(gm, await gm.slash(channel, "gm feedback"), "Wading Orders", "13")
    sent = response(await gm.slash(channel, "gm feedback", export=True)).message
    assert sent is not None
    exported, kept = table.folder / "exported.jsonl", table.folder / QUESTIONS
    exported.write_bytes(await sent.attachments[0].read())
    assert exported.read_bytes() == kept.read_bytes()
    library, graph = cast(Any, table.library), cast(Any, table.rules_graph)
    found = await evaluate(
        read_questions(exported), library, graph, languages=("en",), strategy=StrategyName.MULTI_HOP
    )
    by_gold = {result.question.gold[0].page: result for result in found.results}
    assert set(by_gold) == {"12", "13"}
    assert ROPES in [source.quote.removeprefix("Ropes ") for source in by_gold["13"].reply.answer.sources]
    assert found.rows()[0][2]["pages_exact"] == 1.0
