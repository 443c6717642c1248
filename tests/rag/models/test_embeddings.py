"""Which embedding the settings ask for, and what the packaged one knows."""

import pytest

from rag.config import Settings
from rag.models.embeddings import EmbeddedEmbeddings, embedding_model


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "embedded"),
        ({"openai_api_key": "k"}, "text-embedding-3-small"),
        ({"openai_base_url": "http://127.0.0.1:1/v1"}, "embedded"),
        ({"openai_api_key": "k", "openai_base_url": "http://127.0.0.1:1/v1"}, "embedded"),
        ({"openai_api_key": "k", "embedding_model": "embedded"}, "embedded"),
        ({"openai_base_url": "http://127.0.0.1:1/v1", "embedding_model": "nomic"}, "nomic"),
    ],
)
def test_auto_embeds_with_openai_only_on_openai_itself(settings: dict[str, str], name: str) -> None:
    assert embedding_model(Settings.model_validate(settings)).name == name


@pytest.mark.slow
def test_the_packaged_embedding_places_a_translation_nearer_than_another_subject() -> None:
    embeddings = EmbeddedEmbeddings()
    falling, queda, price = embeddings.embed_documents(
        ["How much damage does a fall do?", "Quanto dano causa uma queda?", "The price of a horse."]
    )
    assert len(falling) == 512
    assert _dot(falling, queda) > _dot(falling, price)


def _dot(first: list[float], second: list[float]) -> float:
    return sum(left * right for left, right in zip(first, second, strict=True))
