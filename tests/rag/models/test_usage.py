"""What a question costs, and the bounds that it cannot pass; calls go to a model server on loopback."""

from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk

from rag.config import Settings
from rag.errors import (
    IndexUnreachable,
    ModelError,
    ModelUnreachable,
    NothingAsked,
    QuestionBudgetSpent,
    UnknownModel,
)
from rag.graph import RulesGraph
from rag.models.chat import chat_model
from rag.models.embeddings import EmbeddingModel
from rag.models.usage import Bounds, Meter, Tariff, meters
from rag.state import Outcome, Reply, Usage
from tests.model_server import Json, ModelServer, Scripted
from tests.scripted import OneRetriever, ScriptedModel, ScriptedRetriever, WordEmbeddings, page

PROMPT = "How far does a lamp light?"
SCRIPT: dict[str, Scripted] = {
    "SubQuestions": {"sub_questions": ["lamp light"]},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": {"statements": [], "missing": None},
}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer(SCRIPT) as model_server:
        model_server.usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
        yield model_server


def model_of(server: ModelServer) -> BaseChatModel:
    model = chat_model(Settings(openai_base_url=server.url, chat_model="scripted"))
    assert model is not None
    return model


async def answered(server: ModelServer, bounds: Bounds) -> Reply:
    catalog = OneRetriever(ScriptedRetriever(pages={}, fallback=[page("A storm lamp lights six paces.")]))
    embedding = EmbeddingModel("words", WordEmbeddings(), 1.0)
    rules_graph = RulesGraph(catalog, model_of(server), embedding, new_meter=lambda: Meter(bounds))
    *_, reply = [event async for event in rules_graph.ask(PROMPT)]
    assert isinstance(reply, Reply)
    return reply


# --- counting -------------------------------------------------------------------------------------


async def test_calls_and_tokens_are_those_that_the_server_counted(server: ModelServer) -> None:
    meter = Meter()
    for _ in range(2):
        await model_of(server).ainvoke(PROMPT, {"callbacks": [meter]})
    assert meter.usage == Usage(calls=2, input_tokens=2000, output_tokens=100)


@pytest.mark.parametrize(
    "usage",
    [None, {"prompt_tokens": -5, "completion_tokens": -1, "total_tokens": -6}],
    ids=["none", "below 0"],
)
async def test_where_the_server_counts_nothing_tokens_are_estimated_and_said_to_be(
    server: ModelServer, usage: Json | None
) -> None:
    server.usage = usage
    meter = Meter()
    await model_of(server).ainvoke("x" * 400, {"callbacks": [meter]})
    assert meter.usage == Usage(calls=1, input_tokens=100, output_tokens=2, estimated=True)


class StreamingModel(ScriptedModel):
    """Streams a word, then what it took, as OpenAI's servers do."""

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=AIMessageChunk(content="six"))
        took = UsageMetadata(input_tokens=70, output_tokens=3, total_tokens=73)
        yield ChatGenerationChunk(message=AIMessageChunk(content="", usage_metadata=took))


async def test_a_streamed_reply_is_counted_too() -> None:
    meter = Meter()
    async for _ in StreamingModel().astream(PROMPT, {"callbacks": [meter]}):
        pass
    assert meter.usage == Usage(calls=1, input_tokens=70, output_tokens=3)


async def test_a_call_that_the_provider_turned_away_costs_no_token(server: ModelServer) -> None:
    meter = Meter()
    unknown = chat_model(Settings(openai_base_url=f"{server.url}/nowhere"))
    assert unknown is not None
    with pytest.raises(UnknownModel):
        await unknown.ainvoke(PROMPT, {"callbacks": [meter]})
    assert meter.usage == Usage(calls=1)


async def test_a_call_that_was_sent_and_broke_off_counts_what_was_sent(server: ModelServer) -> None:
    async def hangs_up(request: web.Request, body: Json) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    server.fault = hangs_up
    meter = Meter()
    with pytest.raises(ModelUnreachable):
        await model_of(server).ainvoke("x" * 400, {"callbacks": [meter]})
    assert meter.usage == Usage(calls=1, input_tokens=100, estimated=True)


@pytest.mark.slow
async def test_a_call_that_nobody_listened_to_cost_nothing() -> None:
    async with ModelServer(SCRIPT) as gone:
        model = model_of(gone)
    meter = Meter()
    with pytest.raises(ModelError):
        await model.ainvoke("?", {"callbacks": [meter]})
    assert meter.usage == Usage(calls=1)


async def test_money_is_counted_where_both_prices_are_set(server: ModelServer) -> None:
    meter = meters(Settings(price_input=Decimal("0.40"), price_output=Decimal("1.60")))()
    await model_of(server).ainvoke(PROMPT, {"callbacks": [meter]})
    assert meter.usage.money == Decimal("0.00048")


USAGES = st.builds(
    Usage,
    calls=st.integers(0, 20),
    input_tokens=st.integers(0, 10**6),
    output_tokens=st.integers(0, 10**5),
    estimated=st.booleans(),
    money=st.none() | st.decimals(0, 100, places=6),
)


@given(USAGES, USAGES)
def test_questions_cost_alone_what_they_cost_together(first: Usage, second: Usage) -> None:
    tariff, both = Tariff(Decimal("0.15"), Decimal("0.60")), first + second
    alone = [tariff.price(usage.input_tokens, usage.output_tokens) for usage in (first, second)]
    assert sum(alone) == tariff.price(both.input_tokens, both.output_tokens)


# --- bounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("bounds", [Bounds(calls=0), Bounds(tokens=3)])
async def test_a_call_beyond_a_bound_sends_no_request(server: ModelServer, bounds: Bounds) -> None:
    with pytest.raises(QuestionBudgetSpent):
        await model_of(server).ainvoke(PROMPT, {"callbacks": [Meter(bounds)]})
    assert server.prompts == []


@pytest.mark.parametrize("bounds", [Bounds(calls=0), Bounds(tokens=3)])
async def test_a_streamed_call_beyond_a_bound_sends_no_request(server: ModelServer, bounds: Bounds) -> None:
    with pytest.raises(QuestionBudgetSpent):
        async for _ in model_of(server).astream(PROMPT, {"callbacks": [Meter(bounds)]}):
            pass
    assert server.prompts == []


async def test_a_question_that_needs_more_calls_than_its_bound_ends_with_the_closest_passages(
    server: ModelServer,
) -> None:
    reply = await answered(server, Bounds(calls=2))
    assert [schema for schema, _ in server.prompts] == ["SubQuestions", "Sufficiency"]
    assert reply.usage.calls == 2
    assert (reply.answer.outcome, reply.answer.notice) == (Outcome.PASSAGES, "error-question-budget-spent")
    assert reply.answer.sources[0].quote == "A storm lamp lights six paces."


async def test_a_question_that_needs_more_tokens_than_its_bound_ends_with_the_closest_passages(
    server: ModelServer,
) -> None:
    reply = await answered(server, Bounds(tokens=2500))
    assert [schema for schema, _ in server.prompts] == ["SubQuestions", "Sufficiency"]
    assert reply.usage.tokens == 2100
    assert (reply.answer.outcome, reply.answer.notice) == (Outcome.PASSAGES, "error-question-budget-spent")


async def test_a_question_that_fails_after_calls_tells_what_they_took(server: ModelServer) -> None:
    class SoonGone(ScriptedRetriever):
        async def abatch(self, inputs: list[str], *args: Any, **kwargs: Any) -> list[list[Document]]:
            if server.prompts_for("Sufficiency"):
                raise IndexUnreachable
            return await super().abatch(inputs, *args, **kwargs)

    server.script["Sufficiency"] = {"sufficient": False, "new_queries": ["storm lamp"]}
    catalog = OneRetriever(SoonGone(pages={}, fallback=[page("A storm lamp lights six paces.")]))
    rules_graph = RulesGraph(catalog, model_of(server), EmbeddingModel("words", WordEmbeddings(), 1.0))
    with pytest.raises(IndexUnreachable) as raised:
        async for _ in rules_graph.ask(PROMPT):
            pass
    assert raised.value.usage == Usage(calls=2, input_tokens=2000, output_tokens=100)


async def test_a_question_that_is_refused_has_used_nothing(server: ModelServer) -> None:
    catalog = OneRetriever(ScriptedRetriever(pages={}))
    rules_graph = RulesGraph(catalog, model_of(server), EmbeddingModel("words", WordEmbeddings(), 1.0))
    with pytest.raises(NothingAsked) as raised:
        async for _ in rules_graph.ask("?!"):
            pass
    assert raised.value.usage is None


# --- what is told ---------------------------------------------------------------------------------


async def test_the_json_of_a_reply_tells_tokens_and_names_money_only_where_there_are_prices(
    server: ModelServer,
) -> None:
    reply = await answered(server, Bounds())
    told = reply.to_json()
    assert told["tokens"] == {"input": 3000, "output": 150, "estimated": False}
    assert "money" not in told
    reply.usage += Usage(money=Decimal("0.0012"))
    assert reply.to_json()["money"] == 0.0012
