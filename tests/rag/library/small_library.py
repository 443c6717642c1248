"""Small libraries for tests: books made on the spot, and an embedding that needs no weights."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings
from reportlab.lib.pagesizes import A5
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from rag.config import Settings
from rag.errors import BookError
from rag.library.books.book import ParsedBook
from rag.library.books.page import Page
from rag.library.index.book_cache import ReadBook
from rag.library.ingest.ingest import IngestReport, ingest
from rag.library.ingest.read_books import Assignment, Failure, OnPage, divide
from rag.library.language.words import content_words, stem
from rag.library.library import Library
from rag.library.readers.formats import read_book
from rag.models.embeddings import EmbeddingModel

SAMPLE_BOOKS = Path(__file__).parents[3] / "sample_game" / "books"
DIMENSIONS = 256


class HashedWords(Embeddings):
    """A bag of stems, hashed: deterministic, instant, and near where words are shared.

    `meanings` makes words of another language equal to an English one, as a multilingual model would.
    `requests` holds the texts of each request.
    """

    def __init__(self, meanings: Mapping[str, str] | None = None) -> None:
        self.meanings = dict(meanings or {})
        self.requests: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.requests.append(list(texts))
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def _vector(self, text: str) -> list[float]:
        vector = np.zeros(DIMENSIONS)
        for word in content_words(text, "en"):
            meant = stem(self.meanings.get(word, word), "en")
            vector[zlib.crc32(meant.encode()) % DIMENSIONS] += 1
        vector[0] += 0.01
        return [float(value) for value in vector / np.linalg.norm(vector)]


def hashed_model(name: str = "hashed", meanings: Mapping[str, str] | None = None) -> EmbeddingModel:
    """A model of hashed words under a name."""
    return EmbeddingModel(name, HashedWords(meanings), dense_weight=1.0)


def settings_for(library_dir: Path, index_dir: Path) -> Settings:
    """Settings that name two directories, and take nothing from the environment."""
    return Settings.model_construct(library_dir=library_dir, index_dir=index_dir)


class SmallLibrary:
    """A library in a temporary directory: books are put in, ingested, and opened."""

    def __init__(self, directory: Path) -> None:
        self.settings = settings_for(directory / "books", directory / "index")
        self.settings.library_dir.mkdir(parents=True)
        self.model = hashed_model()
        self.parsed: dict[str, ParsedBook] = {}

    @property
    def directory(self) -> Path:
        return self.settings.library_dir

    def put(self, file: str, pages: Sequence[str], **facts: Any) -> Path:
        """Write a PDF with the given text a page; see `pdf_bytes`."""
        return self.write(file, pdf_bytes(pages, **facts))

    def write(self, file: str, content: bytes | str) -> Path:
        path = self.directory / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def put_parsed(self, file: str, book: ParsedBook) -> None:
        """Add a book that needs no reading: `book` is what reading it would give."""
        self.write(file, repr(book))
        self.parsed[file] = book

    def read_here(
        self, assignments: Iterable[Assignment], on_page: OnPage
    ) -> Iterator[tuple[str, ReadBook | Failure]]:
        """`read_books` without processes."""
        for assignment in assignments:
            parsed = self.parsed.get(assignment.name)
            try:
                yield (
                    assignment.name,
                    divide(parsed or read_book(assignment.path, assignment.declared, kept=assignment.kept)),
                )
            except BookError as error:
                yield assignment.name, Failure(error.key, error.values)

    def ingest(self, only: Sequence[Path] = (), *, prune: bool = False) -> IngestReport:
        return ingest(self.settings, self.model, only=only, prune=prune)

    def read(self) -> Library:
        """The library, indexed in this process: for fixtures that the tests of a module share."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("rag.library.ingest.ingest.read_books", self.read_here)
            self.ingest()
        return self.open()

    def open(self) -> Library:
        return Library.open(self.settings, self.model)

    def titles(self) -> list[str]:
        return [book.title for book in self.open().books("gm")]


def parsed_book(
    *pages: str | Page,
    title: str | None = None,
    language: str = "en",
    first_number: int | None = 1,
    codes: Mapping[str, str] | None = None,
) -> ParsedBook:
    """A book as it would have been read, its pages numbered from `first_number` on."""
    numbered = [
        Page(position, str(first_number + position - 1) if first_number else None, page, (), "text", False)
        if isinstance(page, str)
        else page
        for position, page in enumerate(pages, start=1)
    ]
    return ParsedBook(title, language, dict(codes or {}), tuple(numbered))


def pdf_bytes(
    pages: Sequence[str], *, title: str = "", first_number: int | None = None, password: str = ""
) -> bytes:
    """A PDF with one text a page; printed numbers in the foot from `first_number` on where given."""
    file = BytesIO()
    locked = StandardEncryption(password) if password else None
    canvas = Canvas(file, pagesize=A5, invariant=True, encrypt=locked)
    if title:
        canvas.setTitle(title)
    for position, text in enumerate(pages):
        canvas.setFont("Helvetica", 10)
        for line, words in enumerate(_lines(text)):
            canvas.drawString(40, 540 - 14 * line, words)
        if first_number is not None:
            canvas.drawCentredString(A5[0] / 2, 20, str(first_number + position))
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _lines(text: str) -> Iterator[str]:
    for paragraph in text.split("\n"):
        words = paragraph.split()
        for start in range(0, len(words), 10):
            yield " ".join(words[start : start + 10])
        yield ""
