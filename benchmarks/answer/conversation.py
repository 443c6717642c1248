"""What a long conversation holds in memory."""

import asyncio
import sys
from collections.abc import Iterator, Mapping

from benchmarks.answer.bench import Bench, answered
from benchmarks.answer.figures import Figure
from benchmarks.answer.model_server import model_server
from rag.memory import NewestCheckpointSaver

ANSWER_CHARACTERS = 1_000
TURNS = 100
MOST_KILOBYTES = 64


def measure(bench: Bench) -> Iterator[Figure]:
    """A conversation of 100 turns."""
    memory = NewestCheckpointSaver()
    with model_server(seconds=0) as url:
        asyncio.run(_converse(bench, url, memory))
    yield Figure(
        f"a conversation of {TURNS} turns, answers of {ANSWER_CHARACTERS:,} characters",
        _bytes(vars(memory)) / 1000,
        "kB",
        at_most=MOST_KILOBYTES,
    )


async def _converse(bench: Bench, url: str, memory: NewestCheckpointSaver) -> None:
    rules_graph = bench.rules_graph(url, memory)
    for turn in range(TURNS):
        reply = await answered(rules_graph, bench.questions[turn % len(bench.questions)], "one conversation")
        if len(reply.answer.answer) < ANSWER_CHARACTERS // 2:
            raise RuntimeError("the answers of the conversation are too short to measure it")


def _bytes(value: object) -> int:
    inside: list[object] = []
    if isinstance(value, Mapping):
        inside = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple):
        inside = list(value)
    return sys.getsizeof(value) + sum(map(_bytes, inside))
