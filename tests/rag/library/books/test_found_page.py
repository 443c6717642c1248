"""A found page passes through LangChain as a document and comes back whole; a foreign document is a page."""

from datetime import date

import pytest
from langchain_core.documents import Document

from rag.library.books.found_page import Correction, FoundPage, FoundReference, LinkedPage
from rag.state import PageId, Span
from tests.scripted import found_page, linked

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
    sections=((0, "Magic"),),
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


def test_a_document_of_a_foreign_retriever_is_a_page_of_which_nothing_more_is_known() -> None:
    page = FoundPage.of(Document("Magery costs 5 points."))
    assert page == FoundPage(text="Magery costs 5 points.")
    assert page.is_citable
    assert (page.place, page.id) == ("PDF p. ?", PageId("", 0))


def test_of_a_foreign_document_what_it_tells_is_read_and_the_rest_left() -> None:
    told = {"source": "core.pdf", "page": 3, "book": "Core", "total_pages": 9}
    page = FoundPage.of(Document("Magery costs 5 points.", metadata=told))
    assert page == FoundPage(text="Magery costs 5 points.", book="Core", label="3")
    assert page.place == "Core p. 3"


@pytest.mark.parametrize(
    ("page", "is_citable"),
    [
        (found_page("A rule."), True),
        (found_page(" \n"), False),
        (found_page("Magery, 30", kind="index"), False),
        (found_page("Magery . . . 30", kind="contents"), False),
    ],
)
def test_only_a_page_with_rules_on_it_may_be_evidence(page: FoundPage, is_citable: bool) -> None:
    assert page.is_citable is is_citable


def test_a_page_is_named_by_its_printed_number_else_by_its_position() -> None:
    assert found_page("A rule.", 12).place == linked(12).place == "Core p. 12"
    assert found_page("A rule.", 12, label=None).place == "Core PDF p. 16"
    assert linked(12).model_copy(update={"label": None}).place == "Core PDF p. 16"


@pytest.mark.parametrize(
    ("label", "last_label", "numbers", "place"),
    [
        ("5", None, (5,), "Core p. 5"),
        ("5", "7", (5, 6, 7), "Core pp. 5–7"),
        (None, None, (5,), "Core PDF p. 5"),
        ("5", None, (), "Core p. 5"),
        (None, None, (), "see below"),
    ],
)
def test_a_reference_is_named_by_what_it_names(
    label: str | None, last_label: str | None, numbers: tuple[int, ...], place: str
) -> None:
    meant = tuple(PageId("core.pdf", number) for number in numbers)
    printed = FoundReference(
        text="see below", start=0, book="Core", label=label, last_label=last_label, pages=meant
    )
    assert printed.place == place
