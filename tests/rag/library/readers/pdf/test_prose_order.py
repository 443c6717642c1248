"""Prose of real books stands in the order in which PDFium alone reads it from their files."""

import os
import re
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest

from rag.library.readers.pdf.paragraphs import CELL_SEPARATOR
from rag.library.readers.pdf.reader import read_book

_FEWEST_WORDS = 8  # of a paragraph of prose
_MOST_APART = 0.002  # of the neighbouring words


def words(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"[\x02\xad\ufffe]\s*", "", text).lower())


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("CORPUS_DIR"), reason="CORPUS_DIR is not set")
@pytest.mark.parametrize("file", ["3p/livro-de-regras-digital.pdf", "hema/rulebook.pdf"])
def test_neighbouring_words_of_prose_are_neighbours_in_the_file(file: str) -> None:
    path = Path(os.environ.get("CORPUS_DIR", "."), "layouts", file)
    with pypdfium2.PdfDocument(path) as document:
        streams = [words(page.get_textpage().get_text_range()) for page in document]
    apart = together = 0
    for page in read_book(path).pages:
        stream = streams[page.pdf_page - 1]
        known, pairs = set(stream), set(pairwise(stream))
        prose = [words(text) for text in page.text.split("\n\n") if CELL_SEPARATOR not in text]
        for pair in (pair for text in prose if len(text) >= _FEWEST_WORDS for pair in pairwise(text)):
            together += pair in pairs
            apart += pair not in pairs and known.issuperset(pair)

    assert together > 1000
    assert apart <= _MOST_APART * together
