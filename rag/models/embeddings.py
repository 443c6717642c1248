"""Embedding models: OpenAI's, those of any compatible server, or the packaged one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

from rag.config import EMBEDDED, Settings
from rag.errors import OtherEmbedding, UnusableVectors
from rag.models.encoder import encoded

INGESTION_TIMEOUT_SECONDS, INGESTION_RETRIES = 30.0, 2
QUERY_EMBEDDING_SECONDS = 5.0
"""What a question waits for its embedding before it is searched by words alone."""


class EmbeddedEmbeddings(Embeddings):
    """The packaged multilingual sentence encoder: 512 dimensions, normalised, no download.

    The weights are read at first use. One call encodes at a time.
    """

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Encode texts to unit vectors, in order."""
        if not texts:
            return []
        vectors: list[list[float]] = encoded(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Encode one text to a unit vector."""
        return self.embed_documents([text])[0]


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

    def provided(seconds: float, retries: int) -> ProviderEmbeddings:
        client = OpenAIEmbeddings(
            model=name,
            api_key=settings.provider_key,
            base_url=settings.openai_base_url,
            timeout=seconds,
            max_retries=retries,
            # The default path downloads a tokeniser file at run time.
            check_embedding_ctx_length=False,
        )
        return ProviderEmbeddings(client)

    return EmbeddingModel(
        name,
        provided(INGESTION_TIMEOUT_SECONDS, INGESTION_RETRIES),
        dense_weight=3.0,
        impatient=provided(QUERY_EMBEDDING_SECONDS, retries=0),
    )


Vector = Sequence[float]
Row = TypeVar("Row", bound=Vector | npt.NDArray[np.float32])
"""A vector as a model gives it."""


def usable_vectors(texts: Sequence[str], vectors: Sequence[Row], dimension: int = 0) -> Sequence[Row]:
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
