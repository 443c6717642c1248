"""A page is opened by whatever form it is cited in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.search.page_lookup import PageName, page_name
from rag.texts import LOCALES, texts_for
from rag.texts.blocks import citation

WORDS = ["p.", "P.", "p", "pp.", "pg", "pg.", "pag", "pág.", "Pág.", "page", "página", "pagina", ""]


@given(st.sampled_from(WORDS), st.integers(1, 2000).map(str) | st.sampled_from(["iv", "xii", "A-3", "102b"]))
def test_a_word_for_page_may_stand_before_the_printed_number(word: str, number: str) -> None:
    assert page_name(f" {word} {number} ") == PageName(number)


@pytest.mark.parametrize("locale", LOCALES)
@given(st.integers(1, 2000))
def test_a_position_is_read_as_we_cite_it(locale: str, number: int) -> None:
    cited = citation("", None, number, texts_for(locale)).removeprefix(", ")
    assert page_name(cited) == PageName(str(number), is_pdf_page=True)


@pytest.mark.parametrize("text", ["PDF 2", "pdf p.2", "p. 2 do PDF", "page 2 of the PDF", "página 2 do pdf"])
def test_a_position_may_be_written_in_other_ways(text: str) -> None:
    assert page_name(text) == PageName("2", is_pdf_page=True)


@given(st.text(max_size=20))
def test_any_text_is_the_name_of_some_page(text: str) -> None:
    assert page_name(text).number in text
