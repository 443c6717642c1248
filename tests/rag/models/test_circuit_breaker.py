"""How long a server that failed is left alone."""

import pytest

from rag.errors import ModelUnreachable
from rag.models.circuit_breaker import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, CircuitBreaker

DOWN = ModelUnreachable()


class Clock:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(clock)


def test_after_a_fault_it_is_left_alone_for_half_a_minute(breaker: CircuitBreaker, clock: Clock) -> None:
    breaker.open(DOWN)
    clock.now += FIRST_PAUSE_SECONDS - 1
    assert breaker.fault is DOWN
    clock.now += 1
    assert breaker.fault is None


def test_calls_that_fail_together_count_once(breaker: CircuitBreaker) -> None:
    assert [breaker.open(DOWN) for _ in range(5)] == [FIRST_PAUSE_SECONDS] * 5


def test_one_fault_begins_no_pause_and_two_in_a_row_do(breaker: CircuitBreaker, clock: Clock) -> None:
    assert breaker.failed(DOWN, clock.now) is None
    assert breaker.fault is None
    assert breaker.failed(DOWN, clock.now) == FIRST_PAUSE_SECONDS
    assert breaker.fault is DOWN


def test_a_certain_fault_begins_a_pause_at_once(breaker: CircuitBreaker, clock: Clock) -> None:
    assert breaker.failed(DOWN, clock.now, is_certain=True) == FIRST_PAUSE_SECONDS


@pytest.mark.parametrize("is_certain", [False, True])
def test_a_server_that_answered_since_a_call_was_made_is_not_out(
    breaker: CircuitBreaker, clock: Clock, is_certain: bool
) -> None:
    asked = clock.now
    clock.now += 1
    breaker.succeeded()
    for _ in range(3):
        assert breaker.failed(DOWN, asked, is_certain=is_certain) is None
    assert breaker.open_for(DOWN, asked, 10.0) is None
    assert breaker.fault is None


@pytest.mark.parametrize(("seconds", "pause"), [(20.0, 20.0), (86_400.0, LONGEST_PAUSE_SECONDS)])
def test_a_server_that_asks_to_wait_is_left_alone_as_long_within_reason(
    breaker: CircuitBreaker, clock: Clock, seconds: float, pause: float
) -> None:
    assert breaker.open_for(DOWN, clock.now, seconds) == pause
    clock.now += pause - 1
    assert breaker.fault is DOWN
    clock.now += 1
    assert breaker.fault is None
