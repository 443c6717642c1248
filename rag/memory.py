"""Conversations in memory: of each thread the newest checkpoint, of all threads those lately used."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.memory import MemorySaver

from rag.config import THREAD_IDLE_DAYS, THREADS_KEPT, Settings

Clock = Callable[[], float]
"""Seconds since any moment, never going back."""


class RecentThreads:
    """Tells which threads to let go: those idle too long, and the least recently used above a number.

    A thread in use is never among them. A step costs the same however many threads there are.
    """

    def __init__(self, idle: timedelta, kept: int, clock: Clock = time.monotonic) -> None:
        self._idle_seconds = idle.total_seconds()
        self._kept = kept
        self._clock = clock
        self._last_used: OrderedDict[str, float] = OrderedDict()

    def used(self, thread_id: str) -> None:
        """A thread was used until now."""
        self._last_used[thread_id] = self._clock()
        self._last_used.move_to_end(thread_id)

    def remove(self, thread_id: str) -> None:
        """A thread is in use, or gone: it is not to be let go."""
        self._last_used.pop(thread_id, None)

    def take_due(self) -> Iterator[str]:
        """Take out the threads that are due, the one used longest ago first."""
        latest = self._clock() - self._idle_seconds
        while self._last_used:
            thread_id, last_used = next(iter(self._last_used.items()))
            if last_used > latest and len(self._last_used) <= self._kept:
                return
            del self._last_used[thread_id]
            yield thread_id


class NewestCheckpointSaver(MemorySaver):
    """A `MemorySaver` that forgets a thread's older checkpoints, and threads that nobody uses.

    A conversation goes on from its newest checkpoint alone; the rest would grow with every turn.
    """

    def __init__(
        self,
        idle: timedelta = timedelta(days=THREAD_IDLE_DAYS),
        kept: int = THREADS_KEPT,
        clock: Clock = time.monotonic,
    ) -> None:
        """Evict a thread that is not used for `idle`, or that is not among the `kept` last used."""
        super().__init__()
        self._kept = kept
        self._recent = RecentThreads(idle, kept, clock)
        self._evicted: OrderedDict[str, None] = OrderedDict()

    @contextmanager
    def in_use(self, thread_id: str) -> Iterator[None]:
        """Keep a thread while a question of it is answered; before and after, evict what is due."""
        self._evict_due()
        self._recent.remove(thread_id)
        try:
            yield
        finally:
            self._recent.used(thread_id)
            self._evict_due()

    def remembers(self, thread_id: str) -> bool:
        """Whether there is a conversation; asking leaves no trace, unlike reading its state."""
        return bool(self.storage.get(thread_id))

    def take_eviction(self, thread_id: str) -> bool:
        """Whether an earlier conversation of a thread was evicted: true once."""
        return self._evicted.pop(thread_id, True) is None

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and drop those before it."""
        saved = super().put(config, checkpoint, metadata, new_versions)
        thread_id = config["configurable"]["thread_id"]
        namespace = config["configurable"]["checkpoint_ns"]
        for older in [key for key in self.storage[thread_id][namespace] if key != checkpoint["id"]]:
            self._drop(thread_id, namespace, older, keep=checkpoint["channel_versions"])
        return saved

    def delete_thread(self, thread_id: str) -> None:
        """Drop a thread, leaving no trace; unlike its parent's way this looks at no other thread."""
        self._drop_thread(thread_id)
        self._recent.remove(thread_id)
        self._evicted.pop(thread_id, None)

    def _evict_due(self) -> None:
        for thread_id in self._recent.take_due():
            if self._drop_thread(thread_id):
                self._evicted[thread_id] = None
        while len(self._evicted) > self._kept:
            self._evicted.popitem(last=False)

    def _drop_thread(self, thread_id: str) -> bool:
        """Free everything of a thread; whether there was a conversation."""
        places = [
            (namespace, checkpoint_id)
            for namespace, checkpoints in self.storage.get(thread_id, {}).items()
            for checkpoint_id in checkpoints
        ]
        for namespace, checkpoint_id in places:
            self._drop(thread_id, namespace, checkpoint_id, keep={})
        # Reading the state of an unknown thread made an entry as well.
        self.storage.pop(thread_id, None)
        return bool(places)

    def _drop(self, thread_id: str, namespace: str, checkpoint_id: str, keep: ChannelVersions) -> None:
        stored, _, _ = self.storage[thread_id][namespace].pop(checkpoint_id)
        versions: ChannelVersions = self.serde.loads_typed(stored)["channel_versions"]
        for channel, version in versions.items():
            if keep.get(channel) != version:
                self.blobs.pop((thread_id, namespace, channel, version), None)
        self.writes.pop((thread_id, namespace, checkpoint_id), None)


def conversation_memory(settings: Settings) -> NewestCheckpointSaver:
    """The memory the settings ask for."""
    return NewestCheckpointSaver(timedelta(days=settings.thread_idle_days), settings.threads_kept)
