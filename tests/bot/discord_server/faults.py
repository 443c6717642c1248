"""Answers that a test orders in advance: errors, rate limits, slowness."""

import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from .places import Json
from .refusals import Refusal

# discord.py takes a 429 without `Via` for a ban by Discord's proxy, and gives up.
PROXY = {"Via": "1.1 google"}


@dataclass(frozen=True)
class Answer:
    """An HTTP answer: status, JSON and headers of its own."""

    status: int
    body: Json | list[Json] | None = None
    headers: dict[str, str] = field(default_factory=dict)


def refusal(why: Refusal) -> Answer:
    """Discord's answer for an error."""
    return Answer(why.status, dict(why.body))


def too_many(retry_after: float, *, everywhere: bool = False, via: bool = True) -> Answer:
    """429; `everywhere` is the global limit, without `via` it looks like a ban by the proxy."""
    body: Json = {
        "message": "You are being rate limited.",
        "retry_after": retry_after,
        "global": everywhere,
    }
    headers = {"Retry-After": f"{retry_after:g}", "X-RateLimit-Scope": "global" if everywhere else "user"}
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    return Answer(429, body, headers | (PROXY if via else {}))


@dataclass
class Fault:
    """What happens to the next `times` requests that fit `method` and the pattern `path`.

    `answer` None lets the request through. With `applied` it takes effect although the bot is told
    otherwise, as when an answer is lost on its way back.
    """

    method: str
    path: str
    answer: Answer | None
    times: int
    delay: float = 0.0
    applied: bool = False

    def fits(self, method: str, path: str) -> bool:
        """Whether it is meant."""
        return self.times > 0 and method == self.method and fnmatchcase(path, self.path)


@dataclass
class Limit:
    """At most `requests` in `seconds` to each path that fits, as Discord limits a channel."""

    method: str
    path: str
    requests: int
    seconds: float
    _recent: defaultdict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def fits(self, method: str, path: str) -> bool:
        """Whether it is meant."""
        return method == self.method and fnmatchcase(path, self.path)

    def take(self, path: str) -> tuple[int, float]:
        """Count a request: how many remain (-1 is one too many), and the seconds until the reset."""
        now, recent = time.monotonic(), self._recent[path]
        while recent and now - recent[0] >= self.seconds:
            recent.popleft()
        if len(recent) >= self.requests:
            return -1, recent[0] + self.seconds - now
        recent.append(now)
        return self.requests - len(recent), recent[0] + self.seconds - now
