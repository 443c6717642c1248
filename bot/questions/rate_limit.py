"""How much may be asked at once: by one person within a minute, and by all together."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from bot.errors import AlreadyAsked, Restarting, TooBusy, TooSoon

QUESTIONS_A_MINUTE = 12
MINUTE = 60.0
MOST_ADMITTED = 40
"""Questions running or waiting; the next one is told to come back."""
MOST_OF_ONE_PERSON = 10
"""Of these, questions of one person: who asks much leaves room for others."""


class AdmittedQuestions:
    """The questions running or waiting: not more than a bound, and no new one at the end.

    Each is its task, and whose question it is.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last_minute: deque[tuple[float, int]] = deque()
        """When who asked."""
        self._admitted: list[tuple[asyncio.Task[Any], int]] = []
        self._asked: set[Hashable] = set()
        self.is_closed = False

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
        if len(self._admitted) >= MOST_ADMITTED or of_one >= MOST_OF_ONE_PERSON:
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
