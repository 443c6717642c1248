"""The configured provider's chat and embedding models: faults typed, waiting bounded, failing servers spared.

Heavy to import: `chat` and `embeddings` do so only where a provider is configured.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from threading import Thread
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

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
    BalanceSpent,
    CallTimedOut,
    KeyRefused,
    ModelBusy,
    ModelError,
    ModelUnreachable,
    NobodyListens,
    QuestionTimedOut,
    ReplyBrokenOff,
    ReplyCutOff,
    RequestRefused,
    RulesError,
    UnknownModel,
    UnusableReply,
)
from rag.models.circuit_breaker import CircuitBreaker
from rag.models.provider_errors import fault_of, refused_options
from rag.models.structured_output import MethodOrder
from rag.texts import texts_for

log = logging.getLogger(__name__)

Returned = TypeVar("Returned")

ATTEMPTS = 3
FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS = 0.5, 8.0
SILENCE_SECONDS = 10.0
"""How long a reply that is being written may pause; before its first word the time of the call counts."""
TRIAL = "Answer with the word: ready"
PAUSING = (KeyRefused, UnknownModel, BalanceSpent, ModelUnreachable, CallTimedOut)
"""Faults that the next call may meet as well: they open the circuit breaker."""
PASSING = (ModelBusy, QuestionTimedOut, ReplyBrokenOff, ReplyCutOff)
"""Faults of one call that the host should know of."""
OPENAI = "api.openai.com"
LENGTH_BOUNDS = ("max_tokens", "max_completion_tokens")
"""The names of the bound on a reply; the first that is not refused is sent. All compatible servers know
the older one, OpenAI's reasoning models the newer one alone."""
OPTIONS = ("temperature", *LENGTH_BOUNDS)
"""What servers may refuse."""


@dataclass
class Server:
    """What calls have taught about a server; shared by the copies of a model made for one question."""

    method_order: MethodOrder = field(default_factory=MethodOrder)
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    refused_options: set[str] = field(default_factory=set)


class ProviderChatModel(ChatOpenAI):
    """A chat model of OpenAI or a compatible server.

    Every call ends within `call_seconds`, its retries included, and before `question_ends` (in seconds of
    `time.monotonic`). It raises `ModelError` alone; while the circuit breaker is open at once,
    without asking the server.
    """

    call_seconds: float
    question_seconds: float
    question_ends: float = math.inf
    is_trial: bool = False
    _server: Server = PrivateAttr(default_factory=Server)

    @property
    def method_order(self) -> MethodOrder:
        """Which methods of structured output the server takes."""
        return self._server.method_order

    def for_one_question(self) -> Self:
        """The same model with the time of one question running from now."""
        return self.model_copy(update={"question_ends": time.monotonic() + self.question_seconds})

    async def trial(self) -> None:
        """Ask for one word, also during a pause; the log is left to the caller. Raises `ModelError`."""
        await self.model_copy(update={"is_trial": True}).ainvoke(TRIAL)

    async def agenerate(self, *args: Any, **kwargs: Any) -> LLMResult:
        """Call the model within its time. Raises `ModelError`."""
        asked, seconds = time.monotonic(), self._allowed_seconds()
        try:
            async with asyncio.timeout(seconds):
                result = await super().agenerate(*args, **kwargs)
        except Exception as error:
            raise self._failed(error, asked, seconds) from None
        self._server.breaker.succeeded()
        if not all(result.generations):
            raise UnusableReply
        return result

    async def astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[AIMessageChunk]:
        """Yield the pieces of a reply within the time of a call. Raises `ModelError`."""
        asked, seconds = time.monotonic(), self._allowed_seconds()
        try:
            async for chunk in timely(super().astream(*args, **kwargs), seconds):
                self._server.breaker.succeeded()
                yield chunk
        except Exception as error:
            raise self._failed(error, asked, seconds) from None

    def _allowed_seconds(self) -> float:
        """What a call that begins now may take. Raises what forbids it: a pause, or the question's end."""
        fault = self._server.breaker.fault
        if fault and not self.is_trial:
            raise fault.with_traceback(None)
        seconds = self._seconds_left()
        if seconds <= 0:
            raise QuestionTimedOut
        return seconds

    def _seconds_left(self) -> float:
        return min(self.call_seconds, self.question_ends - time.monotonic())

    def _failed(self, error: Exception, asked: float, seconds: float) -> RulesError:
        """The fault of a call made at the time `asked` and allowed so many seconds, taken note of."""
        is_late = isinstance(error, TimeoutError) and seconds < self.call_seconds
        fault = QuestionTimedOut() if is_late else fault_of(error)
        was_open = self._server.breaker.fault is not None
        pause = noted(fault, self._server.breaker, asked)
        if not was_open and not self.is_trial:
            tell(fault, self.model_name, pause)
        return fault

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
            raise fault_of(error) from None
        except Exception:
            raise ReplyBrokenOff from None

    def _super_astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        return super()._astream(*args, **kwargs)

    async def _retried(self, request: Callable[[], Awaitable[Returned]]) -> Returned:
        """What a request brings, in a few attempts within the time of a call."""
        retrying = AsyncRetrying(
            retry=retry_if_exception_type((ModelBusy, ModelUnreachable)),
            stop=stop_after_attempt(ATTEMPTS) | stop_before_delay(self._seconds_left()),
            wait=_pause,
            reraise=True,
        )
        return await retrying(self._attempt, request)

    async def _attempt(self, request: Callable[[], Awaitable[Returned]]) -> Returned:
        """One request; a further one without the options that the server does not take.

        What a failed request says may hold the key or the prompt, so no error of it goes on from here.
        """
        sent = self._options()
        try:
            return await request()
        except openai.APIStatusError as error:
            refused = refused_options(error, sent)
            if not refused:
                raise fault_of(error) from None
        except Exception as error:
            raise fault_of(error) from None
        self._server.refused_options |= refused
        return await self._attempt(request)

    def _options(self) -> Sequence[str]:
        """The options to send: those that the server has not refused, and one bound on the reply."""
        bounds = LENGTH_BOUNDS[1:] if _is_openai(self.openai_api_base) else LENGTH_BOUNDS
        refused = self._server.refused_options
        taken = [option for option in ("temperature", *bounds) if option not in refused]
        return taken[: 2 if "temperature" in taken else 1]

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        values = {"temperature": self.temperature, **dict.fromkeys(LENGTH_BOUNDS, self.max_tokens)}
        sent = {option: values[option] for option in self._options() if values[option] is not None}
        return {name: value for name, value in payload.items() if name not in OPTIONS} | sent


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
    except Exception:
        # An empty stream, a reply in one piece, or a lost connection: asked in one piece it tells which.
        raise RequestRefused from None


async def timely(chunks: AsyncIterator[AIMessageChunk], seconds: float) -> AsyncIterator[AIMessageChunk]:
    """The pieces of a reply, all within so many seconds, and without long silence once it has begun.

    Raises `TimeoutError` where it did not end in time, `ReplyBrokenOff` after a silence.
    """
    ends, has_begun = time.monotonic() + seconds, False
    while True:
        left = ends - time.monotonic()
        is_silence = has_begun and left > SILENCE_SECONDS
        try:
            # Around the wait alone: around the yield it would end the consumer's work.
            async with asyncio.timeout(SILENCE_SECONDS if is_silence else left):
                chunk = await anext(chunks, None)
        except TimeoutError:
            if is_silence:
                raise ReplyBrokenOff from None
            raise
        if chunk is None:
            return
        has_begun = has_begun or bool(chunk.text)
        yield chunk


class ProviderEmbeddings(Embeddings):
    """The embedding of a server. Every failure is a `ModelError`; during a pause at once.

    `seconds` bounds a request in all: the client's own time begins anew with each byte of a reply.
    """

    def __init__(self, client: OpenAIEmbeddings, seconds: float) -> None:
        self._client = client
        self._seconds = seconds
        self._breaker = CircuitBreaker()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of texts, in order."""
        self._check()
        try:
            return self._succeeded(within(self._seconds, partial(self._client.embed_documents, texts)))
        except Exception as error:
            raise self._failed(error) from None

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
            raise self._failed(error) from None

    async def aembed_query(self, text: str) -> list[float]:
        """The vector of one text."""
        return (await self.aembed_documents([text]))[0]

    def _check(self) -> None:
        if fault := self._breaker.fault:
            raise fault.with_traceback(None)

    def _succeeded(self, result: Returned) -> Returned:
        self._breaker.succeeded()
        return result

    def _failed(self, error: Exception) -> RulesError:
        fault = fault_of(error)
        if isinstance(fault, CallTimedOut):
            fault = ModelUnreachable()
        # Every call asks for the same here, and questions go on by words: one fault is enough.
        was_open = self._breaker.fault is not None
        pause = None
        if isinstance(fault, PAUSING):
            pause = self._breaker.open(fault)
        if not was_open:
            tell(fault, self._client.model, pause)
        return fault


def within(seconds: float, work: Callable[[], Returned]) -> Returned:
    """What work that blocks returns, or raises. Raises `TimeoutError` when the seconds are over.

    A thread cannot be stopped: such work goes on unheard, and holds up nobody's end.
    """
    future: Future[Returned] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future.result(seconds)


def noted(fault: RulesError, breaker: CircuitBreaker, asked: float) -> float | None:
    """Take note of the fault of a call made at the time `asked`; the seconds of the pause, if one begins."""
    if isinstance(fault, ModelBusy) and fault.retry_after:
        return breaker.open_for(fault, asked, fault.retry_after)
    if not isinstance(fault, PAUSING):
        return None
    # A slow reply is told as slow; when nothing at all comes, again and again, as what it is.
    lasting = ModelUnreachable() if isinstance(fault, CallTimedOut) else fault
    return breaker.failed(lasting, asked, is_certain=is_certain(fault))


def is_certain(fault: ModelError) -> bool:
    """Whether every other call would meet a fault as well: a 403 or 503 may be of one prompt."""
    return isinstance(fault, (UnknownModel, BalanceSpent, NobodyListens)) or fault.status == 401


def tell(fault: RulesError, model: str, pause: float | None) -> None:
    """Tell the host what is wrong, where it concerns them."""
    if isinstance(fault, PAUSING + PASSING):
        pausing = f" Not asked again for {pause:.0f} s." if pause else ""
        log.warning("%s: %s%s", model, texts_for("en")(fault.key), pausing)


def _is_openai(address: str | None) -> bool:
    return address is None or urlsplit(address).hostname == OPENAI


def _pause(state: RetryCallState) -> float:
    """How long to wait before the next attempt: as long as the server asks, else ever longer."""
    fault = state.outcome.exception() if state.outcome else None
    if isinstance(fault, ModelBusy) and fault.retry_after is not None:
        return fault.retry_after
    backoff = wait_exponential_jitter(
        multiplier=FIRST_RETRY_SECONDS, max=LONGEST_RETRY_SECONDS, jitter=FIRST_RETRY_SECONDS
    )
    return backoff(state)
