"""Questions of one conversation, answered in the order in which they arrived."""

import asyncio
from types import TracebackType


class Turn:
    """A place in the queue of a conversation, taken at once; await it before asking.

    It ends, and the next one begins, when its `with` block is left.
    """

    def __init__(self, turns: dict[str, asyncio.Event], conversation: str) -> None:
        self._turns = turns
        self._conversation = conversation
        self._before = turns.get(conversation)
        self._done = turns[conversation] = asyncio.Event()

    async def come(self) -> None:
        """Wait until every question before this one is answered."""
        if self._before:
            await self._before.wait()

    def __enter__(self) -> "Turn":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._turns.get(self._conversation) is self._done:
            del self._turns[self._conversation]


class Turns:
    """The queues of all conversations."""

    def __init__(self) -> None:
        self._newest: dict[str, asyncio.Event] = {}

    def take(self, conversation: str) -> Turn:
        """Join the queue of a conversation, without waiting."""
        return Turn(self._newest, conversation)
