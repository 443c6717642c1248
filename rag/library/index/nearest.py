"""Vectors compared: unit vectors, their cosines, and the chunks nearest to a vector. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.library.index.bm25 import Ids
from rag.models.arrays import multiply_in_one_thread

UnitVectors = npt.NDArray[np.float32]


def normalised(vectors: UnitVectors) -> UnitVectors:
    """The rows scaled to length one; empty ones stay empty."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: UnitVectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled


def cosines(asked: UnitVectors, others: UnitVectors) -> UnitVectors:
    """The cosine of each vector asked to each of the others, sooner than where the few come first."""
    multiply_in_one_thread()
    compared: UnitVectors = (others @ asked.T).T
    return compared


@dataclass(frozen=True, slots=True, eq=False)
class NearestChunks:
    """Chunks by number with their cosine, nearest first."""

    chunks: Ids
    cosines: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.chunks)

    def among(self, is_wanted: npt.NDArray[np.bool_]) -> "NearestChunks":
        """Those that are wanted, in the same order; `is_wanted` tells it of every chunk there is."""
        kept = is_wanted[self.chunks]
        return NearestChunks(self.chunks[kept], self.cosines[kept])

    def first(self, count: int) -> "NearestChunks":
        """So many of the nearest, or all."""
        return NearestChunks(self.chunks[:count], self.cosines[:count])


NONE_NEAR = NearestChunks(np.zeros(0, np.int32), np.zeros(0))


def joined(parts: Iterable[NearestChunks]) -> NearestChunks:
    """The chunks of several parts, nearest first, equally near ones by number."""
    held = list(parts)
    chunks = np.concatenate([one.chunks for one in held])
    cosines = np.concatenate([one.cosines for one in held])
    order = np.lexsort((chunks, -cosines))
    return NearestChunks(chunks[order], cosines[order])
