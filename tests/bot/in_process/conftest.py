"""The real client in a simulated Discord; every request it makes is checked against the specification."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import discord
import pytest
import pytest_asyncio
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from rag.errors import RulesError
from tests.bot.specification import check_request
from tests.bot.table import Table


@pytest.fixture
def reads_everything() -> bool:
    """Whether the bot has the intent to read plain messages; tests that want it say so."""
    return False


@pytest.fixture
def table(tmp_path: Path, reads_everything: bool) -> Iterator[Table]:
    table = Table(tmp_path, reads_everything=reads_everything)
    yield table
    table.answers.close()
    table.feedback.close()
    table.budgets.close()


@pytest_asyncio.fixture
async def env(table: Table) -> AsyncIterator[Env]:
    """Discord with the bot in it; ends with every request it made checked."""
    env = Env(table.bot(), shard_count=1)
    await env.start()
    try:
        yield env
    finally:
        await env.shutdown()
    assert [error for error in env.errors if not isinstance(_cause(error), RulesError)] == []
    for request in env.http_requests:
        check_request(request.method, request.path, request.json)


def _cause(error: BaseException) -> BaseException | None:
    """What discord.py wrapped."""
    return getattr(error, "original", None) or error.__cause__ or error


@pytest.fixture
def guild(env: Env) -> GuildHandle:
    return env.create_guild("Table")


@pytest.fixture
def channel(guild: GuildHandle) -> ChannelHandle:
    return guild.create_text_channel("table")


@pytest.fixture
def ana(env: Env, guild: GuildHandle) -> MemberActor:
    return guild.add_member(env.create_user("Ana"))


@pytest.fixture
def bia(env: Env, guild: GuildHandle) -> MemberActor:
    return guild.add_member(env.create_user("Bia"))


@pytest.fixture
def gm(env: Env, guild: GuildHandle) -> MemberActor:
    role = guild.create_role("Keepers", permissions=discord.Permissions(manage_guild=True))
    return guild.add_member(env.create_user("Gil"), roles=[role])


@pytest.fixture
def read_only(guild: GuildHandle, gm: MemberActor) -> ChannelHandle:
    """A channel in which only those who manage the server may write."""
    silent = discord.PermissionOverwrite(send_messages=False, send_messages_in_threads=False)
    assert guild.me
    writes = discord.PermissionOverwrite(send_messages=True, send_messages_in_threads=True)
    return guild.create_text_channel(
        "read-only", overwrites={guild.default_role: silent, guild.roles["Keepers"]: writes, guild.me: writes}
    )
