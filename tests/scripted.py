"""A chat model and a retriever that answer from a script, for tests of the graph."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from rag.config import Audience
from rag.state import AnswerWithSources, Reply, Usage
from tests.model_server import TITLE

Answerer = Callable[[str], dict[str, Any]]
Script = dict[str, dict[str, Any] | list[dict[str, Any]] | Answerer | Exception]
"""By schema name (Rewrite, SubQuestions, Sufficiency, Draft): one reply for all calls, a list of
replies of which the last repeats, a function of the prompt, or a failure."""


def schema_of(messages: Sequence[BaseMessage], arguments: dict[str, Any]) -> str:
    """The name of the schema asked for, natively or in the system message."""
    native = arguments.get("response_format", {}).get("json_schema")
    return str(native["name"] if native else TITLE.findall(messages[0].text)[-1])


class ScriptedModel(BaseChatModel):
    """Replies by the name of the schema it is asked for, and remembers every prompt."""

    script: Script = Field(default_factory=dict)
    prompts: list[tuple[str, str]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        schema = schema_of(messages, kwargs)
        prompt = "\n".join(str(message.content) for message in messages)
        asked_before = len(self.prompts_for(schema))
        self.prompts.append((schema, prompt))
        reply = self._reply(self.script[schema], prompt, asked_before)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(json.dumps(reply)))])

    def prompts_for(self, schema: str) -> list[str]:
        """The prompts that asked for a schema, in order."""
        return [prompt for name, prompt in self.prompts if name == schema]

    @staticmethod
    def _reply(scripted: Any, prompt: str, asked_before: int) -> Any:
        if isinstance(scripted, Exception):
            raise scripted
        if callable(scripted):
            return scripted(prompt)
        if isinstance(scripted, list):
            return scripted[min(asked_before, len(scripted) - 1)]
        return scripted


class ScriptedRetriever(BaseRetriever):
    """Returns the pages whose trigger words stand in the query; the fallback page for all others."""

    pages: dict[str, Sequence[Document]]
    fallback: Sequence[Document] = ()
    batches: list[list[str]] = Field(default_factory=list)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = [page for trigger, pages in self.pages.items() if trigger in query for page in pages]
        return found or list(self.fallback)

    async def abatch(self, inputs: list[str], *args: Any, **kwargs: Any) -> list[list[Document]]:
        self.batches.append(list(inputs))
        return await super().abatch(inputs, *args, **kwargs)


class OneRetriever:
    """A library of one retriever, whoever reads."""

    def __init__(self, retriever: BaseRetriever) -> None:
        self._retriever = retriever

    def retriever(
        self, reader: Audience, book: str | None = None, k: int = 10, *, without_provider: bool = False
    ) -> BaseRetriever:
        return self._retriever

    def languages(self, reader: Audience) -> Sequence[str]:
        return ("en",)

    def question_language(self, question: str, reader: Audience, earlier: Sequence[str] = ()) -> str:
        return "en"


class WordEmbeddings(Embeddings):
    """Counts words into 64 buckets: equal texts are equal, shared words are close."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        buckets = [0.001] * 64
        for word in text.casefold().split():
            buckets[sum(word.encode()) % 64] += 1
        return buckets


def page(
    text: str,
    number: int = 1,
    book: str = "Core",
    headings: Iterable[str] = (),
    references: Iterable[dict[str, Any]] = (),
    **facts: Any,
) -> Document:
    """A page as our retriever returns it."""
    return Document(
        page_content=text,
        id=f"{book}#{number}",
        metadata={
            "book": book,
            "file": f"game/{book.lower()}.pdf",
            "game": "Game",
            "page": str(number),
            "pdf_page": number + 4,
            "language": "en",
            "kind": "text",
            "headings": list(headings),
            "hits": [],
            "references": list(references),
            "previous": None,
            "next": None,
            "continues": False,
        }
        | facts,
    )


def reference(text: str, target: str, page_text: str, *, in_library: bool = True) -> dict[str, Any]:
    """A printed reference of a page, which fetches its target ("Powers p. 100")."""
    book, _, number = target.rpartition(" p. ")
    query = target if in_library else None
    return {"text": text, "book": book, "page": number, "query": query, "start": page_text.find(text)}


def correction(amending: Document, at: str = "", corrects: tuple[int, int] = (0, 1000)) -> dict[str, Any]:
    """What a page says of a correction of it: the passage `at` of another page, all of it by default."""
    facts, text = amending.metadata, amending.page_content
    start = text.find(at)
    place = {key: facts[key] for key in ("book", "page", "file", "pdf_page")}
    span = {"start": corrects[0], "end": corrects[1], "at": start, "until": start + len(at or text)}
    return place | span | {"query": f"{facts['book']} p. {facts['page']}"}


def replied(answer: AnswerWithSources) -> Reply:
    """The reply that ends a question of one hop with this answer."""
    return Reply(
        question="?",
        standalone_question="?",
        answer=answer,
        questions=[],
        strategy="multi-hop",
        hops=1,
        followed=[],
        usage=Usage(),
        mode="model",
        seconds=1,
        locale="en",
    )
