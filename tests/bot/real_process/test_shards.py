"""A bot in two processes, half the shards each, with the books on one Chroma server."""

import asyncio
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rag.config import Settings
from rag.library.ingest.ingest import ingest
from rag.models.embeddings import embedding_model
from tests.bot.discord_server import DiscordServer, Person
from tests.bot.real_process.conftest import PATIENCE, PRICE, Environment
from tests.bot.real_process.test_table import RULE, RULING, answered, menu_of, pressed
from tests.conftest import SAMPLE_BOOKS
from tests.model_server import ModelServer
from tests.rag.library.chroma_server import running_server

pytestmark = pytest.mark.asyncio(loop_scope="module")

SHARDS = 2


@pytest.fixture
def books_on_a_server(sample_index: Path, tmp_path: Path) -> Iterator[str]:
    with running_server(tmp_path / "chroma") as url:
        shutil.copytree(sample_index / "books", tmp_path / "index" / "books")
        settings = Settings.model_construct(
            library_dir=SAMPLE_BOOKS, index_dir=tmp_path / "index", chroma_url=url, embedding_model="embedded"
        )
        assert not ingest(settings, embedding_model(settings)).problems
        yield url


async def test_each_process_keeps_what_is_of_its_servers_and_one_registers_the_commands(
    environment: Environment, model: ModelServer, books_on_a_server: str, tmp_path: Path
) -> None:
    async with DiscordServer() as discord:
        gms = [gm_of_shard(discord, shard) for shard in range(SHARDS)]
        for shard in range(SHARDS):
            folder = tmp_path / f"process-{shard}"
            folder.mkdir()
            variables = environment(
                model,
                folder,
                CHROMA_URL=books_on_a_server,
                INDEX_DIR=str(folder / "index"),
                SHARD_IDS=str(shard),
                SHARD_COUNT=str(SHARDS),
            )
            await discord.start_bot(variables, folder, ready_within=PATIENCE)
        _, rated = await asyncio.gather(*map(answered, gms))
        assert len(discord.requests("PUT", "*/commands")) == 1
        await gms[1].clicks(await menu_of(gms[1], rated, "Right"), "Right")
        window = await pressed(gms[1], rated, "Write a ruling")
        await (await gms[1].submits(window, RULE, PRICE, RULING)).answer(PATIENCE)
        assert [RULING in text for text in await told(gms, "gm ruling list")] == [False, True]
        assert ["right: 1" in text for text in await told(gms, "gm feedback")] == [False, True]
        assert RULING in (await answered(gms[1])).text
        assert "several processes" in (await told(gms[1:], "privacy forget"))[0]
        assert ["1 question of yours" in text for text in await told(gms, "privacy show")] == [True, False]
        assert ["right: 1" in text for text in await told(gms, "gm feedback")] == [False, False]


def gm_of_shard(discord: DiscordServer, shard: int) -> Person:
    """The GM of a server that a shard has; the shard follows from the time at which it was made."""
    guild = discord.guild("Table")
    while (guild.id >> 22) % SHARDS != shard:
        time.sleep(0.0005)
        guild = discord.guild("Table")
    discord.channel("table", guild=guild)
    return discord.manager(f"Gil {shard}", guild=guild)


async def told(people: Sequence[Person], command: str) -> list[str]:
    """What a command tells each of them."""
    return [(await (await person.slash(command)).answer(PATIENCE)).text for person in people]
