"""A model server in OpenAI's shape on loopback: scripted chat replies, faults, and embeddings of letters."""

import asyncio
import json
import math
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Self

from aiohttp import web
from langchain_openai.chat_models._client_utils import _AsyncHttpxClientWrapper, _cached_async_httpx_client

from tests.loopback import LoopbackServer

Json = dict[str, Any]
Scripted = Json | Callable[[str], Json]
Fault = Callable[[web.Request, Json], Awaitable[web.StreamResponse | None]]
"""What a server does instead of its scripted reply to a request; None: it replies as scripted."""
Wording = Callable[[str, Json], str | None]
"""How a server words a scripted reply (its JSON) to a request; None: the message has no content."""
Cutting = Callable[[str], Sequence[str]]
"""Into which pieces a server cuts a reply that it streams."""
Pacing = Callable[[int, web.Request], Awaitable[None]]
"""What a server does before it sends the piece of this number, from 0."""
TITLE = re.compile(r'"title": "(\w+)"')
DIMENSIONS = 26
PIECE = 40

# A client that is deleted closes itself in the loop that runs: in a later test it is another than its own.
del _AsyncHttpxClientWrapper.__del__


async def no_fault(request: web.Request, body: Json) -> web.StreamResponse | None:
    """Reply as scripted."""
    return None


def as_it_is(content: str, body: Json) -> str | None:
    """The JSON and nothing else."""
    return content


def in_short_pieces(content: str) -> Sequence[str]:
    """Pieces of forty characters."""
    return [content[start : start + PIECE] for start in range(0, len(content), PIECE)]


async def at_once(number: int, request: web.Request) -> None:
    """Send the next piece without a pause."""


class ModelServer(LoopbackServer):
    """Answers every prompt with the scripted reply for its schema, which may be a function of the prompt.

    `delays` are the seconds that replies to a schema take. `prompts` holds (schema, prompt) in order of
    arrival; a prompt without a schema is called "". `requests` are the bodies of all chat requests,
    `embedded` the texts of each embedding request, `decisions` the bodies of requests to decide: each choice
    is as `likely` as told, or refused where nothing is. `usage` is what the server says that each reply took;
    with None it says nothing. Where a stream is asked for, the reply is sent in pieces: `cutting` and
    `pacing` say which and when. All of these may be changed at any time.
    """

    root = "/v1"

    def __init__(
        self,
        script: Mapping[str, Scripted],
        delays: Mapping[str, float] | None = None,
        *,
        fault: Fault = no_fault,
        wording: Wording = as_it_is,
        embedding_fault: Fault = no_fault,
    ) -> None:
        super().__init__()
        self.script = dict(script)
        self.delays = dict(delays or {})
        self.fault = fault
        self.wording = wording
        self.embedding_fault = embedding_fault
        self.cutting: Cutting = in_short_pieces
        self.pacing: Pacing = at_once
        self.prompts: list[tuple[str, str]] = []
        self.requests: list[Json] = []
        self.embedded: list[list[str]] = []
        self.decisions: list[Json] = []
        self.likely: dict[str, float] = {}
        self.usage: Json | None = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}

    async def __aenter__(self) -> Self:
        # Clients are kept by address: one of an earlier server on this port belongs to a loop that has ended.
        _cached_async_httpx_client.cache_clear()
        return await super().__aenter__()

    def routes(self) -> web.Application:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", self._complete)
        application.router.add_post("/v1/embeddings", self._embed)
        application.router.add_post("/v1/decisions", self._decide)
        return application

    def prompts_for(self, schema: str) -> list[str]:
        """The prompts that asked for a schema, in order."""
        return [prompt for name, prompt in self.prompts if name == schema]

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        schema = schema_asked_for(body)
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        self.requests.append(body)
        self.prompts.append((schema, prompt))
        if fault := await self.fault(request, body):
            return fault
        await self._think(schema)
        content = json.dumps(self._reply(schema, prompt)) if schema else "ready"
        said = self.wording(content, body)
        if body.get("stream") and said is not None:
            return await self._stream(request, body, self.cutting(said))
        return completion(body, {"content": said}, usage=self.usage)

    async def _decide(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.decisions.append(body)
        if fault := await self.fault(request, body):
            return fault
        told = [{"value": value, "probability": share} for value, share in self.likely.items()]
        choice = max(self.likely, key=lambda value: self.likely[value], default="")
        facts = {"type": "choice", "choice": choice, "probabilities": told, "confidence": 0.5}
        answer = facts if told else {"type": "refusal"}
        answers = [answer | {"name": question["name"]} for question in body["questions"]]
        usage = {"input_tokens": 70, "output_tokens": 7}
        return web.json_response({"model": body["model"], "answers": answers, "usage": usage})

    async def _stream(self, request: web.Request, body: Json, pieces: Sequence[str]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        messages = [{"content": piece} for piece in pieces]
        for number, event in enumerate(events(body, messages, usage=self.usage)):
            await self.pacing(number, request)
            await response.write(event.encode())
        return response

    async def _think(self, schema: str) -> None:
        """What takes the time between a prompt and its reply."""
        await asyncio.sleep(self.delays.get(schema, 0.0))

    def _reply(self, schema: str, prompt: str) -> Json:
        reply = self.script[schema]
        reply = reply(prompt) if callable(reply) else reply
        return dict(reply)

    async def _embed(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        self.embedded.append(texts)
        if fault := await self.embedding_fault(request, body):
            return fault
        data = [
            {"object": "embedding", "index": index, "embedding": _letters(text)}
            for index, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return web.json_response({"object": "list", "data": data, "model": body["model"], "usage": usage})


def form_of(body: Json) -> str:
    """The form a request asks for: "json_schema", "json_object" or "plain"."""
    return str((body.get("response_format") or {}).get("type", "plain"))


def schema_asked_for(body: Json) -> str:
    """The name of the schema a request asks for, natively or in its prompt; "" where it asks for none."""
    native = (body.get("response_format") or {}).get("json_schema", {}).get("name", "")
    titles = TITLE.findall(str(body["messages"][-1]["content"]))
    return str(native or (titles[-1] if titles else ""))


def completion(
    body: Json,
    message: Json,
    finish_reason: str = "stop",
    usage: Json | None = None,
    logprobs: Json | None = None,
) -> web.Response:
    """A chat completion with one message, as a stream of one piece where that is asked for."""
    if body.get("stream"):
        stream = "".join(events(body, [message], finish_reason, usage))
        return web.Response(text=stream, content_type="text/event-stream")
    choice: Json = {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", **message}}
    choice |= {"logprobs": logprobs} if logprobs else {}
    return web.json_response(
        {
            "id": "completion",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [choice],
            "usage": usage,
        }
    )


def events(
    body: Json, messages: Sequence[Json], finish_reason: str = "stop", usage: Json | None = None
) -> Iterator[str]:
    """The server-sent events of a completion in pieces: each piece, why it ended, what it took, the end."""
    shared = {"id": "completion", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}

    def event(**facts: Any) -> str:
        return f"data: {json.dumps(shared | facts)}\n\n"

    for message in messages:
        delta = {"role": "assistant", **message}
        yield event(choices=[{"index": 0, "delta": delta, "finish_reason": None}])
    yield event(choices=[{"index": 0, "delta": {}, "finish_reason": finish_reason}])
    if usage and body.get("stream_options", {}).get("include_usage"):
        yield event(choices=[], usage=usage)
    yield "data: [DONE]\n\n"


def refuses(status: int, message: str = "no", *, code: str | None = None, **headers: str) -> Fault:
    """Every request gets an error of OpenAI's shape; `headers` are written with underscores."""

    async def fault(request: web.Request, body: Json) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        error = {"message": message, "type": "error", "code": code}
        return web.json_response({"error": error}, status=status, headers=named)

    return fault


def refuses_forms(status: int, *forms: str, message: str = "unsupported response_format") -> Fault:
    """Requests in these forms are refused, the others answered."""

    async def fault(request: web.Request, body: Json) -> web.StreamResponse | None:
        return await refuses(status, message)(request, body) if form_of(body) in forms else None

    return fault


def _letters(text: str) -> list[float]:
    """A unit vector of how often each letter occurs."""
    counts = [text.lower().count(chr(ord("a") + place)) + 0.01 for place in range(DIMENSIONS)]
    norm = math.sqrt(sum(count * count for count in counts))
    return [count / norm for count in counts]
