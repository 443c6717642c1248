"""A real Chroma server on the loopback."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

STARTS_WITHIN_SECONDS = 60


@contextmanager
def running_server(directory: Path, port: int | None = None) -> Iterator[str]:
    """The address of `chroma run` on a free port, or on `port`; it is killed in the end."""
    port = port or free_port()
    command = [Path(sys.executable).with_name("chroma"), "run", "--path", directory]
    process = subprocess.Popen(
        [*map(str, command), "--port", str(port), "--host", "127.0.0.1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + STARTS_WITHIN_SECONDS
        while not answers(url):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield url
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v2/heartbeat").is_success
    except httpx.HTTPError:
        return False
