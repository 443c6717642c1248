"""Commands that Discord does not take: one line in the log, and the bot goes on."""

import asyncio
import logging
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import aiohttp
import discord
import pytest
from discord import app_commands

from bot.__main__ import connected
from bot.client import RulesBot
from bot.errors import DiscordUnreachable
from bot.messages import calls
from bot.operations.command_sync import COMMANDS, sync_or_explain
from bot.texts import texts_in
from rag.config import Settings
from tests.bot.refused import refused
from tests.bot.table import Table

SERVER = discord.Object(7)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_PAUSE_SECONDS", 0.0)
    monkeypatch.setenv("LC_ALL", "en")


@pytest.fixture
async def sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Callable[..., object]:
    """Syncs the commands with a Discord that fails in a given way; the lines of the log."""
    bot = Table(tmp_path).bot()

    async def run(failure: Exception, guild: discord.Object | None = None) -> list[str]:
        async def fail(**_: object) -> None:
            raise failure

        monkeypatch.setattr(bot.tree, "sync", fail)
        with caplog.at_level(logging.WARNING):
            await sync_or_explain(bot.tree, 1, guild, tmp_path)
        return [record.getMessage() for record in caplog.records]

    return run


Sync = Callable[..., "asyncio.Future[list[str]]"]


@pytest.mark.parametrize(
    ("failure", "guild", "told"),
    [
        (refused(403, 50001), SERVER, "DISCORD_GUILD_ID.*Copy Server ID"),
        (refused(403, 50001), None, "(?i)invite me again"),
        *((failure, None, "were not registered") for failure in (refused(400), refused(500), TimeoutError())),
    ],
)
async def test_what_to_do_where_discord_refuses_is_one_line(
    sync: Sync, failure: Exception, guild: discord.Object | None, told: str
) -> None:
    (line,) = await sync(failure, guild)
    assert re.search(told, line)


async def test_commands_that_were_not_taken_are_sent_again_at_the_next_start(
    sync: Sync, tmp_path: Path
) -> None:
    await sync(refused(403, 50001))
    assert not (tmp_path / COMMANDS).exists()


@pytest.mark.parametrize("failure", [aiohttp.ClientConnectionError(), TimeoutError(), refused(500)])
async def test_a_login_that_reaches_nobody_is_one_line_for_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    async def fail(*_: object) -> None:
        raise failure

    table = Table(tmp_path)
    bot = table.bot()
    monkeypatch.setattr("bot.client.RulesBot", lambda *_, **__: bot)
    monkeypatch.setattr(bot, "login", fail)
    table.configure(discord_token="token")
    settings = bot.settings.model_copy(update={"discord_token": SimpleNamespace(get_secret_value=str)})
    never = asyncio.create_task(asyncio.Event().wait())
    with pytest.raises(DiscordUnreachable):
        await connected(table.services(), never, settings, texts_in("en"))
    never.cancel()


async def test_commands_are_sent_once_and_again_where_a_server_has_lost_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path, settings=Settings(discord_guild_id=SERVER.id))
    registered: list[app_commands.Command[Any, ..., Any] | app_commands.ContextMenu] = []
    sent: list[int] = []

    def started() -> RulesBot:
        bot = table.bot()
        monkeypatch.setattr(type(bot), "application_id", 1)
        monkeypatch.setattr(bot, "tell_servers", lambda: None)
        bot.tree.add_command(_command)

        async def sync(guild: discord.Object) -> None:
            registered[:] = [_command]
            sent.append(guild.id)

        async def fetch_commands(guild: discord.Object) -> list[Any]:
            return registered

        monkeypatch.setattr(bot.tree, "sync", sync)
        monkeypatch.setattr(bot.tree, "fetch_commands", fetch_commands)
        return bot

    bot = started()
    for _ in range(2):
        await bot._sync()
    assert len(sent) == 1
    registered.clear()
    me = Mock(joined_at=discord.utils.snowflake_time(0))
    await bot.on_guild_join(Mock(id=SERVER.id, system_channel=None, text_channels=[], me=me))
    assert len(sent) == 2
    registered.clear()
    await started()._sync()
    assert len(sent) == 3


@app_commands.command(name="rules")
async def _command(interaction: discord.Interaction) -> None:
    """Ask."""
