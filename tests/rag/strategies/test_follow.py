"""What a round of search fetches beside what it found: the strategy itself, over a scripted retriever."""

from collections.abc import Sequence

from langchain_core.documents import Document

from rag.library.books.found_page import Correction, FoundPage
from rag.state import Authority, Origin, State
from rag.strategies.linked_pages import PAGES_LOOKED_AT, open_references
from rag.strategies.multi_hop import MultiHopStrategy
from rag.strategies.multi_question import MultiQuestionStrategy
from tests.scripted import ScriptedModel, ScriptedRetriever, correction, found_page, reference

MODEL = ScriptedModel(
    script={
        "SubQuestions": {"sub_questions": []},
        "Sufficiency": [
            {"sufficient": False, "new_queries": ["How are sleds pulled?"]},
            {"sufficient": True, "new_queries": []},
        ],
    }
)
FILLER = [found_page(f"Snow of sort {number}.", number) for number in range(20, 20 + PAGES_LOOKED_AT)]


def over(found: Sequence[FoundPage], *only_fetched: FoundPage, **facts: object) -> ScriptedRetriever:
    """A retriever that finds some pages for every query, and fetches others, too."""
    pages: dict[str, Sequence[Document]] = {"(only fetched)": [one.document() for one in only_fetched]}
    fallback = [one.document() for one in found]
    return ScriptedRetriever.model_validate({"pages": pages, "fallback": fallback, **facts})


async def gathered(retriever: ScriptedRetriever, model: ScriptedModel | None = None) -> State:
    question = "How does a sled slide?"
    strategy = MultiHopStrategy(retriever, model)
    return await strategy.execute({"question": question, "standalone_question": question})


def labels(state: State) -> list[str | None]:
    """The pages that were fetched."""
    fetched = [one for one in state["questions"] if one.origin is Origin.FOLLOWED]
    return [FoundPage.of(page).label for one in fetched for page in one.context]


def changed_by(own: FoundPage) -> Correction:
    """That a page of the table's own changes all of another."""
    change = correction(own)
    other = change.other.model_copy(update={"authority": Authority.HOUSE_RULES})
    return change.model_copy(update={"other": other})


async def test_own_rules_come_along_for_pages_that_are_shown_and_for_pages_that_were_fetched() -> None:
    own, other = (found_page(f"Sleds tip, says note {number}.", number, "Notes") for number in (1, 2))
    last = found_page("A sled slides.", 5, amended_by=[changed_by(own)])
    assert labels(await gathered(over([*FILLER, last], own))) == ["1"]
    rule = found_page("Runners are of bone.", 9, amended_by=[changed_by(other)])
    text = "A sled slides, see p. 9."
    best = found_page(text, 5, references=[reference("see p. 9", "Core p. 9", text)])
    assert labels(await gathered(over([best], rule, other))) == ["9", "2"]


async def test_with_a_model_a_follow_up_is_searched_as_it_was_rewritten_alone() -> None:
    retriever = over(FILLER)
    asked = "And what does Magery cost a new wizard?"
    standalone = f"What is Rapid Strike? {asked}"
    strategy = MultiQuestionStrategy(retriever, MODEL)
    await strategy.execute({"question": asked, "standalone_question": standalone})
    assert retriever.batches == [[standalone]]


def test_a_reference_to_a_book_that_is_surely_not_here_leads_nowhere_an_unresolved_one_may_be_asked_for() -> (
    None
):
    text = "See Machines p. 4 and the Sea Rulebook p. 9."
    unresolved = reference("Machines p. 4", "Machines p. 4", text, in_library=False)
    absent = reference("Sea Rulebook p. 9", "Sea Rulebook p. 9", text, in_library=False)
    absent = absent.model_copy(update={"is_absent": True})
    page = found_page(text, 3, references=[unresolved, absent])
    assert [link.target for link in open_references([page], known=[])] == ["Machines p. 4"]
