"""How the terminal prints an answer, and how it was found."""

from io import StringIO

import pytest
from rich.console import Console

from rag.cli.console import print_records
from rag.cli.output import print_passage, print_reply, print_why
from rag.state import AnswerWithSources, DroppedStatement, Outcome, Source, Statement, StatementRole
from tests.scripted import replied

FIRST, SECOND = "A lamp lights six paces.", "It burns four hours."
REPLY = replied(
    AnswerWithSources(
        answer=f"{FIRST}\n{SECOND}",
        found=True,
        outcome=Outcome.ANSWERED,
        statements=[
            Statement(text=FIRST, sources=[0], role=StatementRole.VERDICT),
            Statement(text=SECOND, sources=[0]),
        ],
    )
)


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """What is printed on standard output of a program."""
    file = StringIO()
    monkeypatch.setattr("rag.cli.output.out", Console(file=file, width=100, markup=False))
    return file


def test_an_unproven_ruling_is_printed_as_notes_and_quotations(printed: StringIO) -> None:
    said = (
        "I could not prove a ruling; this is what the books say.",
        f"{SECOND} (calculated, not printed) [1]",
        "[1] Core, p. 1",
        f"“{SECOND}”",
        "Part of what the model wrote could not be proven",
        "checked by code",
    )
    quoted = Source(book="Core", file="c.pdf", game="", page="1", pdf_page=1, quote=SECOND, verified=True)
    answer = AnswerWithSources(
        answer="",
        sources=[quoted],
        found=True,
        outcome=Outcome.UNPROVEN,
        statements=[Statement(text=SECOND, sources=[0], calculated=True)],
        dropped=[DroppedStatement(text=FIRST, reason="unsupported")],
    )
    print_reply(replied(answer))
    words = " ".join(printed.getvalue().split())
    places = [words.find(part) for part in said]
    assert places == sorted(places)
    assert places[0] >= 0
    assert FIRST not in words


def test_a_passage_not_shown_is_told_by_its_place_and_printed_by_its_number(printed: StringIO) -> None:
    sources = [
        Source(
            book="Core", file="c.pdf", game="", page=page, pdf_page=1, quote=f"Rule {page}.", verified=True
        )
        for page in ("7", "8")
    ]
    answer = AnswerWithSources(answer="", sources=sources, shown=1, found=True, outcome=Outcome.PASSAGES)
    print_reply(replied(answer))
    assert "also: [2] Core, p. 8" in printed.getvalue()
    assert "Rule 8." not in printed.getvalue()
    assert print_passage(replied(answer), 2)
    assert "Rule 8." in printed.getvalue()
    assert not print_passage(replied(answer), 3)


def test_why_is_told_in_the_language_of_the_answer(printed: StringIO) -> None:
    dropped = REPLY.answer.model_copy(update={"dropped": [DroppedStatement(text=FIRST, reason="numbers")]})
    print_why(REPLY.model_copy(update={"answer": dropped, "locale": "pt-BR"}))
    words = " ".join(printed.getvalue().split())
    assert f"Não afirmado: não confie nisto “{FIRST}” – um número dela" in words
    assert "nenhuma chamada ao modelo" in words


def test_a_book_stays_on_a_line_of_its_own_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    file = StringIO()
    monkeypatch.setattr("rag.cli.console.out", Console(file=file, width=40, markup=False))
    record = {"Book": "A very long title of a book of rules " * 2, "Pages": 120, "Printed": "1–120"}
    print_records([record], on_a_line=True)
    assert len(file.getvalue().splitlines()) == 2
    assert "120  1–120" in file.getvalue()
