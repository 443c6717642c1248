"""Which conversations stay in memory, how much of them, and what goes with those that do not."""

from datetime import timedelta
from typing import Any

import pytest
from langchain_core.documents import Document

from rag.config import Settings
from rag.graph import RulesGraph
from rag.memory import NewestCheckpointSaver, conversation_memory
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
    return {*memory._checkpoints, *memory._last_used}


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


async def test_of_threads_above_the_number_kept_nothing_at_all_is_left(
    rules_graph: RulesGraph, memory: NewestCheckpointSaver
) -> None:
    for thread in ("one", "two", "one", "three"):
        await reply_to(rules_graph, "What is Magery?", thread)
    assert threads_in(memory) == {"one", "three"}


async def test_of_questions_that_failed_nothing_is_left_after_the_time(
    rules_graph: RulesGraph, memory: NewestCheckpointSaver, retriever: BreakableRetriever, clock: FakeClock
) -> None:
    retriever.is_broken = True
    with pytest.raises(OSError, match="index gone"):
        await reply_to(rules_graph, "Its cost?", "t")
    retriever.is_broken = False
    clock.wait(WEEK)
    await reply_to(rules_graph, "What is Magery?", "other")
    assert threads_in(memory) == {"other"}


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


async def test_the_settings_say_how_many(retriever: BreakableRetriever) -> None:
    memory = conversation_memory(Settings(threads_kept=1))
    embedding = EmbeddingModel("words", WordEmbeddings(), 1.0)
    rules_graph = RulesGraph(OneRetriever(retriever), None, embedding, memory)
    for thread in ("one", "two"):
        await reply_to(rules_graph, "What is Magery?", thread)
    assert threads_in(memory) == {"two"}
