"""What calls have taught about a model's server: whether it is out, and which requests it takes; pure."""

import time

from rag.errors import ModelError

FAULTS_IN_A_ROW = 2
"""Of calls without a success between: one may be of that call alone."""
FIRST_PAUSE_SECONDS = 30.0
LONGEST_PAUSE_SECONDS = 300.0
FALLBACKS_IN_A_ROW = 2
"""Replies that only a plain request brought, after which a server is sent plain requests alone."""


class Server:
    """A model's server, as all calls to it know it.

    After some faults in a row nobody asks for 30 seconds, after the next one for twice as long, up to 5
    minutes. A success ends that.
    """

    def __init__(self, faults_in_a_row: int = FAULTS_IN_A_ROW) -> None:
        """Begin with a server of which nothing is known."""
        self.refused: set[str] = set()
        """The fields of a request that it does not take."""
        self.streams = True
        self._faults_in_a_row = faults_in_a_row
        self._fault: ModelError | None = None
        self._faults = 0
        self._paused_until = 0.0
        self._fallbacks = 0

    @property
    def fault(self) -> ModelError | None:
        """Why the server should not be asked now; None where it may be."""
        return self._fault if time.monotonic() < self._paused_until else None

    def failed(self, fault: ModelError) -> bool:
        """Take note of a call's fault; whether it is the first of its kind since the server answered.

        Calls that were under way together fail together: what fails during a pause makes it no longer.
        """
        is_new = type(fault) is not type(self._fault)
        if self.fault is None:
            self._faults += 1
            self._fault = fault
            further = self._faults - self._faults_in_a_row
            if further >= 0:
                pause = min(FIRST_PAUSE_SECONDS * 2.0 ** min(further, 9), LONGEST_PAUSE_SECONDS)
                self._paused_until = time.monotonic() + pause
        return is_new

    def succeeded(self) -> None:
        """Take note that the server answered."""
        self._fault, self._faults, self._paused_until = None, 0, 0.0

    @property
    def keeps_to_schemas(self) -> bool:
        """Whether the server may be asked for a reply that keeps to a schema."""
        return self._fallbacks < FALLBACKS_IN_A_ROW

    def replied(self, *, is_plain: bool) -> None:
        """Take note of the request that brought a usable reply: one with a schema, or a plain one."""
        self._fallbacks = self._fallbacks + 1 if is_plain else 0
