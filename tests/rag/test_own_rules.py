"""A table's own rules in answers: first, marked, beside the words of the book; left out on request."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from rag.graph import RulesGraph
from rag.library.books.page import Heading, Page
from rag.library.books.ruling import Ruling
from rag.library.library import Library
from rag.state import Authority, Outcome, Reply
from rag.texts import texts_for
from rag.texts.blocks import Role, blocks
from tests.rag.library.small_library import SmallLibrary, parsed_book
from tests.scripted import Script, ScriptedModel, drafted

BOOK_SAYS = "Whoever is wounded loses 1 HP every minute until the wound is bandaged."
TABLE_SAYS = "Whoever is wounded loses 1 HP every 30 seconds until the wound is bandaged."
QUESTION = "How often does somebody wounded lose HP?"
HOUSE_RULES = f"# House Rules\n\n## Bleeding – B420\n\n{TABLE_SAYS}\n"


def headed(number: int, heading: str, words: str) -> Page:
    """A page under one heading, printed 419 and on."""
    text = f"{heading}\n\n{words}"
    return Page(number, str(419 + number), text, (Heading(2, heading, 0),), "text", False)


BASIC = parsed_book(
    headed(1, "Bleeding", BOOK_SAYS),
    headed(2, "Lamps", "A storm lamp lights six paces and costs two stamps."),
    headed(3, "Boats", "A boat holds six rowers, and sinks when a seventh boards."),
    title="Basic Set",
    codes={"B": ""},
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A book and the table's house rules, which change one of its rules."""
    small = SmallLibrary(tmp_path_factory.mktemp("own-rules"))
    small.put_parsed("GURPS/basic.pdf", BASIC)
    small.write("GURPS/house-rules.md", HOUSE_RULES)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("rag.library.ingest.read_books.read_books", small.read_here)
        small.ingest()
    return small.open()


async def answered(
    library: Library,
    says: str = "",
    *,
    book_only: bool = False,
    rulings: Sequence[Ruling] = (),
    question: str = QUESTION,
) -> Reply:
    """The reply to the question by a model that rests its verdict on a line; without one, by quotation."""
    script: Script = {
        "SubQuestions": {"sub_questions": []},
        "Sufficiency": {"sufficient": True, "new_queries": []},
        "Draft": lambda prompt: drafted(prompt, (says, says)),
    }
    model = ScriptedModel(script=script) if says else None
    graph = RulesGraph(library, model, library._model, asks_for_support=False)
    events = [event async for event in graph.ask(question, book_only=book_only, rulings=rulings)]
    assert isinstance(events[-1], Reply)
    return events[-1]


def shown(reply: Reply, role: Role, locale: str = "en") -> list[str]:
    return [block.text for block in blocks(reply, texts_for(locale)) if block.role is role]


async def test_without_a_model_the_house_rule_comes_first_and_the_book_beside_it(library: Library) -> None:
    reply = await answered(library)
    assert [(one.authority, one.section or one.page) for one in reply.answer.sources[:2]] == [
        (Authority.HOUSE_RULES, "House Rules › Bleeding – B420"),
        (Authority.BOOK, "420"),
    ]
    assert shown(reply, Role.NOTICE)[-1] == (
        "Your table has a house rule here [1]. The book says otherwise: Basic Set, p. 420 [2]."
    )
    assert shown(reply, Role.NOTICE, "pt-BR")[-1] == (
        "Sua mesa tem uma regra da casa sobre isto [1]. O livro diz outra coisa: Basic Set, p. 420 [2]."
    )


async def test_a_verdict_by_the_house_rule_tells_what_the_book_says(library: Library) -> None:
    reply = await answered(library, TABLE_SAYS)
    assert reply.answer.outcome is Outcome.ANSWERED
    assert shown(reply, Role.VERDICT) == [f"{TABLE_SAYS} [1]"]
    assert reply.answer.sources[1].quote.endswith(BOOK_SAYS)


async def test_a_verdict_by_the_book_alone_stands_behind_the_house_rule(library: Library) -> None:
    reply = await answered(library, BOOK_SAYS)
    (verdict,) = shown(reply, Role.VERDICT)
    assert verdict.startswith("House rule: House Rules › Bleeding – B420: “")
    assert TABLE_SAYS in verdict
    assert shown(reply, Role.EXPLANATION) == [f"By the book alone: {BOOK_SAYS} [2]"]


@pytest.mark.parametrize("says", ["", BOOK_SAYS])
async def test_by_print_alone_there_is_no_house_rule(library: Library, says: str) -> None:
    reply = await answered(library, says, book_only=True)
    assert {source.authority for source in reply.answer.sources} == {Authority.BOOK}
    assert "House" not in str(reply.to_json())


# --- rulings --------------------------------------------------------------------------------------

LAMPS_RULED = "In fog it lights three paces."
LAMPS = Ruling(
    question="How far does a lamp reach in fog?",
    rule="Lamps – B421",
    text=LAMPS_RULED,
    made=date(2026, 5, 3),
    game="GURPS",
)
ASKED_OF_LAMPS = "How many paces does a storm lamp light?"


async def test_a_ruling_comes_first_with_its_date_and_the_book_beside_it(library: Library) -> None:
    reply = await answered(library, rulings=[LAMPS], question=ASKED_OF_LAMPS)
    assert [(one.authority, one.quote) for one in reply.answer.sources[:2]] == [
        (Authority.RULING, LAMPS_RULED),
        (Authority.BOOK, "Lamps A storm lamp lights six paces and costs two stamps."),
    ]
    titles = {
        locale: [one.title for one in blocks(reply, texts_for(locale)) if one.role is Role.SOURCE]
        for locale in ("en", "pt-BR")
    }
    assert titles["en"][0] == "Table ruling, 3 May 2026: Lamps – B421"
    assert titles["pt-BR"][0] == "Decisão da mesa, 3 de maio de 2026: Lamps – B421"


@pytest.mark.parametrize(
    ("rule", "question"),
    [("Boats", "Crews"), ("", "Boats"), ("", "Boats – B422")],
    ids=["without its page", "headed by hand", "headed by hand with its page"],
)
async def test_a_ruling_is_tied_to_the_rule_that_it_names(library: Library, rule: str, question: str) -> None:
    ruling = Ruling(question, rule, "Nobody sinks.", date(2026, 5, 3), game="GURPS")
    reply = await answered(library, rulings=[ruling], question="When does it hold six rowers?")
    assert [(one.authority, one.page) for one in reply.answer.sources[:2]] == [
        (Authority.RULING, None),
        (Authority.BOOK, "422"),
    ]


async def test_a_ruling_whose_name_only_stands_in_a_text_is_not_tied_to_it(library: Library) -> None:
    ruling = Ruling("Crews", "Rowers", "Nobody sinks.", date(2026, 5, 3), game="GURPS")
    reply = await answered(library, rulings=[ruling], question="When does a seventh one board?")
    assert {one.authority for one in reply.answer.sources} == {Authority.BOOK}


async def test_a_model_may_rule_by_the_tables_ruling_and_its_words_prove_it(library: Library) -> None:
    reply = await answered(library, LAMPS_RULED, rulings=[LAMPS], question=LAMPS.question)
    assert reply.answer.outcome is Outcome.ANSWERED
    assert reply.answer.sources[0].authority is Authority.RULING
    assert shown(reply, Role.NOTICE)[-1] == (
        "Your table has ruled here [1]. The book says otherwise: Basic Set, p. 421 [2]."
    )


async def test_a_ruling_that_changes_no_page_is_found_by_its_question(library: Library) -> None:
    free = Ruling(
        "May we retrain a skill between sessions?", "", "One a week.", date(2026, 5, 3), game="GURPS"
    )
    reply = await answered(library, rulings=[free], question="Can a skill be retrained between two sessions?")
    assert reply.answer.sources[0].quote == "One a week."


async def test_a_ruling_that_may_be_on_the_question_is_read_behind_the_best_pages(library: Library) -> None:
    free = Ruling("Who may tow a raft?", "", "Nobody at night.", date(2026, 5, 3), game="GURPS")
    reply = await answered(library, rulings=[free], question="Who may tow a lamp?")
    (found,) = [question.context for question in reply.questions]
    assert found[0].page_content.startswith("Lamps")
    assert "Nobody at night." in [page.page_content for page in found[3:]]


@pytest.mark.parametrize(
    ("rulings", "question"),
    [
        ([LAMPS], "How many rowers does a boat hold?"),
        ([Ruling(LAMPS.question, LAMPS.rule, LAMPS.text, LAMPS.made, game="Tides")], ASKED_OF_LAMPS),
    ],
    ids=["another rule", "another game"],
)
async def test_a_ruling_on_another_rule_or_game_is_not_quoted(
    library: Library, rulings: list[Ruling], question: str
) -> None:
    reply = await answered(library, rulings=rulings, question=question)
    assert Authority.RULING not in {one.authority for one in reply.answer.sources}


async def test_by_print_alone_there_is_no_ruling(library: Library) -> None:
    reply = await answered(library, rulings=[LAMPS], question=ASKED_OF_LAMPS, book_only=True)
    assert {one.authority for one in reply.answer.sources} == {Authority.BOOK}


async def test_of_two_rulings_that_contradict_each_other_the_newer_one_comes_first(library: Library) -> None:
    old = Ruling(
        QUESTION, "Bleeding – B420", "Whoever is wounded loses 2 HP.", date(2026, 5, 1), game="GURPS"
    )
    new = Ruling(QUESTION, "Wounds – B420", "Whoever is wounded loses 9 HP.", date(2026, 5, 9), game="GURPS")
    reply = await answered(library, rulings=[old, new])
    quoted = [one.quote for one in reply.answer.sources if one.authority is Authority.RULING]
    assert quoted == [new.text, old.text]


async def test_two_house_rules_on_the_same_tell_the_words_of_the_book_once(tmp_path: Path) -> None:
    small = SmallLibrary(tmp_path)
    small.put_parsed("GURPS/basic.pdf", BASIC)
    again = "## Bleeding – B420\n\nWhoever is wounded and drunk loses 9 HP."
    small.write("GURPS/house-rules.md", f"{HOUSE_RULES}\n{again}\n")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("rag.library.ingest.read_books.read_books", small.read_here)
        small.ingest()
    reply = await answered(small.open())
    assert [one.page for one in reply.answer.sources].count("420") == 1
