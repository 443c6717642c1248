"""Unit vectors as rows of a matrix: scaled to length one, and compared by their cosine. Pure."""

import numpy as np
import numpy.typing as npt

from rag.matrix_threads import multiply_in_one_thread

UnitVectors = npt.NDArray[np.float32]


def normalised(vectors: UnitVectors) -> UnitVectors:
    """The rows scaled to length one; empty ones stay empty."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: UnitVectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled


def cosines(asked: UnitVectors, others: UnitVectors) -> UnitVectors:
    """The cosine of each vector asked to each of the others."""
    multiply_in_one_thread()
    compared: UnitVectors = asked @ others.T
    return compared
