"""Embedding a book, beside other processes and without them."""

from multiprocessing import active_children

import numpy as np
import pytest

from rag.library.books.book import ParsedBook
from rag.library.books.page import Page
from rag.library.index.book_cache import ReadBook
from rag.library.ingest import embed
from rag.library.ingest.embed import BookEmbedder
from rag.library.ingest.read_books import divide
from rag.models import encoder_processes
from rag.models.embeddings import EmbeddedEmbeddings, EmbeddingModel

PAGES = tuple(
    Page(
        pdf_page=number,
        label=str(number),
        text=f"A torch burns for {number} hours.",
        headings=(),
        kind="text",
        continues=False,
    )
    for number in range(1, 80)
)


@pytest.fixture
def book() -> ReadBook:
    return divide(ParsedBook("Torches", "en", {}, PAGES))


@pytest.fixture
def model() -> EmbeddingModel:
    return EmbeddingModel("embedded", EmbeddedEmbeddings(), dense_weight=1.0)


@pytest.mark.slow
def test_processes_beside_give_the_same_vectors(
    book: ReadBook, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = BookEmbedder(model, 0).embed(book, lambda *_: None)
    monkeypatch.setattr(embed, "MUCH_WORK", 0)
    embedder = BookEmbedder(model, 1)
    monkeypatch.setattr(EmbeddedEmbeddings, "embed_documents", None)
    beside = embedder.embed(book, lambda *_: None)
    embedder.close()
    assert np.array_equal(beside.vectors, alone.vectors)
    assert not active_children()


def test_on_one_core_nothing_is_embedded_beside(
    book: ReadBook, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MUCH_WORK", 0)
    monkeypatch.setattr(encoder_processes, "PROCESSES", 1)
    held = BookEmbedder(model, 1).embed(book, lambda *_: None)
    assert len(held.vectors) == len(book.chunks)
    assert not active_children()


@pytest.mark.slow
def test_where_a_process_ends_the_rest_is_embedded_here(
    book: ReadBook, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MUCH_WORK", 0)
    monkeypatch.setattr(embed, "_TEXTS_A_REQUEST", 1)
    embedder = BookEmbedder(model, 1)

    def end_one(*_: object) -> None:
        for process in active_children():
            process.kill()

    held = embedder.embed(book, end_one)
    assert np.array_equal(held.vectors, BookEmbedder(model, 0).embed(book, lambda *_: None).vectors)
    assert not active_children()
