"""When the garbage collector works: not while all is loaded, later only where nobody waits."""

import gc
import os
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.operations.interpreter import collect, collect_nothing_yet, pass_over_what_is_loaded


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
    collect_nothing_yet()
    circle = weakref.ref(Circle())
    collect()
    assert circle() is not None


def test_garbage_is_collected_once_all_is_loaded() -> None:
    collect_nothing_yet()
    pass_over_what_is_loaded()
    circle = weakref.ref(Circle())
    collect()
    assert circle() is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take it back by themselves, or never")
def test_memory_that_is_free_goes_back_to_the_system_when_garbage_is_collected() -> None:
    held = [bytes(2_000) for _ in range(50_000)]
    before = resident_bytes()
    del held[:-1]  # The last one lies above the others: by itself nothing below it goes back.
    collect()
    assert resident_bytes() < before - 50_000_000


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
