"""Which conversations stay in memory, how much of them, and what goes with those that do not."""

from datetime import timedelta

import pytest

from rag.config import Settings
from rag.graph import RulesGraph
from rag.memory import NewestCheckpointSaver
from rag.models.embeddings import EmbeddingModel
from rag.prompts import PROMPT_FILES
from rag.state import Reply
from rag.texts.blocks import Role
from tests.rag.chat import Talk, shown
from tests.scripted import WordEmbeddings

WEEK = timedelta(days=7)
FIRST = "What is Magery?"


class FakeClock:
    """Time that passes only when told to."""

    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def wait(self, time: timedelta) -> None:
        self.seconds += time.total_seconds()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(clock: FakeClock) -> NewestCheckpointSaver:
    return NewestCheckpointSaver(WEEK.days, 2, clock)


@pytest.fixture
def talk(memory: NewestCheckpointSaver) -> Talk:
    return Talk(memory=memory)


def threads_in(memory: NewestCheckpointSaver) -> set[str]:
    """Every thread of which anything at all is kept."""
    return {*memory._checkpoints, *memory._last_used}


async def test_the_next_answer_of_an_evicted_thread_says_once_that_the_conversation_is_gone(
    talk: Talk, clock: FakeClock
) -> None:
    await talk.ask(FIRST)
    clock.wait(WEEK)
    replies = [await talk.ask(question) for question in ("Its cost?", "Per level?")]
    assert [reply.standalone_question for reply in replies] == ["Its cost?", "Its cost? Per level?"]
    assert [reply.forgotten for reply in replies] == [True, False]
    assert ["is forgotten" in str(shown(reply, Role.NOTICE)) for reply in replies] == [True, False]


async def test_a_question_that_was_withdrawn_is_no_part_of_what_follows(talk: Talk) -> None:
    for question in (FIRST, "Its cost?", "Its cots?"):
        await talk.ask(question)
    talk.graph.withdraw("t", "Its cots?")
    talk.graph.withdraw("another", FIRST)
    reply = await talk.ask("Per level?")
    assert reply.standalone_question == f"{FIRST} Its cost? Per level?"


async def test_a_thread_in_use_within_the_week_goes_on(talk: Talk, clock: FakeClock) -> None:
    for question in (FIRST, "Its cost?", "Per level?"):
        reply = await talk.ask(question)
        clock.wait(WEEK - timedelta(seconds=1))
    assert (reply.standalone_question, reply.forgotten) == (f"{FIRST} Its cost? Per level?", False)


async def test_of_threads_above_the_number_kept_nothing_at_all_is_left(
    talk: Talk, memory: NewestCheckpointSaver
) -> None:
    for thread in (None, "one", "two", "one", "three"):
        await talk.ask(FIRST, thread)
    assert threads_in(memory) == {"one", "three"}
    for number in range(10):
        await talk.ask(FIRST, str(number))
    evicted = [number for number in range(10) if memory.take_eviction(str(number))]
    assert evicted == [6, 7], "no more evictions are remembered than threads are kept"


async def test_of_questions_that_failed_nothing_is_left_after_the_time(
    talk: Talk, memory: NewestCheckpointSaver, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(type(talk.retriever), "_get_relevant_documents", None)
        with pytest.raises(TypeError):
            await talk.ask("Its cost?")
    clock.wait(WEEK)
    await talk.ask(FIRST, "other")
    assert threads_in(memory) == {"other"}


async def test_a_thread_is_not_evicted_in_the_middle_of_an_answer(talk: Talk, clock: FakeClock) -> None:
    await talk.ask(FIRST)
    events = talk.graph.ask("Its cost?", "t")
    await anext(events)
    clock.wait(WEEK)
    for thread in ("one", "two", "three"):
        await talk.ask(FIRST, thread)
    answered = [event async for event in events][-1]
    assert isinstance(answered, Reply)
    assert answered.standalone_question == f"{FIRST} Its cost?"
    reply = await talk.ask("Per level?")
    assert (reply.standalone_question, reply.forgotten) == (f"{FIRST} Its cost? Per level?", False)


async def test_a_thread_that_was_deleted_is_not_called_evicted(talk: Talk, clock: FakeClock) -> None:
    await talk.ask(FIRST)
    clock.wait(WEEK)
    await talk.ask(FIRST, "other")
    talk.graph.forget("t")
    assert not (await talk.ask("Its cost?")).forgotten


async def test_the_settings_say_how_many_are_kept() -> None:
    talk = Talk()
    embedding = EmbeddingModel("words", WordEmbeddings(), 1.0)
    talk.graph = RulesGraph.of(Settings(threads_kept=1), talk.library, None, embedding, PROMPT_FILES)
    replies = [await talk.ask(FIRST, thread) for thread in ("one", "two", "one")]
    assert [reply.forgotten for reply in replies] == [False, False, True]
