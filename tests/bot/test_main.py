"""The process of the bot, as far as it can be tried without one."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.__main__ import AUTHENTICATION_FAILED, connected, make_services, try_models, warm_up
from bot.texts import texts_in
from rag.config import EMBEDDED, Settings
from rag.errors import BalanceSpent, ConfigurationError, IndexUnreachable, ModelError, RequestRefused
from rag.prompts import PROMPT_FILES
from tests.bot.table import ScriptedChatModel, Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


@pytest.mark.parametrize("first", [[], [discord.PrivilegedIntentsRequired(None)]])
async def test_a_token_that_is_reset_while_the_bot_runs_is_named(
    table: Table, monkeypatch: pytest.MonkeyPatch, first: list[Exception]
) -> None:
    reset = discord.ConnectionClosed(Mock(close_code=AUTHENTICATION_FAILED), shard_id=None)
    failures = iter([*first, reset])

    async def closed(*_: object) -> int:
        raise next(failures)

    monkeypatch.setattr("bot.__main__.serve", closed)
    stopped = asyncio.create_task(asyncio.Event().wait())
    with pytest.raises(ConfigurationError) as raised:
        await connected(table.services(), stopped, table.settings, texts_in("en"))
    stopped.cancel()
    assert raised.value.values["variable"] == "DISCORD_TOKEN"
    assert "reset while I was running" in raised.value.values["reason"]


def test_without_the_folder_of_the_books_it_starts_and_looks_for_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere = tmp_path / "nowhere"
    settings = Settings.model_construct(
        library_dir=nowhere,
        index_dir=tmp_path / "index",
        data_dir=tmp_path / "data",
        openai_base_url="http://127.0.0.1:9/v1",
        embedding_model="a-providers",
    )
    services = make_services(settings, texts_in("en"), PROMPT_FILES)
    services.close()
    assert services.ingestion.is_absent
    assert f"There is no folder {nowhere}" in caplog.text


def test_books_are_not_uploaded_into_an_index_that_several_processes_share(tmp_path: Path) -> None:
    several: dict[str, Any] = {
        "shard_ids": frozenset({0}),
        "shard_count": 2,
        "chroma_url": "http://chroma:8000",
    }
    settings = Settings.model_construct(data_dir=tmp_path, embedding_model="a", book_uploads=True, **several)
    with pytest.raises(ConfigurationError) as refused:
        make_services(settings, texts_in("en"), PROMPT_FILES)
    assert refused.value.values["variable"] == "BOOK_UPLOADS"


@pytest.mark.parametrize(
    ("failure", "level", "told"),
    [
        (None, "INFO", "The chat model answers"),
        (RequestRefused(), "WARNING", "The model server refuses the request"),
        (BalanceSpent(), "WARNING", "The account has no balance"),
    ],
)
async def test_whether_the_chat_model_answers_is_one_line(
    table: Table, caplog: pytest.LogCaptureFixture, failure: ModelError | None, level: str, told: str
) -> None:
    table.chat_model = ScriptedChatModel(failure)
    with caplog.at_level(logging.INFO):
        await try_models(table.services(), texts_in("en"))
    [line] = [record for record in caplog.records if told in record.getMessage()]
    assert line.levelname == level


@pytest.mark.parametrize("failure", [IndexUnreachable(url="http://host"), RuntimeError("odd weights")])
async def test_a_warm_up_that_fails_is_told(failure: Exception, caplog: pytest.LogCaptureFixture) -> None:
    def embed(_: str) -> object:
        raise failure

    services: Any = SimpleNamespace(settings=SimpleNamespace(embedding_name=EMBEDDED), embed=embed)
    await warm_up(services, texts_in("en"))
    (told,) = caplog.records
    assert told.levelname in ("WARNING", "ERROR")
