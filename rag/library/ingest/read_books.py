"""Reading books in processes of their own: PDFium is not thread-safe, and a bad file can take it down."""

import logging
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
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


class _ReadingProcess:
    """A process that reads one book after the other."""

    def __init__(self) -> None:
        self.connection, theirs = PROCESSES.Pipe()
        self.process = PROCESSES.Process(target=_read, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, book: Assignment) -> None:
        """Have it read a book; it has nothing else to do."""
        self.name, self._heard = book.name, time.monotonic()
        self.connection.send(book)

    def outcome(self, on_page: OnPage, *, is_ready: bool) -> ReadBook | Failure | None:
        """What became of its book; none while it reads on. It is given up where it is silent for too long."""
        if not is_ready and time.monotonic() - self._heard < LONGEST_SILENCE_SECONDS:
            return None
        if not is_ready:
            self.process.kill()
            return Failure(BookTooSlow.key, {}, is_final=False)
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            return Failure(BookError.key, {}, is_final=False)
        self._heard = time.monotonic()
        if isinstance(message, ReadBook | Failure):
            return message
        on_page(self.name, *message)
        return None

    def end(self) -> None:
        """Let it go: it ends where nobody has books for it."""
        self.connection.close()
        self.process.join()


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
                result = reader.outcome(on_page, is_ready=reader.connection in ready)
                if result is None:
                    continue
                name = reader.name
                if waiting and not _has_broken_down(result):
                    reader.give(waiting.popleft())
                else:
                    readers.pop(reader.connection).end()
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
        _waiting[:] = [_ReadingProcess()]


def _start(book: Assignment) -> _ReadingProcess:
    reader = _waiting.pop() if _waiting else _ReadingProcess()
    if not reader.process.is_alive():
        reader = _ReadingProcess()
    reader.give(book)
    return reader


def _has_broken_down(result: ReadBook | Failure) -> bool:
    """Whether the process reads no further book."""
    return isinstance(result, Failure) and not result.is_final


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


def _outcome(book: Assignment, sender: Connection) -> ReadBook | Failure:
    """What becomes of a book; its pages are told as they are read. Raises `BrokenPipeError`."""
    try:
        return divide(read_book(book.path, book.declared, lambda *told: sender.send(told), book.kept))
    except BookError as error:
        return Failure(error.key, error.values)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except FileNotFoundError:
        # It was taken away since it was found.
        return Failure(CHANGING, {}, is_final=False)
    except Exception:
        log.exception("reading %s failed", book.path.name)
        return Failure(BookError.key, {}, is_final=False)


def divide(parsed: ParsedBook) -> ReadBook:
    """A parsed book with its passages and its vocabulary."""
    chunks = tuple(Chunk(index, *span) for index, page in enumerate(parsed.pages) for span in _passages(page))
    words = vocabulary((page.text for page in parsed.pages), parsed.language)
    return ReadBook(parsed, chunks, words)


def _passages(page: Page) -> Iterator[tuple[int, int]]:
    """Start and end of the passages of a page: each lies in one section, so that it is cited by that."""
    for top, bottom in section_spans(page):
        headings = [heading.offset - top for heading in page.headings if top <= heading.offset < bottom]
        for start, end in split_page(page.text[top:bottom], headings):
            yield top + start, top + end
