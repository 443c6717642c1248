"""Answers that a test orders in advance: errors and rate limits."""

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


def too_many(retry_after: float) -> Answer:
    """429, as Discord's proxy answers."""
    body: Json = {"message": "You are being rate limited.", "retry_after": retry_after, "global": False}
    return Answer(429, body, {"Retry-After": f"{retry_after:g}", "X-RateLimit-Scope": "user"} | PROXY)


@dataclass
class Fault:
    """What happens to the next `times` requests that fit `method` and the pattern `path`.

    With `applied` they take effect although the bot is told otherwise, as when an answer is lost on its way
    back.
    """

    method: str
    path: str
    answer: Answer
    times: int
    applied: bool = False

    def fits(self, method: str, path: str) -> bool:
        """Whether it is meant."""
        return self.times > 0 and method == self.method and fnmatchcase(path, self.path)
