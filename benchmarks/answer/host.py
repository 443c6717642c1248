"""What a host must offer: how soon a started bot answers, and the memory it rests with."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure
from benchmarks.answer.model_server import model_server

MOST_MEGABYTES = 300
"""So that a host of 512 MB carries it with room to spare."""
READY_SECONDS, ANSWERED_SECONDS = 2.5, 3.0


def measure(bench: Bench) -> Iterator[Figure]:
    """A bot that does everything but connect, and the terminal's first answer."""
    question = bench.questions[0]
    with model_server(seconds=0) as url:
        # As anybody's second start: what is compiled was kept, whatever this machine is set to.
        environment = bench.environment(url, bench.scratch / "data") | {"PYTHONDONTWRITEBYTECODE": ""}
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", "bot", "rag", "benchmarks"], env=environment
        )
        started = time.time()
        bot = json.loads(_output(["benchmarks.answer.bot_process", str(started), question], environment))
        yield Figure("start of the bot until it is ready", bot["ready_seconds"], "s", at_most=READY_SECONDS)
        yield Figure(
            "start of the bot until its first answer", bot["answered_seconds"], "s", at_most=ANSWERED_SECONDS
        )
        yield Figure(
            f"resident memory of the bot at rest, {bench.pages} pages",
            bot["resident_megabytes"],
            "MB",
            at_most=MOST_MEGABYTES,
        )
        started = time.time()
        _output(["rag", "ask", "--json", question], environment)
        yield Figure("start of the terminal until its first answer", time.time() - started, "s")


def _output(module: Sequence[str], environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", *module]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
