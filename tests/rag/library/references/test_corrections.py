"""Which rules a correction changes: by the heading or the term it names, in any form errata take."""

import pytest

from rag.library.books.page import Heading, Page, PageKind
from rag.library.references.corrections import (
    PageSpan,
    PrintedCorrection,
    changed_parts,
    corrected_places,
    corrections,
    is_all_errata,
)


def page(number: int, *parts: str, kind: PageKind = "text") -> Page:
    """A page of paragraphs; one that begins with "# " is a heading."""
    texts = [part.removeprefix("# ") for part in parts]
    text = "\n\n".join(texts)
    headings = tuple(
        Heading(2 if part != parts[0] else 1, plain, text.index(plain))
        for part, plain in zip(parts, texts, strict=True)
        if part.startswith("# ")
    )
    return Page(number, str(number), text, headings, kind, False)


RULES = [
    page(1, "# Combat", "# Riposte", "The bonus is two.", "# Lamp Oil", "It burns for six hours."),
    page(2, "# Gear", "Boarding axe  2d\nCutlass  1d", "Heavy is a boarding axe."),
]


def changed(*correcting: str, title: str = "# Errata") -> list[tuple[int, str]]:
    """Page and beginning of the text that an errata page with these paragraphs changes in `RULES`."""
    found = corrections([page(9, title, *correcting)], is_amendment=False)
    places = [place for one in found for place in corrected_places(one, RULES, "Rules")]
    return [(place.position[0], RULES[place.position[0] - 1].text[place.start :][:7]) for place in places]


def test_a_heading_of_one_word_in_running_text_means_nothing() -> None:
    assert changed("Players who riposte win.") == []


@pytest.mark.parametrize(
    "title",
    ["Errata", "Gale Rules Errata", "Appendix: Errata", "Known Errata", "Chapter 9: Errata",
     "Rules Corrections", "Corrections", "A Correction to the Book of Knots", "Apêndice: Errata",
     "Correções"],
)  # fmt: skip
def test_errata_are_known_by_their_heading(title: str) -> None:
    assert changed("Riposte: one.", title=f"# {title}") == [(1, "Riposte")]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("Page 1: lamp oil burns for four hours.", "Lamp Oil"),
        ("Page 1: it burns three hours.", "It burns for six hours."),
        ("Page 1: nothing else.", "Combat"),
        ("Readers have written about soup (p. 1).", None),
    ],
)
def test_a_correction_with_a_page_number_changes_what_it_speaks_of_there(
    text: str, changed: str | None
) -> None:
    (correction,) = corrections([page(1, text)], is_amendment=True)
    places = changed_parts(correction.name, correction.said, RULES[0], "en")
    assert [RULES[0].text[place.start :].startswith(changed or "") for place in places] == [True] * bool(
        changed
    )


def test_a_book_declared_to_amend_another_corrects_with_all_its_text() -> None:
    (correction,) = corrections([page(1, "Riposte: one.")], is_amendment=True)
    assert correction == PrintedCorrection(PageSpan((1, 0), 0, 13), "riposte", "riposte one")


def test_a_book_of_errata_alone_is_told_from_one_with_an_errata_page() -> None:
    assert is_all_errata([page(1, "# Errata", "One."), page(2, "Two.")])
    assert not is_all_errata([page(1, "# Rules", "One."), page(2, "# Errata", "Two.")])
