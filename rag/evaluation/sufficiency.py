"""`python -m rag prompts test sufficiency`: the sufficiency prompt alone, on cases whose verdict is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, ConfigDict, Field

from rag.config import PROMPT_TOKENS
from rag.errors import ModelError
from rag.evaluation.questions import read_json_lines
from rag.library.books.found_page import FoundPage
from rag.library.language.words import content_words
from rag.prompts import PROMPT_FILES, Prompts
from rag.state import PageId, Question, Sufficiency
from rag.strategies.context import PromptPages, prompt_pages
from rag.strategies.linked_pages import OpenReference
from rag.strategies.sufficiency import verdict

LANGUAGE = "en"
"""Of the queries that are compared: its function words do not count."""


class CaseReference(BaseModel):
    """A reference printed on a case's page and not followed yet: how it reads, where, and where it leads."""

    model_config = ConfigDict(frozen=True)

    text: str
    origin: str
    target: str
    in_library: bool = True

    def opened(self) -> OpenReference:
        """The reference as the judge's prompt lists it."""
        pages = (PageId(self.target, 1),) if self.in_library else ()
        return OpenReference(self.origin, self.target, pages, text=self.text)


class CasePage(BaseModel):
    """A page as the model gets to see it."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    book: str
    page: str
    text: str = Field(min_length=1)

    def document(self) -> Document:
        """The page in the form in which a retriever returns one."""
        return FoundPage(text=self.text, book=self.book, label=self.page).document()


class SufficiencyCase(BaseModel):
    """A question, the pages found for it, and whether these suffice to answer it.

    `new_queries` are what must be searched next (not compared where left out), `references` what the pages
    refer to.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    question: str = Field(min_length=1)
    pages: list[CasePage]
    sufficient: bool
    new_queries: list[str] | None = None
    references: list[CaseReference] = Field(default_factory=list)

    def shown(self) -> PromptPages:
        """The pages as numbered lines."""
        found = Question(question=self.question, context=[page.document() for page in self.pages])
        return prompt_pages([found], PROMPT_TOKENS)


@dataclass(frozen=True, slots=True)
class SufficiencyResult:
    """What the model said about a case; None where it gave no usable reply."""

    case: SufficiencyCase
    reply: Sufficiency | None

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is the case's own, and what it must ask for is asked for."""
        if self.reply is None or self.reply.sufficient != self.case.sufficient:
            return False
        is_needless = self.case.new_queries == [] and bool(self.reply.new_queries)
        return not (self.not_asked_for or is_needless)

    @property
    def not_asked_for(self) -> list[str]:
        """The expected queries of which no query of the reply holds every word of content."""
        asked = [
            set(content_words(query, LANGUAGE)) for query in (self.reply.new_queries if self.reply else [])
        ]
        return [
            query
            for query in self.case.new_queries or []
            if not any(asked_words.issuperset(content_words(query, LANGUAGE)) for asked_words in asked)
        ]

    def to_json(self) -> dict[str, Any]:
        """The result for programs."""
        return {
            "id": self.case.id,
            "expected": self.case.sufficient,
            "sufficient": self.reply.sufficient if self.reply else None,
            "new_queries": self.reply.new_queries if self.reply else [],
            "not_asked_for": self.not_asked_for,
            "as_expected": self.is_as_expected,
        }


def read_cases(path: Path) -> list[SufficiencyCase]:
    """The cases of a file, in order. Raises `QuestionFileError` with the line and what is wrong there."""
    return read_json_lines(path, SufficiencyCase)


async def run_cases(
    model: BaseChatModel, cases: Sequence[SufficiencyCase], prompts: Prompts = PROMPT_FILES
) -> list[SufficiencyResult]:
    """Each case's verdict, one call of the model a case, one after the other."""
    return [SufficiencyResult(case, await _reply(model, case, prompts)) for case in cases]


async def _reply(model: BaseChatModel, case: SufficiencyCase, prompts: Prompts) -> Sufficiency | None:
    references = [reference.opened() for reference in case.references]
    try:
        return await verdict(
            model, case.question, case.shown(), references, searched=[case.question], prompts=prompts
        )
    except ModelError:
        return None
