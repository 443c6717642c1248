"""Whose question comes next: in order within a conversation, in turns between people."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType

MOST_AT_ONCE = 8
"""Questions at work; the others wait, and are told so."""
MOST_OF_ONE_PERSON = 2
"""Of these, questions of one person."""


class QueueEntry:
    """A question's entry in the queue, made on its arrival; it ends when its `with` block is left."""

    def __init__(self, queue: "QuestionQueue", thread_id: str, asker: int) -> None:
        self.thread_id = thread_id
        self.asker = asker
        self._queue = queue
        self._called = asyncio.Event()

    @property
    def must_wait(self) -> bool:
        """Whether other questions come first."""
        return not self._queue.has_room_for(self)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the turn of this question, which is at work until the block is left."""
        self._queue.wait(self, self._called)
        try:
            await self._called.wait()
            yield
        finally:
            self._queue.stop(self)

    def __enter__(self) -> "QueueEntry":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._queue.leave(self)


class QuestionQueue:
    """All questions that have arrived and are not answered yet.

    Those of one conversation are answered one after the other, in the order in which they arrived, even
    where a later one was acknowledged first. Next comes the person with the fewest questions at work; on a
    tie, the one called longest ago. Nobody has more than `most_of_one` at work, so nobody waits for all that
    somebody else asked.
    """

    def __init__(self, most_at_once: int = MOST_AT_ONCE, most_of_one: int = MOST_OF_ONE_PERSON) -> None:
        self._most_at_once = most_at_once
        self._most_of_one = most_of_one
        self._entries: list[QueueEntry] = []
        self._waiting: dict[QueueEntry, asyncio.Event] = {}
        self._at_work: list[QueueEntry] = []
        self._calls = 0
        self._last_calls: dict[int, int] = {}

    @property
    def is_empty(self) -> bool:
        """Whether every question that arrived has been answered."""
        return not self._entries

    def join(self, thread_id: str, asker: int) -> QueueEntry:
        """Join the queue, without waiting."""
        entry = QueueEntry(self, thread_id, asker)
        self._entries.append(entry)
        return entry

    def wait(self, entry: QueueEntry, called: asyncio.Event) -> None:
        """Let an entry wait, to be called when its turn comes."""
        self._waiting[entry] = called
        self._call()

    def stop(self, entry: QueueEntry) -> None:
        """An entry is no longer at work, or waits no longer."""
        self._waiting.pop(entry, None)
        if entry in self._at_work:
            self._at_work.remove(entry)
        self._call()

    def leave(self, entry: QueueEntry) -> None:
        """An entry has ended: its conversation goes on."""
        self._entries.remove(entry)
        if all(other.asker != entry.asker for other in self._entries):
            self._last_calls.pop(entry.asker, None)
        self._call()

    def has_room_for(self, entry: QueueEntry) -> bool:
        """Whether an entry could be at work now."""
        first = next(other for other in self._entries if other.thread_id == entry.thread_id)
        return (
            entry is first
            and len(self._at_work) < self._most_at_once
            and self._at_work_of(entry.asker) < self._most_of_one
        )

    def _call(self) -> None:
        """Call everyone there is room for."""
        while able := [entry for entry in self._waiting if self.has_room_for(entry)]:
            entry = min(able, key=self._precedence)
            self._at_work.append(entry)
            self._calls += 1
            self._last_calls[entry.asker] = self._calls
            self._waiting.pop(entry).set()

    def _precedence(self, entry: QueueEntry) -> tuple[int, int, int]:
        last_call = self._last_calls.get(entry.asker, 0)
        return (self._at_work_of(entry.asker), last_call, self._entries.index(entry))

    def _at_work_of(self, asker: int) -> int:
        return sum(entry.asker == asker for entry in self._at_work)
