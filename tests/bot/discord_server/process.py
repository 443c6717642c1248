"""The real bot as a process of its own."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from .waiting import Changes

LAUNCHER = Path(__file__).parent.parent / "launch.py"
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "SSL_CERT_FILE")


class BotProcess:
    """A running `python -m bot`; what it writes is kept in `log`."""

    def __init__(self, process: asyncio.subprocess.Process, changes: Changes) -> None:
        self.log = ""
        self._process = process
        self._changes = changes
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(
        cls, arguments: tuple[str, str, str], env: Mapping[str, str], cwd: Path, changes: Changes
    ) -> "BotProcess":
        """Run the launcher with its `arguments` in an environment of `env` alone."""
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(LAUNCHER),
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=kept | {"PYTHONUNBUFFERED": "1"} | dict(env),
            cwd=cwd,
        )
        return cls(process, changes)

    @property
    def exit_status(self) -> int | None:
        """The exit status; None while it runs, negative if a signal killed it."""
        return self._process.returncode

    async def exited(self, within: float) -> int:
        """The exit status once it has ended; AssertionError if it has not in time."""
        status = await self._changes.until(lambda: self.exit_status, within, f"exit of the bot\n{self.log}")
        await self._reader
        return status

    async def writes(self, text: str, within: float = 10.0) -> None:
        """Wait until `text` stands in its log."""
        await self._changes.until(lambda: text in self.log or None, within, f"{text!r} in the log")

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    async def terminate(self, within: float = 10.0) -> int:
        """SIGTERM, as hosts send it; the exit status."""
        self.signal(signal.SIGTERM)
        return await self.exited(within)

    async def kill(self) -> None:
        """End it at once, whatever state it is in."""
        if self.exit_status is None:
            self._process.kill()
        await self._reader

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.log += line.decode(errors="replace")
            self._changes.announce()
        await self._process.wait()
        self._changes.announce()
