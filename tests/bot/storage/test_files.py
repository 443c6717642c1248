"""The files of DATA_DIR, of whatever release and in whatever state."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.answers.table import ANSWERS, Answers
from bot.budgets import BUDGETS, PLAYERS, Budgets
from bot.storage.files import files_set_aside, open_database
from bot.storage.kept_places import KeptPlaces
from tests.bot.answers.test_table import KEPT

FIRST = "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, words TEXT NOT NULL)"
SECOND = "ALTER TABLE notes ADD COLUMN pages INTEGER NOT NULL DEFAULT 7"


def columns(database: sqlite3.Connection) -> list[str]:
    return [row[1] for row in database.execute("PRAGMA table_info(notes)")]


def version(database: sqlite3.Connection) -> int:
    found: int = database.execute("PRAGMA user_version").fetchone()[0]
    return found


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


def test_a_table_of_a_later_release_is_used_as_it_is(tmp_path: Path) -> None:
    open_database(tmp_path / "notes.sqlite", (FIRST, SECOND)).close()
    database = open_database(tmp_path / "notes.sqlite", (FIRST,))
    database.execute("INSERT INTO notes (id, words) VALUES (1, 'lamp')")
    assert (version(database), files_set_aside(tmp_path)) == (2, [])


def test_a_table_without_a_column_that_is_needed_is_made_anew(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "notes.sqlite") as old:
        old.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY)")
    database = open_database(tmp_path / "notes.sqlite", (FIRST,))
    assert columns(database) == ["id", "words"]
    assert [one["file"] for one in files_set_aside(tmp_path)] == ["notes.sqlite"]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def _scramble(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[100:4000] = b"\x5a" * 3900
    path.write_bytes(content)


def _replace(path: Path) -> None:
    path.write_text("no database at all, but long enough to be taken for one" * 20)


@pytest.mark.parametrize("damage", [_cut, _scramble, _replace])
def test_a_damaged_table_of_answers_is_told_and_begun_anew(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    answers = Answers(tmp_path, kept_days=90_000)
    answers.keep(KEPT)
    answers.close()
    damage(tmp_path / ANSWERS)
    answers = Answers(tmp_path, kept_days=90_000)
    answers.keep(KEPT)
    assert answers.find(KEPT.message) == KEPT
    assert "answers.sqlite.set-aside" in caplog.text


def test_damaged_budgets_are_begun_anew(tmp_path: Path) -> None:
    (tmp_path / BUDGETS).write_text("no database" * 500)
    assert Budgets(tmp_path, {}).spent(PLAYERS).tokens == 0
    assert [one["kind"] for one in files_set_aside(tmp_path)] == ["budgets"]


@pytest.mark.parametrize("content", ["{", "[]", '{"1": 2}', "\x00", '{"1": ["Tides"]}'])
def test_damaged_bindings_are_told_and_begun_anew(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "channel_games.json").write_text(content)
    KeptPlaces(tmp_path).bind(1, "Tides")
    assert KeptPlaces(tmp_path).game_of(1) == "Tides"
    assert "/gm game" in caplog.text


def test_what_was_set_aside_with_questions_in_it_goes_after_their_time(tmp_path: Path) -> None:
    (tmp_path / ANSWERS).write_text("no database" * 500)
    Answers(tmp_path, kept_days=90).close()
    assert files_set_aside(tmp_path)
    Answers(tmp_path, kept_days=0).close()
    assert not files_set_aside(tmp_path)
