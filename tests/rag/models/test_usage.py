"""What a question costs, and the bounds that it cannot pass; calls go to a model server on loopback."""

from decimal import Decimal
from typing import Any

import pytest
from aiohttp import web
from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig

from rag.config import Settings
from rag.errors import IndexUnreachable, ModelError, ModelUnreachable, QuestionBudgetSpent, UnknownModel
from rag.graph import RulesGraph
from rag.models.embeddings import EmbeddingModel
from rag.models.usage import Meter
from rag.state import Usage
from tests.model_server import Json, ModelServer
from tests.rag.models.one_rule import RULE, Answered, asked, model_at
from tests.scripted import OneRetriever, ScriptedRetriever, WordEmbeddings, page

PROMPT = "x" * 400
COUNTED = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}


@pytest.fixture(autouse=True)
def _counting(server: ModelServer) -> None:
    server.usage = COUNTED


def rules_graph(server: ModelServer, meter: Meter, retriever: type = ScriptedRetriever) -> RulesGraph:
    library = OneRetriever(retriever(pages={}, fallback=[page(RULE)]))
    embedding = EmbeddingModel("words", WordEmbeddings(), 1.0)
    return RulesGraph(library, model_at(server.url), embedding, new_meter=lambda: meter)


async def answered(server: ModelServer, meter: Meter) -> Answered:
    return await asked(rules_graph(server, meter))


async def used(url: str, prompt: str = PROMPT, **arguments: Any) -> tuple[Usage, type[Exception] | None]:
    """What one call takes, and how it fails."""
    meter = Meter()
    try:
        await model_at(url).bind(**arguments).ainvoke(prompt, {"callbacks": [meter]})
    except ModelError as error:
        return meter.usage, type(error)
    return meter.usage, None


# --- counting -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "told",
    [None, {"prompt_tokens": -5, "completion_tokens": -1, "total_tokens": -6}],
    ids=["none", "below 0"],
)
async def test_where_the_server_counts_nothing_tokens_are_estimated_and_said_to_be(
    server: ModelServer, told: Json | None
) -> None:
    assert await used(server.url) == (Usage(calls=1, input_tokens=1000, output_tokens=50), None)
    server.usage = told
    assert await used(server.url) == (Usage(calls=1, input_tokens=100, output_tokens=2, estimated=True), None)


async def test_a_call_that_was_sent_and_broke_off_counts_what_was_sent(server: ModelServer) -> None:
    async def hangs_up(request: web.Request, body: Json) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    server.fault = hangs_up
    sent = Usage(calls=1, input_tokens=100, estimated=True)
    assert await used(server.url) == (sent, ModelUnreachable)


async def test_a_call_that_was_turned_away_costs_no_token(server: ModelServer) -> None:
    assert await used(f"{server.url}/nowhere") == (Usage(calls=1), UnknownModel)


@pytest.mark.parametrize(("prices", "money"), [((None, None), None), (("0.40", "1.60"), "0.00048")])
async def test_money_is_counted_where_both_prices_are_set(
    server: ModelServer, prices: tuple[Any, Any], money: str | None
) -> None:
    meter = Meter(Settings(price_input=prices[0], price_output=prices[1]))
    reply = (await answered(server, meter)).reply
    assert reply.usage.money == (Decimal(money) * reply.usage.calls if money else None)
    told = reply.to_json()
    assert told["tokens"] == {"input": 4000, "output": 200, "estimated": False}
    assert told.get("money") == (float(reply.usage.money) if reply.usage.money else None)


# --- bounds ---------------------------------------------------------------------------------------


def bounded(**bounds: int) -> Meter:
    return Meter(Settings.model_construct().model_copy(update=dict(bounds)))


@pytest.mark.parametrize(
    "meter", [bounded(question_calls=0), bounded(question_tokens=3)], ids=["calls", "tokens"]
)
@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_call_beyond_a_bound_sends_no_request(
    server: ModelServer, meter: Meter, is_streamed: bool
) -> None:
    model = model_at(server.url)
    config: RunnableConfig = {"callbacks": [meter]}
    with pytest.raises(QuestionBudgetSpent):
        await (anext(model.astream(PROMPT, config)) if is_streamed else model.ainvoke(PROMPT, config))
    assert server.prompts == []


@pytest.mark.parametrize(
    ("meter", "tokens"), [(bounded(question_calls=2), 2100), (bounded(question_tokens=2500), 2100)]
)
async def test_a_question_that_needs_more_than_its_bound_ends_with_the_closest_passages(
    server: ModelServer, meter: Meter, tokens: int
) -> None:
    ended = await answered(server, meter)
    assert [schema for schema, _ in server.prompts] == ["SubQuestions", "Sufficiency"]
    assert (ended.reply.usage.calls, ended.reply.usage.tokens) == (2, tokens)
    assert ended.why_quoted == "error-question-budget-spent"


async def test_a_question_that_fails_after_calls_tells_what_they_took(server: ModelServer) -> None:
    class SoonGone(ScriptedRetriever):
        async def abatch(self, inputs: list[str], *args: Any, **kwargs: Any) -> list[list[Document]]:
            if server.prompts_for("Sufficiency"):
                raise IndexUnreachable
            return await super().abatch(inputs, *args, **kwargs)

    server.script["Sufficiency"] = {"sufficient": False, "new_queries": ["Magery levels"]}
    with pytest.raises(IndexUnreachable) as raised:
        await asked(rules_graph(server, Meter(), SoonGone))
    assert raised.value.usage == Usage(calls=2, input_tokens=2000, output_tokens=100)
