"""A file is read by the reader of its suffix, and a new format is one line."""

from pathlib import Path

import pytest

from rag.library.books.book import ParsedBook
from rag.library.books.page import Page
from rag.library.readers.formats import FORMATS, Format
from tests.rag.library.small_library import SmallLibrary


def read_lines(path: Path, *unused: object) -> ParsedBook:
    """A book with a page a line, whose letters are its labels."""
    texts = path.read_text(encoding="utf-8").splitlines()
    pages = (Page(number, chr(96 + number), text, (), "text", False) for number, text in enumerate(texts, 1))
    return ParsedBook(None, "en", {}, tuple(pages))


def test_a_new_format_is_listed_and_read_beside_the_others(
    small: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, ".lines", Format(read_lines, 1))
    small.put("light.pdf", ["A lantern burns for six hours."])
    small.write("falls.lines", "A torch burns for one hour.\nA fall costs one die a yard.")
    small.write("notes.csv", "No book.")
    assert [book.file for book in small.ingest().books] == ["falls.lines", "light.pdf"]
    (page, *_) = small.open().retriever("gm", "falls.lines").invoke("What does a fall cost?")
    assert (page.metadata["page"], page.metadata["pdf_page"]) == ("b", 2)
