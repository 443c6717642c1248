"""What every section measures on: one indexed library, its embedding, and questions."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from langchain_core.retrievers import BaseRetriever

from rag.config import Settings
from rag.evaluation.questions import GoldQuestion, read_questions
from rag.evaluation.run import LANGUAGES
from rag.graph import PAGES_ANSWERED_FROM, RulesGraph
from rag.library.library import Library
from rag.memory import NewestCheckpointSaver
from rag.models.chat import chat_model
from rag.models.embeddings import EmbeddingModel, embedding_model
from rag.state import Reply


@dataclass(frozen=True)
class Bench:
    """An indexed library with questions about it; `scratch` is a folder that is gone afterwards."""

    settings: Settings
    embedding: EmbeddingModel
    library: Library
    gold_questions: Sequence[GoldQuestion]
    questions: Sequence[str]
    scratch: Path

    @classmethod
    def open(cls, settings: Settings, questions: Path, scratch: Path) -> "Bench":
        """Open the library that is indexed under these settings; questions in all their languages."""
        embedding = embedding_model(settings)
        gold_questions = read_questions(questions)
        questions_asked = [
            wording
            for question in gold_questions
            for language in LANGUAGES
            if (wording := question.wording(language))
        ]
        library = Library.open(settings, embedding)
        return cls(settings, embedding, library, gold_questions, questions_asked, scratch)

    @property
    def pages(self) -> int:
        """How many pages the library has."""
        return sum(book.pages for book in self.library.books("gm"))

    def retriever(self) -> BaseRetriever:
        """The retriever that answers are made from."""
        return self.library.retriever("player", None, PAGES_ANSWERED_FROM)

    def rules_graph(
        self, model_url: str | None = None, memory: NewestCheckpointSaver | None = None
    ) -> RulesGraph:
        """A graph over the library with the chat model at a URL, or without one."""
        return RulesGraph(self.library, chat_model(self.with_model(model_url)), self.embedding, memory)

    def with_model(self, url: str | None) -> Settings:
        """The settings with the chat model at a URL, or without one; never a provider of the user's."""
        return self.settings.model_copy(
            update={"openai_api_key": None, "openai_base_url": url, "chat_model": "fixed-delay"}
        )

    def environment(self, model_url: str, data: Path) -> dict[str, str]:
        """That of a process over this library with the chat model at a URL; nothing is sent anywhere else."""
        return {
            **without_provider(),
            "LIBRARY_DIR": str(self.settings.library_dir),
            "INDEX_DIR": str(self.settings.index_dir),
            "DATA_DIR": str(data),
            "OPENAI_BASE_URL": model_url,
            "CHAT_MODEL": "fixed-delay",
            "EMBEDDING_MODEL": self.embedding.name,
        }


async def answered(rules_graph: RulesGraph, question: str, thread: str | None = None) -> Reply:
    """The reply to a question."""
    events = [event async for event in rules_graph.ask(question, thread)]
    reply = events[-1]
    assert isinstance(reply, Reply)
    return reply


async def warmed_up(rules_graph: RulesGraph, question: str) -> RulesGraph:
    """A graph that has read what the first question reads."""
    await answered(rules_graph, question)
    return rules_graph


def without_provider() -> dict[str, str]:
    """This machine's environment without servers of its own, for a process to measure."""
    servers = ("OPENAI", "LANGSMITH", "LANGCHAIN", "CHROMA")
    return {name: value for name, value in os.environ.items() if not name.startswith(servers)}
