"""Replies as models really write them, in a stream and in one piece, over a real socket."""

import asyncio
import gc
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from rag.state import Outcome
from tests.model_server import (
    Fault,
    Json,
    ModelServer,
    Wording,
    events,
    refuses,
    refuses_forms,
    schema_asked_for,
)
from tests.rag.models.one_rule import DRAFT, DRAFTED, RULE, asked, only, rules_graph_at

LONGEST_HOLD = 0.05
"""Seconds that a reply may hold the event loop."""


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


REVERSED = json.dumps({"missing": None, "statements": [{"text": RULE, "evidence": ["1.1"]}]})


@pytest.mark.parametrize("in_one_piece", [False, True], ids=["stream", "one piece"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(REVERSED, id="keys in another order"),
        pytest.param(f"```json\n{json.dumps(DRAFT, indent=2)}\n```", id="code fence"),
        pytest.param(f"Claro! Aqui está:\n{json.dumps(DRAFT)}\nMais algo?", id="prose around it"),
        pytest.param(json.dumps({"Draft": DRAFT}), id="wrapped once more"),
        pytest.param(f"<think>Perhaps {{}}?</think>{json.dumps(DRAFT)}", id="thoughts"),
        pytest.param(f"Perhaps {{}}?</think>{json.dumps(DRAFT)}", id="thoughts without a beginning"),
        pytest.param(json.dumps({**DRAFT, "mood": "good"}), id="a further key"),
        pytest.param(
            json.dumps({"statements": [{**DRAFTED, "evidence": ["[1.1]"]}]}), id="brackets, no missing"
        ),
        pytest.param(json.dumps({"statements": [{**DRAFTED, "evidence": 1.1}]}), id="a number for ids"),
        pytest.param(json.dumps({"statements": [{"text": RULE}]}), id="no ids"),
        pytest.param(json.dumps({"statements": [{"evidence": []}, DRAFTED]}), id="a bad one before it"),
        pytest.param(json.dumps({**DRAFT, "missing": ["nothing"]}), id="a list of what is missing"),
        pytest.param(json.dumps(DRAFT).replace(RULE, f"{RULE}\n"), id="a line end in a text"),
        pytest.param(json.dumps({"statements": [[DRAFTED]]}), id="lists in a list"),
        pytest.param(json.dumps({"statements": {"1": DRAFTED}}), id="an object of statements"),
        pytest.param(json.dumps({"statements": [{"statement": DRAFTED}]}), id="objects in objects"),
        pytest.param(json.dumps({"statements": [{**DRAFTED, "text": [RULE]}]}), id="a text in a list"),
        pytest.param(json.dumps([DRAFTED]), id="statements alone"),
        pytest.param(f"- [ ] read [1.1] {json.dumps(DRAFT)}", id="brackets before it"),
        pytest.param(json.dumps({**DRAFT, "missing": "None"}), id="a word for nothing missing"),
        pytest.param(json.dumps({"statements": [DRAFTED, {**DRAFTED, "text": f"{RULE}!"}]}), id="said twice"),
    ],
)
async def test_what_can_be_read_is_read(server: ModelServer, text: str, in_one_piece: bool) -> None:
    server.wording = words_of_draft(text)
    if in_one_piece:
        server.fault = streams_nothing
    answer = (await asked(rules_graph_at(server))).answer
    assert [statement.text for statement in answer.statements] == [RULE]
    assert answer.outcome is Outcome.ANSWERED
    assert [schema for schema, _ in server.prompts].count("Draft") == 1 + in_one_piece


def says(body: str, content_type: str = "application/json") -> Fault:
    """Every draft is answered with status 200 and this."""

    async def fault(request: web.Request, asked: Json) -> web.StreamResponse:
        return web.Response(text=body, content_type=content_type)

    return only("Draft", fault)


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
    answered = await asked(rules_graph_at(server))
    assert (answered.why_quoted, answered.told) == ("notice-model-reply", [])


@pytest.mark.parametrize("refused", [(), ("json_schema",)], ids=["with a schema", "plainly"])
async def test_judge_and_generator_share_the_beginning_up_to_the_pages(
    server: ModelServer, refused: tuple[str, ...]
) -> None:
    server.fault = refuses_forms(400, *refused)
    await asked(rules_graph_at(server))
    last = {schema_asked_for(body): body["messages"] for body in server.requests}
    judge, draft = ("\0".join(one["content"] for one in last[name]) for name in ("Sufficiency", "Draft"))
    assert draft.startswith(judge[: judge.index(RULE) + len(RULE)])


async def test_thoughts_beside_the_text_are_shown_to_nobody(server: ModelServer) -> None:
    thoughts: list[Json] = [{"content": "", "reasoning": "hm"}] * 3

    async def thinks(request: web.Request, body: Json) -> web.StreamResponse:
        written = "".join(events(body, [*thoughts, {"content": json.dumps(DRAFT)}]))
        # Pieces of some servers name no role.
        text = written.replace('"role": "assistant", ', "")
        return web.Response(text=text, content_type="text/event-stream")

    server.fault = only("Draft", thinks)
    answered = await asked(rules_graph_at(server))
    assert (answered.answer.outcome, answered.told) == (Outcome.ANSWERED, [f"“{RULE}”"])


# Replies that find no end


def begun(further: str) -> str:
    """A draft whose first statement is whole, and then this."""
    return f'{{"statements": [{json.dumps(DRAFTED)}, {further}'


ENDLESS = {
    "blanks": begun(" " * 40_000),
    "line breaks": begun("\n\t" * 20_000),
    "one line": begun('{"evidence": ["1.1"], "text": "' + "It costs points.\n" * 3_000),
    "one statement": begun((json.dumps(DRAFTED) + ", ") * 1_000),
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
    answered = await asked(rules_graph_at(server))
    assert [statement.text for statement in answered.answer.statements] == [RULE]
    assert answered.told == [f"“{RULE}”"]
    assert answered.answer.notice == "notice-model-broke-off"
    assert "longer than a reply may be" in caplog.text
    assert max(sent) < len(text) / 40
    assert [schema for schema, _ in server.prompts].count("Draft") == 1


# Prompts that a server cuts in silence


async def test_a_prompt_that_was_cut_is_told_with_the_answer_and_once_in_the_log(
    server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    text = "\n".join([RULE, *(f"Spell {number} costs {number} points." for number in range(1_000))])
    rules_graph = rules_graph_at(server, text, prompt_tokens=30_000)
    server.usage = {"prompt_tokens": 4_096, "completion_tokens": 50, "total_tokens": 4_146}
    for _ in range(2):
        answer = (await asked(rules_graph)).answer
        assert (answer.outcome, answer.notice) == (Outcome.ANSWERED, "notice-prompt-cut")
    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "4096 of about" in line
    assert "PROMPT_TOKENS" in line
    for usage in (None, {"prompt_tokens": 9_000, "completion_tokens": 50, "total_tokens": 9_050}):
        server.usage = usage
        assert (await asked(rules_graph)).answer.notice is None


# What a reply costs the event loop


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

    # What earlier tests left would count as well.
    gc.collect()
    gc.disable()
    turning = asyncio.create_task(turn())
    try:
        yield most
    finally:
        gc.enable()
        turning.cancel()


def statements(count: int, **fields: Any) -> str:
    return json.dumps({"statements": [{**DRAFTED, **fields}] * count})


LONG = 20_000
HOSTILE = {
    "braces": '{"statements": [' + "{" * LONG,
    "closed braces": '{"statements": [{"evidence": [], "text": "' + "} " * (LONG // 2),
    "nested": '{"a":' * (LONG // 5),
    "lists": '{"statements": [{"evidence": ' + "[" * LONG,
    "many statements": statements(LONG // 60),
    "long statements": statements(16, text="Magery costs 5 points, not 6 or 1d6+2. " * 25),
    "long words": statements(16, text="5d6+" * 240),
    "many lines": statements(8, evidence=["1.1-1.99", "7.7"] * 100),
    "a long gap": json.dumps({**DRAFT, "missing": "the price of 7 " * (LONG // 15)}),
    "thoughts": "<think>" * (LONG // 7),
    "ends of thoughts": "</think>{" * (LONG // 9),
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
