"""Books that tests draw and read."""

from pathlib import Path
from typing import Any

import pytest

from rag.library.books.book import ParsedBook
from rag.library.books.library_toml import DeclaredBook
from rag.library.readers.pdf.ocr.scans import PageKeeper
from rag.library.readers.pdf.reader import read_book
from tests.rag.library.readers.pdf.made_pages import DrawPage, MakeBook, pdf


@pytest.fixture
def read(tmp_path: Path) -> MakeBook:
    """Draws each page with a function of its own and reads the book."""

    def make(
        *pages: DrawPage, declared: DeclaredBook | None = None, kept: PageKeeper | None = None, **more: Any
    ) -> ParsedBook:
        path = tmp_path / "book.pdf"
        path.write_bytes(pdf(*pages, **more))
        return read_book(path, declared, kept=kept)

    return make
