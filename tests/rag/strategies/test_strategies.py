"""How pages are gathered: many questions at once, or hop after hop."""

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from rag.config import PROMPT_TOKENS
from rag.library.books.found_page import Correction, FoundPage
from rag.state import Authority, Judgement, Span, State
from rag.strategies.base import RetrievalStrategy
from rag.strategies.context import prompt_pages
from rag.strategies.linked_pages import (
    Link,
    corrections,
    open_references,
    references_followed,
)
from rag.strategies.model_calls import nearest, verdict
from rag.strategies.multi_hop import MultiHopStrategy
from rag.strategies.multi_question import MultiQuestionStrategy
from tests.scripted import (
    Script,
    ScriptedModel,
    ScriptedRetriever,
    WordEmbeddings,
    found_page,
    linked,
    page,
    page_id,
    prompt_of,
    reference,
)

MAGERY = page("Magery costs 5 points, plus 10 points per level.", 12)
MASTER_TEXT = "Trained by a Master lets you use powers; in combat see Powers, p. 100."
MASTER = page(MASTER_TEXT, 93, references=[reference("see Powers, p. 100", "Powers p. 100", MASTER_TEXT)])
POWERS = page("In combat you may strike twice.", 100, "Powers")
NO_QUESTIONS: Script = {"SubQuestions": {"sub_questions": []}}
ENOUGH = {"sufficient": True, "new_queries": []}


def asked(question: str, standalone: str | None = None) -> State:
    return {"question": question, "standalone_question": standalone or question}


def context_of(state: State) -> list[Document]:
    return [document for question in state["questions"] for document in question.context]


def texts_of(state: State) -> list[str]:
    """The pages of all questions; what was fetched tells its passages too, so documents are not equal."""
    return [document.page_content for document in context_of(state)]


def model(**script: Any) -> ScriptedModel:
    return ScriptedModel(script=NO_QUESTIONS | script)


# The base class


@pytest.mark.parametrize("strategy", [MultiHopStrategy, MultiQuestionStrategy])
async def test_a_strategy_takes_any_retriever_of_langchain(strategy: type[RetrievalStrategy]) -> None:
    store = InMemoryVectorStore(WordEmbeddings())
    store.add_documents([MASTER])
    scripted = model(Sufficiency={"sufficient": False, "new_queries": []})
    state = await strategy(store.as_retriever(), scripted).execute(asked("Trained by a Master?"))
    assert {document.page_content for document in context_of(state)} == {MASTER_TEXT}
    assert state["followed"] == []


@pytest.mark.parametrize("strategy", [MultiHopStrategy, MultiQuestionStrategy])
@pytest.mark.parametrize(
    ("follow_up", "is_searched_alone"),
    [("And what does Magery cost a new wizard?", True), ("And its cost?", False), ("and for 4?", False)],
)
async def test_without_a_model_a_follow_up_is_searched_alone_too_where_its_words_say_what_is_asked(
    strategy: type[RetrievalStrategy], follow_up: str, is_searched_alone: bool
) -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    await strategy(retriever).execute(asked(follow_up, f"What is Rapid Strike? {follow_up}"))
    (queries,) = retriever.batches
    assert queries[-1] == f"What is Rapid Strike? {follow_up}"
    assert queries[:-1] == [follow_up] * is_searched_alone


# Many questions at once


async def test_the_original_is_the_first_of_all_questions_searched_in_one_batch() -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    wordings = ["price of Magery", "Magery level cost", "magic talent points"]
    scripted = model(SubQuestions={"sub_questions": wordings})
    state = await MultiQuestionStrategy(retriever, scripted).execute(asked("What does Magery cost?"))
    assert retriever.batches == [["What does Magery cost?", *wordings]]
    assert [question.question for question in state["questions"]] == ["What does Magery cost?", *wordings]


async def test_several_questions_bring_what_their_pages_lead_to_as_well() -> None:
    retriever = ScriptedRetriever(pages={"Powers p. 100": [POWERS], "Master": [MASTER]})
    state = await MultiQuestionStrategy(retriever).execute(asked("Trained by a Master?"))
    assert [(link.origin, link.target) for link in state["followed"]] == [("Core p. 93", "Powers p. 100")]
    assert (texts_of(state), state["hops"]) == ([MASTER_TEXT, POWERS.page_content], 1)


# Hop after hop


async def test_what_the_judge_said_after_each_hop_is_told() -> None:
    retriever = ScriptedRetriever(pages={"extra attack": [POWERS]}, fallback=[MAGERY])
    scripted = model(Sufficiency=[{"sufficient": False, "new_queries": ["extra attack"]}, ENOUGH])
    state = await MultiHopStrategy(retriever, scripted).execute(asked("Magery?"))
    assert POWERS in context_of(state)
    assert state["judgements"] == [
        Judgement(hop=1, sufficient=False, queries=["extra attack"]),
        Judgement(hop=2, sufficient=True),
    ]


async def test_a_judge_never_satisfied_ends_after_three_hops_that_bring_new_pages() -> None:
    retriever = ScriptedRetriever(
        pages={"Master": [page("a", 1)], "more 1": [page("b", 2)], "more 2": [page("c", 3)]}
    )
    verdicts = [{"sufficient": False, "new_queries": [f"more {hop}"]} for hop in (1, 2, 3)]
    scripted = model(Sufficiency=verdicts)
    state = await MultiHopStrategy(retriever, scripted).execute(asked("Master?"))
    assert state["hops"] == 3
    assert len(context_of(state)) == 3
    assert len(scripted.prompts_for("Sufficiency")) == 2


async def test_a_hop_that_brings_no_new_page_is_the_last() -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    verdicts = [{"sufficient": False, "new_queries": [f"more {hop}"]} for hop in (1, 2, 3)]
    state = await MultiHopStrategy(retriever, model(Sufficiency=verdicts)).execute(asked("Master?"))
    assert state["hops"] == 2


@pytest.mark.parametrize("scripted", [None, model(Sufficiency=ENOUGH)])
async def test_a_printed_reference_of_the_best_page_is_followed_at_once(
    scripted: ScriptedModel | None,
) -> None:
    retriever = ScriptedRetriever(pages={"Master": [MASTER], "Powers p. 100": [POWERS]})
    strategy = MultiHopStrategy(retriever, scripted)
    state = await strategy.execute(asked("How does Trained by a Master interact with combat?"))
    assert POWERS.page_content in texts_of(state)
    assert retriever.fetched == [page_id(100, "Powers")]
    assert [(step.origin, step.target) for step in state["followed"]] == [("Core p. 93", "Powers p. 100")]


async def test_a_reference_whose_page_may_not_be_opened_was_not_followed() -> None:
    retriever = ScriptedRetriever(pages={"Master": [MASTER]})
    state = await MultiHopStrategy(retriever).execute(asked("Trained by a Master?"))
    assert retriever.fetched == [page_id(100, "Powers")]
    assert (context_of(state), state["followed"]) == ([MASTER], [])


def chained(*names: str) -> ScriptedRetriever:
    """Pages that each refer to the next; the last one to the first."""
    pages: dict[str, Sequence[Document]] = {}
    for name, following in zip(names, [*names[1:], names[0]], strict=True):
        text = f"The rule of {name}, see {following}, p. 1."
        printed = [reference(f"see {following}, p. 1", f"{following} p. 1", text)]
        pages[f"{name} p. 1" if pages else name] = [page(text, 1, name, references=printed)]
    return ScriptedRetriever(pages=pages)


async def test_a_chain_over_three_books_is_followed_within_one_hop() -> None:
    state = await MultiHopStrategy(chained("Alpha", "Beta", "Gamma")).execute(asked("The rule of Alpha?"))
    assert [FoundPage.of(page).book for page in context_of(state)] == ["Alpha", "Beta", "Gamma"]
    assert [step.target for step in state["followed"]] == ["Beta p. 1", "Gamma p. 1"]


# What only a later hop finds


def filler(count: int = 12) -> list[Document]:
    """Pages that every search finds."""
    return [page(f"Common page {number}. " * 60, number) for number in range(count)]


def answering_prompt(state: State) -> str:
    """The pages as the generator reads them."""
    return prompt_pages(state["questions"], PROMPT_TOKENS).render()


def chain_of_names(wordings: Sequence[str] = ()) -> tuple[ScriptedRetriever, ScriptedModel]:
    """A names B's rule, B names C's, without a page number; the judge asks for whatever is named next."""
    rules = {
        "Alpha": [page("Alpha works as Beta. " + "Alpha is old. " * 99, 50, "Alpha")],
        "Beta": [page("Beta is modified by Gamma. " + "Beta is new. " * 99, 60, "Beta")],
        "Gamma": [page("Gamma gives seven dice. " + "Gamma is rare. " * 99, 70, "Gamma")],
    }

    def judged(prompt: str) -> dict[str, Any]:
        if "Gamma gives seven dice." in prompt:
            return ENOUGH
        named = "Gamma" if "modified by Gamma" in prompt else "Beta"
        return {"sufficient": False, "new_queries": [f"{named} rule"]}

    common = filler()
    retriever = ScriptedRetriever(pages={name: [*of, *common] for name, of in rules.items()}, fallback=common)
    return retriever, model(Sufficiency=judged, SubQuestions={"sub_questions": list(wordings)})


@pytest.mark.parametrize("wordings", [[], ["Beta?"], ["Beta?", "one", "two", "three", "four"]])
async def test_a_chain_of_named_rules_is_walked_to_its_end(wordings: list[str]) -> None:
    retriever, scripted = chain_of_names(wordings)
    state = await MultiHopStrategy(retriever, scripted).execute(asked("How many dice does Alpha give?"))
    prompt = answering_prompt(state)
    assert state["hops"] == 3
    assert all(said in prompt for said in ("Alpha works as Beta.", "modified by Gamma.", "seven dice."))


async def test_of_nine_new_queries_four_are_searched_and_each_shows_what_it_found() -> None:
    rules: dict[str, Sequence[Document]] = {
        f"wish {number} ": [page(f"THE RULE {number}.", 90 + number, "Rules")] for number in range(9)
    }
    common = filler()
    retriever = ScriptedRetriever(pages=rules, fallback=common)
    wishes = [f"wish {number} of nine" for number in range(9)]
    scripted = model(
        SubQuestions={"sub_questions": [f"wording {number}" for number in range(5)]},
        Sufficiency={"sufficient": False, "new_queries": wishes},
    )
    state = await MultiHopStrategy(retriever, scripted).execute(asked("What?"))
    assert retriever.batches[-2:] == [wishes[:4], wishes[4:8]]
    prompt = answering_prompt(state)
    assert all(f"THE RULE {number}." in prompt for number in range(8))


# Sufficiency alone


REFERENCE = Link("Core p. 93", "Powers p. 100", (page_id(100, "Powers"),), text="see Powers, p. 100")
UNRESOLVED = Link("Core p. 93", "Machines p. 4", (), text="see Machines, p. 4")


async def test_the_prompt_lists_printed_references_that_are_open() -> None:
    scripted = model(Sufficiency=ENOUGH)
    shown = prompt_of(FoundPage.of(MASTER))
    await verdict(scripted, "Trained by a Master?", shown, [REFERENCE, UNRESOLVED], [], hop=1)
    (prompt,) = scripted.prompts_for("Sufficiency")
    assert "Powers p. 100: “see Powers, p. 100” on Core p. 93" in prompt
    assert (
        "Machines p. 4: “see Machines, p. 4” on Core p. 93 (unresolved: search for what it names)" in prompt
    )


def test_the_judge_is_told_of_eight_references_those_first_that_can_be_followed_and_are_near() -> None:
    boats = [
        Link("Core p. 1", f"Core p. {label}", (page_id(label),), about="boats") for label in range(2, 12)
    ]
    near = Link("Core p. 1", "Core p. 40", (page_id(40),), about="what magery costs")
    listed = nearest("What does magery cost?", [UNRESOLVED, *boats, near])
    assert listed == [near, *boats[:7]]


async def test_a_judge_that_fails_counts_as_satisfied() -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    strategy = MultiHopStrategy(retriever, model(Sufficiency=ConnectionError("down")))
    state = await strategy.execute(asked("Magery?"))
    assert (state["hops"], state["judgements"]) == (1, [Judgement(hop=1, sufficient=None)])


async def test_a_judge_without_queries_has_the_open_references_fetched_in_the_next_hop() -> None:
    names = ("Hull", "Mast", "Sail", "Keel", "Helm", "Deck", "Oars")
    text = "Of combat: " + "; ".join(f"see {name}, p. 1" for name in names) + "."
    printed = [reference(f"see {name}, p. 1", f"{name} p. 1", text) for name in names]
    targets = [page(f"The {name}.", 1, name) for name in names]
    retriever = ScriptedRetriever(pages={"combat": [page(text, 9, references=printed)], "none": targets})
    scripted = model(Sufficiency=[{"sufficient": False, "new_queries": []}, ENOUGH])
    state = await MultiHopStrategy(retriever, scripted).execute(asked("combat?"))
    assert (state["hops"], state["questions"][-1].hop) == (2, 2)
    assert retriever.batches == [["combat?"]]
    assert {FoundPage.of(one).book for one in context_of(state)} == {"Core", *names}


# References of pages


def test_the_references_of_what_matched_best_are_followed_first() -> None:
    text = "See A, p. 2. See B, p. 3. Trained by a Master: see Powers, p. 1."
    printed = [reference(one, one.replace(",", ""), text) for one in ("A, p. 2", "B, p. 3", "Powers, p. 1")]
    page = found_page(text, 50, references=printed, hits=[Span(text.index("Trained"), len(text))])
    followed = references_followed(open_references([page], ()))
    assert [one.target for one in followed] == ["Powers p. 1", "A p. 2"]


def errata(start: int = 0, end: int = 9) -> Correction:
    """A correction between a page and "Errata p. 2": of these characters of the page, or by them."""
    return Correction(other=linked(2, "Errata"), corrected=Span(start, end), correcting=Span(start, end))


def test_an_amendment_is_fetched_before_any_reference() -> None:
    amended = FoundPage.of(MASTER).model_copy(update={"amended_by": (errata(),)})
    (link,) = corrections([amended], [], ())
    place = (page_id(2, "Errata"),)
    assert link == Link("Core p. 93", "Errata p. 2", place, (Span(0, 9),), changed="origin")
    assert corrections([amended], [], {page_id(2, "Errata")}) == []


def test_a_found_correction_brings_the_rule_it_changes() -> None:
    rule = Correction(other=linked(7), corrected=Span(40, 50), correcting=Span(0, 9))
    page = found_page("Riposte: one, not two.", 2, "Errata", amends=[rule], hits=[Span(0, 5)])
    (link,) = corrections([page], [], ())
    assert link == Link("Errata p. 2", "Core p. 7", (page_id(7),), (Span(40, 50),), changed="target")


FALLS, BELLS = Span(0, 20), Span(20, 40)


def own_entries(*hits: Span) -> FoundPage:
    """A table's own rules: "Falls" changes Core p. 7, "Bells" Core p. 8."""
    amends = [
        Correction(other=linked(number), corrected=Span(0, 9), correcting=entry)
        for number, entry in [(7, FALLS), (8, BELLS)]
    ]
    own = found_page("x" * 40, 1, "Notes", amends=amends, hits=hits, authority=Authority.HOUSE_RULES)
    starts = ((FALLS.start, "Notes › Falls"), (BELLS.start, "Notes › Bells"))
    return own.model_copy(update={"label": None, "section_starts": starts})


@pytest.mark.parametrize("is_best", [True, False])
def test_an_own_rule_brings_what_it_changes_under_its_own_name(is_best: bool) -> None:
    own = [own_entries(BELLS, FALLS)]
    (link,) = corrections(own if is_best else [], own, ())
    assert (link.origin, link.target, link.changed) == ("Notes › Bells", "Core p. 8", "target")
