"""Which conversations stay in memory, how much of them, and what goes with those that do not."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.documents import Document

from rag.config import Settings
from rag.graph import RulesGraph
from rag.memory import NewestCheckpointSaver, RecentThreads, conversation_memory
from rag.models.embeddings import EmbeddingModel
from rag.state import Reply
from rag.texts import texts_for
from rag.texts.blocks import Role, blocks
from tests.scripted import OneRetriever, ScriptedRetriever, WordEmbeddings, page

WEEK = timedelta(days=7)


class FakeClock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def wait(self, time: timedelta) -> None:
        self.seconds += time.total_seconds()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


# Which threads are due


def recent(clock: FakeClock, used: Sequence[str], kept: int = 100) -> RecentThreads:
    threads = RecentThreads(WEEK, kept, clock)
    for thread in used:
        threads.used(thread)
    return threads


def test_a_thread_idle_for_a_week_is_due(clock: FakeClock) -> None:
    threads = recent(clock, ["old"])
    clock.wait(WEEK - timedelta(seconds=1))
    assert list(threads.take_due()) == []
    clock.wait(timedelta(seconds=1))
    assert list(threads.take_due()) == ["old"]


def test_above_the_number_kept_the_least_recently_used_is_due(clock: FakeClock) -> None:
    assert list(recent(clock, ["one", "two", "one", "three"], kept=2).take_due()) == ["two"]


# Through the graph


@pytest.fixture
def memory(clock: FakeClock) -> NewestCheckpointSaver:
    return NewestCheckpointSaver(WEEK, 2, clock)


class BreakableRetriever(ScriptedRetriever):
    """Finds one page, until it is broken."""

    is_broken: bool = False

    async def abatch(self, inputs: list[str], *args: Any, **kwargs: Any) -> list[list[Document]]:
        if self.is_broken:
            raise OSError("index gone")
        return await super().abatch(inputs, *args, **kwargs)


@pytest.fixture
def retriever() -> BreakableRetriever:
    return BreakableRetriever(pages={}, fallback=[page("Magery costs 5 points.", 12)])


@pytest.fixture
def rules_graph(memory: NewestCheckpointSaver, retriever: BreakableRetriever) -> RulesGraph:
    return RulesGraph(OneRetriever(retriever), None, EmbeddingModel("words", WordEmbeddings(), 1.0), memory)


async def reply_to(rules_graph: RulesGraph, question: str, thread: str | None) -> Reply:
    events = [event async for event in rules_graph.ask(question, thread)]
    assert isinstance(events[-1], Reply)
    return events[-1]


def threads_in(memory: NewestCheckpointSaver) -> set[str]:
    """Every thread of which anything at all is kept."""
    return {*memory.storage, *(key[0] for key in memory.blobs), *(key[0] for key in memory.writes)}


def notices(reply: Reply) -> list[str]:
    return [block.text for block in blocks(reply, texts_for("en")) if block.role is Role.NOTICE]


async def test_the_next_answer_of_an_evicted_thread_says_once_that_the_conversation_is_gone(
    rules_graph: RulesGraph, clock: FakeClock
) -> None:
    await reply_to(rules_graph, "What is Magery?", "t")
    clock.wait(WEEK)
    replies = [await reply_to(rules_graph, question, "t") for question in ("Its cost?", "Per level?")]
    assert [reply.standalone_question for reply in replies] == ["Its cost?", "Its cost? Per level?"]
    assert [reply.forgotten for reply in replies] == [True, False]
    assert any("is forgotten" in notice for notice in notices(replies[0]))
    assert not any("is forgotten" in notice for notice in notices(replies[1]))


async def test_a_thread_in_use_within_the_week_goes_on(rules_graph: RulesGraph, clock: FakeClock) -> None:
    await reply_to(rules_graph, "What is Magery?", "t")
    clock.wait(WEEK - timedelta(seconds=1))
    reply = await reply_to(rules_graph, "Its cost?", "t")
    assert (reply.standalone_question, reply.forgotten) == ("What is Magery? Its cost?", False)


async def test_nothing_at_all_is_left_of_an_evicted_thread(
    rules_graph: RulesGraph, memory: NewestCheckpointSaver
) -> None:
    for thread in ("one", "two", "three"):
        await reply_to(rules_graph, "What is Magery?", thread)
    assert threads_in(memory) == {"two", "three"}


async def test_questions_that_failed_leave_nothing_that_eviction_would_miss(
    rules_graph: RulesGraph, memory: NewestCheckpointSaver, retriever: BreakableRetriever, clock: FakeClock
) -> None:
    await reply_to(rules_graph, "What is Magery?", "t")
    retriever.is_broken = True
    with pytest.raises(OSError, match="index gone"):
        await reply_to(rules_graph, "Its cost?", "t")
    retriever.is_broken = False
    assert memory.writes
    clock.wait(WEEK)
    await reply_to(rules_graph, "What is Magery?", "other")
    assert threads_in(memory) == {"other"}


async def test_reading_an_unknown_thread_leaves_nothing_that_eviction_would_miss(
    memory: NewestCheckpointSaver, clock: FakeClock
) -> None:
    with memory.in_use("unknown"):
        assert memory.get_tuple({"configurable": {"thread_id": "unknown"}}) is None
    clock.wait(WEEK)
    with memory.in_use("other"):
        assert (threads_in(memory), memory.take_eviction("unknown")) == (set(), False)


async def test_a_thread_is_not_evicted_in_the_middle_of_an_answer(
    rules_graph: RulesGraph, clock: FakeClock
) -> None:
    await reply_to(rules_graph, "What is Magery?", "slow")
    events = rules_graph.ask("Its cost?", "slow")
    await anext(events)
    clock.wait(WEEK)
    for thread in ("one", "two", "three"):
        await reply_to(rules_graph, "What is Magery?", thread)
    answered = [event async for event in events][-1]
    assert isinstance(answered, Reply)
    assert answered.standalone_question == "What is Magery? Its cost?"
    reply = await reply_to(rules_graph, "Per level?", "slow")
    assert (reply.standalone_question, reply.forgotten) == ("What is Magery? Its cost? Per level?", False)


async def test_a_thread_that_was_deleted_is_not_called_evicted(
    rules_graph: RulesGraph, clock: FakeClock
) -> None:
    await reply_to(rules_graph, "What is Magery?", "t")
    clock.wait(WEEK)
    await reply_to(rules_graph, "What is Magery?", "other")
    rules_graph.forget("t")
    assert not (await reply_to(rules_graph, "Its cost?", "t")).forgotten


async def test_of_evicted_threads_no_more_are_remembered_than_are_kept(
    rules_graph: RulesGraph, memory: NewestCheckpointSaver
) -> None:
    for thread in range(10):
        await reply_to(rules_graph, "What is Magery?", str(thread))
    remembered = [thread for thread in range(10) if memory.take_eviction(str(thread))]
    assert remembered == [6, 7]


def test_the_settings_say_how_long_and_how_many() -> None:
    memory = conversation_memory(Settings(thread_idle_days=1, threads_kept=1))
    for thread in ("one", "two"):
        with memory.in_use(thread):
            assert memory.storage[thread] == {}
    assert list(memory.storage) == ["two"]
