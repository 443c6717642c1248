"""The packaged encoder in little memory."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rag.models.encoder import leave_table_on_disk


def encoder_with(table: "np.ndarray[Any, Any]") -> SimpleNamespace:
    return SimpleNamespace(_model=SimpleNamespace(table=table))


def test_the_encoders_table_is_left_on_the_disk_as_it_is() -> None:
    table = np.arange(12, dtype=np.uint8).reshape(3, 4)
    encoder = encoder_with(table)
    leave_table_on_disk(encoder)
    assert isinstance(encoder._model.table, np.memmap)
    assert encoder._model.table.tolist() == table.tolist()


def test_without_room_on_the_disk_the_table_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room() -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("rag.models.encoder.TemporaryFile", no_room)
    encoder = encoder_with(np.zeros((2, 2), np.uint8))
    leave_table_on_disk(encoder)
    assert not isinstance(encoder._model.table, np.memmap)


def test_an_encoder_that_is_made_otherwise_is_left_alone() -> None:
    encoder = SimpleNamespace(weights=[1, 2])
    leave_table_on_disk(encoder)
    assert vars(encoder) == {"weights": [1, 2]}
