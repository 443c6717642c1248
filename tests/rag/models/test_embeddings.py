"""Which embedding the settings ask for, and what the packaged one knows."""

import pytest

from rag.models.embeddings import EmbeddedEmbeddings


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
