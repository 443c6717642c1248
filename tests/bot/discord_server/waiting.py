"""Waiting for something to have happened, instead of sleeping and hoping."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Found = TypeVar("Found")
OWN_LOOK = 0.05  # seconds


class Clock:
    """Seconds by which the server judges deadlines; a test may turn it forward."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """Monotonic seconds, with everything that was skipped."""
        return time.monotonic() + self._ahead

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass at once, for the server alone."""
        self._ahead += seconds


class Changes:
    """Wakes those who wait each time that anything happens on the server."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def announce(self) -> None:
        """Something happened: everyone who waits looks again."""
        self._next.set()
        self._next = asyncio.Event()

    async def until(self, look: Callable[[], Found | None], within: float, what: str) -> Found:
        """What `look` finds, as soon as it is not None.

        It looks at each change, and now and then for what changes outside of the server.
        Raises AssertionError naming `what` after `within` seconds.
        """
        deadline = time.monotonic() + within
        while (found := look()) is None:
            assert time.monotonic() < deadline, f"{what}: not within {within:g} s"
            with suppress(TimeoutError):
                await asyncio.wait_for(self._next.wait(), OWN_LOOK)
        return found
