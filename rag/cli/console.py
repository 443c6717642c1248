"""What `ingest` and `books` show in the terminal: progress bars, a row per book, a line per problem.

Light on purpose: an unchanged library is told of without loading the graph or the index.
"""

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bars
from rich.table import Table

from rag.library.books.book import BookSummary, Problem
from rag.library.ingest.ingest import Progress
from rag.texts import Texts

out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
err = Console(stderr=True, highlight=False, soft_wrap=not sys.stderr.isatty())


def print_books(books: Iterable[BookSummary], texts: Texts) -> None:
    """A row per book."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for key in ("column-game", "column-title", "column-pages", "column-printed", "column-language"):
        table.add_column(texts(key), justify="right" if key == "column-pages" else "left")
    table.add_column(texts("column-codes"))
    table.add_column(texts("column-audience"))
    table.add_column(texts("column-references"), justify="right")
    for book in books:
        printed = f"{book.first_label}–{book.last_label}" if book.first_label else texts("pages-unnumbered")
        table.add_row(
            escape(book.game),
            escape(book.title),
            str(book.pages),
            escape(printed),
            book.language,
            escape(", ".join(book.codes)),
            texts("audience-gm" if book.audience == "gm" else "audience-player"),
            f"{book.resolved}/{book.references}",
        )
    out.print(table)


def print_problems(books: Iterable[BookSummary], problems: Iterable[Problem], texts: Texts) -> None:
    """One clear line for each book that could not be read, or not wholly."""
    for problem in problems:
        err.print(f"[red]{escape(texts(problem.key, **problem.values))}[/]")
    for book in books:
        for noted in book.problems:
            err.print(f"[yellow]{escape(texts(noted['key'], **noted['values']))}[/]")


def say(sentence: str) -> None:
    """A remark beside the result."""
    err.print(escape(sentence), style="yellow")


class IngestProgress:
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

    def __enter__(self) -> "IngestProgress":
        self._bars.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bars.stop()

    def __call__(self, progress: Progress) -> None:
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
