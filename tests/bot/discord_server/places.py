"""Guilds, their people and channels, and who may do what where; each can show itself as Discord's JSON."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from discord import ChannelType, Permissions

Json = dict[str, Any]

THREADS = {ChannelType.public_thread, ChannelType.private_thread, ChannelType.news_thread}
SPOKEN = {ChannelType.voice, ChannelType.stage_voice}
ARCHIVE_AFTER = 1440  # minutes


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


@dataclass(eq=False)
class Role:
    """A role of a guild; the one with the guild's own id is everyone's."""

    id: int
    name: str
    permissions: Permissions
    managed: bool = False

    def payload(self) -> Json:
        """The role object."""
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(self.permissions.value),
            "position": 0 if self.name == "@everyone" else 1,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": self.managed,
            "mentionable": False,
            "flags": 0,
        }


@dataclass(eq=False)
class Member:
    """A user in a guild."""

    user: User
    roles: list[Role]
    joined_at: str = "2024-01-01T00:00:00+00:00"

    def payload(self, *, with_user: bool = True) -> Json:
        """The member object; message events leave its user out."""
        user = {"user": self.user.payload()} if with_user else {}
        return user | {
            "roles": [str(role.id) for role in self.roles],
            "nick": None,
            "avatar": None,
            "joined_at": self.joined_at,
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
    owner: User
    everyone: Role
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: list["Channel"] = field(default_factory=list)

    def payload(self) -> Json:
        """The guild object."""
        return {
            "id": str(self.id),
            "name": self.name,
            "icon": None,
            "owner_id": str(self.owner.id),
            "roles": [role.payload() for role in self.roles.values()],
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

    def create_event(self, members: list[Member]) -> Json:
        """GUILD_CREATE: the guild with its channels, live threads and the given members."""
        plain = [channel for channel in self.channels if not isinstance(channel, Thread)]
        live = [thread for thread in self.channels if isinstance(thread, Thread) and not thread.archived]
        return self.payload() | {
            "unavailable": False,
            "large": False,
            "joined_at": timestamp(),
            "member_count": len(self.members),
            "members": [member.payload() for member in members],
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

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread, forum posts included."""
        return self.type in THREADS

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

    def permissions_of(self, user: User) -> Permissions:
        """What `user` may do here: what the roles say, in every channel alike."""
        if self.guild is None:
            return Permissions.all()
        granted = Permissions.none()
        for role in (self.guild.everyone, *self.guild.members[user.id].roles):
            granted |= role.permissions
        return granted


@dataclass(eq=False, kw_only=True)
class Thread(Channel):
    """A thread or forum post; permissions are those of its parent channel."""

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
