"""The grammar of printed cross-references: every shape is read, no lookalike is."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.library.references import Reference, find_references
from tests.rows import rows

TITLES = ["GURPS Powers", "GURPS Magic", "Core Rules", "Martial Arts", "Machines of War"]
CODES = ["B", "BE", "MA", "MB", "P"]
ROWS = "rag/library/references/rows"


def find(text: str) -> list[Reference]:
    return find_references(text.replace(r"\n", "\n"), TITLES, CODES)


def ask(question: str) -> list[Reference]:
    return find_references(question, TITLES, CODES, is_question=True)


def pages(found: list[Reference]) -> str:
    """The pages that references name, behind their book: "B 102-110, 33"."""
    named = []
    for one in found:
        last = "" if one.last == one.first else f"-{one.last}"
        named.append(" ".join(f"{one.book or ''} {one.first}{last}".split()))
    return ", ".join(named)


@pytest.mark.parametrize(("text", "named"), rows(f"{ROWS}/pages.txt"))
def test_page_references_of_every_shape_and_language_are_read(text: str, named: str) -> None:
    assert pages(find(text)) == named


@pytest.mark.parametrize("text", [text for (text,) in rows(f"{ROWS}/no_pages.txt")])
def test_lookalikes_are_refused(text: str) -> None:
    assert pages(find(text)) == ""


@pytest.mark.parametrize(("question", "named"), rows(f"{ROWS}/questions.txt"))
def test_questions_name_pages_in_any_case(question: str, named: str) -> None:
    assert pages(ask(question)) == named.strip("-")


@pytest.mark.parametrize(("text", "chapter", "heading", "book"), rows(f"{ROWS}/parts.txt"))
def test_chapters_and_headings_are_called_by_name(text: str, chapter: str, heading: str, book: str) -> None:
    [found] = find(text)
    assert [one or "-" for one in (found.chapter, found.heading, found.book)] == [chapter, heading, book]
    assert found.first is None


@pytest.mark.parametrize(
    ("text", "chapters"),
    [
        ("See Chapters 3 and 4", ["3"]),
        ("os capítulos três e quatro", ["três"]),
        ("Chapter 3 and 4 soldiers", ["3"]),
        ("Chapter 7\n\nThe sea leaves in spring.", []),
    ],
)
def test_the_first_of_several_chapters_is_a_reference_and_a_title_is_none(
    text: str, chapters: list[str]
) -> None:
    assert [one.chapter for one in find(text)] == chapters


def test_a_page_of_a_section_is_in_the_same_book() -> None:
    [found] = find("See page 67 of the Encounter section.")
    assert (found.first, found.heading, found.book, found.is_part) == ("67", "Encounter", None, True)


def test_the_next_page_is_one_to_books_but_not_to_who_asks() -> None:
    assert [one.step for one in find("See overleaf, and the previous page; the next pages are blank.")] == [
        1,
        -1,
    ]
    assert ask("what does the next page say?") == []


@pytest.mark.parametrize(
    ("printed", "whole"), [("page 2-3", "2-3"), ("p. 5–2", "5-2"), ("pg. A-3", "A-3"), ("page 12", None)]
)
def test_a_page_may_be_numbered_by_its_chapter(printed: str, whole: str | None) -> None:
    [found] = find(f"It is told elsewhere ({printed}).")
    assert (found.whole, found.text) == (whole, printed)


THINGS = st.text("bcdfghjklmnprstvz", min_size=4, max_size=9).map(lambda letters: f"{letters}o")
"""Words of no language: nothing in the grammar can know them."""
LOOKALIKES = st.sampled_from(
    ["a {code}{number}", "an {code}{number} {thing}", "um {code}{number}", "vitamin {code}{number}.",
     "room {code}{number}", "{thing} {code}{number}", "the {code}{number} {thing}", "{code}{number} {thing}",
     "({code}{number} {thing})", "{thing} {letter} {number}", "{letter} {number}",
     "{number}{code}{number}", "sub-{code}{number}", "{code}{number}{thing}", "{number} {code}"]
)  # fmt: skip
NUMBER = st.integers(1, 999)


@given(LOOKALIKES, st.sampled_from(CODES), NUMBER, THINGS, st.booleans())
def test_no_lookalike_is_read(shape: str, code: str, number: int, thing: str, is_question: bool) -> None:
    printed = shape.format(code=code, letter="b", number=number, thing=thing)
    found = find_references(f"Does it fly {printed}", TITLES, CODES, is_question=is_question)
    assert [one.text for one in found if one.first] == []


@given(st.integers(1, 9), st.sampled_from([4, 6, 8, 10, 12, 20, 100]), st.sampled_from("dD"))
def test_dice_are_no_references_even_where_d_is_a_code(count: int, sides: int, letter: str) -> None:
    text = f"Roll {count}{letter}{sides}, or see D{sides}."
    assert [one for one in find_references(text, [], ["D"]) if one.first] == []


@given(st.text(max_size=200))
def test_any_text_can_be_searched_and_what_is_found_stands_there(text: str) -> None:
    found = find_references(text, TITLES, CODES)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
