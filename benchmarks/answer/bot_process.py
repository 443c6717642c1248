"""A bot that does everything but connect: `python -m benchmarks.answer.bot_process SPAWNED QUESTION`.

`SPAWNED` is when the process was started, in seconds since the epoch. Prints what it measured as JSON.
"""

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.__main__ import make_services, warm_up
from bot.operations.interpreter import collect, prepare_to_load, take_short_turns
from bot.texts import host_texts
from rag.config import load_settings

IDLE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds from the start of the process until it could answer, and had; its memory at rest afterwards."""

    ready_seconds: float
    answered_seconds: float
    resident_megabytes: float


async def run(spawned: float, question: str) -> Measured:
    """Start as the bot does, answer one question, and rest."""
    prepare_to_load()
    take_short_turns()
    settings = load_settings()
    from rag.prompts.hub import chosen_prompts

    services = make_services(settings, host_texts(), await chosen_prompts(settings))
    from bot.client import RulesBot

    bot = RulesBot(services, message_content=False)
    await warm_up(services, host_texts())
    ready = time.time() - spawned
    async for _ in services.rules_graph.ask(question):
        pass
    answered = time.time() - spawned
    await asyncio.sleep(IDLE_SECONDS)
    collect()  # As the bot does once a minute while nobody waits.
    measured = Measured(ready, answered, resident_megabytes())
    await bot.close()
    return measured


def resident_megabytes() -> float:
    """The resident memory of this process (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise OSError("/proc tells nothing of resident memory")


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(run(float(sys.argv[1]), sys.argv[2])))))
