"""The vectors of words: a byte a number, and compared in one thread."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from rag.library.index.nearest import cosines, normalised
from rag.library.index.vocabulary import CompactVectors, Vocabulary, Words

WORDS = 2_000
ASKED = np.random.default_rng(0).normal(size=(8, 64)).astype(np.float32)


def blas_threads() -> list[int]:
    """The threads of each library that multiplies matrices."""
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_searches_side_by_side_multiply_in_one_thread_from_then_on() -> None:
    words = Words(
        [f"word{number}" for number in range(WORDS)],
        CompactVectors.of(np.random.default_rng(1).normal(size=(WORDS, 64)).astype(np.float32)),
        np.ones((WORDS, 1), bool),
    )
    vocabulary = Vocabulary([(words, np.zeros(1, np.int32))])
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: vocabulary.nearest(ASKED, [0]), range(200)))
    assert len(found) == 200
    assert set(blas_threads()) == {1}


NEARLY = 0.01


@given(st.integers(0, 2**32 - 1), st.integers(0, 2_500), st.sampled_from((1, 64, 512)))
def test_cosines_are_nearly_those_of_the_exact_vectors(seed: int, count: int, dimension: int) -> None:
    drawn = np.random.default_rng(seed)
    exact = normalised(drawn.normal(size=(count, dimension)).astype(np.float32))
    asked = normalised(drawn.normal(size=(3, dimension)).astype(np.float32))
    found = CompactVectors.of(exact).cosines(asked)
    assert np.allclose(found, cosines(asked, exact), atol=NEARLY)
