"""One writer at a time: a lock that the system itself lets go of when its holder dies."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


_PATIENCE_SECONDS = 0.2


@contextmanager
def only_writer(path: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock at `path`; while another process holds it, tell `on_wait` once and wait."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        has_waited = False
        while not _try_lock(descriptor):
            if not has_waited:
                on_wait()
            has_waited = True
            time.sleep(_PATIENCE_SECONDS)
        yield
    finally:
        os.close(descriptor)
