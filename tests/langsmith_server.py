"""A server in LangSmith's shape on loopback: takes traces as its client sends them, and hands out prompts."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from tests.loopback import LoopbackServer

Json = dict[str, Any]


@dataclass
class Run:
    """A run as it arrived, put together from its parts."""

    id: str
    facts: Json = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.facts["name"])

    @property
    def parent(self) -> str | None:
        return self.facts.get("parent_run_id")

    @property
    def metadata(self) -> Json:
        return dict(self.facts.get("extra", {}).get("metadata", {}))

    @property
    def tags(self) -> list[str]:
        return list(self.facts.get("tags") or [])


class LangSmithServer(LoopbackServer):
    """Collects runs; `prompts` are the manifests of the hub by "owner/name/commit".

    `delay` are the seconds that every reply takes. `requests` holds (path, key) in order of arrival,
    `bodies` the parts of all runs, and `most_at_once` how many requests were waiting together.
    """

    def __init__(self, prompts: dict[str, Json] | None = None, delay: float = 0.0) -> None:
        super().__init__()
        self.prompts = prompts or {}
        self.delay = delay
        self.requests: list[tuple[str, str]] = []
        self.bodies: list[bytes] = []
        self.most_at_once = 0
        self._waiting = 0
        self._runs: dict[str, Run] = {}

    def routes(self) -> web.Application:
        application = web.Application(client_max_size=2**26)
        application.router.add_get("/info", self._info)
        application.router.add_post("/runs/multipart", self._take_runs)
        application.router.add_get("/commits/{owner}/{name}/{commit}", self._prompt)
        application.router.add_route("*", "/{elsewhere:.*}", self._elsewhere)
        return application

    @property
    def runs(self) -> list[Run]:
        """The runs that arrived, in order."""
        return list(self._runs.values())

    def named(self, name: str) -> list[Run]:
        """The runs of a name."""
        return [run for run in self.runs if run.name == name]

    async def _noted(self, request: web.Request) -> None:
        self.requests.append((request.path, request.headers.get("x-api-key", "")))
        self._waiting += 1
        self.most_at_once = max(self.most_at_once, self._waiting)
        await asyncio.sleep(self.delay)
        self._waiting -= 1

    async def _info(self, request: web.Request) -> web.Response:
        await self._noted(request)
        config = {
            "use_multipart_endpoint": True,
            "size_limit": 100,
            "size_limit_bytes": 20_000_000,
            "scale_up_nthreads_limit": 16,
            "scale_up_qsize_trigger": 1000,
            "scale_down_nempty_trigger": 4,
        }
        flags = {"zstd_compression_enabled": True}
        return web.json_response({"version": "0.15", "instance_flags": flags, "batch_ingest_config": config})

    async def _take_runs(self, request: web.Request) -> web.Response:
        """Parts are named "post.ID", "patch.ID" and "post.ID.inputs" for a field sent by itself."""
        await self._noted(request)
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            operation, run_id, *fields = str(part.name).split(".")
            assert operation in ("post", "patch")
            body = bytes(await part.read())
            self.bodies.append(body)
            value = json.loads(body)
            facts = self._runs.setdefault(run_id, Run(run_id)).facts
            facts.update({fields[0]: value} if fields else value)
        return web.json_response({}, status=202)

    async def _prompt(self, request: web.Request) -> web.Response:
        await self._noted(request)
        manifest = self.prompts.get(request.path.removeprefix("/commits/"))
        if manifest is None:
            return web.json_response({"detail": "not found"}, status=404)
        commit = {"commit_hash": "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "manifest": manifest, "examples": []}
        return web.json_response(commit)

    async def _elsewhere(self, request: web.Request) -> web.Response:
        await self._noted(request)
        return web.json_response({"detail": "no such path"}, status=404)
