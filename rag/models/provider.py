"""The configured provider's chat and embedding models: faults typed, waiting bounded, failing servers spared.

Heavy to import: `chat` and `embeddings` do so only where a provider is configured.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult, LLMResult
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import Field
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
    QuestionTimedOut,
    ReplyBrokenOff,
    RequestRefused,
    RulesError,
    UnknownModel,
    UnusableReply,
)
from rag.models.decisions import DECISIONS, decided
from rag.models.provider_errors import fault_of, refused_fields
from rag.models.server import Server
from rag.texts import logged

log = logging.getLogger(__name__)

Returned = TypeVar("Returned")

ATTEMPTS = 3
BACKOFF = wait_exponential_jitter(multiplier=0.5, max=8.0, jitter=0.5)
TRIAL = "Answer with the word: ready"
PAUSING = (KeyRefused, UnknownModel, BalanceSpent, ModelBusy, ModelUnreachable, CallTimedOut)
"""Faults that the next call may meet as well: after some in a row the server is left alone."""
PASSING = (QuestionTimedOut, ReplyBrokenOff)
"""Faults of one call that the host should know of."""
OPENAI = "api.openai.com"
THINKING_OFF: Mapping[str, Any] = {
    "reasoning_effort": "none",
    "chat_template_kwargs": {"enable_thinking": False},
}
"""How thinking is turned off: Ollama reads the first, vLLM and llama.cpp the second, others neither.

Sources: Ollama, "OpenAI compatibility"; vLLM, "Reasoning outputs"; llama.cpp, "HTTP server".
"""
OPTIONS = frozenset(
    {"temperature", "max_tokens", "max_completion_tokens", "logprobs", "top_logprobs", *THINKING_OFF}
)
"""Fields of a request that servers may refuse."""


class ProviderChatModel(ChatOpenAI):
    """A chat model of OpenAI or a compatible server.

    Every call ends within `call_seconds`, its retries included, and before `question_ends` (in seconds of
    `time.monotonic`). It raises `ModelError` alone; while a failing server is left alone at once, without
    asking it.
    """

    call_seconds: float
    question_seconds: float
    question_ends: float = math.inf
    is_trial: bool = False
    server: Server = Field(default_factory=Server)
    """What is known of the server, also by the copies of this model made for one question."""

    def for_one_question(self) -> Self:
        """The same model with the time of one question running from now."""
        return self.model_copy(update={"question_ends": time.monotonic() + self.question_seconds})

    async def trial(self) -> None:
        """Ask for one word, also during a pause; the log is left to the caller. Raises `ModelError`."""
        await self.model_copy(update={"is_trial": True}).ainvoke(TRIAL)

    async def agenerate(self, *args: Any, **kwargs: Any) -> LLMResult:
        """Call the model within its time. Raises `ModelError`."""
        with self._call() as seconds:
            async with asyncio.timeout(seconds):
                result = await super().agenerate(*args, **kwargs)
            self.server.succeeded()
            if not all(result.generations):
                raise UnusableReply
            return result

    async def astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[AIMessageChunk]:
        """Yield the pieces of a reply within the time of a call. Raises `ModelError`."""
        with self._call() as seconds:
            ends, pieces = time.monotonic() + seconds, super().astream(*args, **kwargs)
            while True:
                # Around the wait alone: around the yield it would end the consumer's work.
                async with asyncio.timeout(ends - time.monotonic()):
                    piece = await anext(pieces, None)
                if piece is None:
                    return
                self.server.succeeded()
                yield piece

    @contextmanager
    def _call(self) -> Iterator[float]:
        """A call that begins now, with the seconds it may take. Raises `ModelError` alone."""
        if (fault := self.server.fault) and not self.is_trial:
            raise fault.with_traceback(None)
        seconds = self._seconds_left()
        if seconds <= 0:
            raise QuestionTimedOut
        try:
            yield seconds
        except Exception as error:
            is_late = isinstance(error, TimeoutError) and seconds < self.call_seconds
            failure = QuestionTimedOut() if is_late else error
            raise noted(failure, self.server, "" if self.is_trial else self.model_name) from None

    def _seconds_left(self) -> float:
        return min(self.call_seconds, self.question_ends - time.monotonic())

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        decides, name = self.model_name.startswith(DECISIONS), self.model_name.removeprefix(DECISIONS)
        completed = partial(super()._agenerate, messages, stop, run_manager, **kwargs)
        return await self._retried(
            partial(decided, self.root_async_client, name, messages) if decides else completed
        )

    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        """Stream a reply: what fails before its first piece is tried again, later it is broken off.

        Of a server that does not stream the whole comes as one piece.
        """
        stream = partial(super()._astream, *args, **kwargs)
        try:
            if not self.server.streams:
                raise RequestRefused
            first, further = await self._retried(lambda: _opened(stream()))
        except RequestRefused:
            (whole,) = (await self._agenerate(*args, **kwargs)).generations
            self.server.streams = False
            message = AIMessageChunk(**whole.message.model_dump(exclude={"type"}))
            yield ChatGenerationChunk(message=message, generation_info=whole.generation_info)
            return
        yield first
        try:
            async for chunk in further:
                yield chunk
        except Exception:
            raise ReplyBrokenOff from None

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
        """One request; a further one without the options that the server names as those it does not take.

        What a failed request says may hold the key or the prompt, so no error of it goes on from here.
        """
        sent = OPTIONS - self.server.refused
        try:
            return await request()
        except openai.APIStatusError as error:
            fault, refused = fault_of(error), refused_fields(error, sent)
        except Exception as error:
            raise fault_of(error) from None
        if not refused:
            raise fault
        self.server.refused |= refused
        return await self._attempt(request)

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """What is sent, without the options that the server does not take.

        The form of the reply goes as a further field of the body: given by name, the client would read the
        reply itself, and fail at streams whose pieces name no role, code fences and what was cut off.
        A request without a form is a plain one, which any server takes.
        """
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        body = dict(payload.pop("extra_body", None) or {})
        form = payload.pop("response_format", None)
        if self.openai_api_base and urlsplit(self.openai_api_base).hostname != OPENAI:
            # All compatible servers know the older name, OpenAI's reasoning models the newer one alone.
            payload["max_tokens"] = payload.pop("max_completion_tokens")
            body |= THINKING_OFF if form else {}
        body |= {"response_format": form} if form else {}
        refused = self.server.refused
        sent = {name: value for name, value in payload.items() if name not in refused}
        return sent | {"extra_body": {name: value for name, value in body.items() if name not in refused}}


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


class ProviderEmbeddings(Embeddings):
    """The embedding of a server. Every failure is a `ModelError`; during a pause at once.

    Every call asks for the same, and questions go on by words: one fault begins a pause.
    """

    def __init__(self, client: OpenAIEmbeddings) -> None:
        self._client = client
        self._server = Server(faults_in_a_row=1)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of texts, in order."""
        if fault := self._server.fault:
            raise fault.with_traceback(None)
        try:
            vectors = self._client.embed_documents(texts)
        except Exception as error:
            raise noted(error, self._server, self._client.model) from None
        self._server.succeeded()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """The vector of one text."""
        return self.embed_documents([text])[0]


def noted(error: Exception, server: Server, model: str) -> RulesError:
    """The fault that an error of a call means; the host is told of it, once until the server answers."""
    fault = fault_of(error)
    is_news = server.failed(fault) if isinstance(fault, PAUSING) else isinstance(fault, PASSING)
    if is_news and model:
        log.warning("%s: %s", model, logged(fault))
    return fault


def _pause(state: RetryCallState) -> float:
    """How long to wait before the next attempt: as long as the server asks, else ever longer."""
    fault = state.outcome.exception() if state.outcome else None
    asked = fault.retry_after if isinstance(fault, ModelError) else None
    return BACKOFF(state) if asked is None else asked
