"""BM25 over chunks and pages, by words as their language inflects them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag.library.index.bm25 import Texts, bm25, invert, occurrences

terms = st.lists(st.sampled_from(["torch", "fall", "die", "river"]), min_size=1, max_size=12)


def scores(documents: list[list[str]], asked: list[str], hidden: frozenset[int] = frozenset()) -> list[float]:
    postings = invert((number, text, []) for number, text in enumerate(documents) if number not in hidden)
    parts = np.array([-1 if number in hidden else 0 for number in range(len(documents))], np.int32)
    lengths = np.array([len(text) for text in documents], np.float32)
    counts = occurrences([{term: 1.0} for term in dict.fromkeys(asked)], postings, len(documents))
    return [float(score) for score in bm25(counts, Texts.of(lengths, parts))]


@given(st.lists(terms, min_size=2, max_size=8), terms)
def test_a_hidden_text_moves_no_score(documents: list[list[str]], query: list[str]) -> None:
    with_hidden = scores(documents, query, hidden=frozenset({len(documents) - 1}))
    assert with_hidden == [*scores(documents[:-1], query), 0.0]
