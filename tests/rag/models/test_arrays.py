"""Arrays on the disk are as they were, and nobody can take them away."""

import numpy as np
import pytest

from rag.models.arrays import left_on_disk


def test_an_empty_array_stays_as_it_is() -> None:
    assert left_on_disk(np.zeros((0, 4))).shape == (0, 4)


def test_without_room_on_the_disk_an_array_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room() -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("rag.models.arrays.TemporaryFile", no_room)
    assert not isinstance(left_on_disk(np.zeros((2, 2), np.uint8)), np.memmap)
