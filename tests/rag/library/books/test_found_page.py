"""A found page passes through LangChain as a document and comes back whole; a foreign document is a page."""

from datetime import date

import pytest

from rag.library.books.found_page import Correction, FoundPage, FoundReference, LinkedPage
from rag.state import PageId, Span
from tests.scripted import found_page

OTHER = LinkedPage(id=PageId("core.pdf", 4), book="Core", label="2", text="Before.", is_joined=True)
CORRECTION = Correction(other=OTHER, corrected=Span(0, 3), correcting=Span(1, 2))
WHOLE = FoundPage(
    text="Magery costs 5 points.",
    book="Core",
    file="core.pdf",
    game="GURPS",
    label="3",
    pdf_page=5,
    half=1,
    language="pt",
    layer="ocr",
    score=0.5,
    headings=("Magic",),
    sections=((0, ("Magic",)),),
    hits=(Span(0, 6),),
    rows=((0, 6, "Magery: 5"),),
    references=(FoundReference(text="p. 2", start=3, book="Core", label="2", pages=(OTHER.id,)),),
    referred_by=(OTHER,),
    amended_by=(CORRECTION,),
    amends=(CORRECTION,),
    previous=OTHER,
    next=OTHER,
    section_starts=((0, "Magic"),),
    made=date(2026, 5, 3),
)


@pytest.mark.parametrize("page", [WHOLE, FoundPage(text="")])
def test_a_page_comes_back_from_its_document_as_it_was(page: FoundPage) -> None:
    assert FoundPage.of(page.document()) == page


def test_a_document_is_told_by_file_and_position_and_its_printed_number_is_the_page() -> None:
    document = found_page("Magery costs 5 points.", 12).document()
    assert (document.id, document.page_content) == ("game/core.pdf#16", "Magery costs 5 points.")
    assert (document.metadata["page"], document.metadata["pdf_page"]) == ("12", 16)
    assert "text" not in document.metadata
    assert "label" not in document.metadata
