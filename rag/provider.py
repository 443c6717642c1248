"""The configured provider's chat and embedding models: faults typed, waiting bounded, outages remembered.

Heavy to import: `rag.models` does so only where a provider is configured.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import partial
from threading import Thread
from typing import Any, Self, TypeVar

import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult, LLMResult
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import PrivateAttr
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt
from tenacity.stop import stop_before_delay
from tenacity.wait import wait_exponential_jitter

from rag.errors import (
    KeyRefused,
    ModelBusy,
    ModelError,
    ModelUnreachable,
    QuestionTimedOut,
    ReplyBrokenOff,
    ReplyFiltered,
    RequestRefused,
    RulesError,
    UnknownModel,
    UnusableReply,
)
from rag.outage import Outage
from rag.structured_output import Ladder
from rag.texts import texts_for

log = logging.getLogger(__name__)

Result = TypeVar("Result")

ATTEMPTS = 3
FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS = 0.5, 8.0
SILENCE_SECONDS = 10.0
"""How long a reply that is being written may pause; before its first word the time of the call counts."""
TRIAL = "Answer with the word: ready"

NAMES_THE_FORM = ("response_format", "json_schema", "json_object", "grammar")
NAMES_A_FILTER = ("content_filter", "content management policy", "moderation")
OUTAGES = (KeyRefused, UnknownModel, ModelUnreachable)
"""Faults that the next call meets as well."""
PASSING = (ModelBusy, QuestionTimedOut, ReplyBrokenOff)
"""Faults of one call that the host should know of."""


@dataclass
class Server:
    """What calls have taught about a server; shared by the copies of a model made for one question."""

    ladder: Ladder = field(default_factory=Ladder)
    outage: Outage = field(default_factory=Outage)
    takes_temperature: bool = True


class ProviderChatModel(ChatOpenAI):
    """A chat model of OpenAI or a compatible server.

    Every call ends within `call_seconds`, its retries included, and before `question_ends` (in seconds of
    `time.monotonic`). It raises `ModelError` alone; during an outage at once, without asking the server.
    """

    call_seconds: float
    question_seconds: float
    question_ends: float = math.inf
    _server: Server = PrivateAttr(default_factory=Server)

    @property
    def ladder(self) -> Ladder:
        """Which form of structured output the server takes."""
        return self._server.ladder

    def for_one_question(self) -> Self:
        """The same model with the time of one question running from now."""
        return self.model_copy(update={"question_ends": time.monotonic() + self.question_seconds})

    async def trial(self) -> None:
        """Ask for one word, also during an outage. Raises `ModelError`."""
        self._server.outage.ended()
        await self.ainvoke(TRIAL)

    async def agenerate(self, *args: Any, **kwargs: Any) -> LLMResult:
        """Call the model within its time. Raises `ModelError`."""
        seconds = self._allowed_seconds()
        try:
            async with asyncio.timeout(seconds):
                result = await super().agenerate(*args, **kwargs)
        except Exception as error:
            raise self._failed(error, seconds) from error.__cause__
        self._server.outage.ended()
        if not all(result.generations):
            raise UnusableReply
        return result

    async def astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[AIMessageChunk]:
        """Yield the pieces of a reply within the time of a call. Raises `ModelError`."""
        seconds = self._allowed_seconds()
        try:
            async for chunk in timely(super().astream(*args, **kwargs), seconds):
                yield chunk
        except Exception as error:
            raise self._failed(error, seconds) from error.__cause__
        self._server.outage.ended()

    def _allowed_seconds(self) -> float:
        """What a call that begins now may take. Raises what forbids it: an outage, or the question's end."""
        if fault := self._server.outage.fault:
            raise fault.with_traceback(None)
        seconds = self._seconds_left()
        if seconds <= 0:
            raise QuestionTimedOut
        return seconds

    def _seconds_left(self) -> float:
        return min(self.call_seconds, self.question_ends - time.monotonic())

    def _failed(self, error: Exception, seconds: float) -> RulesError:
        """The fault of a call that was allowed so many seconds, taken note of."""
        is_late = isinstance(error, TimeoutError) and seconds < self.call_seconds
        fault = QuestionTimedOut() if is_late else fault_of(error)
        return noted(fault, self._server.outage, self.model_name)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return await self._retried(partial(super()._agenerate, messages, stop, run_manager, **kwargs))

    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        """Stream a reply: what fails before its first piece is tried again, later it is broken off."""
        first, further = await self._retried(lambda: _opened(self._super_astream(*args, **kwargs)))
        yield first
        try:
            async for chunk in further:
                yield chunk
        except (openai.LengthFinishReasonError, openai.ContentFilterFinishReasonError) as error:
            raise fault_of(error) from error
        except Exception as error:
            raise ReplyBrokenOff from error

    def _super_astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        return super()._astream(*args, **kwargs)

    async def _retried(self, request: Callable[[], Awaitable[Result]]) -> Result:
        """What a request brings, in a few attempts within the time of a call."""
        retrying = AsyncRetrying(
            retry=retry_if_exception_type((ModelBusy, ModelUnreachable)),
            stop=stop_after_attempt(ATTEMPTS) | stop_before_delay(self._seconds_left()),
            wait=_pause,
            reraise=True,
        )
        return await retrying(self._attempt, request)

    async def _attempt(self, request: Callable[[], Awaitable[Result]]) -> Result:
        """One request; a second one without temperature where the server does not take that."""
        try:
            return await request()
        except openai.APIStatusError as error:
            fault = fault_of(error)
            if not isinstance(fault, RequestRefused) or not self._server.takes_temperature:
                raise fault from error
            if "temperature" not in _words(error):
                raise fault from error
        except Exception as error:
            raise fault_of(error) from error
        self._server.takes_temperature = False
        return await self._attempt(request)

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        if not self._server.takes_temperature:
            payload.pop("temperature", None)
        return payload


async def _opened(
    chunks: AsyncIterator[ChatGenerationChunk],
) -> tuple[ChatGenerationChunk, AsyncIterator[ChatGenerationChunk]]:
    """The first piece of a stream and the stream of the others.

    Raises `RequestRefused` where the server replied, but not with a stream.
    """
    try:
        return await anext(chunks), chunks
    except (openai.APIStatusError, openai.APIConnectionError):
        raise
    except Exception as error:
        # An empty stream, a reply in one piece, or a lost connection: asked in one piece it tells which.
        raise RequestRefused from error


async def timely(chunks: AsyncIterator[AIMessageChunk], seconds: float) -> AsyncIterator[AIMessageChunk]:
    """The pieces of a reply, all within so many seconds, and without long silence once it has begun.

    Raises `TimeoutError` where it did not begin in time, `QuestionTimedOut` where it did not end in time,
    `ReplyBrokenOff` after a silence.
    """
    ends, has_begun = time.monotonic() + seconds, False
    while True:
        left = ends - time.monotonic()
        is_silence = has_begun and left > SILENCE_SECONDS
        try:
            # Around the wait alone: around the yield it would end the consumer's work.
            async with asyncio.timeout(SILENCE_SECONDS if is_silence else left):
                chunk = await anext(chunks, None)
        except TimeoutError as error:
            if has_begun:
                raise (ReplyBrokenOff if is_silence else QuestionTimedOut) from error
            raise
        if chunk is None:
            return
        has_begun = has_begun or bool(chunk.text)
        yield chunk


class ProviderEmbeddings(Embeddings):
    """The embedding of a server. Every failure is a `ModelError`; during an outage at once.

    `seconds` bounds a request in all: the client's own time begins anew with each byte of a reply.
    """

    def __init__(self, client: OpenAIEmbeddings, seconds: float) -> None:
        self._client = client
        self._seconds = seconds
        self._outage = Outage()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of texts, in order."""
        self._check()
        try:
            return self._succeeded(within(self._seconds, partial(self._client.embed_documents, texts)))
        except Exception as error:
            raise self._failed(error) from error

    def embed_query(self, text: str) -> list[float]:
        """The vector of one text."""
        return self.embed_documents([text])[0]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of texts, in order."""
        self._check()
        try:
            async with asyncio.timeout(self._seconds):
                return self._succeeded(await self._client.aembed_documents(texts))
        except Exception as error:
            raise self._failed(error) from error

    async def aembed_query(self, text: str) -> list[float]:
        """The vector of one text."""
        return (await self.aembed_documents([text]))[0]

    def _check(self) -> None:
        if fault := self._outage.fault:
            raise fault.with_traceback(None)

    def _succeeded(self, result: Result) -> Result:
        self._outage.ended()
        return result

    def _failed(self, error: Exception) -> RulesError:
        return noted(fault_of(error), self._outage, self._client.model)


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """What work that blocks returns, or raises. Raises `TimeoutError` when the seconds are over.

    A thread cannot be stopped: such work goes on unheard, and holds up nobody's end.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future.result(seconds)


def noted(fault: RulesError, outage: Outage, model: str) -> RulesError:
    """The fault, told in the log; an outage begins where the next call would meet it as well."""
    if isinstance(fault, OUTAGES) and outage.fault is None:
        pause = outage.began(fault)
        log.warning("%s: %s Not asked again for %.0f s.", model, texts_for("en")(fault.key), pause)
    elif isinstance(fault, PASSING):
        log.warning("%s: %s", model, texts_for("en")(fault.key))
    return fault


def fault_of(error: Exception) -> RulesError:
    """What a failure of the provider's client means for us."""
    match error:
        case RulesError():
            return error
        case openai.APIStatusError():
            return _fault_of_status(error)
        case openai.APIConnectionError() | OSError():
            return ModelUnreachable()
        case openai.ContentFilterFinishReasonError():
            return ReplyFiltered()
        case _:
            # What is left cannot read the reply: cut off, no JSON, no choices, another shape.
            log.info("a reply cannot be read: %s", type(error).__name__)
            return UnusableReply()


def _fault_of_status(error: openai.APIStatusError) -> ModelError:
    status, words = error.status_code, _words(error)
    if any(name in words for name in NAMES_A_FILTER) and status in (400, 403):
        return ReplyFiltered()
    if status in (401, 403):
        return KeyRefused()
    if any(name in words for name in NAMES_THE_FORM) and status != 429:
        return RequestRefused()
    if status == 404 or "model_not_found" in words:
        return UnknownModel()
    if status == 429:
        return ModelBusy(retry_after(error.response.headers.get("retry-after")))
    return ModelUnreachable() if status in (408, 409) or status >= 500 else RequestRefused()


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


def _pause(state: RetryCallState) -> float:
    """How long to wait before the next attempt: as long as the server asks, else ever longer."""
    fault = state.outcome.exception() if state.outcome else None
    if isinstance(fault, ModelBusy) and fault.retry_after is not None:
        return fault.retry_after
    backoff = wait_exponential_jitter(
        multiplier=FIRST_RETRY_SECONDS, max=LONGEST_RETRY_SECONDS, jitter=FIRST_RETRY_SECONDS
    )
    return backoff(state)
