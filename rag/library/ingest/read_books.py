"""Reading books in processes of their own: PDFium is not thread-safe, and a bad file can take it down."""

import logging
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from rag.errors import BookError, BookTooSlow
from rag.library.books.book import Chunk, ParsedBook
from rag.library.books.library_toml import DeclaredBook
from rag.library.books.page import Page, section_spans
from rag.library.index.atomic_files import OcrPages
from rag.library.index.book_cache import ReadBook
from rag.library.index.vocabulary import vocabulary
from rag.library.ingest.chunks import split_page
from rag.library.readers.formats import read_book

log = logging.getLogger(__name__)

PROCESSES = multiprocessing.get_context("spawn")
LONGEST_SILENCE_SECONDS = 600.0
"""How long a reader may tell of no page before it is given up: a damaged file can keep it for ever."""
_CHECK_SECONDS = 1.0

CHANGING = "book-changing"
"""The key of the sentence on a file that is not what it was when it was found."""

_waiting: "list[_ReadingProcess]" = []
"""A process that has no book yet, where one was prepared."""

OnPage = Callable[[str, int, int], None]
"""Told the book's name, the pages read so far, and all its pages."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a book could not be read: the sentence's key and the values for its places.

    `is_final` is false where the reader broke down, which another run may survive.
    """

    key: str
    values: Mapping[str, Any]
    is_final: bool = True


@dataclass(frozen=True, slots=True)
class Assignment:
    """A book to read, and where its pages that take long are kept."""

    name: str
    path: Path
    declared: DeclaredBook | None
    kept: OcrPages | None = None


@dataclass(slots=True)
class _ReadingProcess:
    """A process at work on a book, if it has one; `heard` is when it last told of a page."""

    process: SpawnProcess
    connection: Connection
    book: Assignment | None = None
    heard: float = field(default_factory=time.monotonic)


def read_books(
    assignments: Iterable[Assignment], on_page: OnPage, processes: int | None = None
) -> Iterator[tuple[str, ReadBook | Failure]]:
    """Read books side by side; each comes out as soon as it is read, with its name.

    A process that dies or hangs takes only the book in work with it: the next is read by another. If
    this process is killed, the readers end at their next page, for nobody listens to them any more.
    """
    # The largest first: one that is begun last is waited for alone.
    waiting = deque(sorted(assignments, key=_bytes, reverse=True))
    readers: dict[Connection, _ReadingProcess] = {}
    try:
        while waiting or readers:
            while waiting and len(readers) < (processes or os.cpu_count() or 1):
                reader = _start(waiting.popleft())
                readers[reader.connection] = reader
            ready = wait(list(readers), _CHECK_SECONDS)
            for reader in list(readers.values()):
                result = _receive(reader, on_page) if reader.connection in ready else _given_up(reader)
                if result is None or reader.book is None:
                    continue
                name = reader.book.name
                if waiting and not _has_broken_down(result):
                    _give(reader, waiting.popleft())
                else:
                    _end(readers.pop(reader.connection))
                yield name, result
    finally:
        for reader in readers.values():
            reader.process.terminate()


def _bytes(book: Assignment) -> int:
    """How large a book is; one that is gone by now is told by its reader."""
    return book.path.stat().st_size if book.path.exists() else 0


def prepare_reader() -> None:
    """Start a process that waits for books: to start one takes longer than to read a note."""
    if not any(reader.process.is_alive() for reader in _waiting):
        _waiting[:] = [_new_reader()]


def _start(book: Assignment) -> _ReadingProcess:
    reader = _waiting.pop() if _waiting else _new_reader()
    if not reader.process.is_alive():
        reader = _new_reader()
    _give(reader, book)
    return reader


def _give(reader: _ReadingProcess, book: Assignment) -> None:
    """Have a process that has nothing to do read a book."""
    reader.book, reader.heard = book, time.monotonic()
    reader.connection.send(book)


def _end(reader: _ReadingProcess) -> None:
    """Let a process go, which ends where nobody has books for it."""
    reader.connection.close()
    reader.process.join()


def _new_reader() -> _ReadingProcess:
    ours, theirs = PROCESSES.Pipe()
    process = PROCESSES.Process(target=_read, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return _ReadingProcess(process, ours)


def _has_broken_down(result: ReadBook | Failure) -> bool:
    """Whether the process reads no further book."""
    return isinstance(result, Failure) and not result.is_final


def _receive(reader: _ReadingProcess, on_page: OnPage) -> ReadBook | Failure | None:
    """The outcome of a book, or none where the message was only progress."""
    try:
        message = reader.connection.recv()
    except (EOFError, OSError):
        return Failure(BookError.key, {}, is_final=False)
    reader.heard = time.monotonic()
    if isinstance(message, ReadBook | Failure):
        return message
    if reader.book:
        on_page(reader.book.name, *message)
    return None


def _given_up(reader: _ReadingProcess) -> Failure | None:
    """The end of a reader that has been silent for too long."""
    if time.monotonic() - reader.heard < LONGEST_SILENCE_SECONDS:
        return None
    reader.process.kill()
    return Failure(BookTooSlow.key, {}, is_final=False)


def _read(connection: Connection) -> None:
    """In the reader's process: get a book, read it and send what became of it, until one breaks it."""
    # Ctrl-C reaches every process of a terminal; this one ends with the one that began it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    outcome: ReadBook | Failure | None = None
    try:
        while outcome is None or not _has_broken_down(outcome):
            outcome = _outcome(connection.recv(), connection)
            connection.send(outcome)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _outcome(assignment: Assignment, sender: Connection) -> ReadBook | Failure:
    """What becomes of a book; its pages are told as they are read. Raises `BrokenPipeError`."""
    try:
        parsed = read_book(
            assignment.path,
            assignment.declared,
            lambda done, total: sender.send((done, total)),
            assignment.kept,
        )
        return divide(parsed)
    except BookError as error:
        return Failure(error.key, error.values)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except FileNotFoundError:
        # It was taken away since it was found.
        return Failure(CHANGING, {}, is_final=False)
    except Exception:
        log.exception("reading %s failed", assignment.path.name)
        return Failure(BookError.key, {}, is_final=False)


def divide(parsed: ParsedBook) -> ReadBook:
    """A parsed book with its passages and its vocabulary."""
    chunks = tuple(
        Chunk(index, start, end) for index, page in enumerate(parsed.pages) for start, end in _passages(page)
    )
    words = vocabulary((page.text for page in parsed.pages), parsed.language)
    return ReadBook(parsed, chunks, words)


def _passages(page: Page) -> Iterator[tuple[int, int]]:
    """Start and end of the passages of a page: each lies in one section, so that it is cited by that."""
    for top, bottom in section_spans(page):
        headings = [heading.offset - top for heading in page.headings if top <= heading.offset < bottom]
        for start, end in split_page(page.text[top:bottom], headings):
            yield top + start, top + end
