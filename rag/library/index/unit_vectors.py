"""Unit vectors as rows of a matrix: scaled to length one, and compared by their cosine. Pure."""

from functools import cache
from threading import Lock

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

UnitVectors = npt.NDArray[np.float32]

_LIMITING = Lock()
"""Of two threads that limit at once, the later would put back the limit of the other, for good."""


@cache
def _blas() -> ThreadpoolController:
    """The libraries that multiply matrices."""
    return ThreadpoolController()


def normalised(vectors: UnitVectors) -> UnitVectors:
    """The rows scaled to length one; empty ones stay empty."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: UnitVectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled


def cosines(asked: UnitVectors, others: UnitVectors) -> UnitVectors:
    """The cosine of each vector asked to each of the others, in one thread.

    Two wait for one another at full speed where other work keeps the cores: several times as long.
    """
    with _LIMITING, _blas().limit(limits=1, user_api="blas"):
        compared: UnitVectors = asked @ others.T
    return compared
