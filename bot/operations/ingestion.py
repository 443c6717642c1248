"""Ingestion, run as a process of its own so that the bot answers meanwhile."""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import rag
from rag.errors import ConfigurationError
from rag.library.books.library_toml import audience_of, read_library_toml, read_servers, readable

log = logging.getLogger(__name__)

COMMAND = ("-m", "rag", "ingest", "--progress", "json")
PROJECT = Path(rag.__file__).parent.parent
KEPT_FROM_IT = ("DISCORD_TOKEN",)
GRACE_SECONDS = 2.0
REACH_SECONDS = 10.0
"""A Chroma server may start after the bot, and is asked for this often until it answers."""
LOOK_SECONDS = 10.0
"""A volume may be mounted after the bot has started: a library that is absent is looked for this often."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How far ingestion is: `book` is None where a player may not know it."""

    book: str | None
    percent: int


class Ingestion:
    """Runs `python -m rag ingest` once, and knows how far it is."""

    def __init__(
        self,
        library_dir: Path,
        is_reachable: Callable[[], bool] = lambda: True,
        is_absent: Callable[[], bool] | None = None,
    ) -> None:
        """Take the folder of the books, which tells whose eyes each is for, and whether the index answers.

        Where there was no library at the start, `is_absent` tells whether that is still so.
        """
        self.absent_folder = library_dir if is_absent else None
        """The folder of a library that is not there yet."""
        self._is_absent = is_absent or (lambda: False)
        self.reading: Reading | None = None
        self._library_dir = library_dir
        self._is_reachable = is_reachable
        self._process: asyncio.subprocess.Process | None = None
        self.when_done: Callable[[], None] = lambda: None

    async def run(self) -> None:
        """Index what is new or changed; the library notices by itself when it is published."""
        while not await asyncio.to_thread(self._is_reachable):
            await asyncio.sleep(REACH_SECONDS)
        while await asyncio.to_thread(self._is_absent):
            await asyncio.sleep(LOOK_SECONDS)
        self.absent_folder = None
        self.reading = Reading(None, 0)
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *COMMAND,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env=process_environment(os.environ),
            )
            await self._follow(self._process)
            if status := await self._process.wait():
                log.warning("ingestion ended with status %s: see /gm check", status)
            self.when_done()
        except OSError as error:
            log.error("ingestion could not be started: %s", error)
        finally:
            self.reading = None

    async def stop(self) -> None:
        """End the process; what it had finished is kept."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), GRACE_SECONDS)
            except TimeoutError:
                process.kill()

    async def _follow(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            text = line.decode(errors="replace").strip()
            event = _event(text)
            if event is None:
                log.info("ingestion: %s", text)
            else:
                self.reading = reading(event, self._library_dir) or self.reading


def reading(event: Mapping[str, Any], library_dir: Path) -> Reading | None:
    """What an event of ingestion says of its progress; None where it says nothing.

    An event is an object of `stage`, `file`, `done` and `total`.
    """
    total = event.get("total") or 0
    if not total:
        return None
    return Reading(_public_name(event.get("file"), library_dir), min(100, round(100 * event["done"] / total)))


def _public_name(file: str | None, library_dir: Path) -> str | None:
    """A book's name as a player of any server may read it; None for the GM's, and where servers see games."""
    try:
        declared = read_library_toml(library_dir).get(file or "")
        servers = read_servers(library_dir)
    except ConfigurationError:
        return None
    if servers or not file or audience_of(file, declared) != "player":
        return None
    return (declared and declared.title) or readable(PurePosixPath(file).stem)


def _event(line: str) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def process_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without what a process that reads books need not know; our package is found in it."""
    kept = {name: value for name, value in environment.items() if name not in KEPT_FROM_IT}
    paths = [str(PROJECT), *filter(None, [environment.get("PYTHONPATH")])]
    return kept | {"PYTHONPATH": os.pathsep.join(paths)}
