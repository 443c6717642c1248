"""Guilds, their people and channels; each can show itself as Discord's JSON."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from discord import ChannelType, Permissions

Json = dict[str, Any]

SPOKEN = {ChannelType.voice, ChannelType.stage_voice}
ARCHIVE_AFTER = 1440  # minutes
EVERYONE = Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
    use_application_commands=True,
)


def timestamp() -> str:
    """Now, as Discord writes it."""
    return datetime.now(UTC).isoformat()


@dataclass(eq=False)
class User:
    """An account."""

    id: int
    name: str
    bot: bool = False

    @property
    def mention(self) -> str:
        """How a message names this account."""
        return f"<@{self.id}>"

    def payload(self) -> Json:
        """The user object."""
        return {
            "id": str(self.id),
            "username": self.name.lower(),
            "discriminator": "0",
            "global_name": self.name,
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
        }


def member_payload(user: User, *, with_user: bool = True) -> Json:
    """A user in a guild: the member object; message events leave its user out."""
    shown = {"user": user.payload()} if with_user else {}
    return shown | {
        "roles": [],
        "nick": None,
        "avatar": None,
        "joined_at": "2024-01-01T00:00:00+00:00",
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": None,
    }


@dataclass(eq=False)
class Guild:
    """A server, as people call it."""

    id: int
    name: str
    locale: str
    members: dict[int, User] = field(default_factory=dict)
    channels: list["Channel"] = field(default_factory=list)
    managers: set[int] = field(default_factory=set)
    """Who may manage it."""

    def payload(self) -> Json:
        """The guild object."""
        return {
            "id": str(self.id),
            "name": self.name,
            "icon": None,
            "owner_id": str(self.id),
            "roles": [self._everyone()],
            "emojis": [],
            "stickers": [],
            "features": [],
            "preferred_locale": self.locale,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "premium_tier": 0,
            "system_channel_flags": 0,
            "afk_timeout": 300,
        }

    def _everyone(self) -> Json:
        """The role that everybody has; its id is the guild's."""
        colours = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
        return {
            "id": str(self.id),
            "name": "@everyone",
            "permissions": str(EVERYONE.value),
            "position": 0,
            "color": 0,
            "colors": colours,
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }

    def create_event(self, members: list[User]) -> Json:
        """GUILD_CREATE: the guild with its channels, live threads and the given members."""
        plain = [channel for channel in self.channels if not isinstance(channel, Thread)]
        live = [thread for thread in self.channels if isinstance(thread, Thread) and not thread.archived]
        return self.payload() | {
            "unavailable": False,
            "large": False,
            "joined_at": timestamp(),
            "member_count": len(self.members),
            "members": [member_payload(user) for user in members],
            "channels": [channel.payload() for channel in plain],
            "threads": [thread.payload() for thread in live],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }


@dataclass(eq=False)
class Channel:
    """Any place where messages stand. A DM has no guild, but a recipient."""

    id: int
    type: ChannelType
    name: str
    guild: Guild | None
    recipient: User | None = None

    def payload(self) -> Json:
        """The channel object."""
        if self.guild is None:
            recipients = [self.recipient.payload()] if self.recipient else []
            return {"id": str(self.id), "type": self.type.value, "recipients": recipients}
        return {
            "id": str(self.id),
            "type": self.type.value,
            "name": self.name,
            "guild_id": str(self.guild.id),
            "position": 0,
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "rate_limit_per_user": 0,
            "last_message_id": None,
            "flags": 0,
            "permission_overwrites": [],
        }

    @property
    def permissions(self) -> Permissions:
        """What everybody may do here, the bot too; who may less is tried on the simulated client."""
        return Permissions.all() if self.guild is None else EVERYONE

    def permissions_of(self, user: User) -> Permissions:
        """What somebody may do here."""
        is_manager = self.guild is not None and user.id in self.guild.managers
        return self.permissions | Permissions(manage_guild=True) if is_manager else self.permissions


@dataclass(eq=False, kw_only=True)
class Thread(Channel):
    """A thread on a message."""

    parent: Channel
    owner: User
    archived: bool = False
    locked: bool = False
    joined: set[int] = field(default_factory=set)
    created_at: str = field(default_factory=timestamp)

    def payload(self) -> Json:
        """The thread object."""
        assert self.guild is not None
        return {
            "id": str(self.id),
            "type": self.type.value,
            "name": self.name,
            "guild_id": str(self.guild.id),
            "parent_id": str(self.parent.id),
            "owner_id": str(self.owner.id),
            "last_message_id": None,
            "message_count": 0,
            "total_message_sent": 0,
            "member_count": len(self.joined),
            "rate_limit_per_user": 0,
            "flags": 0,
            "thread_metadata": {
                "archived": self.archived,
                "locked": self.locked,
                "auto_archive_duration": ARCHIVE_AFTER,
                "archive_timestamp": self.created_at,
                "create_timestamp": self.created_at,
            },
        }

    def member_payload(self, user: User) -> Json:
        """The thread member object of `user`."""
        return {"id": str(self.id), "user_id": str(user.id), "join_timestamp": self.created_at, "flags": 0}
