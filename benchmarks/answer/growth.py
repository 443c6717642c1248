"""How soon a file that is put into a library of 20,000 pages is found by a question."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.answer.bench import Bench
from benchmarks.answer.figures import Figure
from benchmarks.answer.large_library import LARGE_PAGES, large_library
from rag.config import Settings
from rag.library.library import Library

PROJECT = Path(__file__).parents[2]
INGEST = (sys.executable, "-m", "rag", "ingest", "--progress", "json")
STAY = ("--stay", "3600")
MOST_WARM_SECONDS, MOST_COLD_SECONDS = 2.0, 8.0
LOOK_SECONDS = 0.02
WORDS = ("quibblesnatch", "grommelwort", "fizzlethorn")
"""Each in one new file, and nowhere else."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Put in a page of text each, with a process that has just ingested another, and with one that starts.

    In between, nothing is changed, and the page is taken out again.
    """
    large = large_library(bench)
    library = Library.open(large, bench.embedding)
    warming, warm, cold = WORDS
    staying = _ingesting(large, *STAY)
    _answered(large, library, warming, lambda: _tell(staying))
    _wait_until_done(staying)
    worked = _processor_seconds(staying)
    found = _answered(large, library, warm, lambda: _tell(staying))
    linked = found + _wait_until_done(staying)
    worked = _processor_seconds(staying) - worked
    _tell(staying)
    unchanged = _wait_until_done(staying)
    gone = _gone(large, library, warm, lambda: _tell(staying))
    _wait_until_done(staying)
    most = _most_megabytes(staying)
    staying.terminate()
    staying.wait()
    what = f"a page more in {LARGE_PAGES:,} is found"
    yield Figure(f"{what}, process at work", found, "s", at_most=MOST_WARM_SECONDS)
    yield Figure("… and all references to and from it", linked, "s")
    yield Figure("… the processor time of all that", worked, "s")
    yield Figure("a run that finds nothing changed", unchanged, "s")
    yield Figure("that page is taken out, until it is found no more", gone, "s")
    yield Figure("memory of the process at its most", most, "MB")
    starting: list[subprocess.Popen[str]] = []
    found = _answered(large, library, cold, lambda: starting.append(_ingesting(large)))
    yield Figure(f"{what}, process started", found, "s", at_most=MOST_COLD_SECONDS)
    starting[0].communicate()


def _answered(large: Settings, library: Library, word: str, begin: Callable[[], object]) -> float:
    """The seconds from a new file to its being found."""
    started = time.perf_counter()
    (large.library_dir / f"{word}.md").write_text(f"# {word}\n\nA {word} costs three coins.")
    begin()
    while word not in library.retriever("player").invoke(f"What does a {word} cost?")[0].page_content:
        time.sleep(LOOK_SECONDS)
    return time.perf_counter() - started


def _gone(large: Settings, library: Library, word: str, begin: Callable[[], object]) -> float:
    """The seconds until a file that is taken out is found no more."""
    started = time.perf_counter()
    (large.library_dir / f"{word}.md").unlink()
    begin()
    while word in library.retriever("player").invoke(f"What does a {word} cost?")[0].page_content:
        time.sleep(LOOK_SECONDS)
    return time.perf_counter() - started


def _ingesting(large: Settings, *options: str) -> "subprocess.Popen[str]":
    folders = {"LIBRARY_DIR": str(large.library_dir), "INDEX_DIR": str(large.index_dir)}
    environment = {**os.environ, **folders, "PYTHONPATH": str(PROJECT)}
    return subprocess.Popen(
        [*INGEST, *options],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _tell(process: "subprocess.Popen[str]") -> None:
    assert process.stdin
    process.stdin.write("ingest\n")
    process.stdin.flush()


def _wait_until_done(process: "subprocess.Popen[str]") -> float:
    """The seconds until the process has done what it was told."""
    assert process.stderr
    started = time.perf_counter()
    for line in process.stderr:
        if line.startswith("{") and json.loads(line)["stage"] == "done":
            break
    return time.perf_counter() - started


def _processor_seconds(process: "subprocess.Popen[str]") -> float:
    """The processor time of a process so far, with that of those it waited for (Linux)."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _most_megabytes(process: "subprocess.Popen[str]") -> float:
    """The most memory that a process has had resident (Linux)."""
    status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) * 1024 / 1e6
