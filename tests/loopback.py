"""A web server on loopback for one test: what the shaped servers have in common."""

from types import TracebackType
from typing import Self

from aiohttp import web


class LoopbackServer:
    """Serves the routes of a subclass on a free port of this machine, while its block runs."""

    root = ""
    """What follows the address in `url`."""

    def __init__(self) -> None:
        self.url = ""
        self._runner: web.AppRunner | None = None

    def routes(self) -> web.Application:
        """The paths that are served."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        self._runner = web.AppRunner(self.routes(), access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}{self.root}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()
