"""Where a question is asked."""

from dataclasses import dataclass
from enum import StrEnum

from discord import ChannelType
from discord.abc import Snowflake

from bot.errors import CannotWriteHere
from rag.state import thread_id


class PlaceKind(StrEnum):
    """What can be done in a place."""

    CHANNEL = "channel"
    """A text channel: an answer opens a thread on itself."""
    THREAD = "thread"
    """A thread or forum post: the answer stays there."""
    SPOKEN = "spoken"
    """The chat of a voice or stage channel, which has no threads: the answer stays there."""
    DIRECT = "direct"
    """A direct message: the answer stays there, and its reader is a player."""


KINDS = {
    ChannelType.text: PlaceKind.CHANNEL,
    ChannelType.news: PlaceKind.CHANNEL,
    ChannelType.public_thread: PlaceKind.THREAD,
    ChannelType.private_thread: PlaceKind.THREAD,
    ChannelType.news_thread: PlaceKind.THREAD,
    ChannelType.private: PlaceKind.DIRECT,
}
"""The others have no threads: voice and stage channels, and what Discord may invent."""


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, thread or direct message; `home` is the channel that a thread belongs to, else itself."""

    kind: PlaceKind
    id: int
    home: int


def where(channel: Snowflake | None) -> Place:
    """The place of a channel of Discord's."""
    if channel is None:
        raise CannotWriteHere
    kind = KINDS.get(getattr(channel, "type", ChannelType.private), PlaceKind.SPOKEN)
    return Place(kind, channel.id, getattr(channel, "parent_id", None) or channel.id)


def shared_thread_id(place_or_message: int) -> str:
    """The `thread_id` of a thread, a channel without threads, or a direct message.

    A thread has the id of the message it was opened on, so an answer's id names it from the start.
    """
    return thread_id(place_or_message)
