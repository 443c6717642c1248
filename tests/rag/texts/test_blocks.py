"""An answer as blocks: what is claimed, what is not, and how that is said in both languages."""

from typing import Any

import pytest

from rag.state import (
    AbsentPage,
    AnswerWithSources,
    Authority,
    DroppedStatement,
    Origin,
    Outcome,
    Overruled,
    PageOfSeveralBooks,
    Question,
    QuotedPart,
    Reply,
    Source,
    Stated,
    Statement,
    StatementRole,
)
from rag.texts import LOCALES, texts_for
from rag.texts.blocks import Block, Role, blocks, source_citation, stated_blocks
from tests.scripted import page, replied

TEXTS = texts_for("en")
SOURCE = Source(
    book="Core", file="core.pdf", game="Game", page="12", pdf_page=16, quote="Magery costs 5.", verified=True
)
VERDICT = Statement(text="Magery costs 5 points.", sources=[0], role=StatementRole.VERDICT)
NOTE = Statement(text="It takes an hour.", sources=[0])
DROPPED = DroppedStatement(text="Magery is free.", reason="unsupported")


def answer(outcome: Outcome, *statements: Statement, **facts: Any) -> AnswerWithSources:
    told = "\n".join(statement.text for statement in statements)
    return AnswerWithSources(
        answer=told,
        found=bool(statements),
        outcome=outcome,
        statements=list(statements),
        **{"sources": [SOURCE], **facts},
    )


def shown(reply: Reply | AnswerWithSources, role: Role, locale: str = "en") -> list[str]:
    reply = replied(reply) if isinstance(reply, AnswerWithSources) else reply
    return [block.text for block in blocks(reply, texts_for(locale)) if block.role is role]


# --- what is claimed, and what is not ---------------------------------------------------------------


COMPUTED = VERDICT.model_copy(update={"calculated": True})


@pytest.mark.parametrize(
    ("told", "role", "english", "portuguese"),
    [
        (
            answer(Outcome.ANSWERED, COMPUTED, NOTE),
            Role.VERDICT,
            ["Magery costs 5 points. (calculated, not printed) [1]"],
            ["Magery costs 5 points. (calculado, não impresso) [1]"],
        ),
        (answer(Outcome.ANSWERED, COMPUTED, NOTE), Role.EXPLANATION, *[["It takes an hour. [1]"]] * 2),
        (
            answer(Outcome.PARTLY, VERDICT, dropped=[DROPPED]),
            Role.NOTICE,
            ["Part of what the model wrote could not be proven and is not claimed."],
            ["Parte do que o modelo escreveu não pôde ser provada e não é afirmada."],
        ),
        (
            answer(Outcome.PARTLY, VERDICT),
            Role.NOTICE,
            ["This is a part of the answer."],
            ["Esta é uma parte da resposta."],
        ),
        (
            answer(Outcome.PARTLY, VERDICT, missing="the price"),
            Role.MISSING,
            ["The pages I found do not tell: the price."],
            ["As páginas que encontrei não dizem: the price."],
        ),
        (answer(Outcome.PARTLY, VERDICT, missing="the price"), Role.NOTICE, [], []),
        *(
            (
                answer(Outcome.UNPROVEN, *notes, dropped=[DROPPED]),
                Role.VERDICT,
                ["I could not prove a ruling; this is what the books say."],
                ["Não consegui provar uma decisão; isto é o que os livros dizem."],
            )
            for notes in ([], [NOTE])
        ),
        (answer(Outcome.UNPROVEN, dropped=[DROPPED]), Role.SOURCE, *[[SOURCE.quote]] * 2),
    ],
)
def test_an_answer_says_what_is_claimed_and_what_is_not(
    told: AnswerWithSources, role: Role, english: list[str], portuguese: list[str]
) -> None:
    assert shown(told, role, "en") == english
    assert shown(told, role, "pt-BR") == portuguese
    assert DROPPED.text not in str(blocks(replied(told), TEXTS))


@pytest.mark.parametrize(
    ("locale", "is_model", "said"),
    [
        ("en", False, "checked by code"),
        ("en", True, "checked by code and model"),
        ("pt-BR", False, "conferido por código"),
        ("pt-BR", True, "conferido por código e modelo"),
    ],
)
def test_the_footer_says_who_checked_what_is_claimed(locale: str, is_model: bool, said: str) -> None:
    (footer,) = shown(answer(Outcome.ANSWERED, VERDICT, checked_by_model=is_model), Role.FOOTER, locale)
    assert footer.split(" · ")[-1] == said


@pytest.mark.parametrize(
    ("outcome", "missing_word", "english", "portuguese"),
    [
        (
            Outcome.NOT_FOUND,
            None,
            "I found nothing on this. Searched for “airship fare”, “flying boat”; 2 pages read.",
            "Não encontrei nada sobre isso. Procurei por “airship fare”, “flying boat”; 2 páginas lidas.",
        ),
        (
            Outcome.NOT_FOUND,
            "airship",
            "None of the books asked has the word “airship”.",
            "Nenhum dos livros consultados tem a palavra “airship”.",
        ),
        (
            Outcome.PASSAGES,
            "airship",
            "None of the books asked has the word “airship”.",
            "Nenhum dos livros consultados tem a palavra “airship”.",
        ),
        (Outcome.PASSAGES, None, "Nothing here fits well.", "Nada aqui responde bem a isso."),
    ],
)
def test_that_nothing_here_answers_is_the_first_line_and_no_verdict(
    outcome: Outcome, missing_word: str | None, english: str, portuguese: str
) -> None:
    first, second = page("Boats cost 5 points.", 12), page("Rafts cost 2 points.", 13)
    questions = [
        Question(question="airship fare", context=[first, second]),
        Question(question="flying boat", context=[second], origin=Origin.SUB_QUESTION),
        Question(question="Core p. 13", context=[second], origin=Origin.FOLLOWED),
    ]
    nothing = answer(outcome, missing_word=missing_word, sources=[])
    reply = replied(nothing).model_copy(update={"questions": questions})
    for locale, line in (("en", english), ("pt-BR", portuguese)):
        assert blocks(reply, texts_for(locale))[0] == Block(Role.NOTHING, line)


def test_an_answer_that_is_found_begins_with_no_such_line() -> None:
    quoted = answer(Outcome.PASSAGES, missing_word="airship").model_copy(update={"found": True})
    assert shown(quoted, Role.NOTHING) == []


# --- while the answer is being written ------------------------------------------------------------


@pytest.mark.parametrize("locale", LOCALES)
def test_a_ruling_that_is_still_checked_stands_as_its_lines_before_the_notes(locale: str) -> None:
    texts = texts_for(locale)
    stated = [
        Stated("“Magery costs 5.”", is_checking=True),
        Stated("It takes an hour.", role=StatementRole.NOTE),
    ]
    assert stated_blocks(stated, texts) == [
        Block(Role.NOTICE, texts("answer-checking")),
        Block(Role.EXPLANATION, "“Magery costs 5.”"),
        Block(Role.EXPLANATION, "It takes an hour."),
    ]


def test_a_proven_ruling_stands_as_the_verdict_and_notes_explain_it() -> None:
    stated = [Stated("Yes."), *(Stated(text, role=StatementRole.NOTE) for text in ("At night.", "Twice."))]
    assert stated_blocks(stated, TEXTS) == [
        Block(Role.VERDICT, "Yes."),
        Block(Role.EXPLANATION, "At night.\nTwice."),
    ]


SECTION = {"page": None, "pdf_page": 2, "section": "House Rules › Bleeding"}


@pytest.mark.parametrize(
    ("facts", "english", "portuguese"),
    [
        (SECTION, "House Rules › Bleeding", "House Rules › Bleeding"),
        ({"is_ocr": True}, "Core, p. 12 (read by OCR)", "Core, p. 12 (lida por OCR)"),
        ({"authority": Authority.RULING}, "Table ruling: Core, p. 12", "Decisão da mesa: Core, p. 12"),
    ],
    ids=["without pages", "read by OCR", "a ruling without a day"],
)
def test_a_source_is_titled_with_its_place(facts: dict[str, Any], english: str, portuguese: str) -> None:
    reply = replied(answer(Outcome.ANSWERED, VERDICT, sources=[SOURCE.model_copy(update=facts)]))
    for locale, said in (("en", english), ("pt-BR", portuguese)):
        (source,) = [one for one in blocks(reply, texts_for(locale)) if one.role is Role.SOURCE]
        assert source.title == said


@pytest.mark.parametrize("locale", LOCALES)
def test_numbers_that_could_not_be_read_are_told_from_none_printed(locale: str) -> None:
    pages = [
        AbsentPage(book="Core", page="20", printed="", numbering=numbering, is_position=True)
        for numbering in ("unread", "unnumbered")
    ]
    notices = shown(answer(Outcome.PASSAGES, absent=pages), Role.NOTICE, locale)

    assert len({told for told in notices if "Core" in told and "20" in told and "PDF" in told}) == 2


@pytest.mark.parametrize("notice", [None, "notice-model-failed"])
@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", "There is no page 500 in Core (its printed pages: 1–230)."),
        ("pt-BR", "Não há página 500 em Core (suas páginas impressas: 1–230)."),
    ],
)
def test_of_a_page_asked_for_in_vain_it_is_told_and_nothing_else(
    locale: str, said: str, notice: str | None
) -> None:
    absent = AbsentPage(book="Core", page="500", printed="1–230")
    reply = replied(answer(Outcome.PASSAGES, absent=[absent], sources=[], notice=notice))
    told = blocks(reply.model_copy(update={"game": "GURPS"}), texts_for(locale))
    assert [block.text for block in told if block.role is not Role.FOOTER] == [said]


def test_a_position_that_the_file_does_not_have_is_not_offered() -> None:
    beyond = AbsentPage(book="Core", page="900", printed="", numbering="unnumbered")

    assert not any("PDF" in told for told in shown(answer(Outcome.PASSAGES, absent=[beyond]), Role.NOTICE))


@pytest.mark.parametrize(("locale", "said"), [("en", "From: GURPS"), ("pt-BR", "De: GURPS")])
def test_where_no_game_was_named_the_answer_says_which_it_took(locale: str, said: str) -> None:
    source = SOURCE.model_copy(update={"game": "GURPS"})
    reply = replied(answer(Outcome.ANSWERED, VERDICT, sources=[source]))
    assert shown(reply.model_copy(update={"game": "GURPS"}), Role.NOTICE, locale) == [said]


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.PASSAGES])
def test_an_answer_from_two_games_says_which_source_is_of_which(outcome: Outcome) -> None:
    two = [SOURCE.model_copy(update={"game": game}) for game in ("GURPS", "Fudge")]
    reply = replied(answer(outcome, VERDICT, sources=two)).model_copy(update={"game": "GURPS"})
    assert shown(reply, Role.NOTICE)[-1] == "From: GURPS · Fudge"
    places = [block.title for block in blocks(reply, texts_for("en")) if block.role is Role.SOURCE]
    assert places == ["Core, p. 12 · GURPS", "Core, p. 12 · Fudge"]


def test_a_place_that_a_house_rule_changes_is_told_once_however_many_quotations_are_from_there() -> None:
    own = SOURCE.model_copy(update={"book": "Ours", "authority": Authority.HOUSE_RULES})
    changed = [Overruled(source=number, by=0) for number in (1, 2)]
    reply = answer(Outcome.PASSAGES, sources=[own, SOURCE, SOURCE], overruled=changed)
    assert "Your table has a house rule here [1]. The book says otherwise: Core, p. 12 [2][3]." in shown(
        reply, Role.NOTICE
    )


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_drawn_as_one_has_one_number_and_what_is_not_shown_its_place(locale: str) -> None:
    other = SOURCE.model_copy(update={"page": "13", "pdf_page": 17})
    note = NOTE.model_copy(update={"sources": [2, 1]})
    drawn = {"sources": [SOURCE, other, SOURCE], "together": {2: 0}, "shown": 1}
    told = answer(Outcome.ANSWERED, VERDICT, note, **drawn)
    assert shown(told, Role.EXPLANATION, locale) == ["It takes an hour. [1][2]"]
    titles = [(one.role, one.title) for one in blocks(replied(told), texts_for(locale)) if one.title]
    assert titles == [(Role.SOURCE, "Core, p. 12"), (Role.FURTHER, "[2] Core, p. 13")]


def test_a_page_that_many_books_have_is_asked_about_without_a_claim() -> None:
    asked = PageOfSeveralBooks(page="12", books=("Core", "Machines"))
    reply = answer(Outcome.PASSAGES, sources=[], ambiguous=[asked])
    assert shown(reply, Role.VERDICT) == []


AFTER = QuotedPart("13", 17, "points.")


@pytest.mark.parametrize(
    ("update", "title"),
    [
        ({"after": AFTER}, "Core, pp. 12–13"),
        ({"before": QuotedPart("11", 15, "Each level of")}, "Core, pp. 11–12"),
        ({"page": None, "after": AFTER}, "Core, PDF pp. 16–17"),
        ({"page": None, "after": QuotedPart(None, 16, "points.", half=2)}, "Core, PDF p. 16"),
    ],
)
def test_a_quotation_over_a_page_break_stands_on_both_pages(update: dict[str, Any], title: str) -> None:
    source = SOURCE.model_copy(update=update)
    assert source_citation(source, TEXTS) == title


def test_a_quotation_over_a_page_break_is_shown_whole() -> None:
    source = SOURCE.model_copy(update={"quote": "Magery costs 5", "after": AFTER})
    told = shown(answer(Outcome.ANSWERED, VERDICT, sources=[source]), Role.SOURCE)
    assert told == ["Magery costs 5 points."]
