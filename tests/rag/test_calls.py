"""How often a question calls its models and its index, and how many calls wait for one another.

The servers are real, on loopback; what is counted is what arrives there.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from chromadb import Collection

from rag.config import Settings, StrategyName
from rag.graph import RulesGraph
from rag.models.chat import chat_model
from rag.models.embeddings import embedding_model
from rag.state import Outcome, Reply
from tests.model_server import Json, ModelServer
from tests.rag.library.small_library import SmallLibrary, parsed_book

WORDS = ["".join(letters) for letters in product("bdfg", "aeiou", "lmnr", "o")]
"""Each stands on one page of the book: far more pages than one search brings."""
PATIENCE = 10.0


@dataclass
class Call:
    """A chat call as the server saw it: places in the order of all beginnings and ends."""

    schema: str
    began: int
    ended: int


@dataclass
class Counted:
    """What one question made the servers do."""

    reply: Reply
    calls: list[Call]
    embedding_requests: int
    vector_queries: int


class WatchedServer(ModelServer):
    """Notes when each call begins and ends, and writes no sub-questions before a judge is at work.

    Whoever waited for the sub-questions before judging would wait in vain.
    """

    def __init__(self) -> None:
        super().__init__({"Rewrite": {"standalone": True, "question": ""}, "Draft": NOTHING})
        self.calls: list[Call] = []
        self.judging = asyncio.Event()
        self._moment = count()

    async def _think(self, schema: str) -> None:
        call = Call(schema, next(self._moment), 0)
        self.calls.append(call)
        if schema == "Sufficiency":
            self.judging.set()
        if schema == "SubQuestions":
            await asyncio.wait_for(self.judging.wait(), PATIENCE)
        call.ended = next(self._moment)


NOTHING: Json = {"statements": [], "missing": None}


@dataclass
class Table:
    """A book, its readers' models on a loopback server, and a count of the queries to its vectors."""

    server: WatchedServer
    rules_graph: RulesGraph
    vector_queries: list[Any] = field(default_factory=list)

    async def ask(self, question: str, thread: str | None = None, **options: Any) -> Counted:
        self.server.calls.clear()
        self.server.embedded.clear()
        self.vector_queries.clear()
        events = [event async for event in self.rules_graph.ask(question, thread, **options)]
        reply = events[-1]
        assert isinstance(reply, Reply)
        return Counted(reply, list(self.server.calls), len(self.server.embedded), len(self.vector_queries))

    def script(self, hops: int, sub_questions: int = 3) -> None:
        """Let the judge send the search to new pages until there were so many hops."""
        verdicts: Iterator[Json] = iter(
            [{"sufficient": False, "new_queries": [f"rule of {WORDS[hop]}"]} for hop in range(1, hops)]
        )
        self.server.judging.clear()
        self.server.script |= {
            "SubQuestions": {"sub_questions": [f"law of {word}" for word in WORDS[20:][:sub_questions]]},
            "Sufficiency": lambda _: next(verdicts, {"sufficient": True, "new_queries": []}),
        }


@pytest_asyncio.fixture
async def server() -> AsyncIterator[WatchedServer]:
    async with WatchedServer() as server:
        yield server


@pytest_asyncio.fixture
async def table(server: WatchedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    settings = Settings(openai_base_url=server.url, embedding_model="letters", chat_model="scripted")
    small = SmallLibrary(tmp_path)
    small.model = embedding_model(settings)
    small.put_parsed("core.pdf", parsed_book(*pages(), title="Core"))
    monkeypatch.setattr("rag.library.ingest.read_books.read_books", small.read_here)
    # As in a large library: the vectors of a small one are compared here, and Chroma is not asked.
    monkeypatch.setattr("rag.library.index.store.FEW_CHUNKS", 0)
    await asyncio.to_thread(small.ingest)
    library = small.open()
    library.retriever("gm")  # opened before anything is counted: an index is tried once, by a query
    table = Table(server, RulesGraph(library, chat_model(settings), small.model))
    asked_as_ever = Collection.query

    def counted(collection: Collection, *arguments: Any, **options: Any) -> Any:
        table.vector_queries.append(options)
        return asked_as_ever(collection, *arguments, **options)

    monkeypatch.setattr(Collection, "query", counted)
    return table


def pages() -> Iterable[str]:
    """Rules that each refer to the one after the next, so that references are followed as well."""
    for number, word in enumerate(WORDS, start=1):
        yield f"The rule of {word} is told here. For its exceptions see p. {number % len(WORDS) + 2}."


def longest_chain(calls: Iterable[Call]) -> int:
    """The most calls that came one after the other, each begun after the end of the one before."""
    length, last_end = 0, -1
    for call in sorted(calls, key=lambda call: call.ended):
        if call.began > last_end:
            length, last_end = length + 1, call.ended
    return length


# Chat calls that wait for one another


@pytest.mark.parametrize(("hops", "path"), [(1, 2), (2, 3), (3, 3)])
async def test_calls_on_the_critical_path_of_a_first_question(table: Table, hops: int, path: int) -> None:
    table.script(hops)
    counted = await table.ask(f"What is the rule of {WORDS[0]}?")
    assert (counted.reply.hops, longest_chain(counted.calls)) == (hops, path)


@pytest.mark.parametrize(("hops", "path"), [(1, 3), (2, 4), (3, 4)])
async def test_a_follow_up_has_one_call_more_on_its_critical_path(table: Table, hops: int, path: int) -> None:
    table.script(1)
    await table.ask(f"What is the rule of {WORDS[0]}?", "thread")
    table.script(hops)
    counted = await table.ask(f"And the rule of {WORDS[0]} at night?", "thread")
    assert (counted.reply.hops, longest_chain(counted.calls)) == (hops, path)


# Requests to the embedding and to the vectors


@pytest.mark.parametrize(("hops", "sub_questions"), [(1, 0), (1, 500), (2, 5), (3, 0), (3, 500)])
async def test_a_question_embeds_and_searches_vectors_at_most_once_a_hop_and_once_more(
    table: Table, hops: int, sub_questions: int
) -> None:
    table.script(hops, sub_questions)
    counted = await table.ask(f"What is the rule of {WORDS[0]}?")
    assert (counted.reply.hops, bool(counted.reply.followed)) == (hops, True)
    assert 1 <= counted.embedding_requests <= hops + 1
    assert 1 <= counted.vector_queries <= hops + 1


@pytest.mark.parametrize("hops", [1, 3])
async def test_where_the_draft_fails_the_passages_need_no_further_embedding(table: Table, hops: int) -> None:
    table.script(hops)
    table.server.script["Draft"] = {"no": "draft"}
    counted = await table.ask(f"What is the rule of {WORDS[0]}?")
    assert (counted.reply.hops, counted.reply.answer.outcome) == (hops, Outcome.PASSAGES)
    assert 1 <= counted.embedding_requests <= hops + 1


async def test_many_wordings_are_one_embedding_request_and_one_vector_query(table: Table) -> None:
    table.server.judging.set()
    table.server.script["SubQuestions"] = {"sub_questions": WORDS[20:25]}
    question = f"What is the rule of {WORDS[0]}?"
    counted = await table.ask(question, strategy=StrategyName.MULTI_QUESTION)
    assert (counted.embedding_requests, counted.vector_queries) == (1, 1)
