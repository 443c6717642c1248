"""The bot as its users have it: `python -m bot`, a Discord and a model server on loopback."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from tests.bot.discord_server import Channel, DiscordServer, Person
from tests.model_server import ModelServer, Scripted
from tests.scripted import drafted

PATIENCE = 90.0
"""Seconds that nothing limits but a busy machine."""

PRICE = "How much does Tidesense 3 cost?"
QUOTE = "So Tidesense 3 costs 21 stamps"
VERDICT = "Tidesense 3 costs 21 stamps."

SCRIPT: dict[str, Scripted] = {
    "Rewrite": {"standalone": False, "question": PRICE},
    "SubQuestions": {"sub_questions": ["Tidesense cost in stamps", "levels of Tidesense", "cost of a level"]},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": lambda prompt: drafted(prompt, (VERDICT, QUOTE)),
    "SupportVerdicts": {"supports": [{"id": "s1", "verdict": "yes"}]},
}

Environment = Callable[..., dict[str, str]]


@pytest.fixture(scope="package")
def environment(sample_index: Path) -> Environment:
    """Variables of a bot over the sample game, its data in `data`."""

    def build(model: ModelServer | None, data: Path, **variables: str) -> dict[str, str]:
        (data / "no-books").mkdir(exist_ok=True)
        index = {"INDEX_DIR": str(sample_index), "LIBRARY_DIR": str(data / "no-books"), "DATA_DIR": str(data)}
        provider = {"OPENAI_BASE_URL": model.url, "CHAT_MODEL": "scripted"} if model else {}
        return index | provider | {"EMBEDDING_MODEL": "embedded"} | variables

    return build


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model() -> AsyncIterator[ModelServer]:
    async with ModelServer(SCRIPT) as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord(
    environment: Environment, model: ModelServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[DiscordServer]:
    """A Discord with the bot in it, for all tests of a module."""
    async with DiscordServer() as server:
        server.guild("Table")
        folder = tmp_path_factory.mktemp("data")
        await server.start_bot(environment(model, folder), folder, ready_within=PATIENCE)
        yield server


@pytest.fixture
def table(discord: DiscordServer) -> Channel:
    """A channel of its own for each test."""
    return discord.channel("table")


@pytest.fixture
def ana(discord: DiscordServer) -> Person:
    return discord.member("Ana")
