"""The one message that an answer is shown on, from the working embed to the answer."""

import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

import discord

from bot.buttons.rows import one_button
from bot.errors import CannotWriteHere, DiscordFailed, MayNotAttachFiles, MessageGone
from bot.messages import calls
from bot.messages.calls import Returned, persist, refusal, silently
from bot.messages.places import Writable, may_attach, may_write, permissions_of_bot, writable
from bot.render.embeds import Content
from bot.texts import texts_in

if TYPE_CHECKING:
    from bot.client import RulesBot

log = logging.getLogger(__name__)

Interaction: TypeAlias = "discord.Interaction[RulesBot]"
"""A command that somebody uses, a button that somebody presses, a window that somebody submits."""
BY_ITSELF = "itself"
"""An extra of commands that tell Discord themselves that an answer will come, or open a window."""


class ReplyMessage(Protocol):
    """A message of the bot, `shown` what it shows beside files.

    `show` raises `MessageGone` once somebody has deleted it.
    """

    id: int
    channel_id: int
    shown: Content | None

    @property
    def permissions(self) -> discord.Permissions: ...

    async def show(self, content: Content, view: discord.ui.View | None = None) -> None: ...


class InteractionReply:
    """The response to an interaction; after its fifteen minutes an ordinary message.

    A private one never becomes public: then its answer is written to the asker directly. `id` is that of
    the message, and of the thread that will be opened on it.
    """

    def __init__(self, interaction: discord.Interaction, message_id: int, *, private: bool) -> None:
        self.id = message_id
        self.channel_id = interaction.channel_id or 0
        self.shown: Content | None = None
        self._interaction = interaction
        self._private = private
        self._later: ChannelMessage | None = None
        self._is_lost = False

    @classmethod
    async def defer(cls, interaction: discord.Interaction, *, private: bool = False) -> Self:
        """Acknowledge an interaction at once; whether its answer is private is settled here."""
        message_id = await acknowledge(interaction, private=private)
        if message_id is None:
            message_id = (await persist(interaction.original_response)).id
        return cls(interaction, message_id, private=private)

    @property
    def permissions(self) -> discord.Permissions:
        """What the bot may do here; what is private always has embeds."""
        if not self._interaction.guild_id:
            return discord.Permissions.all()
        return self._interaction.app_permissions | discord.Permissions(embed_links=self._private)

    async def show(self, content: Content, view: discord.ui.View | None = None) -> None:
        """Show other content."""
        self.shown = replace(content, files={})
        if self._is_lost:
            return
        if self._later:
            await self._later.show(content, None if self._private else view)
            return
        shown = content if self.permissions.embed_links else content.without_embed()
        try:
            await persist(lambda: self._interaction.edit_original_response(**shown.parts(), view=view))
        except discord.HTTPException as error:
            if error.code in calls.GONE:
                raise MessageGone from error
            if error.code not in calls.EXPIRED and error.status != 401:
                raise
            self._later = await self._without_token(content)
            await self.show(content, view)

    async def _without_token(self, content: Content) -> "ChannelMessage | None":
        """The same message, changed without the interaction's token; of a private one a direct message.

        None where its asker takes none.
        """
        if not self._private:
            return ChannelMessage(writable(self._interaction.channel).get_partial_message(self.id), Content())
        try:
            return ChannelMessage(await persist(sending(self._interaction.user, content)), content)
        except discord.HTTPException as error:
            log.warning("a private answer came too late, and its asker takes none: %s", refusal(error))
            await self._leave_way_back()
            return None

    async def _leave_way_back(self) -> None:
        """Say in the channel, without a word of whose or what, how a private answer is had again."""
        interaction, texts = self._interaction, texts_in(self._interaction.locale.value)
        self._is_lost = True
        if may_write(interaction, interaction.channel):
            row = one_button("again", texts("button-again"), self.id)
            told = sending(writable(interaction.channel), Content(text=texts("private-too-late")), view=row)
            await silently(told, "tell of a private answer that came too late")


class ChannelMessage:
    """An ordinary message, which people can reply to; `link` is where to find it."""

    def __init__(self, message: discord.Message | discord.PartialMessage, content: Content) -> None:
        self.id = message.id
        self.channel_id = message.channel.id
        self.link = message.jump_url
        self.shown: Content | None = content
        self._message = message

    @classmethod
    async def write(
        cls, channel: Writable, content: Content, reference: discord.MessageReference | None = None
    ) -> Self:
        """Send the message that an answer will be shown on. Raises `CannotWriteHere` or `DiscordFailed`."""
        try:
            return cls(await reopening(channel, sending(channel, content, reference)), content)
        except discord.HTTPException as error:
            log.warning("no message can be sent to channel %s: %s", channel.id, refusal(error))
            raise (DiscordFailed if error.status >= 500 else CannotWriteHere) from error

    @property
    def permissions(self) -> discord.Permissions:
        """What the bot may do here."""
        return permissions_of_bot(self._message.channel)

    async def show(self, content: Content, view: discord.ui.View | None = None) -> None:
        """Show other content, unless it is shown already."""
        if not view and content == self.shown:
            return
        self.shown = replace(content, files={})
        shown = content if self.permissions.embed_links else content.without_embed()
        try:
            await reopening(self._message.channel, lambda: self._message.edit(**shown.parts(), view=view))
        except discord.HTTPException as error:
            if error.code in calls.GONE:
                raise MessageGone from error
            raise


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
        if error.code != calls.ALREADY_ACKNOWLEDGED:
            raise
        # A repeated request finds the first one done, whose reply was lost on the way; discord.py
        # repeats too, without saying so, but never before a pause.
        if time.monotonic() - began < calls.FIRST_PAUSE_SECONDS:
            log.warning("another process with this token answers too: stop one of them")
            raise MessageGone from error
        return None
    return response.message_id if response else None


async def respond(interaction: discord.Interaction, **shown: Any) -> None:
    """Show something in the response to an acknowledged interaction, in place of what it showed before."""
    await persist(lambda: interaction.edit_original_response(**shown))


async def respond_with_files(
    interaction: discord.Interaction, content: Content, view: discord.ui.View | None = None
) -> None:
    """Show content with files in the response. Raises `MayNotAttachFiles`."""
    if not may_attach(interaction):
        raise MayNotAttachFiles
    await persist(lambda: interaction.edit_original_response(**content.parts(), view=view))


async def accept(interaction: discord.Interaction) -> None:
    """Tell Discord that the message of a pressed button will change."""
    await persist(interaction.response.defer)


async def reopening(channel: object, call: Callable[[], Awaitable[Returned]]) -> Returned:
    """The result of a call; where a thread is archived, it is taken out of the archive for it."""
    try:
        return await persist(call)
    except discord.HTTPException as error:
        if error.code != calls.THREAD_ARCHIVED or not isinstance(channel, discord.Thread):
            raise
        thread = channel
        if await silently(lambda: thread.edit(archived=False), "reopen a thread") is None:
            raise
        return await persist(call)


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
    if not permissions_of_bot(channel).embed_links:
        content = content.without_embed()
    nonce = secrets.randbits(64)
    shown: dict[str, Any] = {"content": content.text, "embed": content.embed, "view": view, "nonce": nonce}
    replying = shown | {"reference": reference}

    async def send() -> discord.Message:
        try:
            return await channel.send(**replying)
        except discord.HTTPException as error:
            if error.code != calls.NO_HISTORY_TO_REPLY:
                raise
            return await channel.send(**shown)

    return send
