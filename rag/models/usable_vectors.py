"""The vectors of an embedding, looked at before anything is searched with them; pure."""

from collections.abc import Sequence

import numpy as np

from rag.errors import OtherEmbedding, UnusableVectors

Vector = Sequence[float]


def usable_vectors(texts: Sequence[str], vectors: Sequence[Vector], dimension: int = 0) -> Sequence[Vector]:
    """The vectors of texts, in order, as they came: one a text, each of finite numbers and not zero.

    `dimension` is what the index was made with; 0: any, but one for all.
    Raises `UnusableVectors`, and `OtherEmbedding` where the dimension is another.
    """
    try:
        with np.errstate(over="ignore"):
            rows = np.array(vectors, np.float32)
    except (TypeError, ValueError) as error:
        raise UnusableVectors from error
    if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all() or not rows.any(1).all():
        raise UnusableVectors
    if dimension and rows.shape[1] != dimension:
        raise OtherEmbedding
    return vectors
