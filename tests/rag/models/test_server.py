"""How long a server that failed is left alone."""

import pytest

from rag.errors import ModelUnreachable
from rag.models.server import Server


def test_after_two_faults_in_a_row_pauses_grow_from_half_a_minute_to_five_until_it_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    server = Server()
    down = ModelUnreachable()
    assert server.failed(down)
    assert server.fault is None
    for pause in (30, 60, 120, 240, 300, 300):
        for _ in range(3):
            assert not server.failed(down)
        now += pause - 1
        assert server.fault is down
        now += 1
        assert server.fault is None
    server.succeeded()
    assert server.failed(down)
    assert server.fault is None
