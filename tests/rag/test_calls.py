"""How often a question calls its models and its index, and how many calls wait for one another.

The servers are real, on loopback; what is counted is what arrives there.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from itertools import product
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
RULE = f"What is the rule of {WORDS[0]}?"
PATIENCE = 10.0
NOTHING: Json = {"statements": [], "missing": None}


class WatchedServer(ModelServer):
    """Counts the calls that wait for one another, and writes no sub-questions before a judge is at work.

    Whoever waited for the sub-questions before judging would wait in vain.
    """

    def __init__(self) -> None:
        super().__init__({"Rewrite": {"standalone": True, "question": ""}, "Draft": NOTHING})
        self.longest_chain = 0
        self.judging = asyncio.Event()

    async def _think(self, schema: str) -> None:
        place = self.longest_chain + 1
        if schema == "Sufficiency":
            self.judging.set()
        if schema == "SubQuestions":
            await asyncio.wait_for(self.judging.wait(), PATIENCE)
        self.longest_chain = max(self.longest_chain, place)


class Table:
    """A book, its readers' models on a loopback server, and a count of the queries to its vectors."""

    def __init__(self, server: WatchedServer, rules_graph: RulesGraph) -> None:
        self.server = server
        self.rules_graph = rules_graph
        self.vector_queries = 0

    async def ask(self, question: str, **options: Any) -> Reply:
        self.server.longest_chain = self.vector_queries = 0
        self.server.embedded.clear()
        *_, reply = [event async for event in self.rules_graph.ask(question, "thread", **options)]
        assert isinstance(reply, Reply)
        return reply

    def script(self, hops: int, sub_questions: int = 3) -> None:
        """Let the judge send the search to new pages until there were so many hops."""
        queries = iter([f"rule of {word}"] for word in WORDS[1:hops])
        self.server.judging.clear()
        self.server.script |= {
            "SubQuestions": {"sub_questions": [f"law of {word}" for word in WORDS[20:][:sub_questions]]},
            "Sufficiency": lambda _: {"sufficient": not (new := next(queries, [])), "new_queries": new},
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
    monkeypatch.setattr("rag.library.ingest.ingest.read_books", small.read_here)
    # As in a large library: a small one's vectors are compared here, or its graph may lose one and ask twice.
    for module in ("segment", "chroma"):
        monkeypatch.setattr(f"rag.library.index.{module}.FEW_CHUNKS", 0)
    await asyncio.to_thread(small.ingest)
    library = small.open()
    library.retriever("gm")  # opened before anything is counted: an index is tried once, by a query
    table = Table(server, RulesGraph(library, chat_model(settings), small.model))
    asked_as_ever = Collection.query

    def counted(collection: Collection, *arguments: Any, **options: Any) -> Any:
        table.vector_queries += 1
        return asked_as_ever(collection, *arguments, **options)

    monkeypatch.setattr(Collection, "query", counted)
    return table


def pages() -> Iterable[str]:
    """Rules that each refer to the one after the next, so that references are followed as well."""
    for number, word in enumerate(WORDS, start=1):
        yield f"The rule of {word} is told here. For its exceptions see p. {number % len(WORDS) + 2}."


@pytest.mark.parametrize(("hops", "path"), [(1, 2), (2, 3), (3, 3)])
async def test_calls_that_wait_for_one_another(table: Table, hops: int, path: int) -> None:
    for question, before in ((RULE, 0), (f"And the rule of {WORDS[0]} at night?", 1)):
        table.script(hops)
        assert (await table.ask(question)).hops == hops
        assert table.server.longest_chain == path + before, "a follow-up is rewritten first"


@pytest.mark.parametrize(("hops", "sub_questions"), [(1, 0), (1, 500), (2, 5), (3, 0), (3, 500)])
@pytest.mark.parametrize("draft", [NOTHING, {"no": "draft"}], ids=["drafted", "quoted"])
async def test_a_question_embeds_and_searches_vectors_at_most_once_a_hop_and_once_more(
    table: Table, hops: int, sub_questions: int, draft: Json
) -> None:
    table.script(hops, sub_questions)
    table.server.script["Draft"] = draft
    reply = await table.ask(RULE)
    assert (reply.hops, bool(reply.followed)) == (hops, True)
    assert (reply.answer.outcome is Outcome.PASSAGES) == (draft is not NOTHING)
    assert 1 <= len(table.server.embedded) <= hops + 1
    assert 1 <= table.vector_queries <= hops + 1


async def test_many_wordings_are_one_embedding_request_and_one_vector_query(table: Table) -> None:
    table.server.judging.set()
    table.server.script["SubQuestions"] = {"sub_questions": WORDS[20:25]}
    await table.ask(RULE, strategy=StrategyName.MULTI_QUESTION)
    assert (len(table.server.embedded), table.vector_queries) == (1, 1)
