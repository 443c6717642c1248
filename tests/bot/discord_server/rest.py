"""The HTTP side: every request is recorded and checked, then met by a fault or its route."""

import json
import time
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from aiohttp import web

from tests.bot.specification import MentionsNotSuppressed, SpecificationViolation, check_request

from . import channel_routes, interaction_routes
from .faults import Answer, Fault, refusal
from .gateway import Gateway
from .places import Json
from .refusals import Refusal, RefusedError
from .routing import Call
from .world import World

PREFIX = "/api/v10"
TOKEN_IN_THE_PATH = ("/interactions/", "/webhooks/")


@dataclass(eq=False)
class Request:
    """A request as it came: `at` in monotonic seconds, `body` decoded, `status` once answered."""

    method: str
    path: str
    body: Any
    at: float
    files: tuple[str, ...] = ()
    status: int | None = None

    def fits(self, method: str, path: str) -> bool:
        """Whether it is a `method` request to the pattern `path` (`*` for anything)."""
        return self.method == method and fnmatchcase(self.path, path)


class Rest:
    """Discord's HTTP API under /api/v10."""

    def __init__(self, world: World, gateway: Gateway, token: str) -> None:
        self.requests: list[Request] = []
        self.violations: list[str] = []
        self.faults: list[Fault] = []
        self._world = world
        self._gateway = gateway
        self._token = token

    async def answer(self, http: web.Request) -> web.Response:
        """Serve one request."""
        path = http.path.removeprefix(PREFIX)
        body, files = await _decoded(http)
        request = Request(http.method, path, body, time.monotonic(), tuple(part["name"] for part in files))
        self.requests.append(request)
        answer = self._decide(request, http, [part["attachment"] for part in files])
        request.status = answer.status
        self._world.changes.announce()
        return _response(answer)

    def _decide(self, request: Request, http: web.Request, attachments: list[Json]) -> Answer:
        accepted = self._check(request)
        fault = next((one for one in self.faults if one.fits(request.method, request.path)), None)
        if fault is not None:
            fault.times -= 1
            if not fault.applied:
                return fault.answer
        answer = self._route(request, http, attachments) if accepted else refusal(Refusal.INVALID_FORM)
        return fault.answer if fault else answer

    def _check(self, request: Request) -> bool:
        """Note what is wrong with a request; whether Discord would take it all the same."""
        parts = dict.fromkeys(request.files, b"")
        body = {**request.body, **parts} if parts else request.body
        try:
            check_request(request.method, request.path, body)
        except MentionsNotSuppressed as violation:
            self.violations.append(f"{request.method} {request.path}: {violation}")
        except SpecificationViolation as violation:
            self.violations.append(f"{request.method} {request.path}: {violation}")
            return False
        return True

    def _route(self, request: Request, http: web.Request, attachments: list[Json]) -> Answer:
        if not request.path.startswith(TOKEN_IN_THE_PATH) and not self._authorised(http):
            return refusal(Refusal.UNAUTHORIZED)
        for routes in (channel_routes.route, interaction_routes.route):
            for handler, ids, token in routes.find(request.method, request.path):
                body, query = request.body or {}, dict(http.query)
                call = Call(self._world, self._gateway, ids, token, body, query, attachments)
                try:
                    return handler(call)
                except RefusedError as refused:
                    return refusal(refused.refusal)
        self.violations.append(f"{request.method} {request.path}: this server does not have the route")
        return Answer(404, {"code": 0, "message": "404: Not Found"})

    def _authorised(self, http: web.Request) -> bool:
        return http.headers.get("Authorization") == f"Bot {self._token}"


async def _decoded(http: web.Request) -> tuple[Any, list[Json]]:
    """The JSON of a request, and its uploads: name of the part and attachment object each."""
    if http.content_type.startswith("multipart/"):
        form = await http.post()
        uploads = [_upload(name, part) for name, part in form.items() if isinstance(part, web.FileField)]
        return json.loads(str(form["payload_json"])), uploads
    text = await http.text()
    return (json.loads(text) if text else None), []


def _upload(name: str, part: web.FileField) -> Json:
    size = len(part.file.read())
    url = f"https://cdn.discordapp.com/attachments/{part.filename}"
    index = name.removeprefix("files[").removesuffix("]")
    attachment = {"id": index, "filename": part.filename, "size": size, "url": url, "proxy_url": url}
    return {"name": name, "attachment": attachment}


def _response(answer: Answer) -> web.Response:
    """discord.py decodes a body only if its type is exactly `application/json`, with no charset."""
    if answer.body is None:
        return web.Response(status=answer.status, headers=answer.headers)
    kind = {"Content-Type": "application/json"}
    body = json.dumps(answer.body).encode()
    return web.Response(status=answer.status, body=body, headers=kind | answer.headers)
