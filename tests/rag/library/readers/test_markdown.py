"""A Markdown file is read as editors and note-taking programs write it."""

from pathlib import Path

import pytest

from rag.errors import BookEmpty, BookNotText, BookWithoutWords
from rag.library.books.book import ParsedBook
from rag.library.readers.markdown import read_book


def book(tmp_path: Path, text: str | bytes) -> ParsedBook:
    path = tmp_path / "house-rules.md"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_book(path)


def test_a_table_row_reads_under_its_column_names(tmp_path: Path) -> None:
    (page,) = book(tmp_path, "| Wound | Loss |\n|:--|--:|\n| **Deep** | 3 |\n").pages
    assert [reading for _, _, reading in page.rows] == ["Wound: Deep; Loss: 3"]


def test_marks_of_emphasis_links_and_code_are_no_text(tmp_path: Path) -> None:
    text = "A *deep* **wound** costs [3](https://x.example) `HP` ~~or 4~~ <b>now</b>.\\\nNext.\n"
    assert book(tmp_path, text).pages[0].text == "A deep wound costs 3 HP or 4 now.\nNext."


def test_the_facts_at_the_top_give_the_title_and_are_no_text(tmp_path: Path) -> None:
    parsed = book(tmp_path, '---\ntags: [rules]\ntitle: "Rules of Our Table"\n---\n# Wounds\n\nThey bleed.\n')
    assert parsed.title == "Rules of Our Table"
    assert [(parsed.sections, page.text) for page in parsed.pages] == [(("Wounds",), "Wounds\n\nThey bleed.")]


@pytest.mark.parametrize(
    ("content", "fault"),
    [(b"", BookEmpty), (b"---\n", BookWithoutWords), (b"\x00\x01\x02\x03" * 50, BookNotText)],
)
def test_a_file_without_a_text_is_refused(content: bytes, fault: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(fault):
        book(tmp_path, content)
