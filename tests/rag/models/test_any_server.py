"""Servers that are OpenAI's in name only: each fills a schema over a real socket, and is learnt."""

import asyncio
from collections.abc import Sequence

import pytest
from aiohttp import web

from rag.config import Settings
from rag.errors import ReplyCutOff
from rag.models.chat import chat_model
from rag.models.provider import ProviderChatModel
from rag.models.structured_output import fill, reply_tokens
from rag.prompts import load_prompt
from rag.state import Sufficiency
from tests.model_server import (
    Fault,
    Json,
    ModelServer,
    Wording,
    completion,
    form_of,
    no_fault,
    refuses,
    refuses_forms,
)

VERDICT = {"sufficient": False, "new_queries": ["Powers p. 100"]}
NATIVE, JSON, PLAIN = "json_schema", "json_object", "plain"


def model_at(server: ModelServer) -> ProviderChatModel:
    model = chat_model(Settings(openai_base_url=server.url, chat_model="scripted"))
    assert model is not None
    return model


async def filled(model: ProviderChatModel) -> Json:
    verdict = await fill(model, load_prompt("rewrite"), Sufficiency, conversation="", question="Why?")
    return verdict.model_dump()


def thinking(content: str, body: Json) -> str:
    return f'<think>Perhaps {{"sufficient": maybe}}?</think>{content}'


def deaf_to(*forms: str) -> Wording:
    """Talks instead, where one of these forms is asked for."""
    return lambda content, body: "Certainly not in JSON." if form_of(body) in forms else content


def wordless(content: str, body: Json) -> str | None:
    """Has no content in the native form, as servers that answer by a tool call."""
    return None if form_of(body) == NATIVE else content


def cut_off(*forms: str) -> Fault:
    """Is at the end of its tokens in mid-object in these forms."""

    async def fault(request: web.Request, body: Json) -> web.StreamResponse | None:
        message = {"content": '{"sufficient": fal'}
        return completion(body, message, "length") if form_of(body) in forms else None

    return fault


@pytest.mark.parametrize(
    ("fault", "wording", "asked"),
    [
        pytest.param(refuses_forms(400, NATIVE), None, [NATIVE, JSON], id="400 to json_schema"),
        pytest.param(refuses_forms(404, NATIVE), None, [NATIVE, JSON], id="404 that names the form"),
        pytest.param(refuses_forms(501, NATIVE), None, [NATIVE, JSON], id="501 that names the form"),
        pytest.param(refuses_forms(400, NATIVE, JSON), None, [NATIVE, JSON, PLAIN], id="400 to any form"),
        pytest.param(no_fault, deaf_to(NATIVE), [NATIVE, JSON], id="ignores json_schema"),
        pytest.param(no_fault, deaf_to(NATIVE, JSON), [NATIVE, JSON, PLAIN], id="ignores every form"),
        pytest.param(no_fault, wordless, [NATIVE, JSON], id="answers by a tool call"),
    ],
)
async def test_a_server_is_asked_in_lower_forms_until_one_works_which_is_remembered(
    fault: Fault, wording: Wording | None, asked: Sequence[str]
) -> None:
    async with ModelServer({"Sufficiency": VERDICT}, fault=fault) as server:
        server.wording = wording or server.wording
        model = model_at(server)
        for calls in (asked, asked, asked[-1:], asked[-1:]):
            server.requests.clear()
            assert await filled(model) == VERDICT
            assert [form_of(body) for body in server.requests] == list(calls)


async def test_a_reply_that_was_cut_off_is_asked_for_in_no_other_form() -> None:
    async with ModelServer({"Sufficiency": VERDICT}, fault=cut_off(NATIVE)) as server:
        with pytest.raises(ReplyCutOff):
            await filled(model_at(server))
        assert [form_of(body) for body in server.requests] == [NATIVE]


async def test_what_is_learnt_in_one_question_serves_the_next() -> None:
    async with ModelServer({"Sufficiency": VERDICT}, fault=refuses_forms(400, NATIVE)) as server:
        model = model_at(server)
        await asyncio.gather(filled(model.for_one_question()), filled(model.for_one_question()))
        server.requests.clear()
        await filled(model.for_one_question())
        assert [form_of(body) for body in server.requests] == [JSON]


def unable(*options: str, message: str = "Unsupported parameter: '{option}'") -> Fault:
    """Refuses requests that hold one of these options."""

    async def fault(request: web.Request, body: Json) -> web.StreamResponse | None:
        named = [option for option in options if option in body]
        return await refuses(400, message.format(option=named[0]))(request, body) if named else None

    return fault


async def test_a_server_that_refuses_a_temperature_is_asked_without_one_from_then_on() -> None:
    async with ModelServer({"Sufficiency": VERDICT}, fault=unable("temperature")) as server:
        model = model_at(server)
        assert [await filled(model), await filled(model)] == [VERDICT, VERDICT]
        assert ["temperature" in body for body in server.requests] == [True, False, False]
        assert {form_of(body) for body in server.requests} == {NATIVE}


async def test_calls_under_way_together_each_learn_that_a_temperature_is_refused() -> None:
    both = asyncio.Barrier(2)

    async def waits_for_both(request: web.Request, body: Json) -> web.StreamResponse | None:
        if "temperature" in body:
            await both.wait()
        return await unable("temperature")(request, body)

    async with ModelServer({"Sufficiency": VERDICT}, fault=waits_for_both) as server:
        model = model_at(server)
        assert [*await asyncio.gather(filled(model), filled(model))] == [VERDICT, VERDICT]
        assert sorted("temperature" in body for body in server.requests) == [False, False, True, True]
        assert {form_of(body) for body in server.requests} == {NATIVE}


@pytest.mark.parametrize(
    ("refused", "bounds"),
    [
        pytest.param((), [{"max_tokens"}, {"max_tokens"}], id="Ollama, vLLM, llama.cpp"),
        pytest.param(
            ("max_tokens",),
            [{"max_tokens"}, {"max_completion_tokens"}, {"max_completion_tokens"}],
            id="the newer name alone",
        ),
        pytest.param(
            ("max_tokens", "max_completion_tokens"),
            [{"max_tokens"}, {"max_completion_tokens"}, set(), set()],
            id="none as long as that",
        ),
    ],
)
async def test_every_reply_is_bounded_in_words_that_the_server_knows(
    refused: Sequence[str], bounds: Sequence[set[str]]
) -> None:
    async with ModelServer({"Sufficiency": VERDICT}, fault=unable(*refused)) as server:
        model = model_at(server)
        await filled(model)
        await filled(model)
        sent = [{name: body[name] for name in body if name.startswith("max_")} for body in server.requests]
        assert [set(bound) for bound in sent] == bounds
        assert {value for bound in sent for value in bound.values()} <= {reply_tokens(Sufficiency)}
