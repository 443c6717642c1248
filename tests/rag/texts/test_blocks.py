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


@pytest.mark.parametrize("locale", LOCALES)
def test_a_source_of_a_book_without_pages_is_titled_with_its_section(locale: str) -> None:
    section = "House Rules › Bleeding"
    source = SOURCE.model_copy(update={"page": None, "pdf_page": 2, "section": section})
    reply = replied(answer(Outcome.ANSWERED, VERDICT, sources=[source]))
    titles = [block.title for block in blocks(reply, texts_for(locale)) if block.role is Role.SOURCE]
    assert titles == [section]


# --- what is claimed ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "mark"), [("en", "(calculated, not printed)"), ("pt-BR", "(calculado, não impresso)")]
)
def test_a_calculated_number_is_marked_where_it_stands(locale: str, mark: str) -> None:
    computed = VERDICT.model_copy(update={"calculated": True})
    told = answer(Outcome.ANSWERED, computed, NOTE)
    assert shown(told, Role.VERDICT, locale) == [f"Magery costs 5 points. {mark} [1]"]
    assert mark not in shown(told, Role.EXPLANATION, locale)[0]


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


# --- what is not ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        (
            "en",
            "Part of what the model wrote could not be proven and is not claimed.",
        ),
        (
            "pt-BR",
            "Parte do que o modelo escreveu não pôde ser provada e não é afirmada.",
        ),
    ],
)
def test_a_partial_answer_says_that_a_statement_was_not_proven(locale: str, said: str) -> None:
    partly = answer(Outcome.PARTLY, VERDICT, dropped=[DROPPED])
    assert shown(partly, Role.NOTICE, locale) == [said]
    assert DROPPED.text not in str(blocks(replied(partly), texts_for(locale)))


@pytest.mark.parametrize(
    ("locale", "said"), [("en", "This is a part of the answer."), ("pt-BR", "Esta é uma parte da resposta.")]
)
def test_a_partial_answer_says_so_where_the_models_word_of_the_gap_is_not_shown(
    locale: str, said: str
) -> None:
    assert shown(answer(Outcome.PARTLY, VERDICT), Role.NOTICE, locale) == [said]


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", "Not on the pages I found: the price"),
        ("pt-BR", "Não está nas páginas que encontrei: the price"),
    ],
)
def test_a_partial_answer_names_the_gap(locale: str, said: str) -> None:
    partly = answer(Outcome.PARTLY, VERDICT, missing="the price")
    assert shown(partly, Role.MISSING, locale) == [said]
    assert shown(partly, Role.NOTICE, locale) == []


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", "I could not prove a ruling; this is what the books say."),
        ("pt-BR", "Não consegui provar uma decisão; isto é o que os livros dizem."),
    ],
)
@pytest.mark.parametrize("notes", [[], [NOTE]])
def test_an_unproven_ruling_is_not_shown_but_the_notes_and_quotations_are(
    locale: str, said: str, notes: list[Statement]
) -> None:
    unproven = answer(Outcome.UNPROVEN, *notes, dropped=[DROPPED])
    assert shown(unproven, Role.VERDICT, locale) == [said]
    assert shown(unproven, Role.EXPLANATION, locale) == [f"{note.text} [1]" for note in notes]
    assert shown(unproven, Role.SOURCE, locale) == [SOURCE.quote]
    assert DROPPED.text not in str(blocks(replied(unproven), texts_for(locale)))


@pytest.mark.parametrize(
    ("locale", "verdict", "searched"),
    [
        (
            "en",
            "I found nothing on this.",
            "Searched for “airship fare”, “flying boat”; 2 pages were looked at, so the books may still say "
            "it elsewhere.",
        ),
        (
            "pt-BR",
            "Não encontrei nada sobre isso.",
            "Procurei por “airship fare”, “flying boat”; 2 páginas foram vistas, então os livros ainda podem "
            "falar disso em outro lugar.",
        ),
    ],
)
def test_where_nothing_was_found_it_says_what_was_searched_and_what_is_near(
    locale: str, verdict: str, searched: str
) -> None:
    nothing = AnswerWithSources(
        answer=texts_for(locale)("answer-not-found"),
        found=False,
        outcome=Outcome.NOT_FOUND,
        headings=["Travel › Boats (Core p. 12)"],
    )
    first, second = page("Boats cost 5 points.", 12), page("Rafts cost 2 points.", 13)
    questions = [
        Question(question="airship fare", context=[first, second]),
        Question(question="flying boat", context=[second], origin=Origin.SUB_QUESTION),
        Question(question="Core p. 13", context=[second], origin=Origin.FOLLOWED),
    ]
    reply = replied(nothing).model_copy(update={"questions": questions})
    assert shown(reply, Role.VERDICT, locale) == [verdict]
    assert shown(reply, Role.MISSING, locale) == [searched]
    assert shown(reply, Role.HEADINGS, locale) == ["Travel › Boats (Core p. 12)"]


def test_of_many_searches_the_first_three_are_named() -> None:
    nothing = AnswerWithSources(answer="", found=False, outcome=Outcome.NOT_FOUND)
    questions = [Question(question=f"query {number}") for number in range(9)]
    (searched,) = shown(replied(nothing).model_copy(update={"questions": questions}), Role.MISSING)
    assert searched.startswith("Searched for “query 0”, “query 1”, “query 2”; 0 pages were")


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


@pytest.mark.parametrize(
    ("locale", "said"), [("en", "Core, p. 12 (read by OCR)"), ("pt-BR", "Core, p. 12 (lida por OCR)")]
)
def test_a_quotation_that_ocr_read_says_so(locale: str, said: str) -> None:
    recognised = SOURCE.model_copy(update={"is_ocr": True})
    reply = replied(answer(Outcome.ANSWERED, VERDICT, sources=[recognised]))
    (source,) = [block for block in blocks(reply, texts_for(locale)) if block.role is Role.SOURCE]
    assert source.title == said


@pytest.mark.parametrize(
    ("locale", "said"), [("en", "Table ruling: Core, p. 12"), ("pt-BR", "Decisão da mesa: Core, p. 12")]
)
def test_a_ruling_that_tells_no_day_is_no_house_rule(locale: str, said: str) -> None:
    ruling = SOURCE.model_copy(update={"authority": Authority.RULING})
    reply = replied(answer(Outcome.ANSWERED, VERDICT, sources=[ruling]))
    (source,) = [block for block in blocks(reply, texts_for(locale)) if block.role is Role.SOURCE]
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
