"""Servers that are OpenAI's in name only: each fills a schema over a real socket, and is learnt."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from pydantic import SecretStr

from rag.config import Settings
from rag.errors import ReplyCutOff, UnusableReply
from rag.models.chat import chat_model
from rag.models.provider import ProviderChatModel
from rag.models.structured_output import fill, filled_from, read, response_format
from rag.models.usage import REPLY_TOKENS
from rag.prompts import load_prompt
from rag.state import Sufficiency
from tests.model_server import Fault, Json, ModelServer, Wording, form_of, no_fault, refuses, refuses_forms
from tests.rag.models.one_rule import completes, model_at

VERDICT = {"sufficient": False, "new_queries": ["Powers p. 100"]}
NATIVE, PLAIN = "json_schema", "plain"
THINKING_OFF = ("none", {"enable_thinking": False})


@pytest.fixture(autouse=True)
def _verdict(server: ModelServer) -> None:
    server.script["Sufficiency"] = VERDICT


async def filled(model: ProviderChatModel) -> Json:
    verdict = await fill(model, load_prompt("rewrite"), Sufficiency, conversation="", question="Why?")
    return verdict.model_dump()


def deaf(content: str, body: Json) -> str:
    """Talks instead, where a reply is to keep to a schema."""
    return "Certainly not in JSON." if form_of(body) == NATIVE else content


def wordless(content: str, body: Json) -> str | None:
    """Has no content in the native form, as servers that answer by a tool call."""
    return None if form_of(body) == NATIVE else content


@pytest.mark.parametrize(
    ("fault", "wording"),
    [
        pytest.param(refuses_forms(400, NATIVE), None, id="400 to json_schema"),
        pytest.param(refuses_forms(404, NATIVE), None, id="404 that names the form"),
        pytest.param(refuses_forms(501, NATIVE), None, id="501 that names the form"),
        pytest.param(no_fault, deaf, id="ignores json_schema"),
        pytest.param(no_fault, wordless, id="answers by a tool call"),
    ],
)
async def test_a_server_is_asked_plainly_where_it_keeps_to_no_schema_which_is_remembered(
    server: ModelServer, fault: Fault, wording: Wording | None
) -> None:
    server.fault, server.wording = fault, wording or server.wording
    model = model_at(server.url)
    for calls in ([NATIVE, PLAIN], [NATIVE, PLAIN], [PLAIN], [PLAIN]):
        server.requests.clear()
        assert await filled(model.for_one_question()) == VERDICT
        assert [form_of(body) for body in server.requests] == calls
    assert json.dumps(Sufficiency.model_json_schema()) in server.requests[-1]["messages"][-1]["content"]


async def test_a_reply_that_was_cut_off_is_not_asked_for_again(server: ModelServer) -> None:
    server.fault = completes({"content": '{"sufficient": fal'}, "length")
    with pytest.raises(ReplyCutOff):
        await filled(model_at(server.url))
    assert len(server.requests) == 1


def unable(*options: str, message: str = "Unsupported parameter: '{option}'") -> Fault:
    """Refuses requests that hold one of these options."""

    async def fault(request: web.Request, body: Json) -> web.StreamResponse | None:
        named = [option for option in options if option in body]
        return await refuses(400, message.format(option=named[0]))(request, body) if named else None

    return fault


async def test_calls_under_way_together_each_learn_that_a_temperature_is_refused(server: ModelServer) -> None:
    both = asyncio.Barrier(2)

    async def waits_for_both(request: web.Request, body: Json) -> web.StreamResponse | None:
        if "temperature" in body:
            await both.wait()
        return await unable("temperature")(request, body)

    server.fault = waits_for_both
    model = model_at(server.url)
    assert [*await asyncio.gather(filled(model), filled(model)), await filled(model)] == [VERDICT] * 3
    assert ["temperature" in body for body in server.requests] == [True, True, False, False, False]
    assert {form_of(body) for body in server.requests} == {NATIVE}


async def test_every_reply_is_bounded_unless_the_server_refuses_that(server: ModelServer) -> None:
    server.fault = unable("max_tokens")
    model = model_at(server.url)
    for bounds in ([REPLY_TOKENS, None], [None]):
        server.requests.clear()
        assert await filled(model) == VERDICT
        assert [body.get("max_tokens") for body in server.requests] == bounds


def test_openai_itself_is_sent_its_own_word_for_the_bound_and_none_of_thinking() -> None:
    model = chat_model(Settings(openai_api_key=SecretStr("key"), openai_base_url=None))
    assert model is not None
    payload = model._get_request_payload("Why?", response_format=response_format(Sufficiency))
    assert payload["max_completion_tokens"] == REPLY_TOKENS
    assert "max_tokens" not in payload
    assert thinking_asked_off(payload["extra_body"]) == (None, None)
    assert "maxLength" not in json.dumps(payload)


# Thinking


def thinking_asked_off(body: Json) -> tuple[Any, Any]:
    return body.get("reasoning_effort"), body.get("chat_template_kwargs")


async def test_a_compatible_server_is_asked_not_to_think(server: ModelServer) -> None:
    await filled(model_at(server.url))
    assert [thinking_asked_off(body) for body in server.requests] == [THINKING_OFF]


@pytest.mark.parametrize("message", ["Unknown field: {option}", "no"])
async def test_a_server_that_knows_no_word_of_thinking_is_not_sent_it_again(
    server: ModelServer, message: str
) -> None:
    server.fault = unable("reasoning_effort", "chat_template_kwargs", message=message)
    model = model_at(server.url)
    assert [await filled(model), await filled(model)] == [VERDICT] * 2
    server.requests.clear()
    assert await filled(model) == VERDICT
    assert [thinking_asked_off(body) for body in server.requests] == [(None, None)]


# The reader of replies

verdicts = st.builds(Sufficiency, sufficient=st.booleans(), new_queries=st.lists(st.text(), max_size=4))
prose = st.text(st.characters(exclude_characters="{[<>"), max_size=80)


@given(
    verdict=verdicts,
    before=prose,
    others=st.lists(st.dictionaries(prose, prose, max_size=2), max_size=5),
    after=prose,
    indent=st.sampled_from([None, 2]),
)
def test_the_first_object_that_fits_is_read_through_whatever_stands_around_it(
    verdict: Sufficiency, before: str, others: list[dict[str, str]], after: str, indent: int | None
) -> None:
    unfit = " ".join(json.dumps(other) for other in others if "sufficient" not in other)
    assert read(f"{before}{unfit}{verdict.model_dump_json(indent=indent)}{after}", Sufficiency) == verdict


@given(verdict=verdicts, cut=st.integers(min_value=1))
def test_a_truncated_object_is_no_reply(verdict: Sufficiency, cut: int) -> None:
    written = verdict.model_dump_json()
    with pytest.raises(UnusableReply):
        read(written[: len(written) - 1 - cut % len(written)], Sufficiency)


def test_what_a_model_hands_to_a_tool_is_its_reply() -> None:
    reply = AIMessage("", tool_calls=[{"name": "Sufficiency", "args": VERDICT, "id": "1"}])
    assert filled_from(reply, Sufficiency).model_dump() == VERDICT


@pytest.mark.parametrize(
    ("queries", "read_as"),
    [("a", ["a"]), ({"1": "a"}, ["a"]), ([{"query": "a"}, 1, ["b"]], ["a", "b"]), (None, [])],
)
def test_queries_are_read_however_they_are_listed(queries: object, read_as: Sequence[str]) -> None:
    reply = json.dumps({"sufficient": False, "new_queries": queries})
    assert read(reply, Sufficiency).new_queries == read_as
