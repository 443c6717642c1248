"""How Python's interpreter shares its time, so that the event loop is never held for long.

Threads take short turns, and the garbage collector looks through everything only while nobody waits.
"""

import ctypes
import gc
import sys

TURN_SECONDS = 0.0005
"""How long a thread has the interpreter while others want it.

The event loop waits a turn for each question that is proved or searched: of eight 36 ms, as a median, with
Python's 5 ms, and 5 ms with these, for the same work done.
"""
MIDDLE_COLLECTION_AFTER = 1
"""Small collections that a middle one waits for, in place of Python's ten: so each looks through less.

Of fifty questions the longest took 18 ms, in which nobody is answered, and takes 5 with this. In all they
look through as much: what a small one leaves is seen by one of them.
"""
FULL_COLLECTION_AFTER = 300
"""Middle collections before a full one begins by itself: about a hundred questions.

One takes 50 ms, in which nobody is answered, and frees some hundred objects: `collect` is called before.
"""
ARENAS = -8
"""What glibc's `mallopt` calls the most arenas that it divides memory into."""


def take_short_turns() -> None:
    """Let the event loop have the interpreter sooner while threads work."""
    sys.setswitchinterval(TURN_SECONDS)


def prepare_to_load() -> None:
    """Keep the garbage collector off while all is loaded: it looks through what stays, again and again.

    All threads get their memory from one arena: what is free in an arena of its own, no other thread can use.
    """
    gc.disable()
    _ask_c_library("mallopt", ARENAS, 1)


def pass_over_what_is_loaded() -> None:
    """Let the garbage collector work from now on, and leave alone what stays until the end.

    Looking through all of it takes 0.2 s, in which nobody is answered; what it would free now is little.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(gc.get_threshold()[0], MIDDLE_COLLECTION_AFTER, FULL_COLLECTION_AFTER)


def collect() -> None:
    """Let the garbage collector look through everything, at a moment in which nobody waits.

    What is free then goes back to the system, where the C library can: of some 350 MB at rest 20 to 40.
    """
    if gc.isenabled():
        gc.collect()
        _ask_c_library("malloc_trim", 0)


def _ask_c_library(function: str, *numbers: int) -> None:
    """Call a function that glibc alone has."""
    if sys.platform == "linux":
        getattr(ctypes.CDLL(None), function, lambda *_: 0)(*numbers)
