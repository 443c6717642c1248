"""The packaged encoder in several processes: half of its work is Python, which threads do not share."""

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context, parent_process
from threading import Thread

import numpy as np
import numpy.typing as npt

from rag.models.encoder import encoded

PROCESSES = min(os.cpu_count() or 1, 4)
"""So many encode, this one among them. Each takes about 130 MB while it works."""


def encoded_beside(batches: Sequence[list[str]]) -> Iterator[npt.NDArray[np.float32]]:
    """The vectors of each batch of texts, in order; this process takes its turn.

    Raises what an encoder does; `BrokenProcessPool` where a process has ended.
    """
    beside = _pool().map(encoded, [texts for turn, texts in enumerate(batches) if turn % PROCESSES])
    for turn, texts in enumerate(batches):
        yield next(beside) if turn % PROCESSES else encoded(texts)


def end_encoders() -> None:
    """Have the processes end."""
    if _pool.cache_info().currsize:
        _pool().shutdown(cancel_futures=True)
        _pool.cache_clear()


@cache
def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(max(1, PROCESSES - 1), get_context("spawn"), _begin)


def _begin() -> None:
    """In a process: end with the process that began it, however that ends."""
    # Ctrl-C reaches every process of a terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)
