"""Every file of DATA_DIR, in whatever state a start finds it."""

import json
import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.answers.question_file import Rating
from bot.client import RulesBot
from tests.bot.answers.test_table import KEPT
from tests.bot.books.test_rulings import LAMPS
from tests.bot.in_process.conftest import Chat
from tests.bot.test_budgets import ANA

SERVER, LEFT, PLACE = 7, 8, KEPT.home
ANSWER = replace(KEPT, created=time.time())
UPLOAD = f"{SERVER}/Tides/Kites.md"
WRITTEN = {f"rulings/{SERVER}/Tides.md", f"uploads/{UPLOAD}", "questions.jsonl"}
"""What people write, which is theirs whatever it holds, and what is written at every start."""
Damage = Callable[[Path], object]


async def use(bot: RulesBot) -> None:
    """Have something kept in every file."""
    bot.answers.keep(ANSWER)
    bot.feedback.rate(ANSWER, ANSWER.asker, Rating.RIGHT, None)
    async with bot.budgets.billed([ANA]):
        bot.places.bind(PLACE, "Tides")
    bot.places.leave(LEFT, [PLACE], ANSWER.created)
    bot.places.answered_in_place.keep(frozenset({PLACE}))
    for known in (bot.places.welcomed, bot.places.turned_away, bot.places.met):
        known.keep(frozenset({SERVER}))
    bot.rulings.add(SERVER, LAMPS)
    bot.uploads.put(UPLOAD, b"# Kites")
    bot.uploads.settle(UPLOAD, is_read=True)


def kept(bot: RulesBot) -> dict[str, object]:
    """What the bot knows of each file."""
    places, folder = bot.places, bot.settings.data_dir
    return {
        "answers.sqlite": bot.answers.find(ANSWER.message),
        "budgets.sqlite": bot.budgets.spent(ANA).calls > 0,
        "channel_games.json": places.game_of(PLACE),
        "channels_asked_game.json": places._asked.kept,
        "channels_in_place.json": places.answered_in_place.kept,
        "commands.json": min(json.loads((folder / "commands.json").read_bytes())),
        "feedback.sqlite": bot.feedback.of_server(SERVER),
        "left_servers.json": places.left.kept,
        "questions.jsonl": [*folder.glob("questions.jsonl")],
        f"rulings/{SERVER}/Tides.md": bot.rulings.holding(SERVER),
        "served_servers.json": places.met.kept,
        "servers_turned_away.json": places.turned_away.kept,
        f"uploads/{UPLOAD}": bot.uploads.books(SERVER),
        "welcomed_servers.json": places.welcomed.kept,
    }


async def told_at_start(chat: Chat, caplog: pytest.LogCaptureFixture) -> list[str]:
    """The files of which the log warns at the next start."""
    caplog.clear()
    await chat.restart()
    warned = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
    return sorted(file for text in warned for file in kept(chat.bot) if file in text)


def make_newer(path: Path) -> None:
    """Add what a later release may keep: a column, an entry of another type."""
    if path.suffix == ".json":
        entries: Any = json.loads(path.read_bytes())
        path.write_text(json.dumps([*entries, {}] if isinstance(entries, list) else entries | {"later": []}))
        return
    with closing(sqlite3.connect(path)) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            database.execute(f"ALTER TABLE {table} ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")
        database.execute("PRAGMA user_version = 99")


def keep_of(parts: int, more: bytes) -> Damage:
    """Leave so many eighths of a file, with other bytes behind."""

    def damage(path: Path) -> None:
        content = path.read_bytes()
        path.write_bytes(content[: len(content) * parts // 8] + more)

    return damage


DAMAGES = {
    "empty": keep_of(0, b""),
    "truncated": keep_of(4, b""),
    "scrambled": keep_of(1, b"\x5a" * 20_000),
    "zeros": keep_of(0, b"\x00" * 5000),
    "unended": keep_of(0, b"["),
    "of another type": keep_of(0, b'"no database"'),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_a_file_that_cannot_be_read_is_told_once_and_begun_anew(
    chat: Chat, damage: Damage, caplog: pytest.LogCaptureFixture
) -> None:
    await use(chat.bot)
    before, folder = kept(chat.bot), chat.table.folder
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")} == {*before}
    for file in before.keys() - WRITTEN:
        damage(folder / file)
    assert await told_at_start(chat, caplog) == sorted(before.keys() - WRITTEN)
    lost = {file for file, known in kept(chat.bot).items() if known != before[file]}
    assert lost == {*before} - WRITTEN - {"commands.json"} | {"questions.jsonl"}
    await use(chat.bot)
    assert await told_at_start(chat, caplog) == []
    assert kept(chat.bot) == before


async def test_what_a_later_release_kept_is_used_as_far_as_it_is_known(
    chat: Chat, caplog: pytest.LogCaptureFixture
) -> None:
    await use(chat.bot)
    before = kept(chat.bot)
    for file in before.keys() - WRITTEN:
        make_newer(chat.table.folder / file)
    assert await told_at_start(chat, caplog) == [file for file in before if file.endswith(".json")]
    assert kept(chat.bot) == before
    await use(chat.bot)
    assert kept(chat.bot) == before
