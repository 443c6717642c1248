"""Who may ask, who is a GM, and how much at once."""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

import discord

from bot.errors import MembershipUnknown, NotHere
from bot.messages.calls import FAILURES, UNKNOWN_MEMBER, persist, refusal
from bot.storage.json_file import JsonFile
from rag.config import Settings
from rag.library.books.servers import ServerGames

log = logging.getLogger(__name__)

MEMBERSHIP_KEPT_SECONDS = 600.0
MEMBERSHIP_WITHIN_SECONDS = 2.0
"""For a look-up that completes an option: Discord waits three seconds for the first answer."""
PATIENT_SECONDS = 30.0
"""For a look-up that nothing waits for but an answer, of somebody in very many servers perhaps."""
LOOKED_UP_AT_ONCE = 10
"""Of the fifty requests a second that Discord takes, answers need some too."""


@dataclass(eq=False)
class Access:
    """Which servers the bot serves, and who is a GM there.

    `entries` are those of `library.toml`, `met` the servers that were served so far. `is_public` tells
    whether anybody may invite the bot.
    """

    settings: Settings
    entries: Callable[[], ServerGames | None]
    met: JsonFile[frozenset[int] | None]
    is_public: Callable[[], bool]
    _memberships: dict[int, tuple[float, frozenset[int]]] = field(default_factory=dict)
    _lookups: dict[int, asyncio.Task[frozenset[int]]] = field(default_factory=dict)
    _room: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, LOOKED_UP_AT_ONCE))

    def serves(self, guild_id: int) -> bool:
        """Whether the bot answers in a server."""
        if self.settings.allowed_guilds:
            return guild_id in self.settings.allowed_guilds
        is_met = self.met.kept is None or guild_id in self.met.kept
        return is_met or not self.is_public() or str(guild_id) in (self.entries() or {})

    def require_served(self, guild_id: int | None) -> None:
        """Raise `NotHere` in a server in which the bot does not answer; of direct messages `check` tells."""
        if guild_id is not None and not self.serves(guild_id):
            raise NotHere

    def meet(self, guilds: Collection[int]) -> None:
        """Serve these servers from now on, unless anybody may have invited the bot there.

        Those that it is in first are its host's.
        """
        met = self.met.kept
        if guilds and (met is None or not self.is_public()):
            self.met.keep((met or frozenset()).union(guilds))

    async def check(
        self,
        user: discord.abc.User,
        guild_id: int | None,
        guilds: Sequence[discord.Guild],
        within: float = PATIENT_SECONDS,
    ) -> frozenset[int]:
        """The servers that a request speaks for: its own, or in a direct message all its person is in.

        `guilds` are those the bot is in. Raises `NotHere` where it serves none of them, and
        `MembershipUnknown` where Discord does not tell `within` so many seconds who is in them.
        """
        if guild_id is None:
            served = [guild for guild in guilds if self.serves(guild.id)]
            servers = await self._servers_of(user.id, served, within) & {guild.id for guild in served}
        else:
            servers = frozenset({guild_id} if self.serves(guild_id) else ())
        if not servers:
            raise NotHere
        return servers

    def is_gm(self, member: discord.abc.User, permissions: discord.Permissions) -> bool:
        """Whether somebody is a GM: by the role of the settings, else whoever may manage the server.

        In a direct message nobody is.
        """
        if self.settings.gm_role is None:
            return _manages(member, permissions)
        return isinstance(member, discord.Member) and self._holds_gm_role(member.roles)

    def missing_gm_role(self, guild: discord.Guild) -> str | None:
        """The role that the settings name for GMs, where a server has none of that name or id."""
        is_there = self.settings.gm_role is None or self._holds_gm_role(guild.roles)
        return None if is_there else self.settings.gm_role

    def _holds_gm_role(self, roles: Sequence[discord.Role]) -> bool:
        wanted = (self.settings.gm_role or "").strip().casefold()
        return any(wanted in (str(role.id), role.name.casefold()) for role in roles)

    def may_set_up(self, member: discord.abc.User, permissions: discord.Permissions) -> bool:
        """Whether somebody may say how the bot works in a server: a GM, and whoever manages the server.

        The role of the settings may be misspelt, and somebody has to find that out.
        """
        return self.is_gm(member, permissions) or _manages(member, permissions)

    async def _servers_of(
        self, user_id: int, guilds: Sequence[discord.Guild], within: float
    ) -> frozenset[int]:
        kept = self._memberships.get(user_id)
        if kept and time.monotonic() - kept[0] < MEMBERSHIP_KEPT_SECONDS:
            return kept[1]
        lookup = self._lookups.get(user_id)
        if lookup is None:
            lookup = self._lookups[user_id] = asyncio.create_task(self._look_up(user_id, guilds))
            lookup.add_done_callback(lambda _: self._lookups.pop(user_id))
        try:
            # What comes too late for this question is known when it is asked again.
            return await asyncio.wait_for(asyncio.shield(lookup), within)
        except FAILURES as error:
            log.info("Discord does not tell which servers somebody is in: %s", refusal(error))
            raise MembershipUnknown from error

    async def _look_up(self, user_id: int, guilds: Sequence[discord.Guild]) -> frozenset[int]:
        """In which of the servers somebody is; kept only where Discord told of all."""
        answers = await asyncio.gather(
            *(self._is_member(guild, user_id) for guild in guilds), return_exceptions=True
        )
        servers = frozenset(guild.id for guild, answer in zip(guilds, answers, strict=True) if answer is True)
        failures = [answer for answer in answers if isinstance(answer, BaseException)]
        if failures and not servers:
            raise failures[0]
        if not failures:
            self._memberships[user_id] = (time.monotonic(), servers)
        return servers

    async def _is_member(self, guild: discord.Guild, user_id: int) -> bool:
        if guild.get_member(user_id):
            return True
        try:
            async with self._room:
                await persist(lambda: guild.fetch_member(user_id))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MEMBER:
                raise
            return False
        return True


def _manages(member: discord.abc.User, permissions: discord.Permissions) -> bool:
    """Whether somebody may manage the server that they ask in."""
    return isinstance(member, discord.Member) and (permissions.manage_guild or permissions.administrator)
