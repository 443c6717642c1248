"""The process of the bot, as far as it can be tried without one."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.__main__ import AUTHENTICATION_FAILED, connected, warm_up
from bot.texts import texts_in
from rag.config import EMBEDDED
from rag.errors import ConfigurationError, IndexUnreachable
from tests.bot.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.answers.close()
    table.budgets.close()


async def test_a_token_that_is_reset_while_the_bot_runs_is_named(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def closed(*_: object) -> int:
        raise discord.ConnectionClosed(Mock(close_code=AUTHENTICATION_FAILED), shard_id=None)

    monkeypatch.setattr("bot.__main__.serve", closed)
    stopped = asyncio.create_task(asyncio.Event().wait())
    with pytest.raises(ConfigurationError) as raised:
        await connected(table.services(), stopped, table.settings, texts_in("en"))
    stopped.cancel()
    assert raised.value.values["variable"] == "DISCORD_TOKEN"
    assert "reset while I was running" in raised.value.values["reason"]


@pytest.mark.parametrize("failure", [IndexUnreachable(url="http://host"), RuntimeError("odd weights")])
async def test_a_warm_up_that_fails_is_told(failure: Exception, caplog: pytest.LogCaptureFixture) -> None:
    def embed(_: str) -> object:
        raise failure

    services: Any = SimpleNamespace(settings=SimpleNamespace(embedding_name=EMBEDDED), embed=embed)
    await warm_up(services, texts_in("en"))
    (told,) = caplog.records
    assert told.levelname in ("WARNING", "ERROR")
