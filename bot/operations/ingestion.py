"""Ingestion, run as a process of its own so that the bot answers meanwhile."""

import asyncio
import contextlib
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

import rag
from bot.render.markdown import escaped
from rag.errors import ConfigurationError
from rag.library.books.library_toml import audience_of, read_library_toml, read_servers, readable, server_of
from rag.texts import Texts

log = logging.getLogger(__name__)

STAYS_SECONDS = 300
"""How long the process stays with nothing to do: then it gives its memory back."""
COMMAND = ("-m", "rag", "ingest", "--progress", "json", "--stay", str(STAYS_SECONDS))
PROJECT = Path(rag.__file__).parent.parent
KEPT_FROM_IT = ("DISCORD_TOKEN",)
GRACE_SECONDS = 2.0
LOOK_SECONDS = 10.0
"""How often a library or a Chroma server that is not there yet is looked for, and the library for changes."""
MEND_SECONDS = 300.0
"""A damaged index is made anew at once, and where that fails, as on a full disk, or anything else is left
unfinished, this often."""
SETTLED_SECONDS = 1.0
"""A file that has not changed for so long is no longer being copied."""
MOST_LOOKS = 600
"""How often it is looked whether files still change; then they are indexed as they are."""
SILENCE_SECONDS = 20 * 60.0
"""How long the process may tell of nothing: twice as long as a book's reader may."""
ATTEMPTS = 2
LONGEST_LINE = 1024 * 1024
"""Bytes of a line of the process; one of more is no line that it tells."""

Seen = tuple[int, int, int]
"""Size of a file, the time of change that programs may set, and that of the system, which they may not."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How far ingestion is: `book` is None where a player may not know it."""

    book: str | None
    percent: int


@dataclass(eq=False)
class Ingestion:
    """Has `python -m rag ingest` index the library, and knows how far it is.

    The process stays a while after its work, so that the next book need not wait for a start. `is_reachable`
    tells whether the index answers. Where there was no library at the start, `is_absent` tells whether that
    is still so; `is_damaged` tells whether a question has met damage in the index, or that is gone.
    `uploads` are the folders of books beside the library.
    """

    library_dir: Path
    is_reachable: Callable[[], bool] = lambda: True
    is_absent: Callable[[], bool] | None = None
    is_damaged: Callable[[], bool] = lambda: False
    when_done: Callable[[], None] = lambda: None
    reading: Reading | None = None
    uploads: Sequence[Path] = ()
    _process: asyncio.subprocess.Process | None = None
    _is_stopped: bool = False
    _is_unfinished: bool = False
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def keep_up(self) -> None:
        """Index what is new or changed: now, when a file of the library is, and when the index is damaged.

        What could not be finished, as on a full disk, is tried again. While a file still changes, as one that
        is being copied, all wait.
        """
        indexed = await asyncio.to_thread(self._files)
        await self.run()
        mend_from = 0.0
        while not self._is_stopped:
            await asyncio.sleep(LOOK_SECONDS)
            seen = await self._settled(indexed)
            has_changed, indexed = seen != indexed, seen
            is_wanted = self._is_unfinished or await asyncio.to_thread(self.is_damaged)
            is_due = is_wanted and time.monotonic() >= mend_from
            if has_changed or is_due:
                await self.ingest()
            if is_due:
                # Counted from its end: one that fails after hours would else be followed by the next at once.
                mend_from = time.monotonic() + MEND_SECONDS

    async def _settled(self, indexed: "Mapping[str, Seen]") -> "dict[str, Seen]":
        """The files of the library, once they have stopped changing."""
        seen = await asyncio.to_thread(self._files)
        for _ in range(MOST_LOOKS if seen != indexed else 0):
            await asyncio.sleep(SETTLED_SECONDS)
            before, seen = seen, await asyncio.to_thread(self._files)
            if seen == before:
                break
        return seen

    async def run(self) -> None:
        """Index what is new or changed, as soon as library and index are there."""
        while not await asyncio.to_thread(self.is_reachable):
            await asyncio.sleep(LOOK_SECONDS)
        while self.is_absent and bool(await asyncio.to_thread(self.is_absent)):
            await asyncio.sleep(LOOK_SECONDS)
        self.is_absent = None
        await self.ingest()

    async def ingest(self) -> None:
        """Index what is new or changed; the library notices it by itself."""
        async with self._turn:
            self.reading = Reading(None, 0)
            self._is_unfinished = True
            try:
                for _ in range(ATTEMPTS):
                    if await self._has_ended() or self._is_stopped:
                        break
                self.when_done()
            except OSError as error:
                log.error("ingestion could not be started: %s", error)
            finally:
                self.reading = None

    async def stop(self) -> None:
        """End the process; what it had finished is kept."""
        self._is_stopped = True
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), GRACE_SECONDS)
            except TimeoutError:
                process.kill()

    async def _has_ended(self) -> bool:
        """Have the process, or a new one, ingest; whether it came to its end. Raises `OSError`."""
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _started()
        assert process.stdin is not None
        # One that ends meanwhile is found out by what it tells.
        with contextlib.suppress(ConnectionError):
            process.stdin.write(b"ingest\n")
            await process.stdin.drain()
        status = None
        try:
            status = await self._followed(process)
        except (TimeoutError, ValueError) as error:
            log.warning("ingestion hangs: it told nothing, or a line too long: %s", type(error).__name__)
            process.kill()
        if status is None and not self._is_stopped:
            log.warning("ingestion broke down: it ended with status %s", await process.wait())
        if status:
            log.warning("ingestion ended with status %s: see /gm check", status)
        return status is not None

    async def _followed(self, process: asyncio.subprocess.Process) -> int | None:
        """The status that the process tells at the end of its work; None where it ended itself.

        Raises `TimeoutError` where it is silent for too long, unless it waits for another ingestion, and
        `ValueError` where a line is too long.
        """
        assert process.stderr is not None
        is_waiting = False
        while True:
            async with asyncio.timeout(None if is_waiting else SILENCE_SECONDS):
                line = (await process.stderr.readline()).decode(errors="replace")
            if not line:
                return None
            event = _event(line)
            if event is None:
                log.info("ingestion: %s", line.strip())
            elif event.get("stage") == "done":
                self._is_unfinished = bool(event.get("unfinished"))
                return int(event["status"])
            else:
                is_waiting = event.get("stage") == "wait"
                self.reading = reading(event, self.library_dir) or self.reading

    def _files(self) -> "dict[str, Seen]":
        """Every file of the library with its size and times of change."""
        found = {}
        tops = (self.library_dir, *self.uploads)
        for folder, _, names in chain.from_iterable(os.walk(top, followlinks=True) for top in tops):
            for path in (Path(folder, name) for name in names):
                with contextlib.suppress(OSError):
                    status = path.stat()
                    found[str(path)] = (status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        return found


async def _started() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=process_environment(os.environ),
        limit=LONGEST_LINE,
    )


def reading(event: Mapping[str, Any], library_dir: Path) -> Reading | None:
    """What an event of ingestion says of its progress; None where it says nothing.

    An event is an object of `stage`, `file`, `done` and `total`.
    """
    if not (total := event.get("total")):
        return None
    return Reading(_public_name(event.get("file"), library_dir), min(100, round(100 * event["done"] / total)))


def reading_line(reading: Reading | None, texts: Texts) -> str:
    """How far ingestion is: "⏳ reading Powers: 40 %"; a book for the GM is not named."""
    reading = reading or Reading(None, 0)
    key = "status-reading" if reading.book else "status-reading-unnamed"
    return f"⏳ {texts(key, book=escaped(reading.book or ''), percent=reading.percent)}"


def _public_name(file: str | None, library_dir: Path) -> str | None:
    """A book's name as a player of any server may read it; None for the GM's, and where servers see games."""
    try:
        declared = read_library_toml(library_dir).get(file or "")
        servers = read_servers(library_dir)
    except ConfigurationError:
        return None
    if servers or not file or server_of(file) or audience_of(file, declared) != "player":
        return None
    return (declared and declared.title) or readable(PurePosixPath(file).stem)


def _event(line: str) -> dict[str, Any] | None:
    with contextlib.suppress(ValueError):
        if isinstance(event := json.loads(line), dict):
            return event
    return None


def process_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without what a process that reads books need not know; our package is found in it."""
    kept = {name: value for name, value in environment.items() if name not in KEPT_FROM_IT}
    paths = [str(PROJECT), *filter(None, [environment.get("PYTHONPATH")])]
    return kept | {"PYTHONPATH": os.pathsep.join(paths)}
