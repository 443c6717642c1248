"""Who may ask, who is a GM, and how much at once."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import discord

from bot.errors import NotHere, Restarting, TooBusy, TooSoon
from bot.messages.calls import UNKNOWN_MEMBER, persist
from rag.config import Settings

QUESTIONS_A_MINUTE = 12
MINUTE = 60.0
MOST_AT_WORK = 40
"""Questions running or waiting; the next one is told to come back."""

MEMBERSHIP_KEPT_SECONDS = 600.0
MEMBERSHIP_WITHIN_SECONDS = 2.0
"""Discord waits three seconds for the first answer to an interaction."""


class Access:
    """Which servers the bot serves, and who is a GM there."""

    def __init__(self, settings: Settings) -> None:
        self._allowed = settings.allowed_guilds
        self._gm_role = settings.gm_role
        self._memberships: dict[int, tuple[float, bool]] = {}
        self._lookups: set[asyncio.Task[bool]] = set()

    def serves(self, guild_id: int) -> bool:
        """Whether the bot answers in a server."""
        return not self._allowed or guild_id in self._allowed

    async def check(self, user: discord.abc.User, guild_id: int | None, guilds: list[discord.Guild]) -> None:
        """Raise `NotHere` where the bot answers nothing.

        `guilds` are those the bot is in: in a direct message, somebody must be in one it serves.
        Raises `discord.HTTPException` or `TimeoutError` where Discord does not tell who is in them.
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
        lookup = asyncio.create_task(self._look_up(user_id, guilds))
        self._lookups.add(lookup)
        lookup.add_done_callback(self._lookups.discard)
        # What comes too late for this question is known when it is asked again.
        return await asyncio.wait_for(asyncio.shield(lookup), MEMBERSHIP_WITHIN_SECONDS)

    async def _look_up(self, user_id: int, guilds: list[discord.Guild]) -> bool:
        """Whether somebody is in one of the servers; kept only where Discord told."""
        answers = await asyncio.gather(
            *(_is_member(guild, user_id) for guild in guilds), return_exceptions=True
        )
        is_member = True in answers
        for answer in answers:
            if isinstance(answer, BaseException) and not is_member:
                raise answer
        self._memberships[user_id] = (time.monotonic(), is_member)
        return is_member


async def _is_member(guild: discord.Guild, user_id: int) -> bool:
    if guild.get_member(user_id):
        return True
    try:
        await persist(lambda: guild.fetch_member(user_id))
    except discord.NotFound as error:
        if error.code != UNKNOWN_MEMBER:
            raise
        return False
    return True


class Counter:
    """The questions at work, and how many each user asked within a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asked: dict[int, deque[float]] = {}
        self._at_work: list[asyncio.Task[Any]] = []
        self.is_closed = False

    @contextmanager
    def admit(self, user_id: int, *, is_gm: bool) -> Iterator[None]:
        """Hold the current task for a question at work, from before it is acknowledged to its end.

        Raises `Restarting`, `TooBusy` or, for players, `TooSoon`; `Restarting` also where the task is
        cancelled because it outlasts the bot.
        """
        self._count(user_id, is_gm=is_gm)
        task = asyncio.current_task()
        assert task is not None
        self._at_work.append(task)
        try:
            yield
        except asyncio.CancelledError:
            raise Restarting from None
        finally:
            self._at_work.remove(task)

    async def finish(self, within: float, excuse_within: float) -> None:
        """Admit nobody; let the questions at work finish within a time, then have them excused."""
        self.is_closed = True
        if self._at_work:
            await asyncio.wait(self._at_work, timeout=within)
        late = list(self._at_work)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=excuse_within)

    def _count(self, user_id: int, *, is_gm: bool) -> None:
        if self.is_closed:
            raise Restarting
        if len(self._at_work) >= MOST_AT_WORK:
            raise TooBusy
        now = self._clock()
        asked = self._recent(user_id, now)
        if len(asked) >= QUESTIONS_A_MINUTE and not is_gm:
            raise TooSoon(seconds=max(1, round(asked[0] + MINUTE - now)))
        asked.append(now)

    def _recent(self, user_id: int, now: float) -> deque[float]:
        for user, times in list(self._asked.items()):
            while times and now - times[0] >= MINUTE:
                times.popleft()
            if not times:
                del self._asked[user]
        return self._asked.setdefault(user_id, deque())
