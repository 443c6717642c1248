"""What a long conversation holds in memory."""

import asyncio
import sys
from collections.abc import Iterator, Mapping

from langgraph.checkpoint.memory import MemorySaver

from benchmarks.answer.bench import Bench, answered
from benchmarks.answer.figures import Figure
from benchmarks.answer.model_server import model_server
from rag.memory import NewestCheckpointSaver

ANSWER_CHARACTERS = 1_000
TURNS = 100
MOST_KILOBYTES = 64


class EveryCheckpointSaver(NewestCheckpointSaver):
    """The rival: saves as LangGraph's `MemorySaver` does."""

    put = MemorySaver.put


def measure(bench: Bench) -> Iterator[Figure]:
    """A conversation of 100 turns, in our saver and in LangGraph's own."""
    with model_server(seconds=0) as url:
        ours, every = NewestCheckpointSaver(), EveryCheckpointSaver()
        for memory in (ours, every):
            asyncio.run(_converse(bench, url, memory))
    yield Figure(
        f"a conversation of {TURNS} turns, answers of {ANSWER_CHARACTERS:,} characters",
        kilobytes(ours),
        "kB",
        at_most=MOST_KILOBYTES,
        rival=kilobytes(every),
        rival_name="LangGraph's MemorySaver",
    )


async def _converse(bench: Bench, url: str, memory: NewestCheckpointSaver) -> None:
    rules_graph = bench.rules_graph(url, memory)
    for turn in range(TURNS):
        reply = await answered(rules_graph, bench.questions[turn % len(bench.questions)], "one conversation")
        if len(reply.answer.answer) < ANSWER_CHARACTERS // 2:
            raise RuntimeError("the answers of the conversation are too short to measure it")


def kilobytes(memory: MemorySaver) -> float:
    """The size of everything a saver holds, keys and containers included."""
    return sum(map(_bytes, (memory.storage, memory.blobs, memory.writes))) / 1000


def _bytes(value: object) -> int:
    inside: list[object] = []
    if isinstance(value, Mapping):
        inside = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple):
        inside = list(value)
    return sys.getsizeof(value) + sum(map(_bytes, inside))
