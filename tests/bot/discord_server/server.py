"""The server as a test holds it."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web
from discord import Permissions

from .faults import Fault, refusal, too_many
from .gateway import Gateway, Intent, Session
from .messages import Message
from .people import Person
from .places import Channel, Guild, Json
from .process import BotProcess
from .refusals import Refusal
from .rest import PREFIX, Request, Rest
from .waiting import Changes, Clock, Found
from .world import World

HOST = "127.0.0.1"
GATEWAY = "/gateway/"
TOKEN = "fake.discord.token"
UPLOADS = 32 * 2**20  # bytes
BOT = Permissions(view_channel=True, send_messages=True, embed_links=True, attach_files=True)
NO_INTENT = Intent(0)


class DiscordServer:
    """A Discord of one's own on loopback.

    `async with DiscordServer() as discord:` serves until the block ends, ends the bots it started,
    and then raises `AssertionError` if any request broke Discord's specification.
    `granted` are the privileged intents that the portal grants.
    """

    def __init__(self, granted: Intent = NO_INTENT) -> None:
        self.token = TOKEN
        self.api = ""
        self.clock = Clock()
        self.changes = Changes()
        self.world = World(self.clock, self.changes)
        self.gateway = Gateway(self.world, self.token)
        self.gateway.granted = granted
        self.rest = Rest(self.world, self.gateway, self.token)
        self.bots: list[BotProcess] = []
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=UPLOADS)
        application.router.add_get(GATEWAY, self.gateway.accept)
        application.router.add_route("*", PREFIX + "/{path:.*}", self.rest.answer)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, 0).start()
        host, port = self._runner.addresses[0][:2]
        self.api = f"http://{host}:{port}{PREFIX}"
        self.gateway.address = f"ws://{host}:{port}{GATEWAY}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(bot.kill() for bot in self.bots))
        assert self._runner is not None
        await self._runner.cleanup()
        if error is None:
            self.assert_no_violations()
        elif self.bots:
            error.add_note("\n".join(["Log of the bot:", *(bot.log for bot in self.bots)]))

    def assert_no_violations(self) -> None:
        """Raise AssertionError listing every request that broke the specification."""
        assert not self.rest.violations, "\n".join(self.rest.violations)

    # --- building -------------------------------------------------------------------------------

    @property
    def first_guild(self) -> Guild:
        """The guild that is meant where none is named; made if there is none."""
        return next(iter(self.world.guilds.values()), None) or self.guild("Table")

    def guild(self, name: str, locale: str = "en-US") -> Guild:
        """A server that the bot is in."""
        return self.world.add_guild(name, locale)

    def member(self, name: str, locale: str = "en-US", guild: Guild | None = None) -> Person:
        """Someone in a guild."""
        guild = guild or self.first_guild
        user = self.world.add_user(name)
        self.world.add_member(guild, user)
        return Person(user, locale, self.world, guild)

    def manager(self, name: str, locale: str = "en-US", guild: Guild | None = None) -> Person:
        """Someone who may manage a guild."""
        person = self.member(name, locale, guild)
        (guild or self.first_guild).managers.add(person.user.id)
        return person

    def channel(self, name: str, guild: Guild | None = None) -> Channel:
        """A text channel."""
        return self.world.add_channel(guild or self.first_guild, name)

    # --- the bot --------------------------------------------------------------------------------

    async def start_bot(
        self, env: Mapping[str, str], cwd: Path, module: str = "bot", ready_within: float | None = 20.0
    ) -> BotProcess:
        """Start `python -m bot` as a process in the folder `cwd`, and wait until it is connected.

        Its environment is `env` and a DISCORD_TOKEN. With `ready_within` None nothing is waited for.
        """
        env = {"DISCORD_TOKEN": self.token} | dict(env)
        addresses = (self.api, self.gateway.address, module)
        earlier = self.gateway.session
        bot = await BotProcess.start(addresses, env, cwd, self.changes)
        self.bots.append(bot)
        if ready_within is not None:
            await self.connected(ready_within, bot, earlier)
        return bot

    async def connected(
        self, within: float = 10.0, bot: BotProcess | None = None, earlier: Session | None = None
    ) -> Session:
        """The session of a bot that is connected, another than the `earlier` one.

        AssertionError with its log if `bot` ended instead.
        """

        def look() -> Session | None:
            if bot is not None:
                assert bot.exit_status is None, f"the bot ended with {bot.exit_status}\n{bot.log}"
            session = self.gateway.session
            return session if session is not earlier else None

        return await self.changes.until(look, within, "connection of the bot")

    async def commands(self, guild: Guild | None = None, within: float = 10.0) -> list[Json]:
        """What the bot registered, globally or for a guild."""
        scope = guild.id if guild else None
        return await self.changes.until(lambda: self.world.commands.get(scope), within, "command sync")

    # --- faults ---------------------------------------------------------------------------------

    def fail(self, method: str, path: str, why: Refusal, times: int = 1, *, applied: bool = False) -> Fault:
        """Refuse the next `times` requests that fit; `applied` ones take effect nevertheless."""
        return self._order(Fault(method, path, refusal(why), times, applied=applied))

    def rate_limit(self, method: str, path: str, retry_after: float, times: int = 1) -> Fault:
        """Answer the next `times` requests that fit with 429."""
        return self._order(Fault(method, path, too_many(retry_after), times))

    def _order(self, fault: Fault) -> Fault:
        self.rest.faults.append(fault)
        return fault

    # --- what happened --------------------------------------------------------------------------

    async def until(self, look: Callable[[], Found | None], within: float, what: str) -> Found:
        """What `look` finds, as soon as it is not None; AssertionError naming `what` if too late."""
        return await self.changes.until(look, within, what)

    def requests(self, method: str, path: str) -> list[Request]:
        """The requests so far that fit, in order of arrival; `*` in `path` stands for anything."""
        return [request for request in self.rest.requests if request.fits(method, path)]

    async def message_in(
        self, channel: Channel, where: Callable[[Message], bool] = lambda message: True, within: float = 15.0
    ) -> Message:
        """The newest message of the bot in `channel` for which `where` holds, as soon as there is one.

        Messages still "thinking" and Discord's own notices are passed over.
        """
        return await self.changes.until(
            lambda: next((one for one in reversed(self.said_in(channel)) if where(one)), None),
            within,
            f"message in {channel.name or 'the DM'}",
        )

    def said_in(self, channel: Channel) -> list[Message]:
        """What the bot has said in `channel`, oldest first."""
        own = [one for one in self.world.messages_in(channel) if one.author is self.world.bot]
        return [one for one in own if not one.loading and not one.type.name.startswith("thread_")]
