"""How long a server that failed is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import ModelUnreachable
from rag.outage import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, Outage

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
