"""A Word document is read by its styles; what would harm, or is none, is refused."""

from pathlib import Path

import pytest

from rag.errors import BookEmpty, BookError, BookNeedsPassword, BookNotItsFormat, BookTooLarge
from rag.library.books.book import ParsedBook
from rag.library.readers import archive
from rag.library.readers.docx import read_book
from tests.rag.library.readers.packed_books import docx, packed, paragraph, table

RULES = (
    paragraph("House Rules", "Title"),
    paragraph("Bleeding ........ 2", "TOC1"),
    paragraph("Wounds", "Heading1"),
    paragraph("Wounds hurt."),
    paragraph("Bleeding", "Heading2"),
    paragraph("A wound bleeds until it is bandaged."),
    table(["Wound", "Loss"], ["Light", "1"], ["Deep", "3"]),
    paragraph("Falls", "Heading1"),
    paragraph("A fall costs 1d6."),
)
LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
BOMB = docx(*(paragraph("A wound bleeds. " * 50) for _ in range(100)))
ENTITIES = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><d>&b;</d>'


def book(tmp_path: Path, content: bytes) -> ParsedBook:
    path = tmp_path / "regras da casa.docx"
    path.write_bytes(content)
    return read_book(path)


def test_headings_by_style_make_sections(tmp_path: Path) -> None:
    parsed = book(tmp_path, docx(*RULES))
    assert parsed.title == "House Rules"
    assert parsed.sections == ("Wounds", "Wounds › Bleeding", "Falls")


def test_the_table_of_contents_is_left_out(tmp_path: Path) -> None:
    assert not any("....." in page.text for page in book(tmp_path, docx(*RULES)).pages)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", BookEmpty),
        (LOCKED, BookNeedsPassword),
        (b"Dear GM, this is no document.", BookNotItsFormat),
        (packed([("word/other.xml", "<x/>")]), BookNotItsFormat),
        (packed([("word/document.xml", "<w:document")]), BookNotItsFormat),
        (docx(*RULES)[:-300], BookNotItsFormat),
        (docx(*RULES, parts=[("word/footnotes.xml", ENTITIES)]), BookNotItsFormat),
        (docx(*RULES, parts=[("word/footnotes.xml", ENTITIES.encode("utf-16"))]), BookNotItsFormat),
    ],
)
def test_a_damaged_or_hostile_document_is_refused_with_what_to_do(
    content: bytes, fault: type[BookError], tmp_path: Path
) -> None:
    with pytest.raises(fault):
        book(tmp_path, content)


def test_a_document_that_would_fill_the_memory_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 20_000)
    assert len(BOMB) < 20_000
    with pytest.raises(BookTooLarge):
        book(tmp_path, BOMB)
