"""What the provider's client raises, as our own typed errors."""

import logging
from collections.abc import Iterable
from contextlib import suppress

import openai

from rag.errors import (
    BalanceSpent,
    CallTimedOut,
    KeyRefused,
    ModelBusy,
    ModelError,
    ModelUnreachable,
    ReplyFiltered,
    RequestRefused,
    RulesError,
    UnknownModel,
    UnusableReply,
)

log = logging.getLogger(__name__)

NAMES_A_FORM = ("response_format", "json_schema", "grammar", "stream_options")
"""Words of a server that does not take the form of a request, whatever its status."""
NAMES_A_FILTER = ("content_filter", "content management policy", "moderation")
"""Words of a server whose filter refuses a prompt."""
KINDS: dict[int, type[ModelError]] = {
    401: KeyRefused,
    402: BalanceSpent,
    403: KeyRefused,
    404: UnknownModel,
    429: ModelBusy,
}


def fault_of(error: Exception) -> RulesError:
    """What a failure of the provider's client means for us."""
    match error:
        case RulesError():
            return error
        case openai.APIStatusError():
            return _fault_of_status(error)
        case TimeoutError():
            return CallTimedOut()
        case openai.APIConnectionError() | OSError():
            return ModelUnreachable()
        case _:
            # What is left cannot read the reply: no JSON, no choices, another shape.
            log.info("a reply cannot be read: %s", type(error).__name__)
            return UnusableReply()


def _fault_of_status(error: openai.APIStatusError) -> ModelError:
    status, words = error.status_code, _words(error)
    kind = KINDS.get(status, ModelUnreachable if status >= 500 else RequestRefused)
    if kind in (KeyRefused, RequestRefused) and any(name in words for name in NAMES_A_FILTER):
        kind = ReplyFiltered
    elif any(name in words for name in NAMES_A_FORM):
        kind = RequestRefused
    return kind(status=status, retry_after=_retry_after(error.response.headers.get("retry-after")))


def refused_fields(error: openai.APIStatusError, sent: Iterable[str]) -> set[str]:
    """Those of the fields sent that the server names as the reason why it refuses a request."""
    words = _words(error) if isinstance(fault_of(error), RequestRefused) else ""
    return {field for field in sent if field in words}


def _words(error: openai.APIStatusError) -> str:
    """What the server said of an error, in small letters."""
    return f"{error} {error.body}".lower()


def _retry_after(header: str | None) -> float | None:
    """The seconds to wait that a `Retry-After` header asks for, where it gives their number."""
    with suppress(TypeError, ValueError):
        return max(0.0, float(header or ""))
    return None
