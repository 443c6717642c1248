"""Ten servers that ask for three minutes: whether memory grows, how long answers take, what holds the loop.

The bot is a process of its own, and its Discord the one on loopback that the tests use.
"""

import asyncio
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure
from benchmarks.answer.load import hold_figures
from benchmarks.answer.model_server import model_server
from benchmarks.answer.watched_bot import HOLD, MEMORY, WORK, told
from tests.bot.discord_server import DiscordServer, Guild, Person
from tests.bot.discord_server.process import BotProcess

SERVERS = 10
PEOPLE_A_SERVER = 5
QUESTIONS_A_MINUTE = 50
MINUTES = 3
MINUTE_SECONDS = 60.0
DELAY_SECONDS = 1.0
CALLS_IN_A_ROW = 3
"""The judge, the draft and the second look."""
WARM_SECONDS = 10.0
"""In which a bot that has started reads what questions need."""
PATIENCE_SECONDS = 120.0
MOST_GROWTH = 1.03
"""Of memory, from the first minute's end to the last one's."""
WATCHED = "benchmarks.answer.watched_bot"


@dataclass(frozen=True, slots=True)
class Served:
    """Memory after each minute, seconds of each answer, and the longest hold and work of the event loop."""

    megabytes: list[float]
    seconds: list[float]
    hold_seconds: float
    work_seconds: float


def measure(bench: Bench) -> Iterator[Figure]:
    """Fifty questions a minute from people of ten servers, with a model that takes a second.

    The same fifty each minute: what is remembered of pages and words is there after the first.
    """
    with model_server(DELAY_SECONDS) as url:
        served = asyncio.run(_served(bench, url))
    for minute, megabytes in enumerate(served.megabytes, 1):
        yield Figure(
            f"resident memory of the bot after minute {minute}",
            megabytes,
            "MB",
            at_most=None if minute == 1 else MOST_GROWTH * served.megabytes[0],
        )
    rival, name = CALLS_IN_A_ROW * DELAY_SECONDS, "the model alone takes time"
    yield Figure(
        f"until all is said, median of {len(served.seconds)} questions",
        statistics.median(served.seconds),
        "s",
        rival=rival,
        rival_name=name,
    )
    yield Figure("until all is said, 95 %", statistics.quantiles(served.seconds, n=20)[-1], "s")
    yield from hold_figures(served.hold_seconds, served.work_seconds)


async def _served(bench: Bench, url: str) -> Served:
    async with DiscordServer() as discord:
        people = [
            discord.member(f"Player {number}", guild=guild)
            for guild in [_server(discord, number) for number in range(SERVERS)]
            for number in range(PEOPLE_A_SERVER)
        ]
        random.Random(0).shuffle(people)
        folder = bench.scratch / "served"
        folder.mkdir()
        bot = await discord.start_bot(bench.environment(url, folder), folder, WATCHED, PATIENCE_SECONDS)
        await asyncio.sleep(WARM_SECONDS)
        before = len(told(bot.log))
        remembering = asyncio.create_task(_memory_at_each_minute(bot))
        asked = []
        for person, question in zip(cycle(people), _questions(bench), strict=False):
            asked.append(asyncio.create_task(_seconds_to_answer(person, question)))
            await asyncio.sleep(MINUTE_SECONDS / QUESTIONS_A_MINUTE)
        seconds = await asyncio.gather(*asked)
        since = told(bot.log)[before:]
        hold, work = (max(line[name] for line in since) for name in (HOLD, WORK))
        return Served(await remembering, seconds, hold, work)


def _server(discord: DiscordServer, number: int) -> Guild:
    guild = discord.guild(f"Server {number}")
    discord.channel("table", guild=guild)
    return guild


def _questions(bench: Bench) -> Iterator[str]:
    return islice(cycle(bench.questions[:QUESTIONS_A_MINUTE]), MINUTES * QUESTIONS_A_MINUTE)


async def _memory_at_each_minute(bot: BotProcess) -> list[float]:
    megabytes = []
    for _ in range(MINUTES):
        await asyncio.sleep(MINUTE_SECONDS)
        megabytes.append(float(told(bot.log)[-1][MEMORY]))
    return megabytes


async def _seconds_to_answer(person: Person, question: str) -> float:
    """How long somebody waits until an answer is whole, which its buttons tell."""
    asked = time.perf_counter()
    reply = await person.slash("rules", question=question)
    await reply.answer(PATIENCE_SECONDS, where=lambda message: "Sources" in message.buttons)
    return time.perf_counter() - asked
