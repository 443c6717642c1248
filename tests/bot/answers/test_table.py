"""The table of answers."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from bot.answers.table import ANSWERS, DAY, Answers, KeptAnswer, KeptSource
from bot.storage.data_table import migrations
from bot.storage.files import open_database
from rag.errors import ConfigurationError
from rag.state import DroppedStatement, Followed, Judgement, Origin, SearchedQuery, Trace, Usage

NOW = 1_800_000_000.0
KEPT = KeptAnswer(
    message=1,
    channel=10,
    home=9,
    guild=7,
    thread_id="one",
    asker=100,
    audience="player",
    private=False,
    book=None,
    question="How far?",
    standalone_question="How far does it light?",
    outcome="answered",
    sources=(KeptSource("Wading Orders", "tides/wading-orders.pdf", "13", 18, "Six paces."),),
    hops=2,
    queries=("How far does it light?", "lamp"),
    followed=(("Wading Orders p. 13", "Powers p. 100"),),
    seconds=3.4,
    created=NOW,
    trace=Trace(
        strategy="multi-hop",
        hops=2,
        queries=[SearchedQuery(query="lamp", origin=Origin.JUDGE, hop=2)],
        followed=[Followed(origin="Wading Orders p. 13", target="Powers p. 100", hop=2)],
        judgements=[Judgement(hop=1, sufficient=False, queries=["lamp"])],
        dropped=[DroppedStatement(text="Nine paces.", reason="numbers")],
        usage=Usage(calls=3, input_tokens=900, output_tokens=30, money=Decimal("0.01")),
        seconds=3.4,
    ),
)


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Answers:
    monkeypatch.setattr("bot.answers.table.time.time", lambda: NOW)
    return Answers(tmp_path, kept_days=90)


def test_an_answer_of_before_there_were_traces_is_kept_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.answers.table.time.time", lambda: NOW)
    with closing(open_database(tmp_path / ANSWERS, migrations("answers")[:1])) as table:
        table.execute(
            "INSERT INTO answers VALUES (1, 10, 9, 7, 'one', 100, 'player', 0, NULL, 'How far?', 'How far?', "
            "'answered', '[]', 2, '[]', '[]', 3.4, ?)",
            (NOW,),
        )
    kept = Answers(tmp_path, kept_days=90).find(1)
    assert kept is not None
    assert kept.trace is None


def test_after_its_time_an_answer_is_gone(answers: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    answers.keep(KEPT)
    monkeypatch.setattr("bot.answers.table.time.time", lambda: NOW + 90 * DAY + 1)
    assert answers.find(1) is None


def test_old_answers_leave_the_file_at_the_start_too(
    answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers.keep(KEPT)
    monkeypatch.setattr("bot.answers.table.time.time", lambda: NOW + 90 * DAY + 1)
    Answers(tmp_path, kept_days=90).close()
    with sqlite3.connect(tmp_path / ANSWERS) as table:
        assert table.execute("SELECT message FROM answers").fetchall() == []


def test_today_counts_what_players_asked_since_midnight(answers: Answers) -> None:
    answers.keep(KEPT)
    answers.keep(replace(KEPT, message=2, seconds=1.0))
    answers.keep(replace(KEPT, message=3, audience="gm", seconds=99.0))
    answers.keep(replace(KEPT, message=4, created=NOW // DAY * DAY - 1, seconds=99.0))
    assert answers.seconds_today() == [KEPT.seconds, 1.0]


def test_a_data_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError) as raised:
        Answers(tmp_path / "file" / "data", kept_days=90)
    assert raised.value.values["variable"] == "DATA_DIR"
