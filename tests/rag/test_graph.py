"""The whole graph with a scripted model: conversations, window, strategies, failures."""

import asyncio
import re
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from rag import graph
from rag.config import Audience, StrategyName
from rag.errors import NothingAsked, Thanked
from rag.graph import RulesGraph
from rag.library.search.query import Conversation
from rag.models.embeddings import EmbeddingModel
from rag.nodes.verification import DraftStatement, Proof, Verifier
from rag.state import (
    AbsentPage,
    Authority,
    Outcome,
    PageOfSeveralBooks,
    Question,
    Reply,
    State,
    Stated,
    StatementRole,
    thread_id,
)
from rag.strategies.base import RetrievalStrategy
from rag.texts import texts_for
from rag.texts.blocks import Role, blocks
from tests.scripted import (
    OneRetriever,
    Script,
    ScriptedModel,
    ScriptedRetriever,
    WordEmbeddings,
    drafted,
    page,
    page_id,
    reference,
)

MAGERY = page("Magery costs 5 points, plus 10 points per level.", 12)
STRIKE = page("Rapid Strike has 2 levels.", 54)
BOTH = (("Magery costs 5 points.", "Magery costs 5 points."), ("Magery costs 5 points at sea.",) * 2)
SCRIPT: Script = {
    "Rewrite": {"standalone": False, "question": "How many levels does Rapid Strike have?"},
    "SubQuestions": {"sub_questions": []},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": lambda prompt: drafted(prompt, ("Magery costs 5 points.", "Magery costs 5 points")),
}


def rules_graph(
    script: Script | None, retriever: BaseRetriever | None = None
) -> tuple[RulesGraph, ScriptedModel | None]:
    model = None if script is None else ScriptedModel(script=script)
    catalog = OneRetriever(retriever or ScriptedRetriever(pages={}, fallback=[MAGERY]))
    return RulesGraph(catalog, model, EmbeddingModel("words", WordEmbeddings(), 1.0)), model


async def reply_to(asked: RulesGraph, question: str, thread: str | None = None, **options: Any) -> Reply:
    events = [event async for event in asked.ask(question, thread, **options)]
    assert isinstance(events[-1], Reply)
    return events[-1]


@pytest.mark.parametrize(
    ("locale", "printed", "told"),
    [
        ("en", "1–230", "There is no page 500 in Core (its printed pages: 1–230)."),
        ("pt-BR", "1–230", "Não há página 500 em Core (suas páginas impressas: 1–230)."),
        ("en", "", "I cannot look in a book called “Core” here."),
        ("pt-BR", "", "Não posso consultar aqui um livro chamado “Core”."),
    ],
)
async def test_a_page_that_is_not_there_is_told_and_nothing_else_is_quoted(
    locale: str, printed: str, told: str
) -> None:
    absent = AbsentPage(book="Core", page="500", printed=printed)
    near = page("Engines cost 5 points of fuel.")
    asked, _ = rules_graph(None, ScriptedRetriever(pages={}, fallback=[near], absent=(absent,)))
    reply = await reply_to(asked, "What is on page 500 of Core?")
    roles = [block.role for block in blocks(reply, texts_for(locale))]
    notices = [block.text for block in blocks(reply, texts_for(locale)) if block.role is Role.NOTICE]
    assert notices[-1] == told
    assert Role.SOURCE not in roles
    assert not reply.answer.found


@pytest.mark.parametrize(
    ("locale", "more", "told"),
    [
        ("en", 0, "2 books have a page 12: Core, Machines. Name the one you mean."),
        ("en", 2, "4 books have a page 12: Core, Machines and 2 more. Name the one you mean."),
        ("pt-BR", 2, "4 livros têm uma página 12: Core, Machines e mais 2. Diga qual deles é."),
    ],
)
async def test_a_page_that_many_books_have_asks_which(locale: str, more: int, told: str) -> None:
    ambiguous = PageOfSeveralBooks(page="12", books=("Core", "Machines"), more=more)
    near = page("Engines cost 5 points of fuel.")
    asked, _ = rules_graph(None, ScriptedRetriever(pages={}, fallback=[near], ambiguous=(ambiguous,)))
    reply = await reply_to(asked, "What is on page 12?")
    shown = blocks(reply, texts_for(locale))
    assert [block.text for block in shown if block.role is Role.NOTICE][-1] == told


async def test_an_answer_says_which_book_its_rule_goes_on_in() -> None:
    text = "Engines cost 5 points of fuel; see Machines p. 4."
    engine = page(text, references=[reference("Machines p. 4", "Machines p. 4", text, in_library=False)])
    asked, _ = rules_graph(None, ScriptedRetriever(pages={}, fallback=[engine]))
    reply = await reply_to(asked, "What do engines cost?")
    shown = [block.text for block in blocks(reply, texts_for("en")) if block.role is Role.MISSING]
    assert shown == ["The quoted rules go on at Machines p. 4, a page that is not in the library."]


@pytest.mark.parametrize("question", ["", " \n", "?!", "🐙", "…"])
async def test_a_question_without_words_is_asked_back_and_searched_for_nowhere(question: str) -> None:
    retriever = ScriptedRetriever(pages={}, fallback=[MAGERY])
    asked, model = rules_graph(SCRIPT, retriever)
    with pytest.raises(NothingAsked):
        await reply_to(asked, question, "t")
    assert model is not None
    assert (retriever.batches, model.prompts) == ([], [])


async def test_a_question_that_no_book_could_answer_is_asked_back_and_the_conversation_stays() -> None:
    library = OneRetriever(ScriptedRetriever(pages={}, fallback=[MAGERY]))
    library.noise = ("thanks", "Why?")
    asked = RulesGraph(library, None, EmbeddingModel("words", WordEmbeddings(), 1.0))
    with pytest.raises(NothingAsked):
        await reply_to(asked, "Why?", "t")
    await reply_to(asked, "What does Magery cost?", "t")
    with pytest.raises(Thanked):
        await reply_to(asked, "thanks", "t")
    assert (await reply_to(asked, "Why?", "t")).standalone_question == "What does Magery cost? Why?"


async def test_a_first_question_makes_no_call_to_rewrite() -> None:
    asked, model = rules_graph(SCRIPT)
    reply = await reply_to(asked, "What does Magery cost?")
    assert model is not None
    assert reply.standalone_question == "What does Magery cost?"
    assert [name for name, _ in model.prompts].count("Rewrite") == 0
    assert reply.usage.calls == len(model.prompts) == 4


async def conversations(*questions: str) -> list[Conversation]:
    """What each question of a thread is told to have been spoken of before, without a model."""
    robots = page("Robots fall hard. Levels cost 5 points.", 2, "Robots", game="Robots")
    library = OneRetriever(ScriptedRetriever(pages={"Robots": [robots]}, fallback=[MAGERY]))
    library.titles = {"Robots": robots.metadata["file"]}
    asked = RulesGraph(library, None, EmbeddingModel("words", WordEmbeddings(), 1.0))
    told = []
    for question in questions:
        await reply_to(asked, question, "t")
        told.append(library.conversation)
    return told


async def test_a_follow_up_is_asked_of_the_game_that_the_last_answer_is_from() -> None:
    *_, last = await conversations("What does Magery cost?", "And for level 3?")
    assert last == Conversation(("Game",), goes_on=True)


async def test_a_conversation_goes_over_to_the_game_that_a_question_names() -> None:
    *_, last = await conversations("What does Magery cost?", "And a level in Robots?", "And for level 3?")
    assert last == Conversation(("Robots",), goes_on=True)


async def test_where_nothing_is_found_a_conversation_stays_with_its_game() -> None:
    library = OneRetriever(ScriptedRetriever(pages={"Magery": [MAGERY]}))
    asked = RulesGraph(library, None, EmbeddingModel("words", WordEmbeddings(), 1.0))
    for question in ("What does Magery cost?", "What do elves brew?", "What does Strike cost?"):
        await reply_to(asked, question, "t")
    assert library.conversation.about == ("Game",)


@pytest.mark.parametrize(
    ("quoted", "beside"),
    [
        (page("Magery costs 5 points.", 12), "Core, p. 13"),
        (page("Magery costs 5 points.", 12, label=None), "Core, PDF p. 17"),
        (page("Magery costs 5 points.", 12, label="xii"), "Core, PDF p. 17"),
    ],
    ids=["a printed page", "a page without a number", "a Roman number"],
)
async def test_the_next_page_is_that_behind_the_one_the_last_answer_quotes(
    quoted: Document, beside: str
) -> None:
    asked, _ = rules_graph(None, ScriptedRetriever(pages={}, fallback=[quoted]))
    await reply_to(asked, "What does Magery cost?", "t")
    reply = await reply_to(asked, "And the next page?", "t")
    assert reply.standalone_question == beside


async def test_pages_are_turned_one_by_one_also_where_nothing_of_one_is_quoted() -> None:
    retriever = ScriptedRetriever(pages={"Core, p. 13": [page("Levels cost 10.", 40)]}, fallback=[MAGERY])
    asked, _ = rules_graph(None, retriever)
    await reply_to(asked, "What does Magery cost?", "t")
    turned = ["And the next page?", "And the next page?", "And the previous page?"]
    replies = [await reply_to(asked, question, "t") for question in turned]
    assert [one.standalone_question for one in replies] == ["Core, p. 13", "Core, p. 14", "Core, p. 13"]


async def test_a_page_that_is_asked_for_and_not_quoted_is_turned_from_all_the_same() -> None:
    other = page("Magery costs 5 points.", 40)
    index = page("Magery 12, 40", 229, kind="index")
    found = ScriptedRetriever(pages={}, fallback=[index, other], named=frozenset([page_id(229)]))
    in_vain = AbsentPage(book="Core", page="229", printed="1–200")
    not_found = ScriptedRetriever(pages={}, fallback=[other], absent=(in_vain,))
    for retriever in (found, not_found):
        asked, _ = rules_graph(None, retriever)
        await reply_to(asked, "What about Magery on p. 229?", "t")
        reply = await reply_to(asked, "And the next page?", "t")
        assert reply.standalone_question == "What about Magery on p. 230?"


@pytest.mark.parametrize(
    "facts",
    [
        {"authority": Authority.HOUSE_RULES},
        {"section_starts": [(0, "Magic")]},
        {"half": 1, "label": None},
    ],
    ids=["a house rule", "a section of what has no pages", "half a sheet without a number"],
)
async def test_what_is_no_page_of_a_book_is_not_turned(facts: dict[str, Any]) -> None:
    quoted = page("Magery costs 5 points.", 12, **facts)
    asked, _ = rules_graph(None, ScriptedRetriever(pages={}, fallback=[quoted]))
    await reply_to(asked, "What does Magery cost?", "t")
    reply = await reply_to(asked, "And the next page?", "t")
    assert reply.standalone_question == "What does Magery cost? And the next page?"


async def test_the_next_page_is_that_behind_the_one_that_was_asked_for() -> None:
    other, wanted = page("Magery costs 5 points.", 12), page("Magery costs 5 points at sea.", 30)
    found = ScriptedRetriever(pages={}, fallback=[other, wanted], named=frozenset({page_id(30)}))
    asked, _ = rules_graph(SCRIPT | {"Draft": lambda prompt: drafted(prompt, *BOTH)}, found)
    first = await reply_to(asked, "What does Magery cost?", "t")
    assert [source.page for source in first.answer.sources] == ["12", "30"]
    reply = await reply_to(asked, "And the next page?", "t", with_model=False)
    assert reply.standalone_question == "Core, p. 31"


async def test_what_is_told_from_elsewhere_has_no_page_to_turn_from() -> None:
    asked, _ = rules_graph(None)
    await reply_to(asked, "What does Magery cost?", "t")
    await asked.remember("t", "What is Rapid Strike?", "Two attacks.")
    reply = await reply_to(asked, "And the next page?", "t")
    assert reply.standalone_question == "What is Rapid Strike? And the next page?"


async def test_different_threads_never_see_each_other() -> None:
    asked, model = rules_graph(SCRIPT)
    await reply_to(asked, "What is Magery?", "one")
    await reply_to(asked, "What is it?", "two")
    assert model is not None
    assert model.prompts_for("Rewrite") == []


async def test_the_language_of_our_sentences_is_told_by_the_question_or_those_before_it() -> None:
    asked, _ = rules_graph(None)
    heard: list[tuple[str, Sequence[str]]] = []

    def language(question: str, reader: Audience, earlier: Sequence[str] = ()) -> str:
        heard.append((question, list(earlier)))
        return "pt"

    asked._library.question_language = language  # type: ignore[method-assign]
    replies = [await reply_to(asked, question, "t") for question in ("Quanto custa Magery?", "Magery?")]
    assert [reply.locale for reply in replies] == ["pt-BR", "pt-BR"]
    assert heard == [("Quanto custa Magery?", []), ("Magery?", ["Quanto custa Magery?"])]


async def test_a_restart_begins_anew() -> None:
    first, _ = rules_graph(SCRIPT)
    await reply_to(first, "What is Magery?", "t")
    second, model = rules_graph(SCRIPT)
    await reply_to(second, "What is it?", "t")
    assert model is not None
    assert model.prompts_for("Rewrite") == []


@pytest.mark.parametrize("schema", ["Rewrite", "Draft"])
async def test_of_25_pairs_the_oldest_five_are_in_no_prompt(schema: str) -> None:
    asked, model = rules_graph(SCRIPT)
    for turn in range(25):
        await reply_to(asked, f"question <{turn}>?", "t")
    await reply_to(asked, "the last?", "t")
    assert model is not None
    prompt = model.prompts_for(schema)[-1]
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
    pages = [page("Magery costs five points a level.", 1), page("Aiming at a target costs a turn.", 2)]
    asked, _ = rules_graph(None, ScriptedRetriever(pages={}, fallback=pages))
    await reply_to(asked, "What does Magery cost a level?", "t")
    reply = await reply_to(asked, follow_up, "t")
    assert reply.answer.sources[0].quote.startswith(first)


async def test_a_question_that_failed_leaves_the_history_as_it_was() -> None:
    class Broken(ScriptedRetriever):
        broken: bool = False

        async def abatch(self, inputs: list[str], *args: Any, **kwargs: Any) -> Any:
            if self.broken:
                raise OSError("index gone")
            return await super().abatch(inputs, *args, **kwargs)

    retriever = Broken(pages={}, fallback=[MAGERY])
    asked, model = rules_graph(SCRIPT, retriever)
    await reply_to(asked, "first?", "t")
    retriever.broken = True
    with pytest.raises(OSError, match="index gone"):
        await reply_to(asked, "failing?", "t")
    retriever.broken = False
    await reply_to(asked, "third?", "t")
    assert model is not None
    prompt = model.prompts_for("Rewrite")[-1]
    assert "first?" in prompt
    assert "failing?" not in prompt


async def test_what_was_overheard_is_judged_in_its_conversation_and_counted() -> None:
    verdict = {"Rewrite": {"standalone": True, "question": "", "asks": False}}
    asked, model = rules_graph(SCRIPT | verdict)
    await reply_to(asked, "first?", "t")
    is_asked, used = await asked.asks("flanking too", "t")
    assert (is_asked, used.calls) == (False, 1)
    assert model is not None
    assert "Question: first?" in model.prompts_for("Rewrite")[0]


async def test_without_a_model_what_was_overheard_asks_something() -> None:
    asked, _ = rules_graph(None)
    is_asked, used = await asked.asks("flanking too", "t")
    assert (is_asked, used.calls) == (True, 0)


async def test_two_questions_on_one_thread_are_answered_one_after_the_other() -> None:
    asked, model = rules_graph(SCRIPT)
    await asyncio.gather(reply_to(asked, "first?", "t"), reply_to(asked, "second?", "t"))
    assert model is not None
    (prompt,) = model.prompts_for("Rewrite")
    assert "Question: first?" in prompt


async def test_the_same_page_reaches_the_generator_once() -> None:
    script = SCRIPT | {"SubQuestions": {"sub_questions": ["price", "points", "cost of magic"]}}
    asked, model = rules_graph(script)
    await reply_to(asked, "What does Magery cost?", strategy=StrategyName.MULTI_QUESTION)
    assert model is not None
    assert model.prompts_for("Draft")[0].count(MAGERY.page_content) == 1


async def test_a_third_strategy_needs_only_its_line_in_the_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    class OnlyStrike(RetrievalStrategy):
        async def execute(self, state: State) -> State:
            return {**state, "questions": [Question(question="strike", context=[STRIKE])]}

    monkeypatch.setitem(graph.STRATEGIES, "only-strike", OnlyStrike)
    asked, _ = rules_graph(None)
    reply = await reply_to(asked, "Magery?", strategy="only-strike")
    assert [source.page for source in reply.answer.sources] == ["54"]


async def test_without_a_model_the_closest_passages_are_quoted_and_nothing_is_claimed() -> None:
    asked, _ = rules_graph(None)
    reply = await reply_to(asked, "What does Magery cost?")
    assert (reply.mode, reply.answer.outcome, reply.answer.statements) == ("quotes", Outcome.PASSAGES, [])
    assert [source.quote for source in reply.answer.sources] == [MAGERY.page_content]


@pytest.mark.parametrize("script", [None, SCRIPT | {"Draft": ConnectionError("down")}])
async def test_with_an_embedding_that_fails_passages_are_quoted_by_words(script: Script | None) -> None:
    class Dead(WordEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ConnectionError("down")

    model = None if script is None else ScriptedModel(script=script)
    catalog = OneRetriever(ScriptedRetriever(pages={}, fallback=[MAGERY]))
    asked = RulesGraph(catalog, model, EmbeddingModel("dead", Dead(), 1.0))
    reply = await reply_to(asked, "What does Magery cost?")
    assert [source.quote for source in reply.answer.sources] == [MAGERY.page_content]


async def test_a_generator_that_fails_gives_the_closest_passages_and_a_word_of_why() -> None:
    asked, _ = rules_graph(SCRIPT | {"Draft": ConnectionError("down")})
    reply = await reply_to(asked, "What does Magery cost?")
    assert (reply.answer.outcome, reply.answer.notice) == (Outcome.PASSAGES, "notice-model-failed")
    assert reply.mode == "quotes"


async def test_a_conversation_keeps_one_checkpoint_without_documents() -> None:
    asked, _ = rules_graph(SCRIPT)
    for turn in range(5):
        await reply_to(asked, f"question {turn}?", "t")
    (kept,) = asked._memory._checkpoints.values()
    assert MAGERY.page_content not in str(kept.checkpoint)


async def test_a_conversation_goes_on_from_a_question_that_was_answered_elsewhere() -> None:
    asked, model = rules_graph(SCRIPT)
    await reply_to(asked, "What is Magery?", "t")
    await asked.remember("t", "What does Magery cost?", "15 points.")
    await asked.remember("another", "What does Magery cost?", "15 points.")
    assert model is not None
    for thread in ("t", "another"):
        model.prompts.clear()
        await reply_to(asked, "And at level 2?", thread)
        assert "What does Magery cost?" in model.prompts_for("Rewrite")[0]
        assert ("What is Magery?" in model.prompts_for("Rewrite")[0]) == (thread == "t")


def test_a_thread_id_is_derived_without_a_table() -> None:
    assert thread_id(123) == thread_id("123") != thread_id(124)


# --- without the model for one question -----------------------------------------------------------


async def test_a_question_may_be_answered_without_the_model_and_says_that_nothing_is_claimed() -> None:
    asked, model = rules_graph(SCRIPT)
    reply = await reply_to(asked, "What does Magery cost?", with_model=False)
    assert model is not None
    assert (model.prompts, reply.mode, reply.usage.calls) == ([], "quotes", 0)
    assert (reply.answer.outcome, reply.answer.notice) == (Outcome.PASSAGES, "notice-model-unasked")


# --- what becomes of a draft ----------------------------------------------------------------------

RULE = page(
    "A first level character cannot hire retainers. Retainers cost 5 points; each level costs 10 more.",
    12,
)
HIRING = "Can a first level character hire retainers? What does a retainer of level 2 cost?"
ALLOWED = ("A first level character can hire retainers.", "A first level character")
FORBIDDEN = ("No, a first level character cannot hire retainers.", "A first level character")
COST = ("Retainers cost 5 points.", "Retainers cost")
INVENTED = ("Retainers cost 999 points.", "Retainers cost")
COMPUTED = ("Retainers of level 2 cost 25 points (5 + 2 × 10 = 25).", "Retainers cost")


def drafting(*statements: tuple[str, str]) -> Script:
    """A model that drafts these; asked once more it refuses the false one."""

    def supports(prompt: str) -> dict[str, Any]:
        asked = re.findall(r"^\[(s\d)\] (.*)$", prompt, re.MULTILINE)
        return {
            "supports": [
                {"id": name, "verdict": "no" if text == ALLOWED[0] else "yes"} for name, text in asked
            ]
        }

    return SCRIPT | {
        "Draft": lambda prompt: drafted(prompt, *statements),
        "SupportVerdicts": supports,
    }


async def replies_to_hiring(script: Script) -> tuple[Reply, list[Stated], ScriptedModel]:
    """The reply to a question of retainers, what was told before it, and the model with its prompts."""
    asked, model = rules_graph(script, ScriptedRetriever(pages={}, fallback=[RULE]))
    events = [event async for event in asked.ask(HIRING)]
    assert isinstance(events[-1], Reply)
    assert model is not None
    return events[-1], [event for event in events if isinstance(event, Stated)], model


async def test_what_is_proven_is_the_verdict_and_its_notes_with_the_lines_they_rest_on() -> None:
    reply, told, model = await replies_to_hiring(drafting(FORBIDDEN, COST))
    answer = reply.answer
    assert (answer.outcome, answer.found, answer.dropped) == (Outcome.ANSWERED, True, [])
    assert [(one.role, one.text) for one in answer.statements] == [
        (StatementRole.VERDICT, FORBIDDEN[0]),
        (StatementRole.NOTE, COST[0]),
    ]
    assert answer.statements[0].lines == ["A first level character cannot hire retainers."]
    assert [(one.text, one.role, one.is_checking) for one in told] == [
        ("“A first level character cannot hire retainers.”", StatementRole.VERDICT, True),
    ]
    assert (len(model.prompts_for("SupportVerdicts")), answer.checked_by_model) == (1, True)


async def test_a_reply_as_json_says_what_became_of_each_statement() -> None:
    reply, _, _ = await replies_to_hiring(drafting(ALLOWED, COMPUTED, INVENTED))
    told = reply.to_json()
    assert (told["outcome"], told["found"], told["checked_by_model"]) == ("unproven", True, True)
    (statement,) = told["statements"]
    assert (statement["text"], statement["role"], statement["calculated"]) == (COMPUTED[0], "note", True)
    assert statement["lines"] == ["Retainers cost 5 points; each level costs 10 more."]
    assert "Retainers cost 5 points" in told["sources"][statement["sources"][0]]["quote"]
    assert told["dropped"] == [
        {"text": ALLOWED[0], "reason": "unsupported"},
        {"text": INVENTED[0], "reason": "numbers"},
    ]


async def test_proving_a_long_draft_does_not_hold_the_event_loop() -> None:
    sentences = " ".join(f"Rule {number}: a sword of size {number} costs coins." for number in range(200))
    ids = [f"1.{number}" for number in range(1, 9)]
    long = {"evidence": ids, "text": " ".join(["The sword costs coins by its size"] * 28)}
    script = SCRIPT | {"Draft": {"statements": [long] * 8, "missing": None}}
    asked, _ = rules_graph(
        script | {"SupportVerdicts": {"supports": []}},
        ScriptedRetriever(pages={}, fallback=[page(sentences, 12)]),
    )
    proven_on: set[int] = set()
    prove = Verifier.prove

    def watched(verifier: Verifier, statement: DraftStatement, *, is_verdict: bool) -> Proof:
        proven_on.add(threading.get_ident())
        return prove(verifier, statement, is_verdict=is_verdict)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Verifier, "prove", watched)
        await reply_to(asked, "What does a sword cost?")
    assert proven_on
    assert threading.get_ident() not in proven_on
