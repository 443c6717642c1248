"""What the bot knows of an ingestion that runs beside it."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from bot.operations import ingestion
from bot.operations.ingestion import Ingestion, Reading, reading


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            {"stage": "read", "file": "tides/wading-orders.pdf", "done": 10, "total": 25},
            Reading("Wading Orders", 40),
        ),
        ({"stage": "read", "file": "tides/gm/secrets.pdf", "done": 10, "total": 25}, Reading(None, 40)),
        ({"stage": "build", "file": None, "done": 1, "total": 4}, Reading(None, 25)),
        ({"stage": "wait", "file": None, "done": 0, "total": 0}, None),
    ],
)
def test_progress_names_the_book_unless_it_is_for_the_gm(
    tmp_path: Path, event: dict[str, object], told: Reading | None
) -> None:
    assert reading(event, tmp_path) == told


def test_a_declared_book_goes_by_its_title_and_its_audience(tmp_path: Path) -> None:
    (tmp_path / "library.toml").write_text(
        '[[book]]\nfile = "a.pdf"\ntitle = "Powers"\n[[book]]\nfile = "b.pdf"\naudience = "gm"\n'
    )
    event = {"stage": "embed", "done": 2, "total": 5}
    assert reading(event | {"file": "a.pdf"}, tmp_path) == Reading("Powers", 40)
    assert reading(event | {"file": "b.pdf"}, tmp_path) == Reading(None, 40)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    for pause in ("LOOK_SECONDS", "SETTLED_SECONDS"):
        monkeypatch.setattr(ingestion, pause, 0.01)


async def test_ingestion_begins_as_soon_as_the_index_can_be_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = tmp_path / "begun"
    monkeypatch.setattr(ingestion, "COMMAND", ("-c", f"open({str(begun)!r}, 'w')"))
    had_begun: list[bool] = []

    def answers_the_third_time() -> bool:
        had_begun.append(begun.exists())
        return len(had_begun) == 3

    await Ingestion(tmp_path, answers_the_third_time).run()
    assert had_begun == [False, False, False]
    assert begun.exists()


async def test_a_library_that_is_absent_is_looked_for_until_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "COMMAND", ("-c", "pass"))
    folders: list[Path | None] = []

    def is_there_the_third_time() -> bool:
        folders.append(running.is_absent and running.library_dir)
        return len(folders) < 3

    running = Ingestion(tmp_path, is_absent=is_there_the_third_time)
    await running.run()
    assert folders == [tmp_path] * 3
    assert running.is_absent is None


TOLD = """
import sys, os
with open({count!r}, "a") as count:
    count.write("s")
for line in sys.stdin:
    with open({count!r}, "a") as count:
        count.write("i")
    {does}
    print('{{"stage": "done", "status": 0}}', file=sys.stderr, flush=True)
"""


def process_that(does: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Has a process stand for the real one: a file counts its starts (s) and what it is told (i)."""
    count = tmp_path / "count"
    monkeypatch.setattr(ingestion, "COMMAND", ("-c", TOLD.format(count=str(count), does=does)))
    return count


async def ingested(library: Path, times: int = 1) -> None:
    """Have the library ingested, and end the process."""
    running = Ingestion(library)
    for _ in range(times):
        await running.ingest()
    await running.stop()


def test_a_process_that_reads_books_does_not_know_the_bots_token() -> None:
    told = ingestion.process_environment({"DISCORD_TOKEN": "secret", "LIBRARY_DIR": "books"})
    assert "DISCORD_TOKEN" not in told
    assert told["LIBRARY_DIR"] == "books"


async def test_one_process_is_told_to_ingest_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = process_that("pass", tmp_path, monkeypatch)
    await ingested(tmp_path, times=2)
    assert count.read_text() == "sii"


async def test_a_line_of_any_length_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = process_that("print('x' * 300_000, file=sys.stderr)", tmp_path, monkeypatch)
    await ingested(tmp_path)
    assert count.read_text() == "si"


async def test_a_process_that_dies_is_started_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    dies_once = "os._exit(9) if open({!r}).read() == 'si' else None"
    count = process_that(dies_once.format(str(tmp_path / "count")), tmp_path, monkeypatch)
    await ingested(tmp_path)
    assert count.read_text() == "sisi"
    assert "it ended with status 9" in caplog.text


async def test_a_process_that_hangs_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    process_that("__import__('time').sleep(600)", tmp_path, monkeypatch)
    monkeypatch.setattr(ingestion, "SILENCE_SECONDS", 0.5)
    await Ingestion(tmp_path).ingest()
    assert caplog.text.count("it told nothing") == ingestion.ATTEMPTS


async def test_a_process_that_waits_for_another_may_be_silent_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "SILENCE_SECONDS", 0.01)
    told = asyncio.StreamReader()
    told.feed_data(b'{"stage": "wait"}\n')
    done = b'{"stage": "done", "status": 0}\n'
    asyncio.get_running_loop().call_later(0.05, told.feed_data, done)
    assert await Ingestion(tmp_path)._followed(Mock(stderr=told)) == 0


async def test_a_file_that_is_being_copied_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Ingestion(tmp_path)
    sizes = iter([0, 1, 2, 3, 3])
    left: list[list[int]] = []

    async def ingest() -> None:
        left.append(list(sizes))
        await running.stop()

    monkeypatch.setattr(running, "_files", lambda: {"book.pdf": (next(sizes), 0, 0)})
    monkeypatch.setattr(running, "run", nothing)
    monkeypatch.setattr(running, "ingest", ingest)
    await running.keep_up()
    assert left == [[]]


@pytest.mark.parametrize(
    ("intact_looks", "takes", "ingested_at"),
    [(2, 0.0, [3]), (0, 2 * ingestion.MEND_SECONDS, [1])],
    ids=["at once", "not again at once where the attempt fails late"],
)
async def test_damage_that_questions_meet_has_the_library_indexed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, intact_looks: int, takes: float, ingested_at: list[int]
) -> None:
    now, looks, ingested = 1.0, 0, []
    monkeypatch.setattr(ingestion, "time", SimpleNamespace(monotonic=lambda: now))

    def is_damaged() -> bool:
        nonlocal looks
        looks += 1
        return looks > intact_looks

    running = Ingestion(tmp_path, is_damaged=is_damaged)

    async def ingest() -> None:
        nonlocal now
        now += takes
        ingested.append(looks)

    monkeypatch.setattr(running, "run", nothing)
    monkeypatch.setattr(running, "ingest", ingest)
    await kept_up(running, lambda: looks >= 6)
    assert ingested == ingested_at


async def test_what_could_not_be_finished_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails_once = """if open({!r}).read() == "si":
        print('{{"stage": "done", "status": 1, "unfinished": true}}', file=sys.stderr, flush=True)
        continue"""
    count = process_that(fails_once.format(str(tmp_path / "count")), tmp_path, monkeypatch)
    running = Ingestion(tmp_path / "books")
    done = asyncio.Event()
    running.when_done = lambda: done.set() if count.read_text() == "sii" else None
    await kept_up(running, done.is_set)
    assert count.read_text() == "sii"


async def test_a_file_replaced_by_one_of_its_size_and_date_has_changed(tmp_path: Path) -> None:
    book = tmp_path / "book.md"
    book.write_text("A fall costs one die.")
    running, status = Ingestion(tmp_path), book.stat()
    before = running._files()
    await asyncio.sleep(0.05)
    book.write_text("A fall costs six die.")
    os.utime(book, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert running._files() != before


async def nothing() -> None:
    """Index nothing."""


async def kept_up(running: Ingestion, is_done: Callable[[], bool]) -> None:
    """Keep the index up to date until something is done, and some looks longer."""
    keeping = asyncio.create_task(running.keep_up())
    async with asyncio.timeout(60):
        while not is_done():
            await asyncio.sleep(0.001)
    await asyncio.sleep(0.1)
    await running.stop()
    await keeping


async def test_a_file_put_into_the_library_is_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "books"
    library.mkdir()
    count = process_that("pass", tmp_path, monkeypatch)
    running = Ingestion(library)
    done = asyncio.Event()
    running.when_done = lambda: done.set() if count.read_text() == "sii" else (library / "new.md").touch()
    await kept_up(running, done.is_set)
    assert count.read_text() == "sii"
