"""One use of a command, button, menu or modal: what the bot is sent, and what it makes of it."""

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from discord import InteractionResponseType, InteractionType

from .places import Channel, Json, User, member_payload
from .waiting import Changes, Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from .messages import Message

FIRST_ANSWER = 3.0  # seconds until an interaction without a response is lost
TOKEN_LIFE = 15 * 60.0  # seconds
ATTACHMENT_LIMIT = 10 * 2**20  # bytes
BOT_DM = 1
IN_GUILD = 0


@dataclass(frozen=True)
class Acknowledgement:
    """The first response: of which type, after how many seconds of real time, and for whom."""

    type: InteractionResponseType
    seconds: float
    ephemeral: bool
    message: "Message | None"


@dataclass(eq=False)
class Interaction:
    """An interaction with its whole life; waiting methods raise AssertionError when time is up.

    `source` is the message whose button was pressed.
    """

    id: int
    token: str
    type: InteractionType
    user: User
    locale: str
    channel: Channel
    data: Json
    application: User
    clock: Clock
    changes: Changes
    source: "Message | None" = None
    acknowledgement: Acknowledgement | None = None
    original: "Message | None" = None
    offered: list[Json] | None = None
    modal: Json | None = None
    sent_at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._started = self.clock.now()

    @property
    def too_late(self) -> bool:
        """Whether the first response would come too late."""
        return self.clock.now() - self._started > FIRST_ANSWER

    @property
    def expired(self) -> bool:
        """Whether its token is dead."""
        return self.clock.now() - self._started > TOKEN_LIFE

    def acknowledge(self, kind: InteractionResponseType, *, ephemeral: bool) -> None:
        """Note the first response."""
        seconds = time.monotonic() - self.sent_at
        self.acknowledgement = Acknowledgement(kind, seconds, ephemeral, self.original)
        self.changes.announce()

    # --- what a test waits for ------------------------------------------------------------------

    async def acknowledged(self, within: float = FIRST_ANSWER) -> Acknowledgement:
        """The first response."""
        return await self.changes.until(lambda: self.acknowledgement, within, "acknowledgement")

    async def answer(
        self, within: float = 15.0, where: "Callable[[Message], bool] | None" = None
    ) -> "Message":
        """The response's message, once it no longer shows "thinking" and `where` holds.

        `where` tells a final answer from a report of progress: both are edits of the same message.
        """

        def shown() -> "Message | None":
            message = self.original
            ready = message and not message.loading and not message.deleted
            return message if message and ready and (where is None or where(message)) else None

        return await self.changes.until(shown, within, "answer")

    async def choices(self, within: float = FIRST_ANSWER) -> list[Json]:
        """What an autocompletion offers: `name` and `value` each."""
        return await self.changes.until(lambda: self.offered, within, "completion")

    async def opened(self, within: float = FIRST_ANSWER) -> Json:
        """The modal that it opens."""
        return await self.changes.until(lambda: self.modal, within, "modal")

    # --- what the bot is sent -------------------------------------------------------------------

    def event(self) -> Json:
        """INTERACTION_CREATE."""
        user_permissions = self.channel.permissions_of(self.user).value
        shape: Json = {
            "id": str(self.id),
            "application_id": str(self.application.id),
            "type": self.type.value,
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": str(self.channel.id),
            "channel": self.channel.payload() | {"permissions": str(user_permissions)},
            "locale": self.locale,
            "app_permissions": str(self.channel.permissions.value),
            "entitlements": [],
            "attachment_size_limit": ATTACHMENT_LIMIT,
        }
        if self.source is not None:
            shape["message"] = self.source.payload()
        return shape | self._whereabouts(user_permissions)

    def _whereabouts(self, permissions: int) -> Json:
        guild = self.channel.guild
        if guild is None:
            owners = {"0": "0"}
            return {"user": self.user.payload(), "context": BOT_DM, "authorizing_integration_owners": owners}
        member = member_payload(self.user) | {"permissions": str(permissions)}
        return {
            "member": member,
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
            "guild_locale": guild.locale,
            "context": IN_GUILD,
            "authorizing_integration_owners": {"0": str(guild.id)},
        }

    def message_fields(self) -> Json:
        """What the messages that answer it carry."""
        return {
            "webhook_id": str(self.application.id),
            "application_id": str(self.application.id),
            "interaction_metadata": {
                "id": str(self.id),
                "type": self.type.value,
                "user": self.user.payload(),
                "authorizing_integration_owners": {},
            },
        }
