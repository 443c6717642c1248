"""Processes that encode are started before they are needed, and belong to whoever encodes next alone."""

from itertools import count

import pytest

from rag.models import encoder_processes
from rag.models.encoder_processes import EncoderProcesses, prepare_encoders


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started, which are mere numbers."""
    numbers, running = count(), list[int]()

    def start() -> tuple[int, str]:
        running.append(next(numbers))
        return running[-1], "connection"

    monkeypatch.setattr(encoder_processes, "_prepared", [])
    monkeypatch.setattr(encoder_processes, "_most_processes", lambda: 2)
    monkeypatch.setattr(encoder_processes, "_started", start)
    return running


def test_no_more_processes_are_prepared_than_may_work(started: list[int]) -> None:
    prepare_encoders(-3)
    prepare_encoders(1)
    prepare_encoders(50)
    prepare_encoders(50)
    assert started == [0, 1]


def test_who_encodes_next_takes_what_is_prepared_and_whoever_follows_none_of_it(started: list[int]) -> None:
    prepare_encoders(1)
    taken = [EncoderProcesses()._processes for _ in range(2)]
    assert taken == [(0, 1), (2, 3)]
    assert started == [0, 1, 2, 3]
