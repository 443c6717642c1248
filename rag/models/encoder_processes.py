"""The packaged encoder in several processes: half of its work is Python, which threads do not share."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import numpy as np
import numpy.typing as npt

from rag.models.encoder import encoded, packaged_encoder

MOST_PROCESSES = 4
"""Each takes about 130 MB while it works."""
_PROCESSES = multiprocessing.get_context("spawn")

Vectors = list[npt.NDArray[np.float32]]

_prepared: list[tuple[SpawnProcess, Connection]] = []
"""Processes that wait for whoever encodes next."""


def prepare_encoders(count: int) -> None:
    """Have so many processes wait for texts, at most one a core: to start one takes two seconds."""
    while len(_prepared) < min(count, _most_processes()):
        _prepared.append(_started())


def end_prepared_encoders() -> None:
    """Have the processes end for which there was nothing to encode."""
    while _prepared:
        process, connection = _prepared.pop()
        connection.close()
        process.join()


class EncoderProcesses:
    """Processes that encode beside one another, one a core; if this one is killed, they end by themselves."""

    def __init__(self) -> None:
        prepare_encoders(_most_processes())
        self._processes, self._connections = zip(*_prepared, strict=True)
        _prepared.clear()

    def encode(self, batches: Sequence[list[str]]) -> Iterator[Vectors]:
        """The vectors of each batch of texts, in order.

        Raises what an encoder does; `EOFError` or `ConnectionError` where a process has ended.
        """
        count = len(self._connections)
        for connection, batch in zip(self._connections, batches, strict=False):
            connection.send(batch)
        for number in range(len(batches)):
            connection = self._connections[number % count]
            vectors: npt.NDArray[np.float32] | Exception = connection.recv()
            if isinstance(vectors, Exception):
                raise vectors
            if number + count < len(batches):
                connection.send(batches[number + count])
            yield list(vectors)

    def close(self) -> None:
        """Have the processes end."""
        for connection in self._connections:
            connection.close()
        for process in self._processes:
            process.join()


def _most_processes() -> int:
    return min(os.cpu_count() or 1, MOST_PROCESSES)


def _started() -> tuple[SpawnProcess, Connection]:
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=_encode, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _encode(connection: Connection) -> None:
    """In the process: encode what comes, until nobody listens."""
    # Ctrl-C reaches every process of a terminal; this one ends with the one that began it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Where there is none, whoever sends texts is told.
    with suppress(ImportError):
        packaged_encoder()
    try:
        while True:
            texts: list[str] = connection.recv()
            connection.send(_outcome(texts))
    except (EOFError, ConnectionError):
        return


def _outcome(texts: list[str]) -> npt.NDArray[np.float32] | Exception:
    try:
        return encoded(texts)
    except Exception as error:
        return error
