"""Servers that are OpenAI's in name only: each fills a schema over a real socket, and is learnt."""

import asyncio
from collections.abc import Sequence

import pytest
from aiohttp import web

from rag.config import Settings
from rag.models import chat_model
from rag.prompts import load_prompt
from rag.provider import ProviderChatModel
from rag.state import Sufficiency
from rag.structured_output import fill
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


def fenced(content: str, body: Json) -> str:
    return f"```json\n{content}\n```"


def chatty(content: str, body: Json) -> str:
    return f"Sure! {{as asked}} Here it is:\n\n{content}\n\nAnything else?"


def thinking(content: str, body: Json) -> str:
    return f'<think>Perhaps {{"sufficient": maybe}}?</think>{content}'


def deaf_to(*forms: str) -> Wording:
    """Talks instead, where one of these forms is asked for."""
    return lambda content, body: "Certainly not in JSON." if form_of(body) in forms else content


def wordless(content: str, body: Json) -> str | None:
    """Has no content in the native form, as servers that answer by a tool call."""
    return None if form_of(body) == NATIVE else content


def cut_off(*forms: str) -> Fault:
    """Stops in mid-object in these forms."""

    async def fault(request: web.Request, body: Json) -> web.StreamResponse | None:
        message = {"content": '{"sufficient": fal'}
        return completion(body, message, "length") if form_of(body) in forms else None

    return fault


@pytest.mark.parametrize("wording", [fenced, chatty, thinking])
async def test_what_a_server_puts_around_its_json_costs_no_second_call(wording: Wording) -> None:
    async with ModelServer({"Sufficiency": VERDICT}, wording=wording) as server:
        assert await filled(model_at(server)) == VERDICT
        assert [form_of(body) for body in server.requests] == [NATIVE]


@pytest.mark.parametrize(
    ("fault", "wording", "asked"),
    [
        pytest.param(refuses_forms(400, NATIVE), None, [NATIVE, JSON], id="400 to json_schema"),
        pytest.param(refuses_forms(422, NATIVE, message="?"), None, [NATIVE, JSON], id="422 to json_schema"),
        pytest.param(refuses_forms(404, NATIVE), None, [NATIVE, JSON], id="404 that names the form"),
        pytest.param(refuses_forms(501, NATIVE), None, [NATIVE, JSON], id="501 that names the form"),
        pytest.param(refuses_forms(400, NATIVE, JSON), None, [NATIVE, JSON, PLAIN], id="400 to any form"),
        pytest.param(cut_off(NATIVE), None, [NATIVE, JSON], id="truncates what it constrains"),
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


async def test_one_stray_reply_does_not_demote_a_good_server() -> None:
    async with ModelServer({"Sufficiency": VERDICT}) as server:
        model = model_at(server)
        for wording, calls in ((deaf_to(NATIVE), 2), (fenced, 1), (deaf_to(NATIVE), 2), (fenced, 1)):
            server.requests.clear()
            server.wording = wording
            assert await filled(model) == VERDICT
            assert len(server.requests) == calls


async def test_what_is_learnt_in_one_question_serves_the_next() -> None:
    async with ModelServer({"Sufficiency": VERDICT}, fault=refuses_forms(400, NATIVE)) as server:
        model = model_at(server)
        await asyncio.gather(filled(model.for_one_question()), filled(model.for_one_question()))
        server.requests.clear()
        await filled(model.for_one_question())
        assert [form_of(body) for body in server.requests] == [JSON]


async def test_a_server_that_refuses_a_temperature_is_asked_without_one_from_then_on() -> None:
    async def only_its_own(request: web.Request, body: Json) -> web.StreamResponse | None:
        refusal = refuses(400, "Unsupported value: 'temperature' does not support 0")
        return await refusal(request, body) if "temperature" in body else None

    async with ModelServer({"Sufficiency": VERDICT}, fault=only_its_own) as server:
        model = model_at(server)
        assert [await filled(model), await filled(model)] == [VERDICT, VERDICT]
        assert ["temperature" in body for body in server.requests] == [True, False, False]
        assert {form_of(body) for body in server.requests} == {NATIVE}
