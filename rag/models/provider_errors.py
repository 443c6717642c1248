"""What the provider's client raises, as our own typed errors."""

import logging
import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from email.utils import parsedate_to_datetime

import openai

from rag.errors import (
    BalanceSpent,
    CallTimedOut,
    KeyRefused,
    ModelBusy,
    ModelError,
    ModelUnreachable,
    NobodyListens,
    ReplyFiltered,
    RequestRefused,
    RulesError,
    UnknownAddress,
    UnknownModel,
    UnusableReply,
)

log = logging.getLogger(__name__)

NAMES_A_METHOD = ("response_format", "json_schema", "json_object", "grammar", "stream_options")
"""Words of a server that refuses a method of structured output, or of sending it."""
NAMES_A_FILTER = ("content_filter", "content management policy", "moderation")
"""Words of a server whose filter refuses a prompt."""


def fault_of(error: Exception) -> RulesError:
    """What a failure of the provider's client means for us."""
    match error:
        case RulesError():
            return error
        case openai.APIStatusError():
            return _fault_of_status(error)
        case openai.APITimeoutError() | TimeoutError():
            return CallTimedOut()
        case openai.APIConnectionError() if _was_refused(error):
            return NobodyListens()
        case openai.APIConnectionError() | OSError():
            return ModelUnreachable()
        case _:
            # What is left cannot read the reply: no JSON, no choices, another shape.
            log.info("a reply cannot be read: %s", type(error).__name__)
            return UnusableReply()


def _was_refused(error: BaseException) -> bool:
    """Whether no connection was made, so that nothing was sent.

    Told by the name of a cause: whose class it is depends on the HTTP library below the client.
    """
    cause = error.__cause__
    return cause is not None and (type(cause).__name__ == "ConnectError" or _was_refused(cause))


def _fault_of_status(error: openai.APIStatusError) -> ModelError:
    status, words = error.status_code, _words(error)
    if status == 429:
        return ModelBusy(retry_after(error.response.headers.get("retry-after")), status=status)
    return _kind_of_status(status, words, error.request.url.path)(status=status)


def _kind_of_status(status: int, words: str, path: str) -> type[ModelError]:
    if any(name in words for name in NAMES_A_FILTER) and status in (400, 403):
        return ReplyFiltered
    if status in (401, 403):
        return KeyRefused
    if status == 402:
        return BalanceSpent
    if any(name in words for name in NAMES_A_METHOD):
        return RequestRefused
    if "model_not_found" in words:
        return UnknownModel
    if status == 404:
        return UnknownModel if "/v1/" in path else UnknownAddress
    return ModelUnreachable if status in (408, 409) or status >= 500 else RequestRefused


def refused_options(error: openai.APIStatusError, sent: Iterable[str]) -> set[str]:
    """Those of the options sent that the server names as the reason why it refuses a request."""
    if not isinstance(fault_of(error), RequestRefused):
        return set()
    words = _words(error)
    return {option for option in sent if option.lower() in words}


def is_vague_refusal(error: openai.APIStatusError) -> bool:
    """Whether a server refuses a request and does not say that it is for its form."""
    words = _words(error)
    return isinstance(fault_of(error), RequestRefused) and not any(name in words for name in NAMES_A_METHOD)


def _words(error: openai.APIStatusError) -> str:
    """What the server said of an error, in small letters."""
    return f"{error} {error.body}".lower()


def retry_after(header: str | None, now: Callable[[], float] = time.time) -> float | None:
    """The seconds to wait that a `Retry-After` header asks for, by their number or by a date; pure.

    Source: RFC 9110, section 10.2.3.
    """
    if not header:
        return None
    with suppress(ValueError):
        seconds = float(header)
        return max(0.0, seconds) if math.isfinite(seconds) else None
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(header).timestamp() - now())
    return None
