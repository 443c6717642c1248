"""What goes wrong between the loopback server and the bot, and the bot as a process."""

import asyncio
import time
from pathlib import Path

import discord
import pytest

from tests.bot.discord_server import Channel, DiscordServer, Person, Refusal
from tests.bot.sample_bot import SILENT, RunBot, refused

pytestmark = pytest.mark.asyncio


# --- faults -------------------------------------------------------------------------------------


async def test_a_rate_limited_request_is_sent_again(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    async with running() as bot:
        server.rate_limit("POST", "/channels/*/messages", retry_after=0.2)
        await bot.place(table).send("x", allowed_mentions=SILENT)
        first, second = server.requests("POST", "/channels/*/messages")
        assert (first.status, second.status) == (429, 200)
        assert second.at - first.at >= 0.2


async def test_a_rate_limit_without_the_proxys_mark_looks_like_a_ban(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    async with running() as bot:
        server.rate_limit("POST", "/channels/*/messages", retry_after=0.2, via=False)
        assert (await refused(bot.place(table).send("x", allowed_mentions=SILENT)))[0] == 429


async def test_a_channel_takes_so_many_messages_at_a_time(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    server.limit("POST", "/channels/*/messages", requests=2, seconds=0.3)
    async with running() as bot:
        await asyncio.gather(*(bot.place(table).send(str(n), allowed_mentions=SILENT) for n in range(5)))
        accepted = [one.at for one in server.requests("POST", "/channels/*/messages") if one.status == 200]
        assert len(accepted) == 5
        assert accepted[-1] - accepted[0] >= 0.6


async def test_unavailability_is_not_overcome_by_the_library(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    async with running() as bot:
        server.fail("POST", "/channels/*/messages", Refusal.UNAVAILABLE)
        assert (await refused(bot.place(table).send("x", allowed_mentions=SILENT)))[0] == 503


async def test_an_answer_may_be_lost_on_its_way_back(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    async with running() as bot:
        server.fail("POST", "/channels/*/messages", Refusal.UNAVAILABLE, applied=True)
        await refused(bot.place(table).send("x", allowed_mentions=SILENT))
        assert [message.content for message in server.said_in(table)] == ["x"]


async def test_a_slow_answer_is_late_by_the_time_ordered(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    async with running() as bot:
        server.slow("POST", "/channels/*/messages", seconds=0.2)
        began = time.monotonic()
        await bot.place(table).send("x", allowed_mentions=SILENT)
        assert time.monotonic() - began >= 0.2


async def test_every_broken_rule_is_raised_at_the_end(
    running: RunBot, server: DiscordServer, table: Channel
) -> None:
    async with running() as bot:
        await bot.place(table).send("@everyone", allowed_mentions=discord.AllowedMentions.all())
        assert (await refused(bot.place(table).send("x" * 2001, allowed_mentions=SILENT))) == (400, 50035)
    with pytest.raises(AssertionError, match=r"(?s)allowed_mentions.*content: 2001 of at most 2000"):
        server.assert_no_violations()
    server.rest.violations.clear()


# --- the process --------------------------------------------------------------------------------


async def test_a_bot_runs_as_a_process_until_it_is_told_to_stop(
    server: DiscordServer, ana: Person, tmp_path: Path
) -> None:
    bot = await server.start_bot({}, tmp_path, module="tests.bot.sample_bot")
    asked = await ana.slash("rules", question="Grapple?")
    assert "yes" in (await asked.answer()).text
    await bot.writes("starting")
    assert await bot.terminate() == 0


async def test_a_button_outlives_the_process_that_made_it(
    server: DiscordServer, ana: Person, tmp_path: Path
) -> None:
    first = await server.start_bot({}, tmp_path, module="tests.bot.sample_bot")
    answer = await (await ana.slash("rules", question="Grapple?")).answer()
    await first.kill()
    await server.start_bot({}, tmp_path, module="tests.bot.sample_bot")
    assert await (await ana.clicks(answer, "Follow up")).opened()


async def test_a_bot_that_ends_at_once_is_reported_with_its_log(
    server: DiscordServer, tmp_path: Path
) -> None:
    with pytest.raises(AssertionError, match="LoginFailure"):
        await server.start_bot({"DISCORD_TOKEN": "wrong"}, tmp_path, module="tests.bot.sample_bot")
