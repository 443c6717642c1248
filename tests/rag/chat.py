"""A conversation with the whole graph, over a library of a few pages and with a scripted model or none."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document

from rag.graph import RulesGraph
from rag.memory import NewestCheckpointSaver
from rag.models.embeddings import EmbeddingModel
from rag.state import Reply, Stated
from rag.texts import texts_for
from rag.texts.blocks import Role, blocks
from tests.scripted import OneRetriever, Script, ScriptedModel, ScriptedRetriever, WordEmbeddings, page

MAGERY = page("Magery costs 5 points, plus 10 points per level.", 12)


class Talk:
    """Questions of one thread. `found` are the pages by a word of the query, or for all queries."""

    def __init__(
        self,
        found: Sequence[Document] | Mapping[str, Sequence[Document]] = (MAGERY,),
        script: Script | None = None,
        memory: NewestCheckpointSaver | None = None,
        **facts: Any,
    ) -> None:
        pages = {"pages": dict(found)} if isinstance(found, Mapping) else {"pages": {}, "fallback": found}
        self.retriever = ScriptedRetriever.model_validate(pages | facts)
        self.library = OneRetriever(self.retriever)
        self.model = ScriptedModel(script=script or {})
        self.told: list[Stated] = []
        embedding = EmbeddingModel("words", WordEmbeddings(), 1.0)
        self.graph = RulesGraph(self.library, None if script is None else self.model, embedding, memory)

    async def ask(self, question: str, thread: str | None = "t", **options: Any) -> Reply:
        """The reply to a question; what was told before it is in `told`."""
        events = [event async for event in self.graph.ask(question, thread, **options)]
        self.told = [event for event in events if isinstance(event, Stated)]
        assert isinstance(events[-1], Reply)
        return events[-1]


def shown(reply: Reply, role: Role, locale: str = "en") -> list[str]:
    """The texts of a role in what is shown of a reply."""
    return [block.text for block in blocks(reply, texts_for(locale)) if block.role is role]
