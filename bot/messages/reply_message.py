"""The one message that an answer is shown on, from the working embed to the answer."""

import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

import discord

from bot.errors import CannotWriteHere, DiscordFailed, MayNotAttachFiles, MessageGone
from bot.messages.calls import (
    ALREADY_ACKNOWLEDGED,
    EXPIRED,
    FIRST_PAUSE_SECONDS,
    GONE,
    NO_HISTORY_TO_REPLY,
    THREAD_ARCHIVED,
    persist,
    refusal,
    silently,
)
from bot.render.embeds import Content

if TYPE_CHECKING:
    from bot.client import RulesBot

log = logging.getLogger(__name__)

GuildChannel = discord.TextChannel | discord.Thread | discord.VoiceChannel | discord.StageChannel
Writable = GuildChannel | discord.DMChannel

Interaction: TypeAlias = "discord.Interaction[RulesBot]"
"""A command that somebody uses, a button that somebody presses, a window that somebody submits."""
ANSWERED_IN_THE_OPEN = "answered-in-the-open"
"""Marks a command whose answer others see, unless its option `private` says otherwise."""


class ReplyMessage(Protocol):
    """A message of the bot. `show` raises `MessageGone` once somebody has deleted it."""

    @property
    def id(self) -> int: ...

    @property
    def channel_id(self) -> int: ...

    @property
    def may_embed(self) -> bool: ...

    async def show(self, content: Content, view: discord.ui.View | None = None) -> None: ...


class InteractionReply:
    """The response to an interaction; after its fifteen minutes an ordinary message.

    A private one never becomes public: then its answer is written to the asker directly.
    """

    def __init__(self, interaction: discord.Interaction, message_id: int, *, private: bool) -> None:
        self._interaction = interaction
        self._id = message_id
        self._private = private
        self._expired = False
        self._direct: discord.Message | None = None

    @classmethod
    async def defer(cls, interaction: discord.Interaction, *, private: bool = False) -> Self:
        """Acknowledge an interaction at once; whether its answer is private is settled here."""
        message_id = await acknowledge(interaction, private=private)
        if message_id is None:
            message_id = (await persist(interaction.original_response)).id
        return cls(interaction, message_id, private=private)

    @property
    def id(self) -> int:
        """The id of the message, and of the thread that will be opened on it."""
        return self._id

    @property
    def channel_id(self) -> int:
        """Where the message stands."""
        return self._interaction.channel_id or 0

    @property
    def may_embed(self) -> bool:
        """Whether Discord shows the bot's embeds here."""
        return (
            self._private or self._interaction.app_permissions.embed_links or not self._interaction.guild_id
        )

    async def show(self, content: Content, view: discord.ui.View | None = None) -> None:
        """Show other content."""
        content = content if self.may_embed else content.without_embed()
        if not self._expired:
            try:
                await persist(
                    lambda: self._interaction.edit_original_response(
                        content=content.text, embed=content.embed, view=view
                    )
                )
            except discord.HTTPException as error:
                if error.code in GONE:
                    raise MessageGone from error
                if error.code not in EXPIRED and error.status != 401:
                    raise
                self._expired = True
            else:
                return
        await self._show_later(content, view)

    async def _show_later(self, content: Content, view: discord.ui.View | None) -> None:
        """Show content without the interaction's token."""
        if self._private:
            await self._show_directly(content)
            return
        channel = self._interaction.channel
        if not isinstance(channel, Writable):
            raise CannotWriteHere
        message = channel.get_partial_message(self._id)
        await _edit(message, content, view)

    async def _show_directly(self, content: Content) -> None:
        """Show content on the one direct message that stands for a private response."""
        if self._direct:
            await _edit(self._direct, content, None)
            return
        try:
            self._direct = await persist(sending(self._interaction.user, content))
        except discord.HTTPException as error:
            log.warning("a private answer came too late, and its asker takes none: %s", refusal(error))
            raise MessageGone from error


class ChannelMessage:
    """An ordinary message, which people can reply to."""

    def __init__(self, message: discord.Message | discord.PartialMessage, content: Content) -> None:
        self._message = message
        self._content = content

    @classmethod
    async def write(
        cls, channel: Writable, content: Content, reference: discord.MessageReference | None = None
    ) -> Self:
        """Send the message that an answer will be shown on. Raises `CannotWriteHere` or `DiscordFailed`."""
        send = sending(channel, content, reference)
        try:
            return cls(await persist(send), content)
        except discord.HTTPException as error:
            if error.code == THREAD_ARCHIVED and await reopened(channel):
                return cls(await persist(send), content)
            log.warning("no message can be sent to channel %s: %s", channel.id, refusal(error))
            raise (DiscordFailed if error.status >= 500 else CannotWriteHere) from error

    @property
    def id(self) -> int:
        """The id of the message."""
        return self._message.id

    @property
    def channel_id(self) -> int:
        """Where the message stands."""
        return self._message.channel.id

    @property
    def link(self) -> str:
        """Where to find it."""
        return self._message.jump_url

    @property
    def may_embed(self) -> bool:
        """Whether Discord shows the bot's embeds here."""
        return may_embed(self._message.channel)

    async def show(self, content: Content, view: discord.ui.View | None = None) -> None:
        """Show other content, unless it is shown already."""
        if view or content != self._content:
            await _edit(self._message, content, view)
            self._content = content


async def acknowledge(interaction: discord.Interaction, *, private: bool) -> int | None:
    """Tell Discord that an answer will come; the id of its message where Discord says it.

    Raises `MessageGone` where another process of the bot was faster.
    """
    if interaction.response.is_done():
        return None
    began = time.monotonic()
    try:
        response = await persist(lambda: interaction.response.defer(thinking=True, ephemeral=private))
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
        # A repeated request finds the first one done, whose reply was lost on the way; discord.py
        # repeats too, without saying so, but never before a pause.
        if time.monotonic() - began < FIRST_PAUSE_SECONDS:
            log.warning("another process with this token answers too: stop one of them")
            raise MessageGone from error
        return None
    return response.message_id if response else None


async def respond(interaction: discord.Interaction, **shown: Any) -> None:
    """Show something in the response to an acknowledged interaction, in place of what it showed before."""
    await persist(lambda: interaction.edit_original_response(**shown))


async def respond_with_files(
    interaction: discord.Interaction, files: Mapping[str, bytes], described: str | None = None, **shown: Any
) -> None:
    """Show files by their names in the response, the description for screen readers.

    Raises `MayNotAttachFiles`.
    """
    if not may_attach(interaction):
        raise MayNotAttachFiles

    async def edit() -> None:
        # Sending closes files, so each attempt has its own.
        sent = [discord.File(BytesIO(data), name, description=described) for name, data in files.items()]
        await interaction.edit_original_response(attachments=sent, **shown)

    await persist(edit)


def may_attach(interaction: discord.Interaction) -> bool:
    """Whether Discord lets the bot attach files to the response."""
    return interaction.guild_id is None or interaction.app_permissions.attach_files


async def accept(interaction: discord.Interaction) -> None:
    """Tell Discord that the message of a pressed button will change."""
    await persist(interaction.response.defer)


def may_embed(channel: object) -> bool:
    """Whether Discord shows the bot's embeds in a channel."""
    if not isinstance(channel, GuildChannel):
        return True
    granted = permissions_of_bot(channel)
    return granted is None or granted.embed_links


def permissions_of_bot(channel: GuildChannel) -> discord.Permissions | None:
    """What the bot may do in a channel of a server; None where that is not known, and Discord will say it."""
    # At the start questions may come before Discord has told of their server, the bot as its member included.
    me: discord.Member | None = channel.guild.me
    try:
        return channel.permissions_for(me) if me else None
    except discord.ClientException:
        # The parent of the thread is not known.
        return None


async def reopened(channel: discord.abc.Snowflake) -> bool:
    """Take a thread out of the archive; False where it is locked, or no thread."""
    if not isinstance(channel, discord.Thread):
        return False
    return await silently(lambda: channel.edit(archived=False), "reopen a thread") is not None


def sending(
    channel: discord.abc.Messageable,
    content: Content,
    reference: discord.MessageReference | None = None,
    view: discord.ui.View | None = None,
) -> Callable[[], Awaitable[discord.Message]]:
    """A call that sends a message; no reply where the bot may not read what it would reply to.

    Repeated, it sends no second message: Discord answers a nonce that it has seen with the first one, and
    discord.py asks it to (`enforce_nonce`). So nothing is left behind where only the response was lost.
    """
    if not may_embed(channel):
        content = content.without_embed()
    shown: dict[str, Any] = {
        "content": content.text,
        "embed": content.embed,
        "view": view,
        "nonce": secrets.randbits(64),
    }

    async def send() -> discord.Message:
        if reference is None:
            return await channel.send(**shown)
        try:
            return await channel.send(**shown, reference=reference)
        except discord.HTTPException as error:
            if error.code != NO_HISTORY_TO_REPLY:
                raise
            return await channel.send(**shown)

    return send


async def _edit(
    message: discord.Message | discord.PartialMessage, content: Content, view: discord.ui.View | None
) -> None:
    shown = content if may_embed(message.channel) else content.without_embed()

    async def edit() -> discord.Message:
        return await message.edit(content=shown.text, embed=shown.embed, view=view)

    try:
        await persist(edit)
    except discord.HTTPException as error:
        if error.code in GONE:
            raise MessageGone from error
        if error.code != THREAD_ARCHIVED or not await reopened(message.channel):
            raise
        await persist(edit)
