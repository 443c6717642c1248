"""How much may be asked at once, and whose question comes next.

Questions of a conversation keep their order; people take turns.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import Any

from bot.errors import AlreadyAsked, Restarting, TooBusy, TooSoon
from bot.questions.question import AskedQuestion

QUESTIONS_A_MINUTE = 12
"""Of one person."""
MINUTE = 60.0
MOST_ADMITTED = 40
"""Questions running or waiting; the next one is told to come back."""
MOST_ADMITTED_OF_ONE = 10
"""Of these, questions of one person: who asks much leaves room for others."""
MOST_AT_ONCE = 8
"""Questions at work; the others wait, and are told so."""
MOST_AT_ONCE_OF_ONE = 2
"""Of these, questions of one person."""


class QueueEntry:
    """A question's entry in the queue."""

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


class QuestionQueue:
    """All questions that have arrived and are not answered yet: not more than a bound, no new one at the end.

    Those of one conversation are answered one after the other, in the order in which they arrived, even
    where a later one was acknowledged first. Next comes the person with the fewest questions at work; on a
    tie, the one called longest ago. Nobody has more than two at work, so nobody waits for all that
    somebody else asked.
    """

    def __init__(self, most_at_once: int = MOST_AT_ONCE, clock: Callable[[], float] = time.monotonic) -> None:
        self._most_at_once = most_at_once
        self._clock = clock
        self._last_minute: deque[tuple[float, int]] = deque()
        """When who asked."""
        self._admitted: list[tuple[asyncio.Task[Any], int]] = []
        """Each question's task, and who asked it."""
        self._asked: set[Hashable] = set()
        self.is_closed = False
        self._entries: list[QueueEntry] = []
        self._calls = count(1)
        self._last_calls: Counter[int] = Counter()

    @property
    def is_empty(self) -> bool:
        """Whether every question that arrived has been answered."""
        return not self._entries

    @contextmanager
    def admit(self, user_id: int, *, is_gm: bool, asked: Hashable = None) -> Iterator[None]:
        """Admit a question in the current task, from before it is acknowledged to its end.

        `asked` is what must not be asked twice at a time. Raises `Restarting`, `AlreadyAsked`, `TooBusy` or,
        for players, `TooSoon`; `Restarting` also where the task is cancelled because it outlasts the bot.
        """
        if self.is_closed:
            raise Restarting
        if asked in self._asked:
            raise AlreadyAsked
        of_one = sum(user == user_id for _, user in self._admitted)
        if len(self._admitted) >= MOST_ADMITTED or of_one >= MOST_ADMITTED_OF_ONE:
            raise TooBusy
        self._count(user_id, is_gm=is_gm)
        task = asyncio.current_task()
        assert task is not None
        self._admitted.append((task, user_id))
        if asked is not None:
            self._asked.add(asked)
        try:
            yield
        except asyncio.CancelledError:
            raise Restarting from None
        finally:
            self._admitted.remove((task, user_id))
            self._asked.discard(asked)

    def _count(self, user_id: int, *, is_gm: bool) -> None:
        """Count a question. Raises `TooSoon`, for players, where it is one too many within a minute."""
        now = self._clock()
        while self._last_minute and now - self._last_minute[0][0] >= MINUTE:
            self._last_minute.popleft()
        own = [at for at, user in self._last_minute if user == user_id]
        if len(own) >= QUESTIONS_A_MINUTE and not is_gm:
            raise TooSoon(seconds=max(1, round(own[0] + MINUTE - now)))
        self._last_minute.append((now, user_id))

    async def finish(self, within: float, excuse_within: float) -> None:
        """Admit nobody; let the admitted questions finish within a time, then have them excused."""
        self.is_closed = True
        if self._admitted:
            await asyncio.wait([task for task, _ in self._admitted], timeout=within)
        late = [task for task, _ in self._admitted]
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=excuse_within)

    @contextmanager
    def join(self, asked: AskedQuestion) -> Iterator[QueueEntry]:
        """Join the queue, without waiting; when the block is left, the conversation goes on."""
        entry = QueueEntry(self, asked)
        self._entries.append(entry)
        try:
            yield entry
        finally:
            self._entries.remove(entry)
            if all(other.asker != entry.asker for other in self._entries):
                self._last_calls.pop(entry.asker, None)
            self.call()

    def has_room_for(self, entry: QueueEntry) -> bool:
        """Whether an entry could be at work now."""
        first = next(other for other in self._entries if other.thread_id == entry.thread_id)
        at_work = sum(other.is_at_work for other in self._entries)
        has_room = at_work < self._most_at_once and self._at_work_of(entry.asker) < MOST_AT_ONCE_OF_ONE
        return entry is first and has_room

    def call(self) -> None:
        """Call everyone who waits and whom there is room for."""
        while able := [entry for entry in self._entries if entry.is_waiting and self.has_room_for(entry)]:
            # Whose asker has the fewest at work, then was called longest ago; of equals the first to arrive.
            entry = min(able, key=lambda one: (self._at_work_of(one.asker), self._last_calls[one.asker]))
            entry.is_waiting, entry.is_at_work = False, True
            self._last_calls[entry.asker] = next(self._calls)
            entry.called.set()

    def _at_work_of(self, asker: int) -> int:
        return sum(entry.asker == asker and entry.is_at_work for entry in self._entries)
