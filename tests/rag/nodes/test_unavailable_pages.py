"""Pages that are not here are said to be missing: those asked for, and those that quoted rules lead to."""

import pytest

from rag.library.books.found_page import FoundPage, FoundReference
from rag.nodes.citations import places_elsewhere
from rag.nodes.generate import with_absent_pages
from rag.state import AbsentPage, AnswerWithSources, Authority, Outcome, PageOfSeveralBooks, Question, Source
from tests.scripted import found_page, page, page_id, reference

# Asked for, and printed in no file of the book

ABSENT = AbsentPage(book="Core", page="500", printed="1–230")
PASSAGES = AnswerWithSources(answer="“Boats float.”", found=True, outcome=Outcome.PASSAGES)
BOATS = page("Boats float.", 12)


def asked(*, named: bool = False) -> list[Question]:
    pages = frozenset([page_id(12)] if named else [])
    return [Question(question="What is on page 500?", context=[BOATS], named=pages, absent=(ABSENT,))]


def test_a_page_that_is_not_there_is_told_and_what_is_quoted_instead_is_not_found() -> None:
    answer = with_absent_pages(PASSAGES, asked())
    assert (answer.absent, answer.found, answer.answer) == ([ABSENT], False, "")


def test_beside_a_page_that_is_there_or_what_a_model_answered_the_answer_is_found() -> None:
    answered = PASSAGES.model_copy(update={"outcome": Outcome.ANSWERED})
    assert with_absent_pages(PASSAGES, asked(named=True)).found
    assert with_absent_pages(answered, asked()).found


def test_only_what_the_asker_asks_is_told_not_what_the_conversation_adds() -> None:
    boats = Question(question="And boats?", context=[BOATS])
    assert with_absent_pages(PASSAGES, [boats, *asked()]) == PASSAGES


def test_a_page_that_many_books_have_is_asked_about_and_nothing_is_quoted_instead() -> None:
    ambiguous = PageOfSeveralBooks(page="12", books=("Core", "Machines"))
    question = Question(question="What is on page 12?", context=[BOATS], ambiguous=(ambiguous,))
    answer = with_absent_pages(PASSAGES, [question])
    assert (answer.ambiguous, answer.found, answer.answer) == ([ambiguous], False, "")


# Referred to, in a book that is not in the library

QUOTE = "Engines cost fuel; see Machines p. 4."
TEXT = f"Steam is hot.\n\n{QUOTE}\n\nBoats float; see Ships p. 9."


def engine_page(*references: FoundReference, text: str = TEXT) -> FoundPage:
    return found_page(text, 12, references=references)


def quoted(quote: str = QUOTE) -> Source:
    return Source(
        book="Core", file="game/core.pdf", game="Game", page="12", pdf_page=16, quote=quote, verified=True
    )


def missing(target: str) -> FoundReference:
    return reference(target, target, TEXT, in_library=False)


MACHINES = "Machines p. 4"


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        (missing(MACHINES), [MACHINES]),
        (missing("Ships p. 9"), []),
        (reference(MACHINES, MACHINES, TEXT), []),
        (missing(MACHINES).model_copy(update={"book": "Core"}), []),
    ],
    ids=["a missing book", "of another paragraph", "leads somewhere", "the book's own"],
)
def test_the_page_of_a_missing_book_that_the_quoted_paragraph_names_is_told(
    printed: FoundReference, told: list[str]
) -> None:
    assert places_elsewhere([quoted()], [engine_page(printed)], are_absent=False) == told


def test_a_book_that_is_surely_not_here_is_told_apart_from_a_page_that_was_not_found() -> None:
    absent = missing(MACHINES).model_copy(update={"is_absent": True})
    for printed in (absent, missing(MACHINES)):
        told = places_elsewhere([quoted()], [engine_page(printed)], are_absent=True)
        assert told == ([MACHINES] if printed.is_absent else [])


def test_the_rule_that_a_house_rule_changes_is_no_book() -> None:
    text = "Initiative – p. 30: roll a die. Mooks use Machines p. 4."
    references = [
        reference(printed, f"{book} p. {number}", text, in_library=False)
        for printed, book, number in (
            ("Initiative – p. 30", "Initiative", 30),
            ("Machines p. 4", "Machines", 4),
        )
    ]
    own = found_page(text, 1, references=references, authority=Authority.HOUSE_RULES)
    source = quoted(text).model_copy(update={"page": "1", "pdf_page": own.pdf_page})
    assert places_elsewhere([source], [own], are_absent=False) == ["Machines p. 4"]
