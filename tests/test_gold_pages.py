"""The quotations of a question file stand in the index, each on the page with its printed number."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rag.config import load_settings
from rag.evaluation.questions import read_questions
from rag.library.library import Library
from rag.models.embeddings import embedding_model
from sample_game.questions import QUESTIONS
from tests.conftest import CORPUS, SAMPLE_BOOKS

BASIC_FANTASY = "basic-fantasy/basic-fantasy-rpg-4e-r132.pdf"

on_the_corpus = [
    pytest.mark.corpus,
    pytest.mark.skipif(not CORPUS.is_dir(), reason="CORPUS_DIR is not set"),
    pytest.mark.timeout(600),
]

Opened = Callable[[Path, Path], Library]


@pytest.fixture
def opened() -> Opened:
    """Opens the library of a folder by its index."""

    def open_library(books: Path, index: Path) -> Library:
        settings = {
            "library_dir": books,
            "index_dir": index,
            "embedding_model": "embedded",
            "chroma_url": None,
        }
        packaged = load_settings().model_copy(update=settings)
        return Library.open(packaged, embedding_model(packaged))

    return open_library


@pytest.mark.parametrize(
    ("index", "books", "questions"),
    [
        pytest.param("sample_index", SAMPLE_BOOKS, QUESTIONS, id="sample game", marks=pytest.mark.slow),
        pytest.param(
            "corpus_index",
            CORPUS / "books",
            CORPUS / "questions.jsonl",
            id="real rulebooks",
            marks=on_the_corpus,
        ),
    ],
)
def test_every_gold_quotation_stands_on_its_page_under_its_printed_number(
    request: pytest.FixtureRequest, opened: Opened, index: str, books: Path, questions: Path
) -> None:
    library = opened(books, request.getfixturevalue(index))
    for gold in [one for question in read_questions(questions) for one in question.gold]:
        page = library.page_at(gold.file, gold.pdf_page or 0, "gm")
        assert page.label == gold.page, gold
        assert _unspaced(gold.quote) in _unspaced(page.text), gold
        assert page.is_citable, gold


def _unspaced(text: str) -> str:
    """One gold quotation has a word glued that the page prints apart."""
    return re.sub(r"\s+", "", text)


class TestRealBooks:
    pytestmark = on_the_corpus

    @pytest.fixture
    def library(self, opened: Opened, corpus_index: Path) -> Library:
        return opened(CORPUS / "books", corpus_index)

    def test_unnumbered_front_pages_have_no_label(self, library: Library) -> None:
        pages = [library.page_at(BASIC_FANTASY, number, "player") for number in range(1, 7)]

        assert [page.label for page in pages] == [None] * 5 + ["1"]
        assert {page.kind for page in pages} >= {"text", "contents"}

    def test_headings_agree_with_the_outline(self, library: Library) -> None:
        [book] = [book for book in library.books("player") if "fantasy-rulebook" in book.file]
        pages = [library.page_at(book.file, number, "player") for number in range(1, book.pages + 1)]

        assert sum(len(page.sections) for page in pages) > 500

    def test_references_mostly_lead_to_pages(self, library: Library) -> None:
        [book] = [book for book in library.books("player") if book.file == BASIC_FANTASY]

        assert book.references >= 100
        assert book.resolved / book.references > 0.85
