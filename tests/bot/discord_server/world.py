"""Everything that exists on the server, and the events that each change sends to the bot."""

import time
from collections.abc import Callable
from itertools import count

from discord import ChannelType, MessageType

from .interactions import Interaction
from .messages import LOADING, Message
from .places import Channel, Guild, Json, Thread, User, member_payload, timestamp
from .refusals import Refusal, RefusedError
from .waiting import Changes, Clock

EPOCH = 1_420_070_400_000  # Discord's first second, in Unix milliseconds
Emit = Callable[[str, Json], None]


class World:
    """Guilds, channels, messages, commands and interactions of one fake Discord."""

    def __init__(self, clock: Clock, changes: Changes) -> None:
        self.clock = clock
        self.changes = changes
        self.emit: Emit = lambda event, data: None
        self._serial = count(1)
        self.application_id = self.snowflake()
        self.bot = User(self.application_id, "Rules Bot", bot=True)
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.commands: dict[int | None, list[Json]] = {}
        self.interactions: dict[int, Interaction] = {}

    def snowflake(self) -> int:
        """A fresh id, larger than all before, that carries the time of its making."""
        milliseconds = int(time.time() * 1000) - EPOCH
        return (milliseconds << 22) | next(self._serial)

    # --- building -------------------------------------------------------------------------------

    def add_user(self, name: str) -> User:
        """A person, in no guild yet."""
        user = User(self.snowflake(), name)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, locale: str) -> Guild:
        """A guild with the bot in it."""
        guild = Guild(self.snowflake(), name, locale)
        self.guilds[guild.id] = guild
        self.add_member(guild, self.bot)
        self.emit("GUILD_CREATE", guild.create_event([self.bot]))
        return guild

    def add_member(self, guild: Guild, user: User) -> None:
        """`user` joins."""
        guild.members[user.id] = user
        self.emit("GUILD_MEMBER_ADD", member_payload(user) | {"guild_id": str(guild.id)})

    def add_channel(self, guild: Guild, name: str) -> Channel:
        """A text channel."""
        channel = Channel(self.snowflake(), ChannelType.text, name, guild)
        self.channels[channel.id] = channel
        guild.channels.append(channel)
        self.emit("CHANNEL_CREATE", channel.payload())
        return channel

    def dm_with(self, user: User) -> Channel:
        """The one direct channel between the bot and `user`."""
        known = (one for one in self.channels.values() if one.recipient is user)
        channel = next(known, None) or Channel(self.snowflake(), ChannelType.private, "", None, user)
        self.channels[channel.id] = channel
        return channel

    # --- finding --------------------------------------------------------------------------------

    def channel(self, identity: int) -> Channel:
        """A channel; otherwise `RefusedError`."""
        if identity not in self.channels:
            raise RefusedError(Refusal.UNKNOWN_CHANNEL)
        return self.channels[identity]

    def message(self, channel: Channel, identity: int) -> Message:
        """A message of `channel` that is there for the bot; otherwise `RefusedError`."""
        message = self.messages.get(identity)
        if message is None or message.deleted or message.channel is not channel or message.ephemeral:
            raise RefusedError(Refusal.UNKNOWN_MESSAGE)
        return message

    def messages_in(self, channel: Channel) -> list[Message]:
        """What stands in `channel`, oldest first, ephemeral answers included."""
        return [one for one in self.messages.values() if one.channel is channel and not one.deleted]

    # --- messages -------------------------------------------------------------------------------

    def post(self, message: Message) -> Message:
        """Show a new message. The bot is told of it unless it is ephemeral."""
        self.messages[message.id] = message
        self._tell("MESSAGE_CREATE", message)
        return message

    def edit(self, message: Message, changes: Json) -> Message:
        """Apply the fields of an edit; a "thinking" message becomes a plain one."""
        for name in ("content", "embeds", "components", "attachments"):
            if name in changes:
                setattr(message, name, changes[name] or ("" if name == "content" else []))
        message.flags &= ~LOADING
        message.edited_at = timestamp()
        message.revisions.append(time.monotonic())
        self._tell("MESSAGE_UPDATE", message)
        return message

    def delete(self, message: Message) -> None:
        """Take a message away."""
        message.deleted = True
        if not message.ephemeral:
            guild = {"guild_id": str(message.channel.guild.id)} if message.channel.guild else {}
            gone = {"id": str(message.id), "channel_id": str(message.channel.id)}
            self.emit("MESSAGE_DELETE", gone | guild)
        self.changes.announce()

    def _tell(self, event: str, message: Message) -> None:
        if not message.ephemeral:
            self.emit(event, message.payload() | self._in_guild(message))
        self.changes.announce()

    def _in_guild(self, message: Message) -> Json:
        """What an event adds to a message: its guild, and its author as a member of it."""
        guild = message.channel.guild
        if guild is None:
            return {}
        return {"guild_id": str(guild.id), "member": member_payload(message.author, with_user=False)}

    # --- threads --------------------------------------------------------------------------------

    def open_thread(self, starter: Message, name: str, owner: User) -> Thread:
        """Open the thread of a message: its id is the message's."""
        parent = starter.channel
        if starter.thread is not None:
            raise RefusedError(Refusal.THREAD_EXISTS)
        thread = self.add_thread(starter.id, parent, name, owner)
        starter.thread = thread
        self._tell("MESSAGE_UPDATE", starter)
        first = Message(self.snowflake(), thread, owner, type=MessageType.thread_starter_message)
        first.reply_to = starter
        self.post(first)
        return thread

    def add_thread(self, identity: int, parent: Channel, name: str, owner: User) -> Thread:
        """A thread."""
        thread = Thread(identity, ChannelType.public_thread, name, parent.guild, parent=parent, owner=owner)
        thread.joined.add(owner.id)
        self.channels[identity] = thread
        if parent.guild is not None:
            parent.guild.channels.append(thread)
        joined = {"member": thread.member_payload(owner), "newly_created": True}
        self.emit("THREAD_CREATE", thread.payload() | joined)
        self.changes.announce()
        return thread

    def change_thread(self, thread: Thread, changes: Json) -> Thread:
        """Rename, archive, lock, or the reverse."""
        for name in ("name", "archived", "locked"):
            if name in changes:
                setattr(thread, name, changes[name])
        self.emit("THREAD_UPDATE", thread.payload())
        self.changes.announce()
        return thread

    def wake(self, channel: Channel) -> None:
        """A message opens an archived thread again, unless it is locked; then `RefusedError`."""
        if not isinstance(channel, Thread) or not channel.archived:
            return
        if channel.locked:
            raise RefusedError(Refusal.THREAD_ARCHIVED)
        self.change_thread(channel, {"archived": False})
