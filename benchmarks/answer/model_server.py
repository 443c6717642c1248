"""A chat model in OpenAI's shape on loopback, in a process of its own: every reply takes a fixed time.

`python -m benchmarks.answer.model_server SECONDS HOPS QUERY …` prints its base URL and serves until it is
ended. A judge of it asks for the queries one after the other, so that a question takes `HOPS` hops.
"""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from aiohttp import web

SEARCHED = re.compile(r"<searched>(.*?)</searched>", re.DOTALL)
LINE = re.compile(r"^\[(?P<id>\d+\.\d+)\] (?P<text>.+)$", re.MULTILINE)
ASKED_ABOUT = re.compile(r"\bs\d+\b")
"""The id of a statement in the support request."""
WORDING = "in other words"
STATEMENT = "The page that is quoted here says so in its own words. "
ANSWER_CHARACTERS = 1000
MOST_STATEMENTS = 8
STATEMENT_CHARACTERS = range(80, 300)
"""How long a line may be that is stated: a few make an answer."""

Json = dict[str, Any]


class FixedDelayServer:
    """Answers every prompt after `seconds`, by the name of the schema it asks for."""

    def __init__(self, seconds: float, hops: int, queries: Sequence[str]) -> None:
        self._seconds = seconds
        self._queries = queries[: hops - 1]

    async def complete(self, request: web.Request) -> web.StreamResponse:
        """One chat completion, whole or in one piece of a stream."""
        body = await request.json()
        await asyncio.sleep(self._seconds)
        content = json.dumps(self._reply(_schema(body), body["messages"][-1]["content"]))
        if not body.get("stream"):
            return web.json_response(_completion(body["model"], "message", content, "chat.completion"))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        chunk = _completion(body["model"], "delta", content, "chat.completion.chunk")
        await response.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())
        return response

    def _reply(self, schema: str, prompt: str) -> Json:
        replies: Mapping[str, Json] = {
            "Rewrite": {"standalone": True, "question": ""},
            "SubQuestions": {"sub_questions": [f"{WORDING} {number}" for number in ("one", "two", "three")]},
            "Sufficiency": self._verdict(prompt),
            "Draft": _draft(prompt),
            "SupportVerdicts": _support(prompt),
        }
        return replies.get(schema, {"answer": STATEMENT})

    def _verdict(self, prompt: str) -> Json:
        searched = "".join(SEARCHED.findall(prompt))
        wanted = [query for query in self._queries if query not in searched][:1]
        return {"sufficient": not wanted, "new_queries": wanted}


def _schema(body: Json) -> str:
    return str((body.get("response_format") or {}).get("json_schema", {}).get("name", ""))


def _draft(prompt: str) -> Json:
    """The first lines shown that are sentences, each stated in its own words, as many as make an answer."""
    statements: list[Json] = []
    for line in LINE.finditer(prompt):
        characters = sum(len(statement["text"]) for statement in statements)
        if characters >= ANSWER_CHARACTERS or len(statements) == MOST_STATEMENTS:
            break
        if len(line["text"]) in STATEMENT_CHARACTERS:
            statements.append({"evidence": [line["id"]], "text": line["text"]})
    return {"statements": statements, "missing": None}


def _support(prompt: str) -> Json:
    """Yes to every statement that is asked about."""
    return {
        "supports": [{"id": name, "verdict": "yes"} for name in dict.fromkeys(ASKED_ABOUT.findall(prompt))]
    }


def _completion(model: str, part: str, content: str, kind: str) -> Json:
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "finish_reason": "stop", part: message}
    return {
        "id": "reply",
        "object": kind,
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


@contextmanager
def model_server(seconds: float, hops: int = 1, queries: Sequence[str] = ()) -> Iterator[str]:
    """The base URL of a server in a process of its own, which ends with the block."""
    command = [sys.executable, "-m", "benchmarks.answer.model_server", str(seconds), str(hops), *queries]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


async def serve(server: FixedDelayServer) -> None:
    """Print the base URL and serve."""
    application = web.Application(client_max_size=16 * 2**20)
    application.router.add_post("/v1/chat/completions", server.complete)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(FixedDelayServer(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])))
