"""The terminal's two streams: what is printed, the progress bars, and what is read from standard input.

Light on purpose: an unchanged library is told of without loading the graph or the index.
"""

import asyncio
import io
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from rag.errors import NothingAsked
from rag.library.language.words import words
from rag.texts import Texts

if TYPE_CHECKING:
    from rag.library.ingest.ingest import IngestProgress

_WIDE = 240
"""Columns of a table that goes to a file or another program, where nothing is cut."""
out = Console(
    highlight=False,
    soft_wrap=not sys.stdout.isatty(),
    width=None if sys.stdout.isatty() else _WIDE,
)
err = Console(stderr=True, highlight=False, soft_wrap=not sys.stderr.isatty())


def say(sentence: str) -> None:
    """A remark beside the result."""
    err.print(escape(sentence), style="yellow")


class IngestBars:
    """A bar a stage on a terminal, with the estimated time left; nothing elsewhere."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            console=err,
            transient=True,
            disable=not err.is_terminal,
        )
        self._tasks: dict[tuple[str, str | None], Any] = {}

    def __enter__(self) -> "IngestBars":
        self._bars.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bars.stop()

    def __call__(self, progress: "IngestProgress") -> None:
        """Draw a report of ingestion."""
        key = (progress.stage, progress.file)
        if key not in self._tasks:
            description = self._texts(f"ingest-{progress.stage}", file=progress.file or "")
            self._tasks[key] = self._bars.add_task(description, total=progress.total or None, left="")
        left = progress.seconds_left
        self._bars.update(
            self._tasks[key],
            completed=progress.done,
            total=progress.total or None,
            left="" if left is None else self._texts("ingest-left", seconds=round(left)),
            visible=progress.done < progress.total or not progress.total,
        )


class Tell(Protocol):
    """Hears how many of how many are done."""

    def __call__(self, done: int, total: int) -> None: ...


@contextmanager
def question_bar(texts: Texts) -> Iterator[Tell]:
    """A bar on a terminal, with the estimated time left; nothing elsewhere."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=err, transient=True, disable=not err.is_terminal) as bars:
        task = bars.add_task(texts("evaluation-progress"), total=None)

        def tell(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total)

        yield tell


def asked(argument: str, texts: Texts, *, every_line: bool = False) -> Iterator[str]:
    """The argument itself, or for `-` the lines of standard input that are not empty.

    Where nothing is asked, raises `NothingAsked`; of a line that is said, and the next one read. With
    `every_line` such a line is handed on as well: programs are told of each line they wrote.
    """
    if argument != "-":
        if not words(argument):
            raise NothingAsked
        yield argument
        return
    for line in filter(None, map(str.strip, sys.stdin)):
        if every_line or words(line):
            yield line
        else:
            say(texts(NothingAsked.key))


async def typed(prompt: str) -> AsyncIterator[str]:
    """The lines that are typed, until the end of input."""
    while True:
        if prompt:
            print(prompt, end="", file=sys.stderr, flush=True)
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return
        if line.strip():
            yield line.strip()


def replace_unreadable_characters() -> None:
    """Put a sign in place of what cannot be read as text, or is not in the terminal's alphabet."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def let_go_of_standard_output() -> None:
    """Whoever read our output has gone; Python would complain once more when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
