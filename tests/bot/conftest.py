"""A loopback Discord with one table, for every test of the bot."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import pytest
import pytest_asyncio
import yarl

from tests.bot.discord_server import Channel, DiscordServer, Person
from tests.bot.sample_bot import RunBot, SampleBot


@pytest_asyncio.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as discord_server:
        discord_server.guild("Table", locale="pt-BR")
        yield discord_server


@pytest.fixture
def table(server: DiscordServer) -> Channel:
    return server.channel("table")


@pytest.fixture
def ana(server: DiscordServer, table: Channel) -> Person:
    return server.member("Ana", locale="pt-BR")


@pytest.fixture
def running(server: DiscordServer, monkeypatch: pytest.MonkeyPatch) -> RunBot:
    """Runs a client of discord.py in this process against the server."""

    @asynccontextmanager
    async def run(bot: SampleBot | None = None) -> AsyncIterator[SampleBot]:
        monkeypatch.setattr(discord.http.Route, "BASE", server.api)
        gateway = yarl.URL(server.gateway.address)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
        bot = bot or SampleBot()
        task = asyncio.create_task(bot.start(server.token))
        try:
            await server.until(lambda: [guild.me for guild in bot.guilds] or task.done() or None, 10, "guild")
            yield bot
        finally:
            await bot.close()
            await task

    return run
