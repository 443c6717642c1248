"""Conversations in memory: of each thread only the newest checkpoint is kept."""

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.memory import MemorySaver


class NewestCheckpointSaver(MemorySaver):
    """A `MemorySaver` that forgets a thread's older checkpoints as it saves a new one.

    A conversation goes on from its newest checkpoint alone; the rest would grow with every turn.
    """

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

    def _drop(self, thread_id: str, namespace: str, checkpoint_id: str, keep: ChannelVersions) -> None:
        stored, _, _ = self.storage[thread_id][namespace].pop(checkpoint_id)
        versions: ChannelVersions = self.serde.loads_typed(stored)["channel_versions"]
        for channel, version in versions.items():
            if keep.get(channel) != version:
                self.blobs.pop((thread_id, namespace, channel, version), None)
        self.writes.pop((thread_id, namespace, checkpoint_id), None)
