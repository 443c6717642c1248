"""Embedding a book, beside other processes and without them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from multiprocessing import Pipe, active_children
from threading import Thread

import numpy as np
import pytest

from rag.errors import ModelError
from rag.library.books.book import ParsedBook
from rag.library.books.page import Page
from rag.library.index.book_cache import ReadBook
from rag.library.ingest import embed
from rag.library.ingest.embed import BookEmbedder, prepare_to_embed
from rag.library.ingest.read_books import divide
from rag.models import encoder_processes
from rag.models.embeddings import EmbeddedEmbeddings, EmbeddingModel
from rag.models.encoder_processes import Vectors
from tests.rag.library.small_library import HashedWords, SmallLibrary

WITHIN_SECONDS = 20
UNREADABLE = "Nobody can embed this."

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


class Ending:
    """Processes of which one ends when a batch is encoded."""

    def encode(self, batches: Sequence[list[str]]) -> Iterator[Vectors]:
        yield list(np.array(EmbeddedEmbeddings().embed_documents(batches[0]), np.float32))
        raise EOFError

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.slow
def test_processes_beside_give_the_same_vectors_also_those_that_were_ready(
    book: ReadBook, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = BookEmbedder(model, 0).embed(book, lambda *_: None)
    monkeypatch.setattr(embed, "MUCH_WORK", 0)
    prepare_to_embed(model, 1, cores=1)
    (ready,) = active_children()
    embedder = BookEmbedder(model, 1)
    assert ready in active_children()
    monkeypatch.setattr(EmbeddedEmbeddings, "embed_documents", None)
    beside = embedder.embed(book, lambda *_: None)
    embedder.close()
    assert np.array_equal(beside.vectors, alone.vectors)
    assert not active_children()


def test_processes_for_which_there_is_nothing_to_embed_end(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, ours = Pipe()
    process = Thread(target=theirs.poll, args=(None,), daemon=True)
    process.start()
    monkeypatch.setattr(encoder_processes, "_prepared", [(process, ours)])
    small.put("book.pdf", [PAGES[0].text])
    small.ingest()
    assert not process.is_alive()


@pytest.mark.slow
def test_where_a_process_has_ended_the_rest_is_embedded_here(
    book: ReadBook, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MUCH_WORK", 0)
    monkeypatch.setattr(embed, "EncoderProcesses", Ending)
    assert len(BookEmbedder(model, 1).embed(book, lambda *_: None).vectors) == len(PAGES)


class Answering:
    """Processes that answer what they are asked for first, and cannot encode the first text."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def encode(self, batches: Sequence[list[str]]) -> Iterator[Vectors]:
        self.asked += batches
        for _ in batches:
            texts = self.asked.pop(0)
            if texts == [UNREADABLE]:
                raise MemoryError
            yield list(np.array(HashedWords().embed_documents(texts), np.float32))

    def close(self) -> None:
        """Nothing is open."""


def test_after_a_book_that_cannot_be_embedded_the_next_one_has_its_own_vectors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embed, "MUCH_WORK", 0)
    monkeypatch.setattr(embed, "EncoderProcesses", Answering)
    monkeypatch.setattr(embed, "_TEXTS_A_REQUEST", 1)
    embedded = EmbeddedEmbeddings()
    monkeypatch.setattr(embedded, "embed_documents", HashedWords().embed_documents)
    embedder = BookEmbedder(EmbeddingModel("embedded", embedded, dense_weight=1.0), 1)
    bad, good = (
        divide(ParsedBook("A book", "en", {}, tuple(replace(PAGES[0], text=text) for text in texts)))
        for texts in ((UNREADABLE, PAGES[1].text), (PAGES[2].text,))
    )
    with pytest.raises(ModelError):
        embedder.embed(bad, lambda *_: None)
    held = embedder.embed(good, lambda *_: None)
    assert np.allclose(held.vectors, HashedWords().embed_documents(good.passages()))
