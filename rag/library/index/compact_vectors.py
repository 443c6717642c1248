"""Unit vectors with a byte for each number: a quarter of the memory, for what need not be exact. Pure.

Each row has a scale of its own (symmetric quantisation: Jacob et al., *Quantization and Training of Neural
Networks for Efficient Integer-Arithmetic-Only Inference*, 2018). Cosines are off by some thousandths.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.library.index.unit_vectors import UnitVectors, cosines

_LARGEST = np.iinfo(np.int8).max
_ROWS_AT_ONCE = 1_000
"""Rows that are made numbers of again at once: they stay in the processor's cache until they are compared."""


@dataclass(frozen=True, slots=True)
class CompactVectors:
    """Unit vectors as `rows` of whole numbers, each row to be multiplied by its scale."""

    rows: npt.NDArray[np.int8]
    scales: npt.NDArray[np.float32]

    @classmethod
    def of(cls, vectors: UnitVectors) -> "CompactVectors":
        """Those nearest to some unit vectors; rows of zeros stay so."""
        scales = np.abs(vectors).max(axis=1, initial=0) / np.float32(_LARGEST)
        rows = np.round(vectors / np.where(scales > 0, scales, 1)[:, None])
        return cls(rows.astype(np.int8), scales.astype(np.float32))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self.rows.shape[1])

    def part(self, rows: slice) -> "CompactVectors":
        """Those of some rows."""
        return CompactVectors(self.rows[rows], self.scales[rows])

    def cosines(self, asked: UnitVectors) -> UnitVectors:
        """The cosine of each unit vector asked to each of these."""
        found: UnitVectors = np.empty((len(asked), len(self)), np.float32)
        for first in range(0, len(self), _ROWS_AT_ONCE):
            some = slice(first, first + _ROWS_AT_ONCE)
            found[:, some] = cosines(asked, self.rows[some].astype(np.float32))
        found *= self.scales
        return found
