"""When the garbage collector works: not while all is loaded, later only where nobody waits."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from benchmarks.answer.bot_process import resident_megabytes
from bot.operations.interpreter import collect, pass_over_what_is_loaded, prepare_to_load

THREADS = """
import ctypes, time
from concurrent.futures import ThreadPoolExecutor
from bot.operations.interpreter import prepare_to_load
prepare_to_load()
with ThreadPoolExecutor(4) as threads:
    list(threads.map(time.sleep, [0.1] * 4))
ctypes.CDLL(None).malloc_stats()
"""
"""Four threads at a time, and then what glibc tells of each of its arenas."""


class Circle:
    """What only the garbage collector frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def usual_collector() -> Iterator[None]:
    """The collector as it was, after a test."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()
    gc.enable()


def test_nothing_is_collected_while_all_is_loaded() -> None:
    prepare_to_load()
    circle = weakref.ref(Circle())
    collect()
    assert circle() is not None


def test_garbage_is_collected_once_all_is_loaded() -> None:
    prepare_to_load()
    pass_over_what_is_loaded()
    circle = weakref.ref(Circle())
    collect()
    assert circle() is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take it back by themselves, or never")
def test_memory_that_is_free_goes_back_to_the_system_when_garbage_is_collected() -> None:
    held = [bytes(2_000) for _ in range(50_000)]
    before = resident_megabytes()
    del held[:-1]  # The last one lies above the others: by itself nothing below it goes back.
    collect()
    assert resident_megabytes() < before - 50


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no arenas")
def test_all_threads_have_their_memory_from_one_arena() -> None:
    told = subprocess.run([sys.executable, "-c", THREADS], check=True, stderr=subprocess.PIPE).stderr
    assert told.count(b"Arena") == 1
