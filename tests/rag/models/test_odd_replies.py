"""Replies as models really write them, in a stream and in one piece, over a real socket."""

import asyncio
import gc
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from rag.config import Settings
from rag.errors import RequestRefused
from rag.graph import RulesGraph
from rag.models.chat import chat_model
from rag.models.embeddings import EmbeddingModel
from rag.models.structured_output import LONGEST_REPLY, finds_no_end
from rag.state import AnswerWithSources, Outcome, Reply, Stated
from tests.model_server import (
    Fault,
    Json,
    ModelServer,
    Scripted,
    Wording,
    events,
    refuses,
    refuses_forms,
    schema_asked_for,
)
from tests.scripted import OneRetriever, ScriptedRetriever, WordEmbeddings, page

LINE = "Magery costs 5 points, plus 10 points a level."
RULING = {"evidence": ["1.1"], "text": LINE}
DRAFT = {"statements": [RULING], "missing": None}
SCRIPT: dict[str, Scripted] = {
    "SubQuestions": {"sub_questions": ["Magery cost"]},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": DRAFT,
    "SupportVerdicts": {"supports": []},
}
LONGEST_HOLD = 0.05
"""Seconds that a reply may hold the event loop."""


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer(SCRIPT) as server:
        yield server


def rules_graph_at(server: ModelServer, **settings: float) -> RulesGraph:
    configured: dict[str, Any] = {"openai_base_url": server.url, "chat_model": "scripted", **settings}
    catalog = OneRetriever(ScriptedRetriever(pages={}, fallback=[page(LINE, 66)]))
    embedding = EmbeddingModel("words", WordEmbeddings(), 1.0)
    return RulesGraph(catalog, chat_model(Settings.model_validate(configured)), embedding)


async def asked(rules_graph: RulesGraph) -> tuple[AnswerWithSources, list[str]]:
    """An answer, and what was told before it."""
    told = []
    async for event in rules_graph.ask("What does Magery cost?"):
        if isinstance(event, Stated):
            told.append(event.text)
        if isinstance(event, Reply):
            return event.answer, told
    raise AssertionError("the graph ended without a reply")


def words_of_draft(text: str) -> Wording:
    """The draft is this text; other replies are as scripted."""
    return lambda content, body: text if schema_asked_for(body) == "Draft" else content


async def streams_nothing(request: web.Request, body: Json) -> web.StreamResponse | None:
    """No stream is to be had."""
    return (
        await refuses(400, "stream is not supported, nor a grammar")(request, body)
        if body.get("stream")
        else None
    )


REVERSED = json.dumps({"missing": None, "statements": [{"text": RULING["text"], "evidence": ["1.1"]}]})


@pytest.mark.parametrize("in_one_piece", [False, True], ids=["stream", "one piece"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(REVERSED, id="keys in another order"),
        pytest.param(f"```json\n{json.dumps(DRAFT, indent=2)}\n```", id="code fence"),
        pytest.param(f"Claro! Aqui está:\n{json.dumps(DRAFT)}\nMais algo?", id="prose around it"),
        pytest.param(json.dumps({"Draft": DRAFT}), id="wrapped once more"),
        pytest.param(f"<think>Perhaps {{}}?</think>{json.dumps(DRAFT)}", id="thoughts"),
        pytest.param(json.dumps({**DRAFT, "mood": "good"}), id="a further key"),
        pytest.param(
            json.dumps({"statements": [{**RULING, "evidence": ["[1.1]"]}]}), id="brackets, no missing"
        ),
        pytest.param(json.dumps({"statements": [{**RULING, "evidence": 1.1}]}), id="a number for ids"),
        pytest.param(json.dumps({"statements": [{"text": LINE}]}), id="no ids"),
        pytest.param(json.dumps({"statements": [{"evidence": []}, RULING]}), id="a bad one before it"),
        pytest.param(json.dumps({**DRAFT, "missing": ["nothing"]}), id="a list of what is missing"),
        pytest.param(json.dumps(DRAFT).replace(LINE, f"{LINE}\n"), id="a line end in a text"),
        pytest.param(json.dumps({"statements": [[RULING]]}), id="lists in a list"),
        pytest.param(json.dumps({"statements": {"1": RULING}}), id="an object of statements"),
        pytest.param(json.dumps({"statements": [{"statement": RULING}]}), id="objects in objects"),
        pytest.param(json.dumps({"statements": [{**RULING, "text": [LINE]}]}), id="a text in a list"),
        pytest.param(json.dumps({"Statements": [{"Evidence": ["1.1"], "Text": LINE}]}), id="capital keys"),
        pytest.param(json.dumps([RULING]), id="statements alone"),
        pytest.param(f"- [ ] read [1.1] {json.dumps(DRAFT)}", id="brackets before it"),
        pytest.param(json.dumps(DRAFT).replace("}]", "},]"), id="a comma too many"),
        pytest.param(json.dumps(DRAFT).replace("null", "None"), id="a constant of Python"),
        pytest.param(json.dumps({**DRAFT, "missing": "None"}), id="a word for nothing missing"),
        pytest.param(json.dumps({"statements": [RULING, {**RULING, "text": f"{LINE}!"}]}), id="said twice"),
        pytest.param(f'<thinking>{{"statements": []}}?</thinking>{json.dumps(DRAFT)}', id="thinking"),
    ],
)
async def test_what_can_be_read_is_read(server: ModelServer, text: str, in_one_piece: bool) -> None:
    server.wording = words_of_draft(text)
    if in_one_piece:
        server.fault = streams_nothing
    answer, _ = await asked(rules_graph_at(server))
    assert [statement.text for statement in answer.statements] == [RULING["text"]]
    assert answer.outcome is Outcome.ANSWERED


def says(body: str, content_type: str = "application/json") -> Fault:
    """Every draft is answered with status 200 and this."""

    async def fault(request: web.Request, asked: Json) -> web.StreamResponse | None:
        is_draft = schema_asked_for(asked) == "Draft"
        return web.Response(text=body, content_type=content_type) if is_draft else None

    return fault


def says_choices(choices: Any) -> Fault:
    """Every draft is answered by a completion with these choices."""
    return says(json.dumps({"id": "1", "object": "chat.completion", "model": "m", "choices": choices}))


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(says('{"error": {"message": "overloaded", "code": 503}}'), id="an error"),
        pytest.param(says('{"error": "out of memory"}'), id="an error in a word"),
        pytest.param(says("<html><title>Log in</title></html>", "text/html"), id="a web page"),
        pytest.param(says(""), id="nothing"),
        pytest.param(says("[]"), id="a list"),
        pytest.param(says("data: [DONE]\n\n", "text/event-stream"), id="a stream of nothing"),
        pytest.param(says_choices([]), id="no choice"),
        pytest.param(says_choices(None), id="choices that are null"),
        pytest.param(says_choices([{"index": 0, "finish_reason": "stop"}]), id="a choice without message"),
        pytest.param(says_choices([{"index": 0, "message": {"role": "assistant"}}]), id="no content"),
    ],
)
async def test_what_is_no_reply_leaves_the_closest_passages_and_says_so(
    server: ModelServer, fault: Fault
) -> None:
    server.fault = fault
    answer, told = await asked(rules_graph_at(server))
    assert (answer.outcome, answer.notice, told) == (Outcome.PASSAGES, "notice-model-reply", [])


@pytest.mark.parametrize("in_one_piece", [False, True], ids=["stream", "one piece"])
async def test_a_ruling_in_another_language_is_shown_at_least_as_its_line(
    server: ModelServer, in_one_piece: bool
) -> None:
    server.script["Draft"] = {"statements": [{"evidence": ["1.1"], "text": "Magery kostet 5 Punkte."}]}
    if in_one_piece:
        server.fault = streams_nothing
    answer, _ = await asked(rules_graph_at(server))
    assert [source.quote for source in answer.sources] == [LINE]


@pytest.mark.parametrize("refused", [(), ("json_schema",), ("json_schema", "json_object")])
async def test_judge_and_generator_share_the_beginning_up_to_the_pages_in_every_form(
    server: ModelServer, refused: Sequence[str]
) -> None:
    server.fault = refuses_forms(400, *refused)
    await asked(rules_graph_at(server))
    last = {schema_asked_for(body): body["messages"] for body in server.requests}
    judge, draft = ("\0".join(one["content"] for one in last[name]) for name in ("Sufficiency", "Draft"))
    assert draft.startswith(judge[: judge.index(LINE) + len(LINE)])


# Thinking


def thinking_asked_off(body: Json) -> tuple[Any, Any]:
    return body.get("reasoning_effort"), body.get("chat_template_kwargs")


async def test_a_compatible_server_is_asked_not_to_think(server: ModelServer) -> None:
    await asked(rules_graph_at(server))
    asked_off = ("none", {"enable_thinking": False})
    assert [thinking_asked_off(body) for body in server.requests] == [asked_off] * 3


def test_openai_itself_is_sent_no_word_of_thinking_and_no_length_of_a_text() -> None:
    model = chat_model(Settings.model_validate({"openai_api_key": "key", "openai_base_url": None}))
    assert model is not None
    schema = {"items": {"type": "string", "maxLength": 300}, "maxItems": 4}
    payload = model._get_request_payload("Why?", response_format={"json_schema": {"schema": schema}})
    assert thinking_asked_off(payload) == (None, None)
    sent = payload["extra_body"]["response_format"]["json_schema"]["schema"]
    assert sent == {"items": {"type": "string"}, "maxItems": 4}


@pytest.mark.parametrize("message", ["Unknown field: {option}", "no"])
async def test_a_server_that_knows_no_word_of_thinking_is_not_sent_it_again(
    server: ModelServer, message: str
) -> None:
    async def fault(request: web.Request, body: Json) -> web.StreamResponse | None:
        named = [name for name in ("reasoning_effort", "chat_template_kwargs") if name in body]
        return await refuses(400, message.format(option=named[0]))(request, body) if named else None

    server.fault = fault
    rules_graph = rules_graph_at(server)
    for _ in range(2):
        answer, _ = await asked(rules_graph)
        assert answer.outcome is Outcome.ANSWERED
    assert thinking_asked_off(server.requests[-1]) == (None, None)
    assert len(server.requests) <= 3 + 3 + 2 * 2


async def test_a_refusal_for_another_reason_goes_on_asking_not_to_think(server: ModelServer) -> None:
    model = chat_model(Settings.model_validate({"openai_base_url": server.url}))
    assert model is not None
    server.fault = refuses(400, "?")
    for _ in range(2):
        with pytest.raises(RequestRefused):
            await model.trial()
    off = [thinking_asked_off(body)[0] for body in server.requests]
    assert off == ["none", None, "none"]


async def test_bounds_in_a_schema_that_a_server_refuses_are_left_out(server: ModelServer) -> None:
    async def fault(request: web.Request, body: Json) -> web.StreamResponse | None:
        return await refuses(400, "'maxLength' is not permitted")(request, body) if has_length(body) else None

    def has_length(body: Json) -> bool:
        return "maxLength" in json.dumps(body["response_format"])

    server.fault = fault
    rules_graph = rules_graph_at(server)
    await asked(rules_graph)
    server.requests.clear()
    answer, _ = await asked(rules_graph)
    assert answer.outcome is Outcome.ANSWERED
    assert [has_length(body) for body in server.requests] == [False] * 3
    assert "maxItems" in json.dumps(server.requests[-1]["response_format"])


async def test_thoughts_beside_the_text_count_as_progress_and_are_shown_to_nobody(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.models.provider.SILENCE_SECONDS", 0.2)
    monkeypatch.setattr("rag.models.provider.SILENCE_SHARE", 0)

    async def thinks(request: web.Request, body: Json) -> web.StreamResponse | None:
        if schema_asked_for(body) != "Draft":
            return None
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        thoughts: list[Json] = [{"content": "", "reasoning": "hm"}] * 3
        for number, event in enumerate(events(body, [*thoughts, {"content": json.dumps(DRAFT)}])):
            await asyncio.sleep(0.3 if number < 3 else 0)
            await response.write(event.encode())
        return response

    server.fault = thinks
    answer, told = await asked(rules_graph_at(server))
    assert (answer.outcome, told) == (Outcome.ANSWERED, [RULING["text"]])


# Replies that find no end


def begun(further: str) -> str:
    """A draft whose first statement is whole, and then this."""
    return f'{{"statements": [{json.dumps(RULING)}, {further}'


ENDLESS = {
    "blanks": begun(" " * 40_000),
    "line breaks": begun("\n\t" * 20_000),
    "one line": begun('{"evidence": ["1.1"], "text": "' + "It costs points.\n" * 3_000),
    "one statement": begun((json.dumps(RULING) + ", ") * 1_000),
    "ever new words": begun('{"evidence": ["1.1"], "text": "' + " ".join(map(str, range(12_000)))),
}


@pytest.mark.parametrize("name", ENDLESS)
async def test_a_reply_that_finds_no_end_is_ended_and_what_was_told_stays(
    server: ModelServer, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    text = ENDLESS[name]
    sent: list[int] = []

    async def pacing(number: int, request: web.Request) -> None:
        sent.append(number)
        await asyncio.sleep(0.0005)

    server.wording, server.pacing = words_of_draft(text), pacing
    answer, told = await asked(rules_graph_at(server))
    assert told == [statement.text for statement in answer.statements]
    assert set(told) == {RULING["text"]}
    assert answer.notice == "notice-model-broke-off"
    assert "longer than a reply may be" in caplog.text
    assert max(sent) < len(text) / 40
    assert [schema for schema, _ in server.prompts].count("Draft") == 1


async def test_blanks_without_end_behind_a_whole_reply_cost_nothing(server: ModelServer) -> None:
    server.wording = words_of_draft(json.dumps(DRAFT) + "\n" * 40_000)
    answer, _ = await asked(rules_graph_at(server))
    assert (answer.outcome, answer.notice) == (Outcome.ANSWERED, None)


def test_long_thoughts_before_a_reply_are_no_reply_without_end() -> None:
    thoughts = " ".join(f"Perhaps {number}?" for number in range(LONGEST_REPLY))
    assert not finds_no_end(f"<think>{thoughts}")
    assert not finds_no_end(f"<think>{thoughts}</think>{json.dumps(DRAFT)}")
    assert finds_no_end(f"<think>{thoughts}</think>{thoughts}")


async def test_a_reply_in_one_piece_may_take_what_its_schema_holds_and_thoughts(server: ModelServer) -> None:
    await asked(rules_graph_at(server))
    bounds = {schema_asked_for(body): body["max_tokens"] for body in server.requests}
    assert bounds["Sufficiency"] < 5_000 < bounds["Draft"] <= 8_000


# Prompts that a server cuts in silence


async def test_a_prompt_that_was_cut_is_told_with_the_answer_and_once_in_the_log(
    server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    text = "\n".join([LINE, *(f"Spell {number} costs {number} points." for number in range(1_000))])
    catalog = OneRetriever(ScriptedRetriever(pages={}, fallback=[page(text, 66)]))
    model = chat_model(Settings.model_validate({"openai_base_url": server.url, "chat_model": "scripted"}))
    embedding = EmbeddingModel("words", WordEmbeddings(), 1.0)
    rules_graph = RulesGraph(catalog, model, embedding, prompt_tokens=30_000)
    server.usage = {"prompt_tokens": 4_096, "completion_tokens": 50, "total_tokens": 4_146}
    for _ in range(2):
        answer, _ = await asked(rules_graph)
        assert (answer.outcome, answer.notice) == (Outcome.ANSWERED, "notice-prompt-cut")
    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "4096 of about" in line
    assert "PROMPT_TOKENS" in line
    server.usage = None
    answer, _ = await asked(rules_graph)
    assert answer.notice is None


# What a reply costs the event loop


TURNS_TO_CLOSE = 3


@asynccontextmanager
async def longest_hold() -> AsyncIterator[list[float]]:
    """The most of the processor's time that went by between two turns of the event loop."""
    most = [0.0]

    async def turn() -> None:
        before = time.thread_time()
        while True:
            await asyncio.sleep(0)
            now = time.thread_time()
            most[0], before = max(most[0], now - before), now

    # What earlier tests left would count as well: clients are closed by tasks, which tell that they fail.
    for _ in range(TURNS_TO_CLOSE):
        gc.collect()
        await asyncio.sleep(0)
    gc.disable()
    turning = asyncio.create_task(turn())
    try:
        yield most
    finally:
        gc.enable()
        turning.cancel()


def statements(count: int, **fields: Any) -> str:
    return json.dumps({"statements": [{**RULING, **fields}] * count})


HOSTILE = {
    "braces": '{"statements": [' + "{" * LONGEST_REPLY,
    "closed braces": '{"statements": [{"evidence": [], "text": "' + "} " * (LONGEST_REPLY // 2),
    "nested": '{"a":' * (LONGEST_REPLY // 5),
    "lists": '{"statements": [{"evidence": ' + "[" * LONGEST_REPLY,
    "begun again and again": '{"statements": [' * (LONGEST_REPLY // 16),
    "many statements": statements(LONGEST_REPLY // 60),
    "long statements": statements(16, text="Magery costs 5 points, not 6 or 1d6+2. " * 25),
    "long words": statements(16, text="5d6+" * 240),
    "many lines": statements(8, evidence=["1.1-1.99", "7.7"] * 100),
    "a long gap": json.dumps({**DRAFT, "missing": "the price of 7 " * (LONGEST_REPLY // 15)}),
    "thoughts": "<think>" * (LONGEST_REPLY // 7),
    "ends of thoughts": "</think>{" * (LONGEST_REPLY // 9),
}


@pytest.mark.parametrize("in_one_piece", [False, True], ids=["stream", "one piece"])
@pytest.mark.parametrize("name", HOSTILE)
async def test_a_degenerate_reply_never_holds_the_event_loop(
    server: ModelServer, name: str, in_one_piece: bool
) -> None:
    rules_graph = rules_graph_at(server)
    await asked(rules_graph)
    # What only an unusable reply loads is loaded once in a bot's life.
    server.wording = words_of_draft("{")
    await asked(rules_graph)
    server.wording = words_of_draft(HOSTILE[name])
    if in_one_piece:
        server.fault = streams_nothing
    async with longest_hold() as most:
        await asked(rules_graph)
    assert most[0] < LONGEST_HOLD
