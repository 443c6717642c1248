"""Whose question comes next: in order within a conversation, in turns between people."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from types import TracebackType

from bot.questions.question import AskedQuestion

MOST_AT_ONCE = 8
"""Questions at work; the others wait, and are told so."""
MOST_OF_ONE_PERSON = 2
"""Of these, questions of one person."""


class QueueEntry:
    """A question's entry in the queue, made on its arrival; it ends when its `with` block is left."""

    def __init__(self, queue: "QuestionQueue", asked: AskedQuestion) -> None:
        self.thread_id = asked.thread_id
        self.asker = asked.asker
        self.is_waiting = self.is_at_work = False
        self.called = asyncio.Event()
        self._queue = queue

    @property
    def must_wait(self) -> bool:
        """Whether other questions come first."""
        return not self._queue.has_room_for(self)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the turn of this question, which is at work until the block is left."""
        self.is_waiting = True
        self._queue.call()
        try:
            await self.called.wait()
            yield
        finally:
            self.is_waiting = self.is_at_work = False
            self._queue.call()

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
        self._calls = count(1)
        self._last_calls: dict[int, int] = {}

    @property
    def is_empty(self) -> bool:
        """Whether every question that arrived has been answered."""
        return not self._entries

    def join(self, asked: AskedQuestion) -> QueueEntry:
        """Join the queue, without waiting."""
        entry = QueueEntry(self, asked)
        self._entries.append(entry)
        return entry

    def leave(self, entry: QueueEntry) -> None:
        """An entry has ended: its conversation goes on."""
        self._entries.remove(entry)
        if all(other.asker != entry.asker for other in self._entries):
            self._last_calls.pop(entry.asker, None)
        self.call()

    def has_room_for(self, entry: QueueEntry) -> bool:
        """Whether an entry could be at work now."""
        first = next(other for other in self._entries if other.thread_id == entry.thread_id)
        at_work = sum(other.is_at_work for other in self._entries)
        has_room = at_work < self._most_at_once and self._at_work_of(entry.asker) < self._most_of_one
        return entry is first and has_room

    def call(self) -> None:
        """Call everyone who waits and whom there is room for."""
        while able := [entry for entry in self._entries if entry.is_waiting and self.has_room_for(entry)]:
            # Of equals the one that arrived first.
            entry = min(able, key=self._precedence)
            entry.is_waiting, entry.is_at_work = False, True
            self._last_calls[entry.asker] = next(self._calls)
            entry.called.set()

    def _precedence(self, entry: QueueEntry) -> tuple[int, int]:
        return self._at_work_of(entry.asker), self._last_calls.get(entry.asker, 0)

    def _at_work_of(self, asker: int) -> int:
        return sum(entry.asker == asker and entry.is_at_work for entry in self._entries)
