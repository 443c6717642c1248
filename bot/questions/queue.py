"""Questions of one conversation, answered in the order in which they arrived."""

import asyncio
from types import TracebackType


class QueueEntry:
    """A question's entry in the queue of its conversation, made at once; await it before asking.

    It ends, and the next one begins, when its `with` block is left.
    """

    def __init__(self, last_entries: dict[str, asyncio.Event], thread_id: str) -> None:
        self._last_entries = last_entries
        self._thread_id = thread_id
        self._before = last_entries.get(thread_id)
        self._done = last_entries[thread_id] = asyncio.Event()

    async def wait(self) -> None:
        """Wait until every question before this one is answered."""
        if self._before:
            await self._before.wait()

    def __enter__(self) -> "QueueEntry":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._last_entries.get(self._thread_id) is self._done:
            del self._last_entries[self._thread_id]


class ConversationQueues:
    """The queues of all conversations, by `thread_id`; of each the end of its last entry is kept."""

    def __init__(self) -> None:
        self._last_entries: dict[str, asyncio.Event] = {}

    def join(self, thread_id: str) -> QueueEntry:
        """Join the queue of a conversation, without waiting."""
        return QueueEntry(self._last_entries, thread_id)
