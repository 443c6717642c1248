"""Nearest chunks as arrays, and those of several parts joined."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag.library.index.nearest import NearestChunks, joined

CHUNKS = st.dictionaries(st.integers(0, 30), st.sampled_from([0.1, 0.2, 0.3]), max_size=20)


def near(cosines: dict[int, float]) -> NearestChunks:
    """Chunks in any order, with their cosines."""
    return NearestChunks(np.array([*cosines], np.int32), np.array([*cosines.values()], np.float64))


@given(st.lists(CHUNKS, min_size=1, max_size=3))
def test_joined_chunks_come_nearest_first_and_equally_near_ones_by_number(
    parts: list[dict[int, float]],
) -> None:
    pairs = sorted((-cosine, chunk) for part in parts for chunk, cosine in part.items())
    found = joined(near(part) for part in parts)
    assert found.chunks.tolist() == [chunk for _, chunk in pairs]
    assert found.cosines.tolist() == [-far for far, _ in pairs]
