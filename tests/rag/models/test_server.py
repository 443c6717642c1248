"""How long a server that failed is left alone."""

from rag.errors import CallTimedOut, ModelUnreachable
from rag.models.server import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, Server


class Clock:
    """Seconds that pass when told."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_after_two_faults_in_a_row_pauses_grow_from_half_a_minute_to_five_until_it_answers() -> None:
    clock = Clock()
    server = Server(clock=clock)
    down = ModelUnreachable()
    assert server.failed(down)
    assert server.fault is None
    for pause in (30, 60, 120, 240, 300, 300):
        for _ in range(3):
            assert not server.failed(down)
        clock.now += pause - 1
        assert server.fault is down
        clock.now += 1
        assert server.fault is None
    assert (FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS) == (30, 300)
    server.succeeded()
    assert server.failed(down)
    assert server.fault is None


def test_the_host_is_told_of_another_kind_of_fault() -> None:
    server = Server()
    assert server.failed(ModelUnreachable())
    assert server.failed(CallTimedOut())
