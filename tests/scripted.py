"""A chat model and a retriever that answer from a script, for tests of the graph."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from rag.config import PROMPT_TOKENS, Audience
from rag.library.books.book import IsSeen
from rag.library.books.found_page import Correction, FoundPage, FoundReference, LinkedPage
from rag.library.library import Library
from rag.library.search.named_books import NamedBooks
from rag.library.search.query import NOTHING_SAID, Conversation
from rag.state import (
    AbsentPage,
    AnswerWithSources,
    PageId,
    PageOfSeveralBooks,
    Question,
    Reply,
    SearchResult,
    Span,
    Usage,
)
from rag.strategies.context import PromptPages, prompt_pages
from tests.model_server import TITLE

Answerer = Callable[[str], dict[str, Any]]
Script = dict[str, dict[str, Any] | list[dict[str, Any]] | Answerer | Exception]
"""By schema name (Rewrite, SubQuestions, Sufficiency, Draft, SupportVerdicts): one reply for all calls, a
list of replies of which the last repeats, a function of the prompt, or a failure."""


CLEARS_ALL: dict[str, Any] = {
    "supports": [{"id": f"s{number}", "why": "same", "verdict": "yes"} for number in range(1, 9)]
}
"""A second look that finds nothing wrong."""


def schema_of(messages: Sequence[BaseMessage], arguments: dict[str, Any]) -> str:
    """The name of the schema asked for, natively or in the last message."""
    native = arguments.get("response_format", {}).get("json_schema")
    return str(native["name"] if native else TITLE.findall(messages[-1].text)[-1])


class ScriptedModel(BaseChatModel):
    """Replies by the name of the schema it is asked for, and remembers every prompt."""

    script: Script = Field(default_factory=dict)
    prompts: list[tuple[str, str]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
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
    """Returns the pages whose trigger words stand in the query; the fallback page for all others.

    Of all those pages it fetches any by its identity; `headings` are the pages with a heading, by its words.
    """

    pages: dict[str, Sequence[Document]]
    fallback: Sequence[Document] = ()
    batches: list[list[str]] = Field(default_factory=list)
    fetched: list[PageId] = Field(default_factory=list)
    named: frozenset[PageId] = frozenset()
    absent: tuple[AbsentPage, ...] = ()
    holding_most: frozenset[PageId] | None = None
    ambiguous: tuple[PageOfSeveralBooks, ...] = ()
    headings: dict[str, Document] = Field(default_factory=dict)
    misspelt: tuple[tuple[str, str], ...] = ()

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = [page for trigger, pages in self.pages.items() if trigger in query for page in pages]
        return found or list(self.fallback)

    async def asearch(self, texts: Sequence[str]) -> list[SearchResult]:
        self.batches.append(list(texts))
        return [
            SearchResult(
                context=pages,
                named=self.named,
                absent=self.absent,
                holding_most=self.holding_most,
                ambiguous=self.ambiguous,
                misspelt=dict(self.misspelt),
            )
            for pages in await self.abatch(list(texts))
        ]

    def fetch(self, pages: Sequence[PageId]) -> list[Document]:
        self.fetched += pages
        held = (*self.pages.values(), self.fallback)
        known = {FoundPage.of(page).id: page for pages in held for page in pages}
        return [known[page] for page in pages if page in known]

    def mentioned(self, page: PageId, text: str) -> list[Document]:
        return [page for heading, page in self.headings.items() if heading in text]


class OneRetriever(Library):
    """A library of one retriever, whoever reads."""

    def __init__(self, retriever: BaseRetriever) -> None:
        self._retriever = retriever
        self.conversation = NOTHING_SAID
        self.opened: list[str | None] = []
        self.titles: dict[str, str] = {}
        self.noise: Sequence[str] = ()
        self.words_unheard: list[str] = []

    def limited_to(self, is_seen: IsSeen | None) -> "OneRetriever":
        return self

    def retriever(
        self,
        reader: Audience,
        book: str | None = None,
        k: int = 10,
        *,
        conversation: Conversation = NOTHING_SAID,
        **options: Any,
    ) -> Any:
        self.conversation = conversation
        self.opened.append(book)
        return self._retriever

    def queries(self, reader: Audience, book: str | None = None) -> Any:
        return self

    def asks_something(self, question: str) -> bool:
        return question not in self.noise

    def unheard(self, question: str) -> list[str]:
        return self.words_unheard

    def named_books(self, question: str) -> NamedBooks:
        named = [title for title in self.titles if title in question]
        works = tuple(frozenset([self.titles[title]]) for title in named)
        return NamedBooks(works, question, tuple(named), is_all=question.rstrip("?") in named)

    def explains(self, name: str) -> bool:
        return False

    def languages(self, reader: Audience) -> list[str]:
        return ["en"]

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
    references: Iterable[FoundReference] = (),
    **facts: Any,
) -> Document:
    """A page as our retriever returns it."""
    return found_page(text, number, book, headings=headings, references=references, **facts).document()


def found_page(text: str, number: int = 1, book: str = "Core", **facts: Any) -> FoundPage:
    """A page as nodes and strategies see it."""
    known = {"game": "Game", "label": str(number), "file": page_id(number, book).file, "pdf_page": number + 4}
    known |= {"above": () if "sections" in facts else facts.get("headings", ())}
    sections = [(at, (name,) if isinstance(name, str) else name) for at, name in facts.get("sections", ())]
    return FoundPage.model_validate({"text": text, "book": book, **known, **facts, "sections": sections})


def prompt_of(*pages: FoundPage, tokens: int = PROMPT_TOKENS) -> PromptPages:
    """What a prompt shows of these pages, found by one question in this order."""
    found = Question(question="?", context=[one.document() for one in pages])
    return prompt_pages([found], tokens)


def line_id(prompt: str, line: str) -> str:
    """The id under which a prompt shows a line that begins so; an unknown one where it does not."""
    found = re.search(rf"\[(\d+\.\d+)\] {re.escape(line)}", prompt)
    return found[1] if found else "99.99"


def drafted(prompt: str, *statements: tuple[str, str], missing: str | None = None) -> dict[str, Any]:
    """A draft of statements, each with the line that it rests on."""
    return {
        "statements": [{"evidence": [line_id(prompt, line)], "text": text} for text, line in statements],
        "missing": missing,
    }


def page_id(number: int, book: str = "Core") -> PageId:
    """The identity of the page printed with a number."""
    return PageId(f"game/{book.lower()}.pdf", number + 4)


def linked(number: int, book: str = "Core", text: str = "", *, is_joined: bool = False) -> LinkedPage:
    """A page as others tell of it."""
    return LinkedPage(
        id=page_id(number, book),
        book=book,
        label=str(number),
        text=text,
        is_joined=is_joined,
    )


TORN = ("Nobody swims alone. Each round under water costs", "one point of breath. Whoever has none drowns.")
"""Two pages, between which a sentence is torn."""


def torn_pages(first: str = TORN[0], second: str = TORN[1]) -> tuple[FoundPage, FoundPage]:
    """Pages 41 and 42, between which a sentence may be torn."""
    return (
        found_page(first, 41, next=linked(42, text=second, is_joined=True)),
        found_page(second, 42, previous=linked(41, text=first, is_joined=True)),
    )


def reference(text: str, target: str, page_text: str, *, in_library: bool = True) -> FoundReference:
    """A printed reference of a page to its target ("Powers p. 100")."""
    book, _, number = target.rpartition(" p. ")
    pages = (page_id(int(number), book),) if in_library else ()
    return FoundReference(text=text, start=page_text.find(text), book=book, label=number, pages=pages)


def correction(amending: FoundPage, at: str = "", corrects: tuple[int, int] = (0, 1000)) -> Correction:
    """What a page says of a correction of it: the passage `at` of another page, all of it by default."""
    start = amending.text.find(at)
    other = LinkedPage(id=amending.id, book=amending.book, label=amending.label)
    return Correction(
        other=other, corrected=Span(*corrects), correcting=Span(start, start + len(at or amending.text))
    )


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
