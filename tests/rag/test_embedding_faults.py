"""Every fault of an embedding server: a question waits for it once, and goes on by words and page numbers."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from rag import models
from rag.config import Settings
from rag.errors import KeyRefused, ModelBusy, ModelError, ModelUnreachable, UnknownModel, UnusableReply
from rag.graph import Referee
from rag.library.library import Library
from rag.models import EmbeddingModel, chat_model, embedding_model
from rag.reply import Reply
from rag.state import Outcome
from tests.library.small_library import SmallLibrary, parsed_book
from tests.model_server import Fault, Json, ModelServer, no_fault, refuses

TORCH = "A torch burns for one hour and lights ten feet around its bearer."
LANTERN = "A lantern burns for six hours on a pint of oil, and lights thirty feet."
WITHIN = 3.0
"""Seconds after which a question that goes on by words is answered."""


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ModelServer]:
    monkeypatch.setattr(models, "QUERY_EMBEDDING_SECONDS", 0.3)
    async with ModelServer({}) as server:
        yield server


@pytest.fixture
def settings(server: ModelServer) -> Settings:
    return Settings(openai_base_url=server.url, embedding_model="letters", model_call_seconds=0.3)


@pytest.fixture
def embedding(settings: Settings) -> EmbeddingModel:
    return embedding_model(settings)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedding: EmbeddingModel) -> SmallLibrary:
    library = SmallLibrary(tmp_path)
    library.model = embedding
    monkeypatch.setattr("rag.library.reading.read_books", library.read_here)
    library.put_parsed("light.pdf", parsed_book(TORCH, LANTERN, first_number=30, title="Light"))
    return library


@pytest.fixture
async def library(small: SmallLibrary) -> Library:
    await asyncio.to_thread(small.ingest)
    return small.open()


async def keeps_silent(request: web.Request, body: Json) -> web.StreamResponse | None:
    await asyncio.sleep(5)
    return None


async def talks(request: web.Request, body: Json) -> web.StreamResponse:
    return web.Response(text="Certainly!", content_type="text/plain")


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        pytest.param(refuses(401), KeyRefused, id="401"),
        pytest.param(refuses(404), UnknownModel, id="404"),
        pytest.param(refuses(500), ModelUnreachable, id="500"),
        pytest.param(keeps_silent, ModelUnreachable, id="silence"),
    ],
)
async def test_a_server_that_is_out_costs_one_request(
    server: ModelServer, embedding: EmbeddingModel, fault: Fault, error: type[ModelError]
) -> None:
    server.embedding_fault = fault
    for _ in range(3):
        with pytest.raises(error):
            await embedding.for_questions.aembed_documents(["torch"])
        with pytest.raises(error):
            await asyncio.to_thread(embedding.for_questions.embed_documents, ["torch"])
    assert len(server.embedded) == 1


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        pytest.param(refuses(429, Retry_After="60"), ModelBusy, id="429"),
        pytest.param(talks, UnusableReply, id="no JSON"),
    ],
)
async def test_a_fault_of_one_request_is_told_at_once(
    server: ModelServer, embedding: EmbeddingModel, fault: Fault, error: type[ModelError]
) -> None:
    server.embedding_fault = fault
    with pytest.raises(error):
        await asyncio.to_thread(embedding.for_questions.embed_query, "torch")
    assert len(server.embedded) == 1


async def test_the_server_is_asked_by_itself_when_the_pause_is_over(
    server: ModelServer, embedding: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.outage.FIRST_PAUSE_SECONDS", 0.05)
    server.embedding_fault = refuses(401)
    with pytest.raises(KeyRefused):
        await embedding.for_questions.aembed_query("torch")
    server.embedding_fault = no_fault
    await asyncio.sleep(0.1)
    assert await embedding.for_questions.aembed_query("torch")


async def test_ingestion_says_what_is_wrong_with_the_server(server: ModelServer, small: SmallLibrary) -> None:
    server.embedding_fault = refuses(404)
    with pytest.raises(UnknownModel):
        await asyncio.to_thread(small.ingest)


@pytest.mark.parametrize("query", ["How long does a lantern burn?", "What is on page 31 of Light?"])
async def test_without_it_words_and_page_numbers_find_the_page(
    server: ModelServer, library: Library, query: str
) -> None:
    server.embedding_fault = refuses(503)
    found = await library.retriever("player").ainvoke(query)
    assert found[0].metadata["page"] == "31"


@pytest.mark.parametrize("fault", [refuses(401), refuses(503), keeps_silent], ids=["401", "503", "silence"])
async def test_with_the_whole_provider_down_the_closest_passages_come_in_time(
    server: ModelServer, settings: Settings, library: Library, embedding: EmbeddingModel, fault: Fault
) -> None:
    server.fault = server.embedding_fault = fault
    server.embedded.clear()
    referee = Referee(library, chat_model(settings), embedding)
    for _ in range(2):
        began = time.monotonic()
        async for event in referee.ask("How long does a lantern burn?"):
            if isinstance(event, Reply):
                answer = event.answer
        assert time.monotonic() - began < WITHIN
        assert (answer.outcome, answer.sources[0].page) == (Outcome.PASSAGES, "31")
        assert answer.notice in ("notice-model-misconfigured", "notice-model-unreachable")
    assert len(server.embedded) == 1
