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
from rag.texts.blocks import Block, Role, blocks
from tests.rag.chat import shown
from tests.rag.library.small_library import SmallLibrary, parsed_book
from tests.scripted import CLEARS_ALL, Script, ScriptedModel, drafted

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
        monkeypatch.setattr("rag.library.ingest.ingest.read_books", small.read_here)
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
        "SupportVerdicts": CLEARS_ALL,
    }
    model = ScriptedModel(script=script) if says else None
    graph = RulesGraph(library, model, library._model)
    events = [event async for event in graph.ask(question, book_only=book_only, rulings=rulings)]
    assert isinstance(events[-1], Reply)
    return events[-1]


def blocks_of(reply: Reply, role: Role, locale: str = "en") -> list[Block]:
    return [block for block in blocks(reply, texts_for(locale)) if block.role is role]


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


async def test_what_the_house_rule_changes_is_no_verdict_and_the_house_rule_stands_first(
    library: Library,
) -> None:
    reply = await answered(library, BOOK_SAYS)
    assert (reply.answer.statements, [one.reason for one in reply.answer.dropped]) == ([], ["overruled"])
    assert [one.authority for one in reply.answer.sources[:2]] == [Authority.HOUSE_RULES, Authority.BOOK]
    assert TABLE_SAYS in reply.answer.sources[0].quote


@pytest.mark.parametrize("says", ["", BOOK_SAYS])
async def test_by_print_alone_there_is_no_house_rule(library: Library, says: str) -> None:
    reply = await answered(library, says, book_only=True)
    assert {source.authority for source in reply.answer.sources} == {Authority.BOOK}
    assert "House" not in str(reply.to_json())


# --- rulings --------------------------------------------------------------------------------------


def ruling(text: str, rule: str = "", question: str = "Crews", game: str = "GURPS", day: int = 3) -> Ruling:
    return Ruling(question, rule, text, date(2026, 5, day), game=game)


LAMPS_RULED = "In fog it lights three paces."
FOG = "How far does a lamp reach in fog?"
LAMPS = ruling(LAMPS_RULED, "Lamps – B421", FOG)
ASKED_OF_LAMPS = "How many paces does a storm lamp light?"
SIX_ROWERS = "When does it hold six rowers?"


@pytest.mark.parametrize("says", ["", LAMPS_RULED], ids=["quoted", "by a model"])
async def test_a_ruling_comes_first_with_its_date_and_the_book_beside_it(library: Library, says: str) -> None:
    reply = await answered(library, says, rulings=[LAMPS], question=FOG if says else ASKED_OF_LAMPS)
    assert reply.answer.outcome is (Outcome.ANSWERED if says else Outcome.PASSAGES)
    first, second, *_ = reply.answer.sources
    assert (first.quote, second.authority, second.page) == (LAMPS_RULED, Authority.BOOK, "421")
    assert [blocks_of(reply, Role.SOURCE, locale)[0].title for locale in ("en", "pt-BR")] == [
        "Table ruling, 3 May 2026: Lamps – B421",
        "Decisão da mesa, 3 de maio de 2026: Lamps – B421",
    ]
    said = "Your table has ruled here [1]. The book says otherwise: Basic Set, p. 421 [2]."
    assert shown(reply, Role.NOTICE)[-1] == said


@pytest.mark.parametrize(
    ("rulings", "question", "quoted"),
    [
        pytest.param([ruling("Nobody.", "Boats")], SIX_ROWERS, ["Nobody.", "422"], id="without its page"),
        pytest.param([ruling("Nobody.", "Boats (B999)")], SIX_ROWERS, ["Nobody.", "422"], id="a wrong page"),
        pytest.param([ruling("Nobody.", "Basic Set › Boats")], SIX_ROWERS, ["Nobody.", "422"], id="as cited"),
        pytest.param([ruling("Nobody.", "", "Boats")], SIX_ROWERS, ["Nobody.", "422"], id="headed by hand"),
        pytest.param(
            [ruling("Nobody.", "", "Boats – B422")], SIX_ROWERS, ["Nobody.", "422"], id="with its page"
        ),
        pytest.param(
            [
                ruling("Loses 2 HP.", "Bleeding – B420", QUESTION),
                ruling("9 HP.", "Wounds – B420", QUESTION, day=9),
            ],
            QUESTION,
            ["9 HP.", "Loses 2 HP."],
            id="the newer first",
        ),
    ],
)
async def test_a_ruling_is_tied_to_what_it_names(
    library: Library, rulings: list[Ruling], question: str, quoted: list[str]
) -> None:
    sources = (await answered(library, rulings=rulings, question=question)).answer.sources
    first = [one.quote if one.authority is Authority.RULING else one.page for one in sources]
    assert first[: len(quoted)] == quoted


async def test_a_ruling_that_is_found_by_its_question_alone_is_said_against_no_book(library: Library) -> None:
    told = ruling("One a week.", question="May we retrain a skill between sessions?")
    reply = await answered(library, rulings=[told], question="Can a skill be retrained between two sessions?")
    assert (reply.answer.sources[0].quote, shown(reply, Role.NOTICE)) == ("One a week.", [])


@pytest.mark.parametrize(
    ("told", "question", "book_only"),
    [
        pytest.param(
            ruling("Nobody.", "Rowers"), "When does a seventh one board?", False, id="a word of a text"
        ),
        pytest.param(LAMPS, "How many rowers does a boat hold?", False, id="another rule"),
        pytest.param(
            ruling(LAMPS_RULED, "Lamps – B421", FOG, game="Tides"), ASKED_OF_LAMPS, False, id="another game"
        ),
        pytest.param(LAMPS, ASKED_OF_LAMPS, True, id="by print alone"),
    ],
)
async def test_a_ruling_on_something_else_is_not_quoted(
    library: Library, told: Ruling, question: str, book_only: bool
) -> None:
    reply = await answered(library, rulings=[told], question=question, book_only=book_only)
    assert Authority.RULING not in {one.authority for one in reply.answer.sources}


async def test_a_ruling_that_may_be_on_the_question_is_read_behind_the_best_pages(library: Library) -> None:
    free = ruling("Nobody at night.", question="Who may tow a raft?")
    reply = await answered(library, rulings=[free], question="Who may tow a lamp?")
    (found,) = [question.context for question in reply.questions]
    assert found[0].page_content.startswith("Lamps")
    assert "Nobody at night." in [page.page_content for page in found[3:]]


async def test_two_house_rules_on_the_same_tell_the_words_of_the_book_once(tmp_path: Path) -> None:
    small = SmallLibrary(tmp_path)
    small.put_parsed("GURPS/basic.pdf", BASIC)
    again = "## Bleeding – B420\n\nWhoever is wounded and drunk loses 9 HP."
    small.write("GURPS/house-rules.md", f"{HOUSE_RULES}\n{again}\n")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("rag.library.ingest.ingest.read_books", small.read_here)
        small.ingest()
    reply = await answered(small.open())
    assert [one.page for one in reply.answer.sources].count("420") == 1
