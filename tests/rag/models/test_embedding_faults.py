"""Every fault of an embedding server: a question waits for it once, and goes on by words and page numbers."""

import asyncio
import logging
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from rag.config import Settings
from rag.errors import (
    KeyRefused,
    ModelBusy,
    ModelError,
    ModelUnreachable,
    UnknownModel,
    UnusableReply,
    UnusableVectors,
)
from rag.graph import RulesGraph
from rag.library.library import Library
from rag.models import embeddings as models
from rag.models.chat import chat_model
from rag.models.embeddings import EmbeddingModel, embedding_model
from rag.state import Outcome, Reply
from tests.model_server import DIMENSIONS, Fault, Json, ModelServer, no_fault, refuses
from tests.rag.library.small_library import SmallLibrary, parsed_book
from tests.rag.models.one_rule import asked

TORCH = "A torch burns for one hour and lights ten feet around its bearer."
LANTERN = "A lantern burns for six hours on a pint of oil, and lights thirty feet."
WITHIN = 3.0
"""Seconds after which a question that goes on by words is answered."""


@pytest.fixture
def settings(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(models, "QUERY_EMBEDDING_SECONDS", 0.3)
    return Settings(openai_base_url=server.url, embedding_model="letters", model_call_seconds=0.3)


@pytest.fixture
def embedding(settings: Settings) -> EmbeddingModel:
    return embedding_model(settings)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedding: EmbeddingModel) -> SmallLibrary:
    library = SmallLibrary(tmp_path)
    library.model = embedding
    monkeypatch.setattr("rag.library.ingest.ingest.read_books", library.read_here)
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


def sends(vector: Any, more_or_fewer: int = 0) -> Fault:
    """The same in place of each text's vector; for so many texts more than there are."""

    async def fault(request: web.Request, body: Json) -> web.StreamResponse:
        count = len(body["input"]) + more_or_fewer
        data = [{"object": "embedding", "index": place, "embedding": vector} for place in range(count)]
        return web.json_response({"object": "list", "data": data, "model": body["model"]})

    return fault


OTHER_DIMENSION, OTHER_COUNT = sends([1.0] * 7), sends([1.0] * DIMENSIONS, -1)
MALFORMED = [
    pytest.param(sends(None), id="null"),
    pytest.param(sends([None] * DIMENSIONS), id="numbers that are null"),
    pytest.param(sends([0.0] * DIMENSIONS), id="zeros"),
    pytest.param(sends([1e300] * DIMENSIONS), id="beyond any number"),
    pytest.param(OTHER_COUNT, id="one too few"),
    pytest.param(sends([1.0] * DIMENSIONS, +1), id="one too many"),
    pytest.param(sends([]), id="empty"),
]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        pytest.param(refuses(401), KeyRefused, id="401"),
        pytest.param(refuses(404), UnknownModel, id="404"),
        pytest.param(refuses(500), ModelUnreachable, id="500"),
        pytest.param(keeps_silent, ModelUnreachable, id="silence"),
        pytest.param(refuses(429, Retry_After="60"), ModelBusy, id="429"),
    ],
)
async def test_a_server_that_is_out_costs_one_request_until_its_pause_is_over(
    server: ModelServer,
    embedding: EmbeddingModel,
    fault: Fault,
    error: type[ModelError],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rag.models.server.FIRST_PAUSE_SECONDS", 0.5)
    server.embedding_fault = fault
    for _ in range(3):
        with pytest.raises(error):
            await embedding.for_questions.aembed_documents(["torch"])
        with pytest.raises(error):
            await asyncio.to_thread(embedding.for_questions.embed_documents, ["torch"])
    assert len(server.embedded) == 1
    server.embedding_fault = no_fault
    await asyncio.sleep(0.6)
    assert await embedding.for_questions.aembed_query("torch")


@pytest.mark.parametrize("fault", [*MALFORMED, pytest.param(OTHER_DIMENSION, id="another dimension")])
async def test_vectors_that_are_none_leave_the_words_and_a_line_in_the_log_of_each_search(
    server: ModelServer, library: Library, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    server.embedding_fault = fault
    retriever = library.retriever("player")
    question = "How long does a lantern burn?"
    for found in (await retriever.ainvoke(question), await asyncio.to_thread(retriever.invoke, question)):
        assert found[0].metadata["page"] == "31"
    ours = [record for record in caplog.records if record.name.startswith("rag")]
    assert len([record for record in ours if record.levelno >= logging.WARNING]) == 2
    is_other = (
        "The index was made with another embedding" in caplog.text and "run ingest again" in caplog.text
    )
    assert is_other == (fault is OTHER_DIMENSION)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        pytest.param(refuses(404), UnknownModel, id="404"),
        pytest.param(talks, UnusableReply, id="no JSON"),
        pytest.param(OTHER_COUNT, UnusableVectors, id="one too few"),
    ],
)
async def test_ingestion_says_what_is_wrong_and_indexes_no_malformed_vectors(
    server: ModelServer, small: SmallLibrary, fault: Fault, error: type[ModelError]
) -> None:
    server.embedding_fault = fault
    with pytest.raises(error):
        await asyncio.to_thread(small.ingest)


async def test_a_question_without_the_model_asks_the_provider_for_nothing(
    server: ModelServer, settings: Settings, library: Library, embedding: EmbeddingModel
) -> None:
    server.embedded.clear()
    rules_graph = RulesGraph(library, chat_model(settings), embedding)
    *_, reply = [event async for event in rules_graph.ask("How long does a lantern burn?", with_model=False)]
    assert isinstance(reply, Reply)
    answer = reply.answer
    assert (answer.outcome, answer.sources[0].page) == (Outcome.PASSAGES, "31")
    assert (server.embedded, server.prompts) == ([], [])


@pytest.mark.parametrize("fault", [refuses(401), refuses(503), keeps_silent], ids=["401", "503", "silence"])
async def test_with_the_whole_provider_down_the_closest_passages_come_in_time(
    server: ModelServer, settings: Settings, library: Library, embedding: EmbeddingModel, fault: Fault
) -> None:
    server.fault = server.embedding_fault = fault
    server.embedded.clear()
    rules_graph = RulesGraph(library, chat_model(settings), embedding)
    for question in ("How long does a lantern burn?", "What is on page 31 of Light?"):
        began = time.monotonic()
        answer = (await asked(rules_graph, question)).answer
        assert time.monotonic() - began < WITHIN
        assert (answer.outcome, answer.sources[0].page) == (Outcome.PASSAGES, "31")
        assert answer.notice in (
            "notice-model-misconfigured",
            "notice-model-unreachable",
            "notice-model-slow",
        )
    assert len(server.embedded) == 1
