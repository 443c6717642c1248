"""Messages, as people see them and as the bot is told of them."""

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from discord import ComponentType, MessageFlags, MessageType

from tests.bot.specification.components import walk

from .places import Channel, Json, Thread, User, timestamp

if TYPE_CHECKING:
    from .interactions import Interaction

EPHEMERAL = MessageFlags.ephemeral.flag
LOADING = MessageFlags.loading.flag
HAS_THREAD = MessageFlags.has_thread.flag


@dataclass(eq=False)
class Message:
    """A message; `revisions` are the monotonic times at which it was shown and edited.

    `mentions` are the accounts it notifies. An answer to an interaction knows that `interaction`.
    """

    id: int
    channel: Channel
    author: User
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    flags: int = 0
    type: MessageType = MessageType.default
    mentions: list[User] = field(default_factory=list)
    reply_to: "Message | None" = None
    interaction: "Interaction | None" = None
    thread: Thread | None = None
    edited_at: str | None = None
    deleted: bool = False
    nonce: str | None = None
    created_at: str = field(default_factory=timestamp)
    revisions: list[float] = field(default_factory=lambda: [time.monotonic()])

    @property
    def ephemeral(self) -> bool:
        """Whether only the asker sees it."""
        return bool(self.flags & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether it still shows "thinking"."""
        return bool(self.flags & LOADING)

    @property
    def buttons(self) -> list[str]:
        """The labels of its buttons, in order."""
        kind = ComponentType.button.value
        return [button.get("label") or "" for button in walk(self.components) if button["type"] == kind]

    @property
    def text(self) -> str:
        """Everything a reader sees, line by line: content, then each embed from top to bottom."""
        return "\n".join([self.content, *(line for embed in self.embeds for line in _lines(embed))]).strip()

    def payload(self) -> Json:
        """The message object."""
        shape: Json = {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "author": self.author.payload(),
            "content": self.content,
            "embeds": self.embeds,
            "components": self.components,
            "attachments": self.attachments,
            "timestamp": self.created_at,
            "edited_timestamp": self.edited_at,
            "tts": False,
            "mention_everyone": False,
            "mentions": [user.payload() for user in self.mentions],
            "mention_roles": [],
            "pinned": False,
            "type": self.type.value,
            "flags": self.flags,
        }
        if self.reply_to is not None:
            shape["message_reference"] = self._reference(self.reply_to)
            shape["referenced_message"] = None if self.reply_to.deleted else self.reply_to.payload()
        if self.interaction is not None:
            shape |= self.interaction.message_fields()
        if self.thread is not None:
            shape |= {"thread": self.thread.payload(), "flags": self.flags | HAS_THREAD}
        return shape

    def _reference(self, replied: "Message") -> Json:
        guild = {"guild_id": str(self.channel.guild.id)} if self.channel.guild else {}
        return guild | {"type": 0, "message_id": str(replied.id), "channel_id": str(replied.channel.id)}


def _lines(embed: Json) -> list[str]:
    fields = [text for one in embed.get("fields") or [] for text in (one["name"], one["value"])]
    footer = (embed.get("footer") or {}).get("text")
    return [text for text in (embed.get("title"), embed.get("description"), *fields, footer) if text]
