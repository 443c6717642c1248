"""Many questions at once: how many are answered a second, and how long the event loop is held up.

As in the bot, so many are at work at a time, and the others wait.
"""

import asyncio
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import cycle, islice

from benchmarks.answer.bench import Bench, answered, warmed_up, without_provider
from benchmarks.answer.figures import Figure
from benchmarks.answer.model_server import model_server
from bot.__main__ import read_languages
from bot.operations.ingestion import COMMAND
from bot.operations.interpreter import pass_over_what_is_loaded, take_short_turns
from bot.questions.queue import MOST_AT_ONCE
from rag.graph import RulesGraph

QUESTIONS_AT_ONCE = 50
DELAY_SECONDS = 1.0
CALLS_IN_A_ROW = 3
"""The judge, the draft and the second look."""
LONGEST_HOLD_MILLISECONDS = 50.0
LOOK_EVERY_SECONDS = 0.005
LOOK_AT_PROCESS_SECONDS = 0.5


@dataclass
class HoldWatch:
    """Notices how long the event loop at most kept a ready task waiting, and how long it worked itself."""

    longest_seconds: float = 0.0
    longest_work_seconds: float = 0.0

    async def run(self) -> None:
        """Look every five milliseconds, until cancelled."""
        while True:
            before, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(LOOK_EVERY_SECONDS)
            held = time.perf_counter() - before - LOOK_EVERY_SECONDS
            self.longest_seconds = max(self.longest_seconds, held)
            self.longest_work_seconds = max(self.longest_work_seconds, time.thread_time() - worked)


def measure(bench: Bench) -> Iterator[Figure]:
    """Fifty questions at once with a model that takes a second, alone and while books are indexed."""
    with model_server(DELAY_SECONDS) as url:
        for meanwhile, name in ((nullcontext(), ""), (_indexing(bench), ", indexing meanwhile")):
            with meanwhile:
                seconds, watch = asyncio.run(_at_once(bench, url))
            yield Figure(
                f"{QUESTIONS_AT_ONCE} questions at once, {MOST_AT_ONCE} at work{name}",
                QUESTIONS_AT_ONCE / seconds,
                "answers/s",
                rival=MOST_AT_ONCE / (CALLS_IN_A_ROW * DELAY_SECONDS),
                rival_name="the model alone takes time",
            )
            yield from hold_figures(watch.longest_seconds, watch.longest_work_seconds, name)


def hold_figures(longest_seconds: float, longest_work_seconds: float, name: str = "") -> Iterator[Figure]:
    """The longest hold of an event loop; its own part, which nothing else on the machine makes longer."""
    yield Figure(
        f"longest hold of the event loop{name}", 1000 * longest_seconds, "ms", LONGEST_HOLD_MILLISECONDS
    )
    yield Figure(f"… processor time of the loop itself{name}", 1000 * longest_work_seconds, "ms")


async def _at_once(bench: Bench, url: str) -> tuple[float, HoldWatch]:
    """Seconds until all are answered, and how long the event loop was held."""
    take_short_turns()
    rules_graph = await warmed_up(bench.rules_graph(url), bench.questions[0])
    read_languages()
    pass_over_what_is_loaded()
    running = asyncio.Semaphore(MOST_AT_ONCE)
    watch = HoldWatch()
    watching = asyncio.create_task(watch.run())
    started = time.perf_counter()
    await asyncio.gather(*(_one(rules_graph, question, running) for question in _questions(bench)))
    seconds = time.perf_counter() - started
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    return seconds, watch


async def _one(rules_graph: RulesGraph, question: str, running: asyncio.Semaphore) -> None:
    async with running:
        await answered(rules_graph, question)


def _questions(bench: Bench) -> Iterator[str]:
    return islice(cycle(bench.questions), QUESTIONS_AT_ONCE)


@contextmanager
def _indexing(bench: Bench) -> Iterator[None]:
    """The library being indexed from nothing, again and again, in such a process as the bot's."""
    stopped = threading.Event()
    indexing = threading.Thread(target=_index_again, args=(bench, stopped))
    indexing.start()
    try:
        yield
    finally:
        stopped.set()
        indexing.join()


def _index_again(bench: Bench, stopped: threading.Event) -> None:
    """Index until stopped. Raises `CalledProcessError` where indexing fails: nothing was measured then."""
    directory = bench.scratch / "indexed-meanwhile"
    settings = {"LIBRARY_DIR": str(bench.settings.library_dir), "INDEX_DIR": str(directory)}
    command = [sys.executable, *COMMAND]
    while not stopped.is_set():
        shutil.rmtree(directory, ignore_errors=True)
        with subprocess.Popen(
            command,
            env=without_provider() | settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdin is not None
            process.stdin.write(b"ingest\n")
            process.stdin.close()
            while process.poll() is None and not stopped.wait(LOOK_AT_PROCESS_SECONDS):
                continue
            process.terminate()
        if process.returncode > 0 and not stopped.is_set():
            raise subprocess.CalledProcessError(process.returncode, command)
