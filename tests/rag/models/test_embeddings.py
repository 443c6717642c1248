"""Which embedding the settings ask for, and what the packaged one knows."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rag.config import Settings
from rag.models.embeddings import EmbeddedEmbeddings, embedding_model, leave_table_on_disk


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


def encoder_with(table: "np.ndarray[Any, Any]") -> SimpleNamespace:
    return SimpleNamespace(_model=SimpleNamespace(table=table))


def test_the_encoders_table_is_left_on_the_disk_as_it_is() -> None:
    table = np.arange(12, dtype=np.uint8).reshape(3, 4)
    encoder = encoder_with(table)
    leave_table_on_disk(encoder)
    assert isinstance(encoder._model.table, np.memmap)
    assert encoder._model.table.tolist() == table.tolist()


def test_without_room_on_the_disk_the_table_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room() -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("rag.models.embeddings.TemporaryFile", no_room)
    encoder = encoder_with(np.zeros((2, 2), np.uint8))
    leave_table_on_disk(encoder)
    assert not isinstance(encoder._model.table, np.memmap)


def test_an_encoder_that_is_made_otherwise_is_left_alone() -> None:
    encoder = SimpleNamespace(weights=[1, 2])
    leave_table_on_disk(encoder)
    assert vars(encoder) == {"weights": [1, 2]}


def _dot(first: list[float], second: list[float]) -> float:
    return sum(left * right for left, right in zip(first, second, strict=True))
