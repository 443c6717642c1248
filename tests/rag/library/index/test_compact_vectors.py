"""Unit vectors of bytes lie where the exact ones lie, nearly."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag.library.index.compact_vectors import CompactVectors
from rag.library.index.unit_vectors import cosines, normalised

NEARLY = 0.01


@given(st.integers(0, 2**32 - 1), st.integers(0, 2_500), st.sampled_from((1, 64, 512)))
def test_cosines_are_nearly_those_of_the_exact_vectors(seed: int, count: int, dimension: int) -> None:
    drawn = np.random.default_rng(seed)
    exact = normalised(drawn.normal(size=(count, dimension)).astype(np.float32))
    asked = normalised(drawn.normal(size=(3, dimension)).astype(np.float32))
    found = CompactVectors.of(exact).cosines(asked)
    assert np.allclose(found, cosines(asked, exact), atol=NEARLY)


def test_a_part_compares_as_the_same_rows_of_all() -> None:
    vectors = CompactVectors.of(normalised(np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32)))
    asked = normalised(np.ones((1, 8), np.float32))
    assert np.array_equal(vectors.part(slice(10, 20)).cosines(asked), vectors.cosines(asked)[:, 10:20])


def test_an_empty_vector_is_near_to_nothing() -> None:
    empty = CompactVectors.of(np.zeros((1, 4), np.float32))
    assert empty.cosines(np.ones((1, 4), np.float32)).tolist() == [[0]]


def test_no_vectors_have_no_cosines() -> None:
    none = CompactVectors.of(np.zeros((0, 0), np.float32))
    assert (len(none), none.dimension, none.cosines(np.zeros((2, 0), np.float32)).shape) == (0, 0, (2, 0))
