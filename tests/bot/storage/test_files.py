"""The files of DATA_DIR, of whatever release and in whatever state."""

import sqlite3
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.answers.feedback import FEEDBACK, QUESTIONS, Feedback
from bot.answers.question_file import Rating
from bot.answers.table import ANSWERS, AT_WORK, Answers
from bot.budgets import BUDGETS, Account, AccountKind, Budgets
from bot.storage.files import files_set_aside, open_database
from rag.evaluation.questions import read_questions
from tests.bot.answers.test_table import KEPT, NOW
from tests.bot.table import Table

FIRST = "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, words TEXT NOT NULL)"
SECOND = "ALTER TABLE notes ADD COLUMN pages INTEGER NOT NULL DEFAULT 7"


def columns(database: sqlite3.Connection) -> list[str]:
    return [row[1] for row in database.execute("PRAGMA table_info(notes)")]


def version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def test_a_table_of_before_versions_keeps_its_rows_and_gets_the_new_columns(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "notes.sqlite") as old:
        old.execute(FIRST)
        old.execute("INSERT INTO notes VALUES (1, 'lamp')")
    database = open_database(tmp_path / "notes.sqlite", (FIRST, SECOND))
    assert database.execute("SELECT * FROM notes").fetchall() == [(1, "lamp", 7)]
    assert version(database) == 2


def test_a_migration_is_made_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    open_database(path, (FIRST,)).close()
    with pytest.raises(sqlite3.Error):
        open_database(path, (FIRST, f"{SECOND}; ALTER TABLE nothing ADD COLUMN pages"))
    with sqlite3.connect(f"{path}.set-aside") as database:
        assert (version(database), columns(database)) == (1, ["id", "words"])


def test_a_table_without_a_column_that_is_needed_is_made_anew(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "notes.sqlite") as old:
        old.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY)")
    database = open_database(tmp_path / "notes.sqlite", (FIRST,))
    assert columns(database) == ["id", "words"]
    assert [one["file"] for one in files_set_aside(tmp_path, None)] == ["notes.sqlite"]


def test_what_a_killed_process_had_not_written_to_its_end_goes_at_the_start(tmp_path: Path) -> None:
    (tmp_path / ".questions.jsonl.tmp").write_text("How far?")
    Table(tmp_path).services().close()
    assert not [*tmp_path.glob(".*")]


def test_a_table_that_a_killed_process_was_making_is_not_told_as_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr("bot.storage.files._migrate", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            open_database(tmp_path / "notes.sqlite", (FIRST,))
    assert columns(open_database(tmp_path / "notes.sqlite", (FIRST,))) == ["id", "words"]
    assert not files_set_aside(tmp_path, None)


def test_what_was_set_aside_with_questions_in_it_goes_after_their_time(tmp_path: Path) -> None:
    (tmp_path / ANSWERS).write_text("no database" * 500)
    Answers(tmp_path, kept_days=90).close()
    assert files_set_aside(tmp_path, None)
    Answers(tmp_path, kept_days=0).close()
    assert not files_set_aside(tmp_path, None)


# --- rows of another release, or damaged ----------------------------------------------------------

LONG = 90_000
ACCOUNTS = {id: Account(AccountKind.USER, id) for id in (1, 2)}
FILES = {"answers": ANSWERS, "rated_answers": FEEDBACK, "ratings": FEEDBACK, "spent": BUDGETS}
NO_UTF_8 = "CAST(x'ff' AS TEXT)"
DAMAGED_JSON = ("damaged", "1", '["x"]', "[1]", '{"a":1}', '[{"tome": "Knots"}]', r'["\ud800"]', "[" * 10_000)
DAMAGED = (*(f"'{text}'" for text in DAMAGED_JSON), NO_UTF_8, "x'ff'")
KINDS = ("answers SET audience", "rated_answers SET audience", "ratings SET rating", "spent SET kind")
ADDED = "sources = replace(sources, '}', ', \"colour\": \"red\"}')"
"""What a later release says of a source beside what this one knows."""
UNREADABLE = [
    *(f"answers SET {column} = {value}" for column in ("sources", "trace") for value in DAMAGED),
    *(f"rated_answers SET {column} = {value}" for column in ("sources", "page") for value in DAMAGED),
    *(f"rated_answers SET standalone_question = {value}" for value in ("''", "x''", "x'ff'")),
    *(f"{kind} = {value}" for kind in KINDS for value in ("'of a later release'", NO_UTF_8)),
    *(f"spent SET money = {value}" for value in ("'x'", "'NaN'", "x'ff'")),
]


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A folder in which the process before kept two rows in every table."""
    answers, feedback = Answers(tmp_path, LONG), Feedback(tmp_path, LONG)
    for id, account in ACCOUNTS.items():
        answers.keep(replace(KEPT, message=id, outcome=AT_WORK))
        feedback.rate(replace(KEPT, message=id), KEPT.asker, Rating.RIGHT, None)
        async with Budgets(tmp_path, {}, lambda: NOW).billed([account]):
            pass
    return tmp_path


def update(folder: Path, table: str, change: str) -> None:
    sqlite3.connect(folder / FILES[table], isolation_level=None).execute(f"UPDATE {table} SET {change}")


def read_at_start(folder: Path, table: str) -> list[int]:
    """Which of the rows of a table the next start reads."""
    if table == "answers":
        answers = Answers(folder, LONG)
        return [answer.message for answer in (answers.at_work(), answers.at_work())[1]]
    if table == "spent":
        budgets = Budgets(folder, {}, lambda: NOW)
        return [id for id, one in ACCOUNTS.items() if budgets.spent(one).tokens]
    Feedback(folder, LONG).close()
    return sorted(int(question.id) for question in read_questions(folder / QUESTIONS))


@pytest.mark.parametrize("damage", UNREADABLE)
def test_a_bad_row_is_skipped_and_told(folder: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    table, _, change = damage.split(maxsplit=2)
    update(folder, table, f"{change} WHERE {'id' if table == 'spent' else 'message'} = 1")
    assert read_at_start(folder, table) == [2]
    assert caplog.text.count(f"a row of {FILES[table]} cannot be read") == 1


@pytest.mark.parametrize("table", ["answers", "rated_answers"])
@pytest.mark.parametrize("change", [f"standalone_question = {NO_UTF_8}", ADDED])
def test_what_can_be_left_out_of_a_row_loses_no_row(folder: Path, table: str, change: str) -> None:
    update(folder, table, change)
    assert read_at_start(folder, table) == [*ACCOUNTS]


def test_a_place_that_is_no_number_is_no_place(folder: Path) -> None:
    update(folder, "answers", "home = 'here' WHERE message = 1")
    update(folder, "rated_answers", "guild = 'here' WHERE message = 1")
    assert Answers(folder, LONG).places() == Feedback(folder, LONG).places() == [(KEPT.guild, KEPT.home)]
