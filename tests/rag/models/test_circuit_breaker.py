"""How long a server that failed is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import ModelUnreachable
from rag.models.circuit_breaker import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, Outage

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
def outage(clock: Clock) -> Outage:
    return Outage(clock)


def test_a_server_without_a_fault_is_asked(outage: Outage) -> None:
    assert outage.fault is None


def test_after_a_fault_it_is_left_alone_for_half_a_minute(outage: Outage, clock: Clock) -> None:
    outage.began(DOWN)
    clock.now += FIRST_PAUSE_SECONDS - 1
    assert outage.fault is DOWN
    clock.now += 1
    assert outage.fault is None


@given(faults=st.integers(min_value=1, max_value=20))
def test_each_fault_after_a_pause_doubles_it_up_to_five_minutes(faults: int) -> None:
    clock = Clock()
    outage = Outage(clock)
    pauses = []
    for _ in range(faults):
        pauses.append(outage.began(DOWN))
        clock.now += pauses[-1]
    assert pauses == [min(FIRST_PAUSE_SECONDS * 2**turn, LONGEST_PAUSE_SECONDS) for turn in range(faults)]


def test_calls_that_fail_together_count_once(outage: Outage) -> None:
    assert [outage.began(DOWN) for _ in range(5)] == [FIRST_PAUSE_SECONDS] * 5


def test_a_success_forgets_all_faults(outage: Outage, clock: Clock) -> None:
    clock.now += outage.began(DOWN)
    outage.began(DOWN)
    outage.ended()
    assert outage.fault is None
    assert outage.began(DOWN) == FIRST_PAUSE_SECONDS


def test_one_fault_is_no_outage_and_two_in_a_row_are(outage: Outage, clock: Clock) -> None:
    assert outage.failed(DOWN, clock.now) is None
    assert outage.fault is None
    assert outage.failed(DOWN, clock.now) == FIRST_PAUSE_SECONDS
    assert outage.fault is DOWN


def test_a_certain_fault_is_an_outage_at_once(outage: Outage, clock: Clock) -> None:
    assert outage.failed(DOWN, clock.now, is_certain=True) == FIRST_PAUSE_SECONDS


def test_a_success_between_begins_the_row_anew(outage: Outage, clock: Clock) -> None:
    outage.failed(DOWN, clock.now)
    outage.ended()
    clock.now += 1
    assert outage.failed(DOWN, clock.now) is None


@pytest.mark.parametrize("is_certain", [False, True])
def test_a_server_that_answered_since_a_call_was_made_is_not_out(
    outage: Outage, clock: Clock, is_certain: bool
) -> None:
    asked = clock.now
    clock.now += 1
    outage.ended()
    for _ in range(3):
        assert outage.failed(DOWN, asked, is_certain=is_certain) is None
    assert outage.asked_to_wait(DOWN, asked, 10.0) is None
    assert outage.fault is None


def test_after_a_pause_one_fault_is_enough(outage: Outage, clock: Clock) -> None:
    outage.failed(DOWN, clock.now)
    clock.now += outage.failed(DOWN, clock.now) or 0.0
    assert outage.failed(DOWN, clock.now) == 2 * FIRST_PAUSE_SECONDS


@pytest.mark.parametrize(("seconds", "pause"), [(20.0, 20.0), (86_400.0, LONGEST_PAUSE_SECONDS)])
def test_a_server_that_asks_to_wait_is_left_alone_as_long_within_reason(
    outage: Outage, clock: Clock, seconds: float, pause: float
) -> None:
    assert outage.asked_to_wait(DOWN, clock.now, seconds) == pause
    clock.now += pause - 1
    assert outage.fault is DOWN
    clock.now += 1
    assert outage.fault is None
