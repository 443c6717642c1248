"""A library of one rule; questions about it are answered by a model server on loopback."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rag.config import Settings
from rag.graph import RulesGraph
from rag.models.chat import chat_model
from rag.models.embeddings import EmbeddingModel
from rag.models.provider import ProviderChatModel
from rag.state import AnswerWithSources, Exchange, Outcome, Reply, Stated
from tests.model_server import Fault, Json, ModelServer, Scripted, completion, schema_asked_for
from tests.scripted import CLEARS_ALL, OneRetriever, ScriptedRetriever, WordEmbeddings, page

RULE = "Magery costs 5 points, plus 10 points a level."
DRAFTED = {"evidence": ["1.1"], "text": RULE}
DRAFT: Json = {"statements": [DRAFTED], "missing": None}
CALLS_OF_A_QUESTION = 3
"""Sub-questions, verdict, draft; nothing drafted has no second look."""
SCRIPT: dict[str, Scripted] = {
    "Rewrite": {"standalone": True, "question": ""},
    "SubQuestions": {"sub_questions": ["Magery cost"]},
    "Sufficiency": {"sufficient": True, "new_queries": []},
    "Draft": DRAFT,
    "SupportVerdicts": CLEARS_ALL,
}


@dataclass
class Answered:
    """The reply to a question, and the statements that were told before it."""

    reply: Reply
    told: list[str]

    @property
    def answer(self) -> AnswerWithSources:
        return self.reply.answer

    @property
    def why_quoted(self) -> str | None:
        """The reason why the closest passage stands there alone; "" where it does not."""
        quotes = [source.quote for source in self.answer.sources]
        return self.answer.notice if (self.answer.outcome, quotes) == (Outcome.PASSAGES, [RULE]) else ""


def model_at(url: str, **settings: float) -> ProviderChatModel:
    configured: dict[str, Any] = {"openai_base_url": url, "chat_model": "scripted", **settings}
    model = chat_model(Settings.model_validate(configured))
    assert model is not None
    return model


def rules_graph_at(
    server: ModelServer, text: str = RULE, prompt_tokens: int = 6_500, support: str = "", **settings: float
) -> RulesGraph:
    library = OneRetriever(ScriptedRetriever(pages={}, fallback=[page(text, 66)]))
    embedding = EmbeddingModel("words", WordEmbeddings(), 1.0)
    model = model_at(server.url, **settings)
    return RulesGraph(library, model, embedding, prompt_tokens=prompt_tokens, support_model=support)


async def asked(
    rules_graph: RulesGraph, question: str = "What does Magery cost?", history: Sequence[Exchange] = ()
) -> Answered:
    events = [event async for event in rules_graph.ask(question, history=history or None)]
    assert isinstance(events[-1], Reply)
    return Answered(events[-1], [event.text for event in events if isinstance(event, Stated)])


def only(schema: str, fault: Fault) -> Fault:
    """Requests for this schema meet the fault, the others are answered."""

    async def one(request: Any, body: Json) -> Any:
        return await fault(request, body) if schema_asked_for(body) == schema else None

    return one


def completes(message: Json, finish_reason: str = "stop") -> Fault:
    """Every request gets this message."""

    async def fault(request: Any, body: Json) -> Any:
        return completion(body, message, finish_reason)

    return fault
