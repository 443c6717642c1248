"""The gateway: sessions over a websocket, with intents, heartbeats and resuming.

https://discord.com/developers/docs/events/gateway
"""

import asyncio
import json
from enum import IntEnum, IntFlag
from typing import Any

from aiohttp import WSMsgType, web

from .places import Json
from .world import World

HEARTBEAT = 41_250  # milliseconds


class Op(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    """Close codes of the gateway."""

    AUTHENTICATION_FAILED = 4004
    DISALLOWED_INTENTS = 4014


class Intent(IntFlag):
    """The intents that decide about the events of this server."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT


class Session:
    """What one IDENTIFY began: it outlives its sockets, and keeps all it sent for a RESUME."""

    def __init__(self, identity: str, intents: Intent, shard: tuple[int, int] = (0, 1)) -> None:
        self.id = identity
        self.intents = intents
        self.shard = shard
        self.resumed = 0
        self.socket: web.WebSocketResponse | None = None
        self.transport: asyncio.Transport | None = None
        self._log: list[Json] = []
        self._fresh = asyncio.Event()

    def add(self, event: str, data: Json) -> None:
        """Send an event, now or when the bot is back."""
        self._log.append({"op": Op.DISPATCH, "t": event, "s": len(self._log) + 1, "d": data})
        self._fresh.set()

    def has(self, guild: int | None) -> bool:
        """Whether its shard has a server; direct messages are the first shard's."""
        number, count = self.shard
        return ((guild or 0) >> 22) % count == number

    async def stream(self, socket: web.WebSocketResponse, after: int) -> None:
        """Send everything after sequence number `after`, and go on as events come."""
        while not socket.closed:
            self._fresh.clear()
            while after < len(self._log):
                await socket.send_json(self._log[after])
                after += 1
            await self._fresh.wait()


class Gateway:
    """Accepts the bot's websockets, and passes it the events that its intents allow."""

    def __init__(self, world: World, token: str) -> None:
        self.address = ""
        self.sessions: dict[str, Session] = {}
        self.identifies: list[Json] = []
        self.granted = Intent(0)
        self._world = world
        self._token = token
        world.emit = self.dispatch

    @property
    def session(self) -> Session | None:
        """The newest session that is connected."""
        return next((one for one in reversed(self.sessions.values()) if one.socket is not None), None)

    # --- what a test does to the connection -----------------------------------------------------

    def drop(self) -> None:
        """Cut every connection without a word; the sessions can be resumed."""
        for session in self.sessions.values():
            if session.socket is not None and session.transport is not None:
                session.transport.abort()

    async def invalidate(self) -> None:
        """End every session for good: INVALID_SESSION, and no RESUME any more."""
        sockets = self._sockets()
        self.sessions.clear()
        for socket in sockets:
            await socket.send_json({"op": Op.INVALID_SESSION, "d": False})

    def _sockets(self) -> list[web.WebSocketResponse]:
        return [session.socket for session in self.sessions.values() if session.socket is not None]

    # --- events ---------------------------------------------------------------------------------

    def dispatch(self, event: str, data: Json) -> None:
        """Send an event to each session that asked for its kind."""
        for session in self.sessions.values():
            if _wanted(event, data) & ~session.intents or not session.has(_guild_of(event, data)):
                continue
            session.add(event, data)

    # --- one connection -------------------------------------------------------------------------

    async def accept(self, request: web.Request) -> web.StreamResponse:
        """Serve one websocket from HELLO to its end.

        Frames are plain text whatever compression was asked for: discord.py unpacks binary ones only.
        """
        socket = web.WebSocketResponse(autoping=True)
        await socket.prepare(request)
        await socket.send_json({"op": Op.HELLO, "d": {"heartbeat_interval": HEARTBEAT}})
        writers: list[asyncio.Task[None]] = []
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    session, after = await self._receive(socket, json.loads(frame.data))
                    if session is not None:
                        session.socket, session.transport = socket, request.transport
                        writers.append(asyncio.create_task(session.stream(socket, after)))
                        self._world.changes.announce()
        finally:
            for writer in writers:
                writer.cancel()
            self._forget(socket)
        return socket

    def _forget(self, socket: web.WebSocketResponse) -> None:
        for session in self.sessions.values():
            if session.socket is socket:
                session.socket = None
        self._world.changes.announce()

    async def _receive(self, socket: web.WebSocketResponse, frame: Json) -> tuple[Session | None, int]:
        """Obey a frame; the session that it began on this socket, and after which event to send."""
        data: Any = frame["d"]
        match frame["op"]:
            case Op.HEARTBEAT:
                # discord.py notes when it sent a heartbeat once it has, in a thread of its own. What answers
                # before that seems to answer the heartbeat before: "websocket is 41.2s behind".
                await asyncio.sleep(0.1)
                await socket.send_json({"op": Op.HEARTBEAT_ACK})
            case Op.IDENTIFY:
                return await self._identify(socket, data), 0
            case Op.RESUME:
                return await self._resume(socket, data), data["seq"]
        return None, 0

    async def _identify(self, socket: web.WebSocketResponse, data: Json) -> Session | None:
        self.identifies.append(data)
        intents = Intent(data["intents"])
        if data["token"] != self._token:
            await socket.close(code=Close.AUTHENTICATION_FAILED, message=b"Authentication failed.")
            return None
        if intents & PRIVILEGED & ~self.granted:
            await socket.close(code=Close.DISALLOWED_INTENTS, message=b"Disallowed intent(s).")
            return None
        number, count = data.get("shard") or (0, 1)
        session = Session(f"session-{len(self.identifies)}", intents, (number, count))
        self.sessions[session.id] = session
        session.add("READY", self._ready(session))
        if intents & Intent.GUILDS:
            for guild in self._world.guilds.values():
                if session.has(guild.id):
                    session.add("GUILD_CREATE", guild.create_event([self._world.bot]))
        return session

    def _ready(self, session: Session) -> Json:
        return {
            "v": 10,
            "user": self._world.bot.payload(),
            "session_id": session.id,
            "resume_gateway_url": self.address,
            "shard": session.shard,
            "guilds": [
                {"id": str(guild), "unavailable": True} for guild in self._world.guilds if session.has(guild)
            ],
            "application": {"id": str(self._world.application_id), "flags": application_flags(self.granted)},
        }

    async def _resume(self, socket: web.WebSocketResponse, data: Json) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None or data["token"] != self._token:
            await socket.send_json({"op": Op.INVALID_SESSION, "d": False})
            return None
        session.resumed += 1
        session.add("RESUMED", {})
        return session


def application_flags(granted: Intent) -> int:
    """The application's flags: which privileged intents an unverified bot was granted in the portal."""
    limited = {
        Intent.GUILD_PRESENCES: 1 << 13,
        Intent.GUILD_MEMBERS: 1 << 15,
        Intent.MESSAGE_CONTENT: 1 << 19,
    }
    return sum(flag for intent, flag in limited.items() if intent & granted)


def _guild_of(event: str, data: Json) -> int | None:
    """The server that an event is of; None for those of direct messages."""
    guild = data.get("id" if event in ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE") else "guild_id")
    return int(guild) if guild else None


def _wanted(event: str, data: Json) -> Intent:
    """The intent without which an event is not sent."""
    if event.startswith("MESSAGE_"):
        return Intent.GUILD_MESSAGES if "guild_id" in data else Intent.DIRECT_MESSAGES
    if event.startswith("GUILD_MEMBER_"):
        return Intent.GUILD_MEMBERS
    return Intent.GUILDS if event.startswith(("GUILD_", "CHANNEL_", "THREAD_")) else Intent(0)
