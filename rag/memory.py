"""Conversations in memory: of each thread the newest checkpoint, of all threads those lately used."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)

from rag.config import THREAD_IDLE_DAYS, THREADS_KEPT
from rag.state import Exchange

REMEMBERED = ("question", "history", "about")
"""What is kept of `State`; the rest, documents above all, ends with its question."""


class NewestCheckpointSaver(BaseCheckpointSaver[int]):
    """Keeps a thread's newest checkpoint, from which alone a conversation goes on.

    A thread is evicted that is not used for `idle_days`, or that is not among the `kept` last used. A thread
    in use never is. A step costs the same however many threads there are.
    """

    def __init__(
        self,
        idle_days: int = THREAD_IDLE_DAYS,
        kept: int = THREADS_KEPT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._idle_seconds = timedelta(days=idle_days).total_seconds()
        self._kept = kept
        self._clock = clock
        self._checkpoints: dict[str, CheckpointTuple] = {}
        self._last_used: OrderedDict[str, float] = OrderedDict()
        self._evicted: OrderedDict[str, None] = OrderedDict()

    @contextmanager
    def in_use(self, thread_id: str) -> Iterator[None]:
        """Keep a thread while a question of it is answered; before and after, evict what is due."""
        self._evict_due()
        self._last_used.pop(thread_id, None)
        try:
            yield
        finally:
            if thread_id in self._checkpoints:
                self._last_used[thread_id] = self._clock()
            self._evict_due()

    def history(self, thread_id: str) -> Sequence[Exchange]:
        """The pairs of a conversation so far."""
        kept = self._checkpoints.get(thread_id)
        pairs: Sequence[Exchange] = kept.checkpoint["channel_values"].get("history", ()) if kept else ()
        return pairs

    def withdraw(self, thread_id: str, question: str) -> None:
        """Let a conversation go on as if a question had not been asked in it."""
        if kept := self._checkpoints.get(thread_id):
            history = [pair for pair in self.history(thread_id) if pair["question"] != question]
            kept.checkpoint["channel_values"].update(history=history, about=[])

    def take_eviction(self, thread_id: str) -> bool:
        """Whether an earlier conversation of a thread was evicted: true once."""
        return self._evicted.pop(thread_id, True) is None

    def delete_thread(self, thread_id: str) -> None:
        """Drop a thread, leaving no trace."""
        for kept in (self._checkpoints, self._last_used, self._evicted):
            kept.pop(thread_id, None)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The newest checkpoint of a thread."""
        return self._checkpoints.get(config["configurable"]["thread_id"])

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint in place of the one before it."""
        thread_id = config["configurable"]["thread_id"]
        place = {"thread_id": thread_id, "checkpoint_ns": "", "checkpoint_id": checkpoint["id"]}
        saved: RunnableConfig = {"configurable": place}
        kept, values = checkpoint.copy(), checkpoint["channel_values"]
        kept["channel_values"] = {name: values[name] for name in REMEMBERED if name in values}
        self._checkpoints[thread_id] = CheckpointTuple(saved, kept, metadata)
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep nothing of a question that failed: it is not taken up where it ended."""

    def _evict_due(self) -> None:
        latest = self._clock() - self._idle_seconds
        while self._last_used:
            thread_id, last_used = next(iter(self._last_used.items()))
            if last_used > latest and len(self._last_used) <= self._kept:
                break
            self.delete_thread(thread_id)
            self._evicted[thread_id] = None
        while len(self._evicted) > self._kept:
            self._evicted.popitem(last=False)
