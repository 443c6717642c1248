"""A thousand questions with pictures and ratings: whether the bot's memory grows, and whether it keeps up.

The bot is a process of its own, and its Discord the one on loopback that the tests use.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice

from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure
from benchmarks.answer.load import hold_figures
from benchmarks.answer.model_server import model_server
from benchmarks.answer.servers import PATIENCE_SECONDS, WARM_SECONDS, WATCHED
from benchmarks.answer.watched_bot import HOLD, MEMORY, WORK, told
from tests.bot.discord_server import DiscordServer, Message, Person
from tests.bot.discord_server.process import BotProcess

QUESTIONS = 1000
PEOPLE = 40
AT_ONCE = 4
LOOK_AFTER = 200
"""Questions between two looks at the memory; the first look is when pages, words and tables are read."""
OPENED_EVERY = 5
"""Of so many answers one has its page opened; each has the picture of its page and a rating."""
PICTURE_SECONDS = 60.0
MOST_GROWTH = 1.05
"""Of memory, from the first look to the last one."""
BEHIND = "websocket is"
"""What discord.py warns of where the gateway is read late."""


@dataclass
class Lasted:
    """Memory at each look, answers with a picture, how often the bot was behind, the longest holds."""

    megabytes: list[float] = field(default_factory=list)
    pictures: int = 0
    behind: int = 0
    hold_seconds: float = 0.0
    work_seconds: float = 0.0


def measure(bench: Bench) -> Iterator[Figure]:
    """A thousand questions, each answered with a picture and rated, a fifth with its page opened."""
    with model_server(0.0) as url:
        lasted = asyncio.run(_lasted(bench, url))
    for look, megabytes in enumerate(lasted.megabytes, 1):
        most = None if look == 1 else MOST_GROWTH * lasted.megabytes[0]
        yield Figure(f"resident memory of the bot after {look * LOOK_AFTER} questions", megabytes, "MB", most)
    yield Figure(f"pictures in {QUESTIONS} answers", lasted.pictures, "")
    yield Figure("warnings that the gateway is read late", lasted.behind, "", at_most=0)
    yield from hold_figures(lasted.hold_seconds, lasted.work_seconds)


async def _lasted(bench: Bench, url: str) -> Lasted:
    lasted = Lasted()
    async with DiscordServer() as discord:
        discord.channel("table")
        people = [discord.member(f"Player {number}") for number in range(PEOPLE)]
        folder = bench.scratch / "lasting"
        folder.mkdir()
        variables = bench.environment(url, folder) | {"ANSWER_PICTURE": "true"}
        bot = await discord.start_bot(variables, folder, WATCHED, PATIENCE_SECONDS)
        await asyncio.sleep(WARM_SECONDS)
        before = len(told(bot.log))
        # Asked alone, a follow-up asks nothing.
        questions = [one.question for one in bench.gold_questions if not one.history]
        numbered = enumerate(zip(cycle(people), islice(cycle(questions), QUESTIONS), strict=False), 1)
        await asyncio.gather(*(_ask_on(numbered, bot, lasted) for _ in range(AT_ONCE)))
        lines = told(bot.log)[before:]
        lasted.hold_seconds, lasted.work_seconds = (
            max(line[name] for line in lines) for name in (HOLD, WORK)
        )
        lasted.behind = bot.log.count(BEHIND)
    return lasted


async def _ask_on(
    numbered: Iterator[tuple[int, tuple[Person, str]]], bot: BotProcess, lasted: Lasted
) -> None:
    """Ask one question after the other."""
    for number, (person, question) in numbered:
        answer = await (await person.slash("rules", question=question)).answer(
            PATIENCE_SECONDS, where=lambda message: "More" in message.buttons
        )
        await _rate(person, answer)
        if "Show page" in answer.buttons:
            if number % OPENED_EVERY == 0:
                await (await person.clicks(answer, "Show page")).answer(PATIENCE_SECONDS)
            has_picture = await _has_picture(person, answer)
            lasted.pictures += has_picture
        if number % LOOK_AFTER == 0:
            lasted.megabytes.append(float(told(bot.log)[-1][MEMORY]))


async def _rate(person: Person, answer: Message) -> None:
    menu = await (await person.clicks(answer, "More")).answer(PATIENCE_SECONDS)
    rated = await person.clicks(menu, "Right")
    await rated.answer(PATIENCE_SECONDS, where=lambda message: "Noted" in message.text)


async def _has_picture(person: Person, answer: Message) -> bool:
    """Whether an answer has the picture of its page, soon; none has one whose place is not sure."""
    try:
        found = await person.world.changes.until(
            lambda: answer.attachments or None, PICTURE_SECONDS, "picture"
        )
    except AssertionError:
        return False
    return bool(found)
