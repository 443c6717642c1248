"""From the start of the process to its end."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from bot.__main__ import HARD_STOP_SECONDS
from tests.bot.discord_server import BotProcess, DiscordServer, Intent, Interaction, Person
from tests.bot.real_process.conftest import PATIENCE, PRICE, VERDICT, Environment
from tests.conftest import clean_environment
from tests.langsmith_server import LangSmithServer
from tests.model_server import ModelServer, refuses

pytestmark = pytest.mark.asyncio(loop_scope="module")

GONE_WITHIN = 10.0


async def run_bot(checkout: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """`python -m bot` to its end, with nothing to connect to."""
    environment = clean_environment(**variables) | {"HTTPS_PROXY": "http://127.0.0.1:9"}
    command = [sys.executable, "-m", "bot"]
    return await asyncio.to_thread(
        subprocess.run, command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=30
    )


def seated(discord: DiscordServer) -> Person:
    """Somebody in a channel of a server with the bot in it."""
    discord.guild("Table")
    discord.channel("table")
    return discord.member("Ana")


async def writing(
    discord: DiscordServer, model: ModelServer, seconds: float, variables: dict[str, str], folder: Path
) -> tuple[Person, BotProcess, Interaction]:
    """Somebody whose question a bot is writing the answer to, which takes its model so long."""
    ana = seated(discord)
    bot = await discord.start_bot(variables, folder, ready_within=PATIENCE)
    model.delays["Draft"] = seconds
    asked = await ana.slash("rules", question=PRICE)
    await asked.answer(PATIENCE, where=lambda message: "Writing the answer" in message.text)
    return ana, bot, asked


async def test_without_a_token_one_line_says_what_to_do(checkout: Path) -> None:
    ended = await run_bot(checkout, DISCORD_TOKEN="")
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert "DISCORD_TOKEN" in line
    assert "Reset Token" in line


async def test_an_unknown_strategy_names_both_before_any_connection(checkout: Path) -> None:
    ended = await run_bot(checkout, DISCORD_TOKEN="token", RETRIEVAL_STRATEGY="magic")
    assert ended.returncode != 0
    (line,) = ended.stderr.splitlines()
    assert "multi-hop" in line
    assert "multi-question" in line


async def test_a_wrong_token_ends_with_one_line(environment: Environment, tmp_path: Path) -> None:
    async with DiscordServer() as discord:
        variables = environment(None, tmp_path, DISCORD_TOKEN="wrong", LOG_LEVEL="ERROR")
        bot = await discord.start_bot(variables, tmp_path, ready_within=None)
        assert await bot.exited(PATIENCE) == 1
        (line,) = bot.log.splitlines()
        assert "DISCORD_TOKEN" in line
        assert "wrong" not in line


async def test_stopped_in_mid_answer_it_excuses_itself_and_ends_in_time(
    environment: Environment, model: ModelServer, tmp_path: Path
) -> None:
    async with DiscordServer() as discord:
        ana, bot, interaction = await writing(discord, model, 30.0, environment(model, tmp_path), tmp_path)
        async with asyncio.timeout(PATIENCE):
            while not (tmp_path / "alive").exists():
                await asyncio.sleep(0.05)
        began = time.monotonic()
        bot.signal(signal.SIGTERM)
        await bot.writes("stopping")
        late = await ana.slash("rules", question="Am I too late?")
        told = await late.answer(5)
        assert told.ephemeral
        assert "Ask again in a minute" in told.text
        assert await bot.exited(GONE_WITHIN) == 0
        assert time.monotonic() - began < GONE_WITHIN
        model.delays.clear()
        assert interaction.original is not None
        assert "I am being restarted" in interaction.original.text


async def test_stopped_while_a_chroma_server_says_nothing_at_the_start_it_ends_in_time(
    environment: Environment, tmp_path: Path
) -> None:
    asked = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1")
    host, port = server.sockets[0].getsockname()
    async with DiscordServer() as discord, server:
        variables = environment(
            None, tmp_path, CHROMA_URL=f"http://{host}:{port}", INDEX_DIR=str(tmp_path / "index")
        )
        bot = await discord.start_bot(variables, tmp_path, ready_within=None)
        await asyncio.wait_for(asked.wait(), PATIENCE)
        assert await bot.terminate(GONE_WITHIN) == 0


async def test_an_answer_that_is_nearly_there_is_finished_before_an_end_that_a_silent_langsmith_delays_not(
    environment: Environment, model: ModelServer, tmp_path: Path
) -> None:
    async with LangSmithServer(delay=60.0) as langsmith, DiscordServer() as discord:
        tracing = {"LANGSMITH_TRACING": "true", "LANGSMITH_API_KEY": "k", "LANGSMITH_ENDPOINT": langsmith.url}
        variables = environment(model, tmp_path, **tracing)
        _, bot, interaction = await writing(discord, model, 2.0, variables, tmp_path)
        began = time.monotonic()
        assert await bot.terminate(GONE_WITHIN) == 0
        assert time.monotonic() - began < HARD_STOP_SECONDS
        model.delays.clear()
        assert langsmith.requests
        assert interaction.original is not None
        assert VERDICT in interaction.original.text


async def test_killed_at_work_it_says_so_at_the_next_start_and_another_strategy_answers(
    environment: Environment, model: ModelServer, tmp_path: Path
) -> None:
    async with DiscordServer() as discord:
        ana, bot, interrupted = await writing(discord, model, 30.0, environment(model, tmp_path), tmp_path)
        await bot.kill()
        model.delays.clear()
        variables = environment(model, tmp_path, RETRIEVAL_STRATEGY="multi-question")
        bot = await discord.start_bot(variables, tmp_path, ready_within=PATIENCE)
        told = await interrupted.answer(PATIENCE, where=lambda message: bool(message.buttons))
        assert "I was interrupted" in told.text
        await ana.clicks(told, "Try again")
        await interrupted.answer(PATIENCE, where=lambda message: VERDICT in message.text)
        assert "strategy multi-question" in bot.log
        assert len(discord.requests("PUT", "/applications/*/commands")) == 1
        bot.signal(signal.SIGINT)
        assert await bot.exited(GONE_WITHIN) == 0


async def test_what_is_amiss_at_the_start_is_one_clear_line_each_and_the_bot_goes_on(
    environment: Environment, tmp_path: Path
) -> None:
    async with DiscordServer() as discord, ModelServer({}, fault=refuses(401)) as model:
        discord.guild("Table")
        amiss = environment(model, tmp_path, MESSAGE_CONTENT="true", DISCORD_GUILD_ID="1")
        bot = await discord.start_bot(amiss, tmp_path, ready_within=PATIENCE)
        await bot.writes("correct OPENAI_API_KEY", PATIENCE)
        assert not discord.gateway.session.intents & Intent.MESSAGE_CONTENT  # type: ignore[union-attr]
        assert await bot.terminate(GONE_WITHIN) == 0
        told = ("correct OPENAI_API_KEY", "Message Content Intent", "401", "Traceback")
        assert [bot.log.count(words) for words in told] == [1, 1, 0, 0]
        assert "Correct that number" in bot.log


def write_book(path: Path, sentence: str) -> None:
    """A PDF of one page."""
    page = Canvas(str(path))
    page.setTitle("Wading Orders")
    page.drawString(72, 720, sentence)
    page.showPage()
    page.save()


async def test_while_the_books_are_read_status_says_so_and_afterwards_they_answer(
    environment: Environment, tmp_path: Path
) -> None:
    catalog = tmp_path / "books" / "tides"
    catalog.mkdir(parents=True)
    write_book(catalog / "wading-orders.pdf", "A storm lamp lights six paces and costs two stamps.")
    async with DiscordServer() as discord:
        ana = seated(discord)
        variables = environment(None, tmp_path) | {
            "LIBRARY_DIR": str(tmp_path / "books"),
            "INDEX_DIR": str(tmp_path / "index"),
        }
        await discord.start_bot(variables, tmp_path, ready_within=PATIENCE)
        early = await (await ana.slash("status")).answer(PATIENCE)
        assert "reading" in early.text
        too_early = await (await ana.slash("rules", question="How far does a lamp light?")).answer(PATIENCE)
        assert "I am still reading the books" in too_early.text
        for _ in range(200):
            listed = await (await ana.slash("library books")).answer(PATIENCE)
            if "Wading Orders" in listed.text:
                break
            await asyncio.sleep(0.5)
        answer = await (await ana.slash("rules", question="How far does a storm lamp light?")).answer(
            where=lambda message: "only quotations" in message.text
        )
        assert "A storm lamp lights six paces" in answer.text
