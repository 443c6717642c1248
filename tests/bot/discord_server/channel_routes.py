"""Discord's HTTP routes that concern the application, guilds and channels."""

from discord import MessageType

from .faults import Answer
from .gateway import application_flags
from .messages import EPHEMERAL, Message
from .places import Channel, Guild, Json, Thread, User, member_payload
from .refusals import Refusal, RefusedError
from .routing import CREATED, Call, Routes
from .world import World

route = Routes()


# --- the application ----------------------------------------------------------------------------


@route("GET", "/users/@me")
def _me(call: Call) -> Answer:
    return Answer(200, call.world.bot.payload())


@route("GET", "/users/@me/guilds")
def _own_guilds(call: Call) -> Answer:
    after = int(call.query.get("after", 0))
    guilds = sorted(guild for guild in call.world.guilds if guild > after)
    return Answer(200, [{"id": str(guild), "name": call.world.guilds[guild].name} for guild in guilds])


@route("GET", "/users/{id}")
def _user(call: Call) -> Answer:
    return Answer(200, _known_user(call).payload())


def _known_user(call: Call) -> User:
    user = call.world.users.get(call.ids[0])
    if user is None:
        raise RefusedError(Refusal.UNKNOWN_USER)
    return user


@route("GET", "/oauth2/applications/@me")
@route("GET", "/applications/@me")
def _application(call: Call) -> Answer:
    return Answer(
        200,
        {
            "id": str(call.world.application_id),
            "name": call.world.bot.name,
            "description": "",
            "icon": None,
            "bot_public": False,
            "bot_require_code_grant": False,
            "verify_key": "",
            "owner": call.world.bot.payload(),
            "team": None,
            "flags": application_flags(call.gateway.granted),
        },
    )


@route("GET", "/gateway")
@route("GET", "/gateway/bot")
def _gateway(call: Call) -> Answer:
    limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
    return Answer(200, {"url": call.gateway.address, "shards": 1, "session_start_limit": limit})


@route("GET", "/applications/{id}/commands")
@route("GET", "/applications/{id}/guilds/{id}/commands")
def _commands(call: Call) -> Answer:
    return Answer(200, call.world.commands.get(_command_scope(call), []))


@route("PUT", "/applications/{id}/commands")
@route("PUT", "/applications/{id}/guilds/{id}/commands")
def _overwrite_commands(call: Call) -> Answer:
    scope = _command_scope(call)
    offered = call.body if isinstance(call.body, list) else []
    commands = [_registered(call.world, scope, command) for command in offered]
    call.world.commands[scope] = commands
    call.world.changes.announce()
    return Answer(200, commands)


def _command_scope(call: Call) -> int | None:
    """The guild whose commands are meant, None for the global ones."""
    guild = call.ids[1] if len(call.ids) > 1 else None
    if guild is not None and guild not in call.world.guilds:
        raise RefusedError(Refusal.MISSING_ACCESS)
    return guild


def _registered(world: World, scope: int | None, command: Json) -> Json:
    defaults: Json = {"type": 1, "description": "", "nsfw": False}
    given: Json = {
        "id": str(world.snowflake()),
        "application_id": str(world.application_id),
        "version": str(world.snowflake()),
    }
    permissions = command.get("default_member_permissions")
    given["default_member_permissions"] = None if permissions is None else str(permissions)
    return defaults | command | given | ({"guild_id": str(scope)} if scope else {})


# --- guilds -------------------------------------------------------------------------------------


@route("GET", "/guilds/{id}/members/{id}")
def _member(call: Call) -> Answer:
    member = _known_guild(call).members.get(call.ids[1])
    if member is None:
        raise RefusedError(Refusal.UNKNOWN_MEMBER)
    return Answer(200, member_payload(member))


def _known_guild(call: Call) -> Guild:
    guild = call.world.guilds.get(call.ids[0])
    if guild is None:
        raise RefusedError(Refusal.UNKNOWN_GUILD)
    return guild


# --- channels and threads -----------------------------------------------------------------------


@route("POST", "/users/@me/channels")
def _direct_channel(call: Call) -> Answer:
    call.ids = [int(call.form["recipient_id"])]
    return Answer(200, call.world.dm_with(_known_user(call)).payload())


@route("POST", "/channels/{id}/messages/{id}/threads")
def _open_thread(call: Call) -> Answer:
    channel = call.world.channel(call.ids[0])
    message = call.world.message(channel, call.ids[1])
    thread = call.world.open_thread(message, call.form["name"], call.world.bot)
    return Answer(CREATED, thread.payload())


# --- messages -----------------------------------------------------------------------------------


@route("POST", "/channels/{id}/messages")
def _send(call: Call) -> Answer:
    world, channel = call.world, call.world.channel(call.ids[0])
    reply_to = _replied(call, channel)
    if sent := _sent_before(call, channel):
        return call.shown(sent)
    world.wake(channel)
    message = new_message(call, channel, call.form)
    message.nonce = call.form.get("nonce")
    message.flags &= ~EPHEMERAL  # a private message needs an interaction
    if reply_to is not None:
        message.reply_to, message.type = reply_to, MessageType.reply
    return call.shown(world.post(message))


def _sent_before(call: Call, channel: Channel) -> Message | None:
    """The message of the same nonce, where that is not to be sent twice."""
    nonce = call.form.get("nonce") if call.form.get("enforce_nonce") else None
    sent = (one for one in call.world.messages_in(channel) if nonce is not None and one.nonce == nonce)
    return next(sent, None)


def _replied(call: Call, channel: Channel) -> Message | None:
    reference = call.form.get("message_reference")
    if reference is None:
        return None
    replied = call.world.messages.get(int(reference["message_id"]))
    gone = replied is None or replied.deleted
    if gone and reference.get("fail_if_not_exists", True):
        raise RefusedError(Refusal.INVALID_FORM)
    return replied


def new_message(call: Call, channel: Channel, form: Json) -> Message:
    """A message of the bot as a request describes it, not yet shown."""
    content = form.get("content") or ""
    return Message(
        call.world.snowflake(),
        channel,
        call.world.bot,
        content,
        embeds=form.get("embeds") or [],
        components=form.get("components") or [],
        attachments=call.files,
        flags=form.get("flags") or 0,
    )


@route("PATCH", "/channels/{id}/messages/{id}")
def _edit(call: Call) -> Answer:
    channel = call.world.channel(call.ids[0])
    message = call.world.message(channel, call.ids[1])
    if message.author is not call.world.bot:
        raise RefusedError(Refusal.NOT_YOUR_MESSAGE)
    return call.shown(edit_message(call, message, call.form))


def edit_message(call: Call, message: Message, form: Json) -> Message:
    """Apply an edit, unless the message stands in an archived thread."""
    if isinstance(message.channel, Thread) and message.channel.archived:
        raise RefusedError(Refusal.THREAD_ARCHIVED)
    if "attachments" in form or call.files:
        kept = {str(one["id"]) for one in form.get("attachments") or []}
        form = form | {"attachments": [one for one in message.attachments if one["id"] in kept] + call.files}
    return call.world.edit(message, form)
