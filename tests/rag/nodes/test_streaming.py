"""Streaming statement by statement: each is told when it is verified, and nothing told is taken back."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from rag.config import Settings
from rag.graph import RulesGraph
from rag.models.chat import chat_model
from rag.models.embeddings import EmbeddingModel
from rag.nodes.draft import Draft
from rag.nodes.generate import assembled, nothing_found
from rag.nodes.verification import Verification, Verifier
from rag.state import AnswerWithSources, Outcome, Reply, Stated, StatementRole
from rag.texts import texts_for
from rag.texts.blocks import Block, Role, blocks
from tests.model_server import Fault, Json, ModelServer, Pacing, completion, form_of, refuses
from tests.scripted import (
    CLEARS_ALL,
    OneRetriever,
    ScriptedRetriever,
    WordEmbeddings,
    drafted,
    found_page,
    prompt_of,
)

PAGE = found_page("A storm lamp lights six paces. It burns four hours. A guard carries it.", 13)
FIRST, SECOND, THIRD = "A storm lamp lights six paces.", "It burns four hours.", "A guard carries it."
TEXTS = texts_for("en")


def drafting(*statements: tuple[str, str]) -> Callable[[str], Json]:
    """Writes statements, each with the line that it rests on, in the order of the schema."""
    return lambda prompt: drafted(prompt, *statements)


SAYS_ALL = drafting((FIRST, FIRST), (SECOND, SECOND), (THIRD, THIRD))


@dataclass
class Told:
    """What one question made readers see: claims as they came, lines of what is looked at, and the reply."""

    statements: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    reply: Reply | None = None

    @property
    def answer(self) -> AnswerWithSources:
        assert self.reply is not None
        return self.reply.answer

    @property
    def answered(self) -> list[str]:
        return [statement.text for statement in self.answer.statements]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    script: dict[str, Any] = {
        "SubQuestions": {"sub_questions": []},
        "Sufficiency": {"sufficient": True, "new_queries": []},
        "Draft": SAYS_ALL,
        "SupportVerdicts": CLEARS_ALL,
    }
    async with ModelServer(script) as server:
        yield server


def rules_graph_at(server: ModelServer, **settings: float) -> RulesGraph:
    configured = Settings.model_validate({"openai_base_url": server.url, "chat_model": "s", **settings})
    catalog = OneRetriever(ScriptedRetriever(pages={}, fallback=[PAGE.document()]))
    return RulesGraph(catalog, chat_model(configured), EmbeddingModel("words", WordEmbeddings(), 1.0))


async def told_by(rules_graph: RulesGraph, on_statement: Callable[[], None] = lambda: None) -> Told:
    told = Told()
    async for event in rules_graph.ask("How far does a storm lamp light?"):
        match event:
            case Stated():
                (told.lines if event.is_checking else told.statements).append(event.text)
                on_statement()
            case Reply():
                told.reply = event
    return told


def drafts(server: ModelServer) -> list[tuple[str, bool]]:
    """How the draft was asked for: the form, and whether as a stream."""
    bodies = [
        body for body, (schema, _) in zip(server.requests, server.prompts, strict=True) if schema == "Draft"
    ]
    return [(form_of(body), bool(body.get("stream"))) for body in bodies]


def by_statement(content: str) -> Sequence[str]:
    """A piece ends behind each statement."""
    return [f'{piece}"}}' for piece in content.split('"}')[:-1]] + [content.rpartition('"}')[2]]


def aborts_before(piece: int) -> Pacing:
    """The connection is lost before this piece is sent."""

    async def pacing(number: int, request: web.Request) -> None:
        if number == piece and request.transport:
            # What was sent so far shall arrive: a reset discards what lies unread.
            await asyncio.sleep(0.05)
            request.transport.abort()
            await asyncio.sleep(0.01)

    return pacing


# --- order in time --------------------------------------------------------------------------------


async def test_the_lines_of_the_verdict_are_told_before_the_rest_is_written(server: ModelServer) -> None:
    first_is_told = asyncio.Event()

    async def waits_for_the_reader(number: int, request: web.Request) -> None:
        if number == 1:
            await asyncio.wait_for(first_is_told.wait(), 5)

    server.cutting, server.pacing = by_statement, waits_for_the_reader
    told = await told_by(rules_graph_at(server), first_is_told.set)
    assert (told.lines, told.statements) == ([f"“{FIRST}”"], [SECOND, THIRD])
    assert told.answered == [FIRST, SECOND, THIRD]


async def test_a_statement_over_an_unknown_line_never_appears(server: ModelServer) -> None:
    server.script["Draft"] = drafting(
        (FIRST, FIRST), ("It is cursed.", "It is cursed by night."), (THIRD, THIRD)
    )
    told = await told_by(rules_graph_at(server))
    assert (told.statements, told.answered) == ([THIRD], [FIRST, THIRD])
    assert told.answer.outcome is Outcome.PARTLY


RETOLD = "A storm lamp reaches six paces."


def supporting(verdict: str) -> Json:
    return {"supports": [{"id": "s1", "verdict": verdict}]}


@pytest.mark.parametrize(
    ("verdict", "answered", "outcome"),
    [("yes", [RETOLD, SECOND], Outcome.ANSWERED), ("no", [SECOND], Outcome.UNPROVEN)],
)
async def test_a_verdict_stands_as_its_lines_until_it_is_looked_at(
    server: ModelServer, verdict: str, answered: list[str], outcome: Outcome
) -> None:
    server.script |= {"Draft": drafting((RETOLD, FIRST), (SECOND, SECOND))}
    server.script |= {"SupportVerdicts": supporting(verdict)}
    heard = [event async for event in rules_graph_at(server).ask("How far?") if isinstance(event, Stated)]
    assert [(one.text, one.role, one.is_checking) for one in heard] == [
        (f"“{FIRST}”", StatementRole.VERDICT, True),
        (SECOND, StatementRole.NOTE, False),
    ]
    told = await told_by(rules_graph_at(server))
    assert (told.answered, told.answer.outcome) == (answered, outcome)
    assert told.answer.checked_by_model is (verdict == "yes")


# --- what breaks off ------------------------------------------------------------------------------


async def test_a_reset_in_mid_stream_keeps_what_was_told_and_says_so(server: ModelServer) -> None:
    server.cutting, server.pacing = by_statement, aborts_before(2)
    told = await told_by(rules_graph_at(server))
    assert (told.statements, told.answered) == ([SECOND], [FIRST, SECOND])
    assert (told.answer.outcome, told.answer.notice) == (Outcome.PARTLY, "notice-model-broke-off")
    assert told.reply is not None
    assert Block(Role.NOTICE, TEXTS("notice-model-broke-off")) in blocks(told.reply, TEXTS)
    assert drafts(server) == [("json_schema", True)]


async def test_after_a_reset_before_any_statement_the_reply_is_asked_for_plainly_in_one_piece(
    server: ModelServer,
) -> None:
    server.pacing = aborts_before(1)
    told = await told_by(rules_graph_at(server))
    assert (told.statements, told.answered) == ([], [FIRST, SECOND, THIRD])
    assert drafts(server) == [("json_schema", True), ("plain", False)]


@pytest.mark.parametrize("ending", ['"missing": nul', '"statements": []}'])
async def test_where_the_end_contradicts_the_beginning_the_beginning_stands(
    server: ModelServer, ending: str
) -> None:
    server.wording = lambda content, body: content.replace('"missing": null}', ending)
    told = await told_by(rules_graph_at(server))
    assert (told.statements, told.answered) == ([SECOND, THIRD], [FIRST, SECOND, THIRD])
    assert told.answer.notice == "notice-model-broke-off"
    assert drafts(server) == [("json_schema", True)]


# --- servers that do not stream -------------------------------------------------------------------


async def replies_in_one_piece(request: web.Request, body: Json) -> web.StreamResponse | None:
    """Does not look at what was asked for."""
    if not body.get("stream"):
        return None
    prompt = body["messages"][-1]["content"]
    return completion(body | {"stream": False}, {"content": json.dumps(SAYS_ALL(prompt))})


async def sends_no_piece(request: web.Request, body: Json) -> web.StreamResponse | None:
    return (
        web.Response(text="data: [DONE]\n\n", content_type="text/event-stream")
        if body.get("stream")
        else None
    )


async def refuses_streams(request: web.Request, body: Json) -> web.StreamResponse | None:
    return await refuses(400, "stream_options")(request, body) if body.get("stream") else None


@pytest.mark.parametrize("fault", [refuses_streams, replies_in_one_piece, sends_no_piece])
async def test_a_server_that_does_not_stream_still_answers_and_is_learnt(
    server: ModelServer, fault: Fault
) -> None:
    server.fault = fault
    rules_graph = rules_graph_at(server)
    streams, piece = ("json_schema", True), ("json_schema", False)
    for asked in ([streams, piece], [piece]):
        server.requests.clear()
        server.prompts.clear()
        assert (await told_by(rules_graph)).answered == [FIRST, SECOND, THIRD]
        assert drafts(server) == asked


# --- the law: however the text is cut -------------------------------------------------------------


proven = st.sampled_from([FIRST, SECOND, THIRD])
invented = st.sampled_from(["It is cursed.", "It burns 99 hours.", RETOLD])
LINES = prompt_of(PAGE).lines()


def verification(told: list[str] | None = None) -> Verification:
    """Statements as they are taken; of those seen being written what is claimed is `told`."""
    heard = told if told is not None else []
    return Verification(
        Verifier(LINES, "How far?", ["How far?"]),
        lambda proof, is_verdict: heard.append(proof.text) if proof.is_claim else None,
    )


async def no_passages() -> AnswerWithSources:
    return nothing_found(TEXTS)


def finished(taken: Verification, draft: Draft) -> AnswerWithSources:
    assert taken.take_rest(draft)
    return asyncio.run(assembled(taken.proofs, prompt_of(PAGE), no_passages, TEXTS))


@given(
    said=st.lists(proven | invented, max_size=10),
    cuts=st.sets(st.integers(0, 1200)),
    whole=st.booleans(),
)
def test_however_a_reply_is_cut_the_answer_holds_what_was_told(
    said: list[str], cuts: set[int], whole: bool
) -> None:
    prompt = prompt_of(PAGE).render()
    draft = Draft.model_validate(drafted(prompt, *((text, text) for text in said)))
    text = draft.model_dump_json()
    told: list[str] = []
    taken = verification(told)
    for end in [*sorted(cut for cut in cuts if cut < len(text)), *([len(text)] if whole else [])]:
        taken.see(text[:end])
    answer = finished(taken, draft)
    assert answer == finished(verification(), draft)
    answered = [statement.text for statement in answer.statements]
    assert answered[: len(told)] == told
    assert len(told) == len(answered) or not whole
