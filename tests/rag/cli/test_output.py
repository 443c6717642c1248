"""What the terminal shows while a question is being answered, and what it leaves."""

from collections.abc import AsyncIterator
from io import StringIO

import pytest
from rich.console import Console

from rag.cli.output import awaited_reply, print_reply, print_why
from rag.state import (
    AnswerWithSources,
    DroppedStatement,
    Outcome,
    Progress,
    Reply,
    Source,
    Stage,
    Stated,
    Statement,
    StatementRole,
)
from rag.texts import texts_for
from tests.scripted import replied

FIRST, SECOND = "A lamp lights six paces.", "It burns four hours."
TEXTS = texts_for("en")
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


class Screen:
    """Standard output and standard error of a run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool) -> None:
        self.out, self.err = StringIO(), StringIO()
        for name, file in (("out", self.out), ("err", self.err)):
            console = Console(file=file, force_terminal=is_terminal, width=100, color_system=None)
            monkeypatch.setattr(f"rag.cli.output.{name}", console)

    @property
    def lines_left(self) -> list[str]:
        """The lines of standard output when all is over: what was erased is gone."""
        lines = [""]
        for character in self.out.getvalue().replace("\x1b[1A", "\x01").replace("\x1b[2K", "\x02"):
            match character:
                case "\n":
                    lines.append("")
                case "\x01":
                    lines.pop()
                case "\x02":
                    lines[-1] = ""
                case "\r":
                    pass
                case _:
                    lines[-1] += character
        return lines


async def events(screen: Screen, seen: list[str]) -> AsyncIterator[Progress | Stated | Reply]:
    """A question whose reader notes what stands on standard output behind each statement."""
    yield Progress(Stage.WRITING)
    for text, role in ((FIRST, StatementRole.VERDICT), (SECOND, StatementRole.NOTE)):
        yield Stated(text, role=role)
        seen.append(screen.out.getvalue())
    yield REPLY


async def test_on_a_terminal_a_statement_is_readable_before_the_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen, seen = Screen(monkeypatch, is_terminal=True), list[str]()
    await awaited_reply(events(screen, seen), TEXTS)
    assert [(FIRST in so_far, SECOND in so_far) for so_far in seen] == [(True, False), (True, True)]


async def test_on_a_terminal_no_statement_stands_twice_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch, is_terminal=True)
    print_reply(await awaited_reply(events(screen, []), TEXTS))
    left = screen.lines_left
    assert sum(FIRST in line for line in left) == sum(SECOND in line for line in left) == 1


@pytest.mark.parametrize(("is_terminal", "for_people"), [(False, True), (True, False)])
async def test_in_a_file_and_for_programs_nothing_is_printed_before_the_reply(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, for_people: bool
) -> None:
    screen, seen = Screen(monkeypatch, is_terminal=is_terminal), list[str]()
    await awaited_reply(events(screen, seen), TEXTS, for_people=for_people)
    assert seen == ["", ""]


async def test_a_ruling_under_check_is_readable_as_its_lines_and_gone_with_the_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen, line = Screen(monkeypatch, is_terminal=True), "“Lamps are for the Post.”"
    seen = list[str]()

    async def checked() -> AsyncIterator[Progress | Stated | Reply]:
        yield Progress(Stage.WRITING)
        yield Stated(line, is_checking=True)
        seen.append(screen.out.getvalue())
        yield REPLY

    print_reply(await awaited_reply(checked(), TEXTS))
    assert "Still checking the ruling against these lines:" in seen[0]
    assert line in seen[0]
    left = "\n".join(screen.lines_left)
    assert "Still checking" not in left
    assert line not in left
    assert FIRST in left


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        (
            "en",
            [
                "I could not prove a ruling; this is what the books say.",
                f"{SECOND} (calculated, not printed) [1]",
                "[1] Core, p. 1",
                "“It burns four hours.”",
                "Part of what the model wrote could not be proven",
                "checked by code",
            ],
        ),
        (
            "pt-BR",
            [
                "Não consegui provar uma decisão; isto é o que os livros dizem.",
                f"{SECOND} (calculado, não impresso) [1]",
                "[1] Core, p. 1",
                "“It burns four hours.”",
                "Parte do que o modelo escreveu não pôde ser provada",
                "conferido por código",
            ],
        ),
    ],
)
def test_an_unproven_ruling_is_printed_as_notes_and_quotations(
    monkeypatch: pytest.MonkeyPatch, locale: str, said: list[str]
) -> None:
    screen = Screen(monkeypatch, is_terminal=False)
    quoted = Source(book="Core", file="c.pdf", game="", page="1", pdf_page=1, quote=SECOND, verified=True)
    answer = AnswerWithSources(
        answer="",
        sources=[quoted],
        found=True,
        outcome=Outcome.UNPROVEN,
        statements=[Statement(text=SECOND, sources=[0], calculated=True)],
        dropped=[DroppedStatement(text=FIRST, reason="unsupported")],
    )
    print_reply(replied(answer).model_copy(update={"locale": locale}))
    printed = " ".join(screen.out.getvalue().split())
    places = [printed.find(part) for part in said]
    assert places == sorted(places)
    assert places[0] >= 0
    assert FIRST not in printed


def test_why_is_told_in_the_language_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch, is_terminal=False)
    dropped = REPLY.answer.model_copy(update={"dropped": [DroppedStatement(text=FIRST, reason="numbers")]})
    print_why(REPLY.model_copy(update={"answer": dropped, "locale": "pt-BR"}))
    printed = " ".join(screen.out.getvalue().split())
    assert f"Não afirmado: não confie nisto “{FIRST}” – um número seu" in printed
    assert "nenhuma chamada ao modelo" in printed
