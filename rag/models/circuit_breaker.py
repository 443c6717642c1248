"""A circuit breaker: a server that failed is left alone for a while, its wait is paid once; pure."""

import math
import time
from collections.abc import Callable

from rag.errors import ModelError

FAULTS_IN_A_ROW = 2
"""Of calls without a success between: one may be of that call alone."""
FIRST_PAUSE_SECONDS = 30.0
LONGEST_PAUSE_SECONDS = 300.0


class CircuitBreaker:
    """What is known of a server's failing, shared by all calls to it.

    After two faults in a row nobody asks for 30 seconds, after the next one for twice as long, up to 5
    minutes. A success closes it. `clock` gives seconds from any beginning.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._fault: ModelError | None = None
        self._faults = 0
        self._answered = -math.inf
        self._pause = 0.0
        self._until = 0.0

    @property
    def fault(self) -> ModelError | None:
        """Why the server should not be asked now; None where it may be."""
        return self._fault if self._clock() < self._until else None

    def failed(self, fault: ModelError, asked: float, *, is_certain: bool = False) -> float | None:
        """Take note of the fault of a call made at the time `asked`; the seconds of the pause, if one begins.

        A server that has answered any call since then has not failed. Where every other call would meet the
        fault as well, it `is_certain`: one is enough.
        """
        if self._answered >= asked:
            return None
        self._faults += 1
        return self.open(fault) if is_certain or self._faults >= FAULTS_IN_A_ROW else None

    def open_for(self, fault: ModelError, asked: float, seconds: float) -> float | None:
        """Leave the server alone for as long as it asks, up to 5 minutes; None where it answered since."""
        if self._answered >= asked:
            return None
        pause = min(seconds, LONGEST_PAUSE_SECONDS)
        self._fault, self._until = fault, max(self._until, self._clock() + pause)
        return pause

    def open(self, fault: ModelError) -> float:
        """Begin a pause because of a fault; returns its seconds.

        Calls that were under way together fail together: they count once.
        """
        if self.fault is None:
            self._pause = min(2 * self._pause or FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
            self._until = self._clock() + self._pause
        self._fault = fault
        return self._pause

    def succeeded(self) -> None:
        """Close the breaker: the server answered."""
        self._fault, self._faults, self._pause, self._until = None, 0, 0.0, 0.0
        self._answered = self._clock()
