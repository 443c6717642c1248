"""The configured provider's chat and embedding models: faults typed, waiting bounded, failing servers spared.

Heavy to import: `chat` and `embeddings` do so only where a provider is configured.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
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
    RequestRefused,
    RulesError,
    UnknownModel,
    UnusableReply,
)
from rag.models.circuit_breaker import CircuitBreaker
from rag.models.provider_errors import fault_of, is_vague_refusal, refused_options
from rag.models.structured_output import MethodOrder
from rag.texts import texts_for

log = logging.getLogger(__name__)

Returned = TypeVar("Returned")

ATTEMPTS = 3
FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS = 0.5, 8.0
SILENCE_SECONDS, SILENCE_SHARE = 10.0, 0.25
"""How long a reply that is being written may pause, or this share of a call's time where that is more.

Before its first word the time of the call counts. A local server that reads another prompt meanwhile
writes nothing for as long.
"""
TRIAL = "Answer with the word: ready"
PAUSING = (KeyRefused, UnknownModel, BalanceSpent, ModelUnreachable, CallTimedOut)
"""Faults that the next call may meet as well: they open the circuit breaker."""
PASSING = (ModelBusy, QuestionTimedOut, ReplyBrokenOff)
"""Faults of one call that the host should know of."""
OPENAI = "api.openai.com"
LENGTH_BOUNDS = ("max_tokens", "max_completion_tokens")
"""The names of the bound on a reply; the first that is not refused is sent. All compatible servers know
the older one, OpenAI's reasoning models the newer one alone."""
THINKING_OFF: Mapping[str, Any] = {
    "reasoning_effort": "none",
    "chat_template_kwargs": {"enable_thinking": False},
}
"""How thinking is turned off: Ollama reads the first, vLLM and llama.cpp the second, others neither.

Sources: Ollama, "OpenAI compatibility"; vLLM, "Reasoning outputs"; llama.cpp, "HTTP server".
"""
SCHEMA_BOUNDS = ("maxLength", "maxItems")
"""Bounds in a schema that not every server takes; OpenAI's strict mode knows the second alone."""
UNKNOWN_TO_THE_CLIENT = ("chat_template_kwargs", "response_format")
"""Fields that are added to the body as they are."""
OPTIONS = ("temperature", *LENGTH_BOUNDS, *THINKING_OFF)
"""Fields of a request that servers may refuse."""


@dataclass
class Server:
    """What calls have taught about a server; shared by the copies of a model made for one question."""

    method_order: MethodOrder = field(default_factory=MethodOrder)
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    refused_options: set[str] = field(default_factory=set)
    has_doubted_thinking: bool = False
    """Whether a refusal that names no reason was tried again without what turns thinking off."""


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
            silence = max(SILENCE_SECONDS, SILENCE_SHARE * self.call_seconds)
            async for chunk in timely(super().astream(*args, **kwargs), seconds, silence):
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
            refused, fault, is_vague = refused_options(error, sent), fault_of(error), is_vague_refusal(error)
        except Exception as error:
            raise fault_of(error) from None
        if refused:
            self._server.refused_options |= refused
            return await self._attempt(request)
        if not is_vague:
            raise fault
        return await self._without_thinking_options(request, fault)

    async def _without_thinking_options(
        self, request: Callable[[], Awaitable[Returned]], fault: RulesError
    ) -> Returned:
        """A request that was refused for no reason named, once more without what turns thinking off.

        Servers that do not know a field may not say which. Raises `fault` where that was not it.
        """
        server = self._server
        doubted = set(THINKING_OFF).intersection(self._options())
        if not doubted or server.has_doubted_thinking:
            raise fault
        server.has_doubted_thinking = True
        server.refused_options |= doubted
        try:
            return await request()
        except Exception:
            server.refused_options -= doubted
            raise fault from None

    def _options(self) -> Sequence[str]:
        """The options to send: those that the server has not refused, and one bound on the reply."""
        is_openai = _is_openai(self.openai_api_base)
        taken = [bound for bound in LENGTH_BOUNDS[is_openai:] if self._takes(bound)][:1]
        further = SCHEMA_BOUNDS[1:] if is_openai else (*THINKING_OFF, *SCHEMA_BOUNDS)
        return [option for option in ("temperature", *taken, *further) if self._takes(option)]

    def _takes(self, option: str) -> bool:
        """Whether the server has not refused an option."""
        return option not in self._server.refused_options

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """What is sent, with the options that the server takes.

        The form of the reply goes as a further field of the body: given by name, the client would read the
        reply itself, and fail at streams whose pieces name no role, code fences and what was cut off.
        """
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        longest = payload.get("max_completion_tokens", self.max_tokens)
        values = {"temperature": self.temperature, **dict.fromkeys(LENGTH_BOUNDS, longest), **THINKING_OFF}
        options = self._options()
        sent = {name: values[name] for name in options if values.get(name) is not None}
        if form := payload.pop("response_format", None):
            sent["response_format"] = _with_bounds(form, options)
        body = {name: sent.pop(name) for name in UNKNOWN_TO_THE_CLIENT if name in sent}
        named = {name: value for name, value in payload.items() if name not in OPTIONS}
        return named | sent | {"extra_body": {**(payload.get("extra_body") or {}), **body}}

    def _convert_chunk_to_generation_chunk(self, chunk: dict[str, Any], *args: Any) -> Any:
        """A piece of a stream, with the refusal that the client leaves out."""
        piece = super()._convert_chunk_to_generation_chunk(chunk, *args)
        refusal = next((choice["delta"].get("refusal") for choice in chunk.get("choices") or ()), None)
        if piece and refusal:
            piece.message.additional_kwargs["refusal"] = refusal
        return piece


def _with_bounds(form: Any, options: Collection[str]) -> Any:
    """A form of reply without those bounds in its schema that are not among the options to send."""
    if isinstance(form, list):
        return [_with_bounds(one, options) for one in form]
    if not isinstance(form, dict):
        return form
    return {
        name: _with_bounds(value, options)
        for name, value in form.items()
        if name not in SCHEMA_BOUNDS or name in options
    }


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


async def timely(
    chunks: AsyncIterator[AIMessageChunk], seconds: float, silence: float
) -> AsyncIterator[AIMessageChunk]:
    """The pieces of a reply, all within so many seconds, and without a longer silence once it has begun.

    Raises `TimeoutError` where it did not end in time, `ReplyBrokenOff` after a silence.
    """
    ends, has_begun = time.monotonic() + seconds, False
    while True:
        left = ends - time.monotonic()
        is_silence = has_begun and left > silence
        try:
            # Around the wait alone: around the yield it would end the consumer's work.
            async with asyncio.timeout(silence if is_silence else left):
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
