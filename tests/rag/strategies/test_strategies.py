"""How pages are gathered: many questions at once, or hop after hop."""

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from rag.state import Progress, Stage, State, Sufficiency
from rag.strategies import MultiHopStrategy, MultiQuestionStrategy, RetrievalStrategy
from rag.strategies.context import merged_context
from rag.strategies.linked_pages import (
    OpenReference,
    amendments,
    continuations,
    open_references,
    referring,
    worth_following,
)
from rag.strategies.sufficiency import judge, settled
from tests.scripted import Script, ScriptedModel, ScriptedRetriever, WordEmbeddings, page, reference

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


def model(**script: Any) -> ScriptedModel:
    return ScriptedModel(script=NO_QUESTIONS | script)


# The base class


def test_a_strategy_without_execute_cannot_be_instantiated() -> None:
    class Unfinished(RetrievalStrategy):
        pass

    with pytest.raises(TypeError):
        Unfinished(ScriptedRetriever(pages={}))  # type: ignore[abstract]


@pytest.mark.parametrize("strategy", [MultiHopStrategy, MultiQuestionStrategy])
async def test_a_strategy_takes_any_retriever_of_langchain(strategy: type[RetrievalStrategy]) -> None:
    store = InMemoryVectorStore(WordEmbeddings())
    store.add_documents([Document("Magery costs 5 points.", metadata={"book": "Core"})])
    state = await strategy(store.as_retriever()).execute(asked("Magery costs?"))
    assert [document.page_content for document in context_of(state)] == ["Magery costs 5 points."]


@pytest.mark.parametrize("strategy", [MultiHopStrategy, MultiQuestionStrategy])
async def test_without_a_model_a_follow_up_is_searched_alone_and_with_the_previous_question(
    strategy: type[RetrievalStrategy],
) -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    await strategy(retriever).execute(asked("And its cost?", "What is Magery? And its cost?"))
    assert retriever.batches == [["And its cost?", "What is Magery? And its cost?"]]


# Many questions at once


async def test_the_original_is_the_first_of_all_questions_searched_in_one_batch() -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    wordings = ["price of Magery", "Magery level cost", "magic talent points"]
    scripted = model(SubQuestions={"sub_questions": wordings})
    state = await MultiQuestionStrategy(retriever, scripted).execute(asked("What does Magery cost?"))
    assert retriever.batches == [["What does Magery cost?", *wordings]]
    assert [question.question for question in state["questions"]] == ["What does Magery cost?", *wordings]


async def test_each_question_keeps_the_pages_its_own_search_found() -> None:
    retriever = ScriptedRetriever(pages={"Magery": [MAGERY], "Master": [MASTER]})
    scripted = model(SubQuestions={"sub_questions": ["Trained by a Master"]})
    state = await MultiQuestionStrategy(retriever, scripted).execute(asked("Magery?"))
    assert [question.context for question in state["questions"][:2]] == [[MAGERY], [MASTER]]


async def test_several_questions_bring_what_their_pages_lead_to_as_well() -> None:
    retriever = ScriptedRetriever(pages={"Powers p. 100": [POWERS], "Master": [MASTER]})
    state = await MultiQuestionStrategy(retriever).execute(asked("Trained by a Master?"))
    assert [(link.origin, link.target) for link in state["followed"]] == [("Core p. 93", "Powers p. 100")]
    assert (state["questions"][-1].context, state["hops"]) == ([POWERS], 1)


async def test_without_sub_questions_the_question_is_searched_alone() -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    scripted = model(SubQuestions=ConnectionError("down"))
    state = await MultiQuestionStrategy(retriever, scripted).execute(asked("Magery?"))
    assert [question.question for question in state["questions"]] == ["Magery?"]


async def test_five_hundred_sub_questions_are_five_searches_more() -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    scripted = model(SubQuestions={"sub_questions": [f"query {number}" for number in range(500)]})
    await MultiQuestionStrategy(retriever, scripted).execute(asked("Magery?"))
    assert len(retriever.batches[0]) == 6


# Hop after hop


async def test_one_hop_where_the_passage_is_there() -> None:
    retriever = ScriptedRetriever(pages={"Magery": [MAGERY]})
    scripted = model(Sufficiency=ENOUGH)
    state = await MultiHopStrategy(retriever, scripted).execute(asked("What does Magery 3 cost?"))
    assert (state["hops"], context_of(state)) == (1, [MAGERY])


async def test_more_hops_where_the_judge_asks_for_what_is_missing() -> None:
    retriever = ScriptedRetriever(pages={"Master": [MASTER], "extra attack": [POWERS]})
    scripted = model(Sufficiency=[{"sufficient": False, "new_queries": ["extra attack"]}, ENOUGH])
    state = await MultiHopStrategy(retriever, scripted).execute(asked("Master?"))
    assert state["hops"] == 2
    assert POWERS in context_of(state)


async def test_a_judge_never_satisfied_ends_after_three_hops_that_bring_new_pages() -> None:
    retriever = ScriptedRetriever(
        pages={"Master": [page("a", 1)], "more 1": [page("b", 2)], "more 2": [page("c", 3)]}
    )
    verdicts = [{"sufficient": False, "new_queries": [f"more {hop}"]} for hop in (1, 2, 3)]
    scripted = model(Sufficiency=verdicts)
    state = await MultiHopStrategy(retriever, scripted).execute(asked("Master?"))
    assert state["hops"] == 3
    assert len(context_of(state)) == 3


async def test_a_hop_that_brings_no_new_page_is_the_last() -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    verdicts = [{"sufficient": False, "new_queries": [f"more {hop}"]} for hop in (1, 2, 3)]
    state = await MultiHopStrategy(retriever, model(Sufficiency=verdicts)).execute(asked("Master?"))
    assert state["hops"] == 2


async def test_the_third_hop_is_not_judged() -> None:
    retriever = ScriptedRetriever(
        pages={"Master": [page("a", 1)], "more 1": [page("b", 2)], "more 2": [page("c", 3)]}
    )
    scripted = model(Sufficiency=[{"sufficient": False, "new_queries": [f"more {hop}"]} for hop in (1, 2)])
    await MultiHopStrategy(retriever, scripted).execute(asked("Master?"))
    assert len(scripted.prompts_for("Sufficiency")) == 2


async def test_what_a_later_hop_fetched_reaches_judge_and_generator_among_many_pages() -> None:
    common = [page(f"common page {number}", number) for number in range(12)]
    rule = page("THE RULE", 99)
    retriever = ScriptedRetriever(pages={"THE": [rule, *common]}, fallback=common)
    scripted = model(
        SubQuestions={"sub_questions": [f"wording {number}" for number in range(5)]},
        Sufficiency=[{"sufficient": False, "new_queries": ["THE rule"]}, ENOUGH],
    )
    state = await MultiHopStrategy(retriever, scripted).execute(asked("What?"))
    assert "THE RULE" in scripted.prompts_for("Sufficiency")[1]
    assert rule in merged_context(state["questions"], 12)


async def test_sub_questions_join_in_any_case() -> None:
    retriever = ScriptedRetriever(pages={"Magery": [MAGERY], "strike": [POWERS]})
    scripted = model(Sufficiency=ENOUGH, SubQuestions={"sub_questions": ["strike twice"]})
    state = await MultiHopStrategy(retriever, scripted).execute(asked("Magery?"))
    assert (state["hops"], context_of(state)) == (1, [MAGERY, POWERS])


async def test_the_judge_reads_everything_accumulated_and_the_original_question() -> None:
    retriever = ScriptedRetriever(pages={"Magery": [MAGERY], "more": [POWERS]})
    scripted = model(Sufficiency=[{"sufficient": False, "new_queries": ["more"]}, ENOUGH])
    await MultiHopStrategy(retriever, scripted).execute(asked("Magery 3?"))
    second = scripted.prompts_for("Sufficiency")[1]
    assert all(text in second for text in ("Magery 3?", MAGERY.page_content, POWERS.page_content))


@pytest.mark.parametrize("scripted", [None, model(Sufficiency=ENOUGH)])
async def test_a_printed_reference_of_the_best_page_is_followed_at_once(
    scripted: ScriptedModel | None,
) -> None:
    retriever = ScriptedRetriever(pages={"Master": [MASTER], "Powers p. 100": [POWERS]})
    strategy = MultiHopStrategy(retriever, scripted)
    state = await strategy.execute(asked("How does Trained by a Master interact with combat?"))
    assert POWERS in context_of(state)
    assert [(step.origin, step.target) for step in state["followed"]] == [("Core p. 93", "Powers p. 100")]


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
    assert [page.metadata["book"] for page in context_of(state)] == ["Alpha", "Beta", "Gamma"]
    assert [step.target for step in state["followed"]] == ["Beta p. 1", "Gamma p. 1"]


async def test_a_chain_has_an_end_however_long_it_is() -> None:
    names = [f"Book{letter}" for letter in "ABCDEFGH"]
    state = await MultiHopStrategy(chained(*names)).execute(asked("The rule of BookA?"))
    assert len(state["followed"]) == 3


async def test_the_end_of_a_chain_reaches_the_generator_though_the_judge_is_always_content() -> None:
    scripted = model(Sufficiency=ENOUGH)
    state = await MultiHopStrategy(chained("Alpha", "Beta", "Gamma"), scripted).execute(asked("Alpha?"))
    assert "Gamma" in {page.metadata["book"] for page in merged_context(state["questions"], 12)}


async def test_steps_are_reported_with_where_they_look() -> None:
    retriever = ScriptedRetriever(pages={"Master": [MASTER], "Powers p. 100": [POWERS]})
    steps: list[Progress] = []
    await MultiHopStrategy(retriever, report=steps.append).execute(asked("Trained by a Master in combat?"))
    assert steps == [Progress(Stage.SEARCHING, 1), Progress(Stage.FOLLOWING, 1, "Powers p. 100")]


# Sufficiency alone


REFERENCE = OpenReference("Core p. 93", "Powers p. 100", "Powers p. 100", "see Powers, p. 100", 1.0)
UNKNOWN_BOOK = OpenReference("Core p. 93", "Machines p. 4", None, "see Machines, p. 4", 1.0)


async def test_the_prompt_lists_printed_references_that_are_open() -> None:
    scripted = model(Sufficiency=ENOUGH)
    await judge(scripted, "Trained by a Master?", [MASTER], [REFERENCE, UNKNOWN_BOOK])
    (prompt,) = scripted.prompts_for("Sufficiency")
    assert "Powers p. 100: “see Powers, p. 100” on Core p. 93" in prompt
    assert "Machines p. 4: “see Machines, p. 4” on Core p. 93 (not in the library)" in prompt


async def test_a_printed_reference_that_the_answer_needs_becomes_a_query() -> None:
    scripted = model(Sufficiency={"sufficient": False, "new_queries": ["Powers p. 100"]})
    verdict = await judge(scripted, "Trained by a Master?", [MASTER], [REFERENCE])
    assert verdict == Sufficiency(sufficient=False, new_queries=["Powers p. 100"])


async def test_a_named_reference_that_the_answer_needs_becomes_a_query() -> None:
    text = "The penalty is modified by Rapid Strike."
    scripted = model(Sufficiency={"sufficient": False, "new_queries": ["Rapid Strike penalty"]})
    verdict = await judge(scripted, "What is the penalty?", [page(text)])
    assert verdict.new_queries == ["Rapid Strike penalty"]
    (prompt,) = scripted.prompts_for("Sufficiency")
    assert text in prompt
    assert "named" in prompt


def test_queries_of_a_positive_verdict_are_dropped() -> None:
    assert settled(Sufficiency(sufficient=True, new_queries=["more"])).new_queries == []


def test_a_negative_verdict_without_queries_asks_for_the_open_references() -> None:
    verdict = settled(Sufficiency(sufficient=False), [REFERENCE, UNKNOWN_BOOK])
    assert verdict == Sufficiency(sufficient=False, new_queries=["Powers p. 100"])


def test_a_judge_that_repeats_itself_asks_for_the_open_references() -> None:
    verdict = settled(Sufficiency(sufficient=False, new_queries=["Magery?", " "]), [REFERENCE], ["Magery?"])
    assert verdict.new_queries == ["Powers p. 100"]


def test_a_negative_verdict_with_nothing_to_search_stops() -> None:
    assert settled(Sufficiency(sufficient=False), [UNKNOWN_BOOK]).sufficient


def test_a_query_searched_before_is_not_searched_again() -> None:
    verdict = Sufficiency(sufficient=False, new_queries=["Magery  COST?"])
    assert settled(verdict, searched=["magery cost"]).sufficient


async def test_a_judge_that_fails_counts_as_satisfied() -> None:
    verdict = await judge(model(Sufficiency=ConnectionError("down")), "Magery?", [MAGERY])
    assert verdict.sufficient


# References of pages


def test_a_reference_to_a_known_place_is_not_open() -> None:
    assert open_references("combat?", [MASTER], {"Powers p. 100"}) == []


def test_the_two_most_promising_references_are_followed() -> None:
    text = "Trained by a Master: see Powers, p. 1." + " filler" * 80 + " See A, p. 2. See B, p. 3."
    printed = [reference(f"{name}, p. {number}", f"{name} p. {number}", text) for number, name in NAMES]
    found = open_references("Trained by a Master?", [page(text, 50, references=printed)], ())
    first, second = worth_following(found)
    assert (first.target, second.query is None) == ("Powers p. 1", False)


NAMES = [(3, "B"), (2, "A"), (1, "Powers")]


def test_an_amendment_is_fetched_before_any_reference() -> None:
    errata = {"book": "Errata", "page": "2", "query": "Errata p. 2", "start": 0, "end": 9}
    amended = page(MASTER_TEXT, 93, references=MASTER.metadata["references"], amended_by=[errata])
    (link,) = amendments([amended], ())
    assert (link.origin, link.target, link.query) == ("Core p. 93", "Errata p. 2", "Errata p. 2")
    assert amendments([amended], {"Errata p. 2"}) == []


@pytest.mark.parametrize(("hits", "links"), [([[5, 20]], 1), ([[30, 40]], 0), ([], 1)])
def test_an_amendment_comes_along_where_it_changes_what_matched(hits: list[list[int]], links: int) -> None:
    errata = {"book": "Errata", "page": "2", "query": "Errata p. 2", "start": 0, "end": 9}
    assert len(amendments([page("x" * 50, amended_by=[errata], hits=hits)], ())) == links


def test_a_found_correction_brings_the_rule_it_changes() -> None:
    rule = {"book": "Core", "page": "7", "query": "Core p. 7", "at": 0, "until": 9}
    (link,) = amendments([page("Riposte: one, not two.", 2, "Errata", amends=[rule], hits=[[0, 5]])], ())
    assert (link.origin, link.query) == ("Errata p. 2", "Core p. 7")


def test_of_several_references_in_a_sentence_the_nearest_to_the_word_asked_is_followed() -> None:
    names = ["Hull", "Mast", "Sail", "Bell", "Rudder"]
    text = "Of the ship: " + "; ".join(f"{name.lower()}, see {name}s, p. 1" for name in names) + "."
    printed = [reference(f"{name}s, p. 1", f"{name}s p. 1", text) for name in names]
    found = open_references("What is the rudder for?", [page(text, references=printed)], ())
    assert found[0].target == "Rudders p. 1"


def test_the_page_that_points_at_the_best_page_comes_along() -> None:
    pointing = {"book": "Powers", "page": "8", "query": "Powers p. 8"}
    pages = [page("best", 1, referred_by=[pointing]), page("next best", 2, referred_by=[pointing])]
    assert [link.query for link in referring(pages, ())] == ["Powers p. 8"]
    assert referring(pages[::-1][:1], {"Powers p. 8"}) == []


@pytest.mark.parametrize(("hits", "count"), [([[90, 99]], 1), ([[0, 9]], 0), ([], 0)])
def test_the_next_page_comes_along_where_the_match_runs_on(hits: list[list[int]], count: int) -> None:
    following = {"page": "13", "pdf_page": 17, "text": "thirty points."}
    broken = page("x" * 100, 12, continues=True, next=following, hits=hits)
    links = continuations([broken], ())
    assert [(link.target, link.query) for link in links] == [
        ("Core p. 13", "game/core.pdf PDF p. 17")
    ] * count


def test_a_book_outside_the_library_is_listed_but_never_fetched() -> None:
    text = "In combat see Machines, p. 4."
    strange = page(
        text, references=[reference("see Machines, p. 4", "Machines p. 4", text, in_library=False)]
    )
    (found,) = open_references("combat?", [strange], ())
    assert (found.target, found.query) == ("Machines p. 4", None)
    assert worth_following([found]) == []
