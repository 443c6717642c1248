"""The whole graph with a scripted model: conversations, window, strategies, failures."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from rag import graph
from rag.config import Audience
from rag.errors import NothingAsked, Thanked, UnknownWord
from rag.graph import LONGEST_QUESTION, RulesGraph
from rag.library.search.query import Conversation
from rag.models.embeddings import EmbeddingModel
from rag.state import (
    AbsentPage,
    Outcome,
    PageOfSeveralBooks,
    Question,
    State,
    thread_id,
)
from rag.strategies.base import RetrievalStrategy
from rag.texts.blocks import Role
from tests.rag.chat import MAGERY, Talk, shown
from tests.scripted import Script, WordEmbeddings, drafted, page, reference

STRIKE = page("Rapid Strike has 2 levels.", 54)
ASKED = "What does Magery cost?"
SCRIPT: Script = {
    "Rewrite": {"standalone": False, "question": "How many levels does Rapid Strike have?"},
    "SubQuestions": {"sub_questions": []},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": lambda prompt: drafted(prompt, ("Magery costs 5 points.", "Magery costs 5 points")),
}


NOT_THERE = {
    "absent": AbsentPage(book="Core", page="500", printed="1–230"),
    "ambiguous": PageOfSeveralBooks(page="500", books=("Core", "Machines")),
}


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("absent", "There is no page 500 in Core (its printed pages: 1–230)."),
        ("ambiguous", "2 books have a page 500: Core, Machines. Name the one you mean."),
    ],
)
async def test_a_page_that_no_book_or_too_many_have_is_told_and_nothing_else_is_quoted(
    kind: str, told: str
) -> None:
    not_there: dict[str, Any] = {kind: (NOT_THERE[kind],)}
    talk = Talk([page("Engines cost 5 points of fuel.")], **not_there)
    reply = await talk.ask("What is on page 500?")
    assert shown(reply, Role.NOTICE)[-1] == told
    assert shown(reply, Role.SOURCE) == []
    assert not reply.answer.found


async def test_of_a_very_long_question_the_beginning_is_read_and_the_answer_says_so() -> None:
    reply = await Talk([page("Magery costs 5 points.", 102)]).ask(f"{ASKED} {'please ' * 20_000}")
    assert len(reply.question) == LONGEST_QUESTION
    assert reply.answer.notice == "notice-question-cut"


@pytest.mark.parametrize(
    ("is_absent", "said"),
    [
        (True, "Machines p. 4, in a book that is not in the library."),
        (False, "Machines p. 4; I could not tell which page of the library that is."),
    ],
)
async def test_an_answer_says_which_book_its_rule_points_to(is_absent: bool, said: str) -> None:
    text = "Engines cost 5 points of fuel; see Machines p. 4."
    printed = reference("Machines p. 4", "Machines p. 4", text, in_library=False)
    references = [printed.model_copy(update={"is_absent": is_absent})]
    reply = await Talk([page(text, references=references)]).ask("What do engines cost?")
    assert shown(reply, Role.MISSING) == [f"The quoted rules also point to {said}"]


@pytest.mark.parametrize("question", ["", " \n", "?!", "🐙", "…"])
async def test_a_question_without_words_is_asked_back_and_searched_for_nowhere(question: str) -> None:
    talk = Talk(script=SCRIPT)
    with pytest.raises(NothingAsked):
        await talk.ask(question)
    assert (talk.retriever.batches, talk.model.prompts) == ([], [])


async def test_a_question_that_no_book_could_answer_is_asked_back_and_the_conversation_stays() -> None:
    talk = Talk()
    talk.library.noise = ("thanks", "Why?")
    with pytest.raises(NothingAsked):
        await talk.ask("Why?")
    talk.library.words_unheard = ["why"]
    with pytest.raises(UnknownWord, match="why"):
        await talk.ask("Why?")
    talk.library.words_unheard = []
    await talk.ask(ASKED)
    with pytest.raises(Thanked):
        await talk.ask("thanks")
    assert (await talk.ask("Why?")).standalone_question == f"{ASKED} Why?"


async def test_a_first_question_makes_no_call_to_rewrite() -> None:
    talk = Talk(script=SCRIPT)
    reply = await talk.ask(ASKED)
    assert reply.standalone_question == ASKED
    assert talk.model.prompts_for("Rewrite") == []
    assert reply.usage.calls == len(talk.model.prompts) == 4


@pytest.mark.parametrize(
    ("questions", "spoken_of"),
    [
        ([ASKED, "And for level 3?"], Conversation(("Game",), goes_on=True)),
        ([ASKED, "And a level in Robots?", "And for level 3?"], Conversation(("Robots",), goes_on=True)),
        ([ASKED, "What do elves brew?", "What does Strike cost?"], Conversation(("Game",), goes_on=False)),
    ],
    ids=["of the last answer's game", "of a game that was named", "where nothing was found"],
)
async def test_a_follow_up_is_asked_of_the_game_that_was_spoken_of(
    questions: list[str], spoken_of: Conversation
) -> None:
    robots = page("Robots fall hard. Levels cost 5 points.", 2, "Robots", game="Robots")
    talk = Talk({"Robots": [robots], "Magery": [MAGERY]})
    talk.library.titles = {"Robots": robots.metadata["file"]}
    for question in questions:
        await talk.ask(question)
    assert talk.library.conversation == spoken_of


async def test_a_conversation_is_known_in_its_thread_alone_and_not_after_a_restart() -> None:
    talk, restarted = Talk(script=SCRIPT), Talk(script=SCRIPT)
    await talk.ask("What is Magery?", "one")
    await talk.ask("What is it?", "two")
    await talk.ask("What is it?", None)
    await restarted.ask("What is it?", "one")
    assert talk.model.prompts_for("Rewrite") == restarted.model.prompts_for("Rewrite") == []


async def test_the_language_of_our_sentences_is_told_by_the_question_or_those_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk = Talk()
    heard: list[tuple[str, Sequence[str]]] = []

    def language(question: str, reader: Audience, earlier: Sequence[str] = ()) -> str:
        heard.append((question, list(earlier)))
        return "pt"

    monkeypatch.setattr(talk.library, "question_language", language)
    replies = [await talk.ask(question) for question in ("Quanto custa Magery?", "Magery?")]
    assert [reply.locale for reply in replies] == ["pt-BR", "pt-BR"]
    assert heard == [("Quanto custa Magery?", []), ("Magery?", ["Quanto custa Magery?"])]


@pytest.mark.parametrize("schema", ["Rewrite", "Draft"])
async def test_of_25_pairs_the_oldest_five_are_in_no_prompt(schema: str) -> None:
    talk = Talk(script=SCRIPT)
    for turn in range(25):
        await talk.ask(f"question <{turn}>?")
    await talk.ask("the last?")
    prompt = talk.model.prompts_for(schema)[-1]
    assert [turn for turn in range(25) if f"question ‹{turn}›?" in prompt] == list(range(5, 25))


@pytest.mark.parametrize(
    ("follow_up", "first"),
    [
        ("How does aiming at a target work?", "Aiming"),
        ("And how does aiming at a distant target work?", "Aiming"),
        ("And why?", "Magery"),
        ("And target 3?", "Magery"),
        ("And does it help with an aimed target turn?", "Magery"),
    ],
)
async def test_without_a_model_a_follow_up_that_says_enough_is_quoted_by_its_own_words(
    follow_up: str, first: str
) -> None:
    talk = Talk([page("Magery costs five points a level.", 1), page("Aiming at a target costs a turn.", 2)])
    await talk.ask("What does Magery cost a level?")
    assert (await talk.ask(follow_up)).answer.sources[0].quote.startswith(first)


async def test_a_question_that_failed_leaves_the_history_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk(script=SCRIPT)
    await talk.ask("first?")
    with monkeypatch.context() as broken:
        broken.setattr(type(talk.retriever), "_get_relevant_documents", None)
        with pytest.raises(TypeError):
            await talk.ask("failing?")
    await talk.ask("third?")
    prompt = talk.model.prompts_for("Rewrite")[-1]
    assert "first?" in prompt
    assert "failing?" not in prompt


async def test_what_was_overheard_is_judged_in_its_conversation_and_counted() -> None:
    verdict = {"Rewrite": {"standalone": True, "question": "", "asks": False}}
    talk = Talk(script=SCRIPT | verdict)
    await talk.ask("first?")
    is_asked, used = await talk.graph.asks("flanking too", "t")
    assert (is_asked, used.calls) == (False, 1)
    assert "Question: first?" in talk.model.prompts_for("Rewrite")[0]
    is_asked, used = await Talk().graph.asks("flanking too", "t")
    assert (is_asked, used.calls) == (True, 0)


async def test_two_questions_on_one_thread_are_answered_one_after_the_other() -> None:
    talk = Talk(script=SCRIPT)
    await asyncio.gather(talk.ask("first?"), talk.ask("second?"))
    (prompt,) = talk.model.prompts_for("Rewrite")
    assert "Question: first?" in prompt


async def test_a_third_strategy_needs_only_its_line_in_the_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    class OnlyStrike(RetrievalStrategy):
        async def execute(self, state: State) -> State:
            return {**state, "questions": [Question(question="strike", context=[STRIKE])]}

    monkeypatch.setitem(graph.STRATEGIES, "only-strike", OnlyStrike)
    reply = await Talk().ask("Magery?", strategy="only-strike")
    assert [source.page for source in reply.answer.sources] == ["54"]


@pytest.mark.parametrize(
    ("script", "options", "notice"),
    [
        pytest.param(None, {}, None, id="no model"),
        pytest.param(SCRIPT, {"with_model": False}, "notice-model-unasked", id="not for this question"),
        pytest.param(SCRIPT | {"Draft": ConnectionError("down")}, {}, "notice-model-failed", id="it fails"),
    ],
)
@pytest.mark.parametrize("embeds", [True, False])
async def test_without_a_model_the_closest_passages_are_quoted_and_nothing_is_claimed(
    script: Script | None, options: dict[str, Any], notice: str | None, embeds: bool
) -> None:
    class Dead(WordEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ConnectionError("down")

    talk = Talk(script=script)
    if not embeds:
        talk.graph = RulesGraph(talk.library, talk.graph._model, EmbeddingModel("dead", Dead(), 1.0))
    reply = await talk.ask(ASKED, **options)
    assert (reply.mode, reply.answer.outcome, reply.answer.notice) == ("quotes", Outcome.PASSAGES, notice)
    assert [source.quote for source in reply.answer.sources] == [MAGERY.page_content]
    assert reply.answer.statements == []
    assert bool(talk.model.prompts) == bool(script and not options)


async def test_a_conversation_keeps_one_checkpoint_without_documents() -> None:
    talk = Talk(script=SCRIPT)
    for turn in range(5):
        await talk.ask(f"question {turn}?")
    (kept,) = talk.graph._memory._checkpoints.values()
    assert MAGERY.page_content not in str(kept.checkpoint)


async def test_a_conversation_goes_on_from_a_question_that_was_answered_elsewhere() -> None:
    talk = Talk(script=SCRIPT)
    await talk.ask("What is Magery?")
    await talk.graph.remember("t", ASKED, "15 points.")
    await talk.graph.remember("another", ASKED, "15 points.")
    for thread in ("t", "another"):
        talk.model.prompts.clear()
        await talk.ask("And at level 2?", thread)
        assert ASKED in talk.model.prompts_for("Rewrite")[0]
        assert ("What is Magery?" in talk.model.prompts_for("Rewrite")[0]) == (thread == "t")


def test_a_thread_id_is_derived_without_a_table() -> None:
    assert thread_id(123) == thread_id("123") != thread_id(124)
