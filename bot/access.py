"""Who may ask, who is a GM, and how much at once."""

import asyncio
import time

import discord

from bot.errors import NotHere
from bot.messages.calls import UNKNOWN_MEMBER, persist
from rag.config import Settings

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
