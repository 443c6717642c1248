"""The bot as `python -m bot` runs it, which tells once a second how it is, as a line of JSON.

A line is the resident memory, and the longest hold and work of the event loop since the line before.
"""

import asyncio
import json
from typing import Any

from benchmarks.answer.bot_process import resident_megabytes
from benchmarks.answer.load import HoldWatch
from bot.__main__ import run, set_up_logging
from bot.operations.interpreter import prepare_to_load
from bot.texts import host_texts
from rag.config import load_settings

TELL_EVERY_SECONDS = 1.0
MEMORY, HOLD, WORK = "resident_megabytes", "longest_hold_seconds", "longest_work_seconds"


async def watched_run() -> int:
    """Run the bot, and tell how it is, until it is told to end."""
    telling = asyncio.create_task(tell())
    try:
        return await run(load_settings(), host_texts())
    finally:
        telling.cancel()


async def tell() -> None:
    """Print a line a second, until cancelled."""
    watch = HoldWatch()
    watching = asyncio.create_task(watch.run())
    try:
        while True:
            await asyncio.sleep(TELL_EVERY_SECONDS)
            facts = (resident_megabytes(), watch.longest_seconds, watch.longest_work_seconds)
            print(json.dumps(dict(zip((MEMORY, HOLD, WORK), facts, strict=True))), flush=True)
            watch.longest_seconds = watch.longest_work_seconds = 0.0
    finally:
        watching.cancel()


def told(log: str) -> list[dict[str, Any]]:
    """What stands in a log of all the lines so far, the oldest first; nothing of one that is half written."""
    lines = log.splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.startswith(f'{{"{MEMORY}"') and line.endswith("\n")]


if __name__ == "__main__":
    prepare_to_load()
    set_up_logging("WARNING")
    asyncio.run(watched_run())
