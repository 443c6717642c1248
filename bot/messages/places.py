"""Where a question is asked, and who may write there."""

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

import discord
from discord import ChannelType
from discord.abc import Snowflake

from bot.errors import CannotWriteHere
from rag.state import thread_id

GuildChannel = discord.TextChannel | discord.Thread | discord.VoiceChannel | discord.StageChannel
Writable = GuildChannel | discord.DMChannel


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


def writable(channel: Snowflake | None) -> Writable:
    """A channel that messages can be sent to. Raises `CannotWriteHere`."""
    if not isinstance(channel, Writable):
        raise CannotWriteHere
    return channel


def permissions_of_bot(channel: object) -> discord.Permissions:
    """What the bot may do in a channel; where that is not known all, and Discord will refuse."""
    # At the start questions may come before Discord has told of their server, the bot as its member included,
    # or of the parent of a thread.
    with suppress(discord.ClientException):
        if isinstance(channel, GuildChannel) and (me := cast("discord.Member | None", channel.guild.me)):
            return channel.permissions_for(me)
    return discord.Permissions.all()


def may_write(interaction: discord.Interaction, channel: Snowflake | None) -> bool:
    """Whether the person of an interaction may write in a channel, or in a thread of it."""
    allowed = interaction.permissions
    if interaction.guild_id is None:
        return True
    if isinstance(channel, discord.Thread):
        return allowed.send_messages_in_threads and (not channel.locked or allowed.manage_threads)
    return allowed.send_messages


def may_open_thread(allowed: discord.Permissions) -> bool:
    """Whether these permissions are enough to open a thread and to answer in it."""
    return allowed.create_public_threads and allowed.send_messages_in_threads


def may_attach(interaction: discord.Interaction) -> bool:
    """Whether Discord lets the bot attach files to the response."""
    return interaction.guild_id is None or interaction.app_permissions.attach_files
