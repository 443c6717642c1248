"""Who may ask, who is a GM, and how much at once."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import discord

from bot.calls import silently
from bot.errors import NotHere, Restarting, TooBusy, TooSoon
from rag.config import Settings

QUESTIONS_A_MINUTE = 12
MINUTE = 60.0
MOST_AT_WORK = 40
"""Questions running or waiting; the next one is told to come back."""

MEMBERSHIP_KEPT_SECONDS = 600.0


class Access:
    """Which servers the bot serves, and who is a GM there."""

    def __init__(self, settings: Settings) -> None:
        self._allowed = settings.allowed_guilds
        self._gm_role = settings.gm_role
        self._memberships: dict[int, tuple[float, bool]] = {}

    def serves(self, guild_id: int) -> bool:
        """Whether the bot answers in a server."""
        return not self._allowed or guild_id in self._allowed

    async def check(self, user: discord.abc.User, guild_id: int | None, guilds: list[discord.Guild]) -> None:
        """Raise `NotHere` where the bot answers nothing.

        `guilds` are those the bot is in: in a direct message, somebody must be in one it serves.
        """
        if guild_id is None:
            served = [guild for guild in guilds if self.serves(guild.id)]
            if await self._is_in_one(user.id, served):
                return
        elif self.serves(guild_id):
            return
        raise NotHere

    def is_gm(self, member: discord.abc.User, permissions: discord.Permissions) -> bool:
        """Whether somebody is a GM: by the role of the settings, else whoever may manage the server.

        In a direct message nobody is.
        """
        if not isinstance(member, discord.Member):
            return False
        if self._gm_role is None:
            return permissions.manage_guild or permissions.administrator
        wanted = self._gm_role.strip().casefold()
        return any(wanted in (str(role.id), role.name.casefold()) for role in member.roles)

    async def _is_in_one(self, user_id: int, guilds: list[discord.Guild]) -> bool:
        kept = self._memberships.get(user_id)
        if kept and time.monotonic() - kept[0] < MEMBERSHIP_KEPT_SECONDS:
            return kept[1]
        is_member = False
        for guild in guilds:
            is_member = is_member or await _is_member(guild, user_id)
        self._memberships[user_id] = (time.monotonic(), is_member)
        return is_member


async def _is_member(guild: discord.Guild, user_id: int) -> bool:
    if guild.get_member(user_id):
        return True
    return await silently(lambda: guild.fetch_member(user_id), "find a member") is not None


class Counter:
    """How many questions are at work, and how many each user asked within a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asked: dict[int, deque[float]] = {}
        self.at_work = 0
        self.is_closed = False

    def admit(self, user_id: int, *, is_gm: bool) -> None:
        """Count a question, or raise `Restarting`, `TooBusy` or, for players, `TooSoon`."""
        if self.is_closed:
            raise Restarting
        if self.at_work >= MOST_AT_WORK:
            raise TooBusy
        now = self._clock()
        asked = self._recent(user_id, now)
        if len(asked) >= QUESTIONS_A_MINUTE and not is_gm:
            raise TooSoon(seconds=max(1, round(asked[0] + MINUTE - now)))
        asked.append(now)

    @contextmanager
    def working(self) -> Iterator[None]:
        """One question more at work, until the block is left."""
        self.at_work += 1
        try:
            yield
        finally:
            self.at_work -= 1

    def _recent(self, user_id: int, now: float) -> deque[float]:
        for user, times in list(self._asked.items()):
            while times and now - times[0] >= MINUTE:
                times.popleft()
            if not times:
                del self._asked[user]
        return self._asked.setdefault(user_id, deque())
