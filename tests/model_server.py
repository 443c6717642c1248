"""A model server in OpenAI's shape on loopback: scripted chat replies, and embeddings of letters."""

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from aiohttp import web

Json = dict[str, Any]
Scripted = Json | Callable[[str], Json]
DIMENSIONS = 26


class ModelServer:
    """Answers every prompt with the scripted reply for its schema, which may be a function of the prompt.

    `delays` are the seconds that replies to a schema take. `prompts` holds (schema, prompt) in order of
    arrival; a prompt without a schema is called "". `embedded` holds the texts of each embedding request.
    `usage` is what the server says that each reply took; with None it says nothing.
    """

    def __init__(self, script: Mapping[str, Scripted], delays: Mapping[str, float] | None = None) -> None:
        self.script = dict(script)
        self.delays = dict(delays or {})
        self.prompts: list[tuple[str, str]] = []
        self.embedded: list[list[str]] = []
        self.usage: Json | None = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        self.url = ""
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", self._complete)
        application.router.add_post("/v1/embeddings", self._embed)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    def prompts_for(self, schema: str) -> list[str]:
        """The prompts that asked for a schema, in order."""
        return [prompt for name, prompt in self.prompts if name == schema]

    async def _complete(self, request: web.Request) -> web.Response:
        body = await request.json()
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("name", "")
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        self.prompts.append((schema, prompt))
        await self._think(schema)
        content = json.dumps(self._reply(schema, prompt)) if schema else "ready"
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        return web.json_response(
            {
                "id": "completion",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [choice],
                "usage": self.usage,
            }
        )

    async def _think(self, schema: str) -> None:
        """What takes the time between a prompt and its reply."""
        await asyncio.sleep(self.delays.get(schema, 0.0))

    def _reply(self, schema: str, prompt: str) -> Json:
        reply = self.script[schema]
        reply = reply(prompt) if callable(reply) else reply
        return dict(reply)

    async def _embed(self, request: web.Request) -> web.Response:
        body = await request.json()
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        self.embedded.append(texts)
        data = [
            {"object": "embedding", "index": index, "embedding": _letters(text)}
            for index, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return web.json_response({"object": "list", "data": data, "model": body["model"], "usage": usage})


def _letters(text: str) -> list[float]:
    """A unit vector of how often each letter occurs."""
    counts = [text.lower().count(chr(ord("a") + place)) + 0.01 for place in range(DIMENSIONS)]
    norm = math.sqrt(sum(count * count for count in counts))
    return [count / norm for count in counts]
