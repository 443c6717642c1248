"""Where a question is asked, and the `thread_id` of the conversation that goes on there; pure."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from discord import ChannelType

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
    ChannelType.voice: PlaceKind.SPOKEN,
    ChannelType.stage_voice: PlaceKind.SPOKEN,
    ChannelType.private: PlaceKind.DIRECT,
    ChannelType.group: PlaceKind.DIRECT,
}


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, thread or direct message; `home` is the channel that a thread belongs to, else itself."""

    kind: PlaceKind
    id: int
    home: int


def place_of(channel_type: ChannelType, channel_id: int, parent_id: int | None = None) -> Place:
    """The place of a channel; kinds that Discord may invent are taken for places without threads."""
    return Place(KINDS.get(channel_type, PlaceKind.SPOKEN), channel_id, parent_id or channel_id)


def shared_thread_id(place_or_message: int) -> str:
    """The `thread_id` of a thread, a channel without threads, or a direct message.

    A thread has the id of the message it was opened on, so an answer's id names it from the start.
    """
    return thread_id(place_or_message)


def private_thread_id(place: int, user: int) -> str:
    """The `thread_id` of somebody's own conversation in a place, which no thread ever holds."""
    return thread_id(f"private:{place}:{user}")


def direct_thread_id(place: int, games: Collection[str], *, private: bool) -> str:
    """The `thread_id` of a direct message with somebody whose servers show these games.

    With other servers it is another one: what was said of a game is not remembered without it.
    """
    return thread_id(json.dumps([place, sorted(games), private]))


def gm_thread_id(place: int, user: int) -> str:
    """The `thread_id` of a GM's own conversation in a place, which no player's question ever reaches."""
    return thread_id(f"gm:{place}:{user}")
