"""The vectors of words: a byte a number, and compared in one thread."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from threadpoolctl import threadpool_info

from rag.library.index.vocabulary import CompactVectors, Words, nearest_words

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
    vocabulary = [(words, np.zeros(1, np.int32))]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: nearest_words(vocabulary, ASKED, [0]), range(200)))
    assert len(found) == 200
    assert set(blas_threads()) == {1}
