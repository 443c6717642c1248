"""The terminal's two streams: what is printed, the progress bars, and what is read from standard input.

Light on purpose: an unchanged library is told of without loading the graph or the index.
"""

import asyncio
import io
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import TaskID, track
from rich.table import Table
from rich.text import Text

from rag.errors import NothingAsked
from rag.library.language.words import words
from rag.texts import Texts

if TYPE_CHECKING:
    from rag.library.ingest.ingest import IngestProgress

_WIDE = 240
"""Columns of a table that goes to a file or another program, where nothing is cut."""
# What books and people write is never markup.
out = Console(
    highlight=False,
    markup=False,
    soft_wrap=not sys.stdout.isatty(),
    width=None if sys.stdout.isatty() else _WIDE,
)
err = Console(stderr=True, highlight=False, markup=False, soft_wrap=not sys.stderr.isatty())

tracked = partial(track, console=err, transient=True, disable=not err.is_terminal)
"""A bar over what is worked through, on a terminal."""


REMARK = "magenta"
"""Legible on black and on white, as yellow and cyan are not."""


def say(sentence: str, style: str = REMARK) -> None:
    """A remark beside the result."""
    err.print(sentence, style=style)


def print_json(value: Any, file: TextIO | None = None) -> None:
    """A value for programs, on one line that is there at once; on standard output where no file is told."""
    print(json.dumps(value, ensure_ascii=False), file=file, flush=True)


def print_records(
    records: Sequence[Mapping[str, Any]], *, as_json: bool = False, on_a_line: bool = False
) -> None:
    """The same facts of each record, for programs or as a table with its numbers to the right.

    On a line each: where the terminal is too narrow, what is longest is cut.
    """
    if as_json:
        print_json(records)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name, value in (records[0] if records else {}).items():
        table.add_column(name, justify="right" if isinstance(value, int | float) else "left")
    for record in records:
        cells = map(_shown, record.values())
        table.add_row(*(Text(cell, no_wrap=on_a_line, overflow="ellipsis") for cell in cells))
    out.print(table)


def _shown(value: object) -> str:
    """A value in a cell of a table."""
    match value:
        case None:
            return "–"
        case float():
            return f"{value:.2f}"
        case list():
            return " · ".join(map(str, value))
        case _:
            return str(value)


class IngestBars(Bars):
    """A bar a stage on a terminal, with the estimated time left; nothing elsewhere."""

    def __init__(self, texts: Texts) -> None:
        super().__init__(console=err, transient=True, disable=not err.is_terminal)
        self._texts = texts
        self._bars: dict[tuple[str, str | None], TaskID] = {}

    def __call__(self, progress: "IngestProgress") -> None:
        """Draw a report of ingestion."""
        key = (progress.stage, progress.file)
        if key not in self._bars:
            description = self._texts(f"ingest-{progress.stage}", file=progress.file or "")
            self._bars[key] = self.add_task(description, total=None)
        self.update(
            self._bars[key],
            completed=progress.done,
            total=progress.total or None,
            visible=progress.done < progress.total or not progress.total,
        )


def asked(argument: str) -> Iterator[str]:
    """The argument itself, or for `-` the lines of standard input that are not empty.

    Raises `NothingAsked` of an argument without words.
    """
    if argument == "-":
        yield from typed()
    elif words(argument):
        yield argument
    else:
        raise NothingAsked


def typed(prompt: str = "") -> Iterator[str]:
    """The lines of standard input that are not empty; before each is read, the prompt is shown."""
    while True:
        print(prompt, end="", file=sys.stderr, flush=True)
        # The event loop's own handler waits for the next step of a task; whoever reads a line takes none.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            # One that came just before has only asked the task to end.
            if (task := asyncio.current_task()) and task.cancelling():
                raise KeyboardInterrupt
            line = sys.stdin.readline()
        finally:
            signal.signal(signal.SIGINT, before)
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
