"""`python -m rag prompts test sufficiency`: the sufficiency prompt alone, on cases whose verdict is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, ConfigDict, Field

from rag.config import PROMPT_TOKENS
from rag.errors import ModelError
from rag.evaluation.questions import read_json_lines
from rag.library.books.found_page import FoundPage
from rag.library.language.words import content_words
from rag.prompts import PROMPT_FILES, Prompts
from rag.state import PageId, Question, Sufficiency
from rag.strategies.context import prompt_pages
from rag.strategies.linked_pages import OpenReference
from rag.strategies.sufficiency import verdict

LANGUAGE = "en"
"""Of the queries that are compared: its function words do not count."""


class CaseRecord(BaseModel):
    """A part of a case; numbers may stand for texts."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)


class CasePage(CaseRecord):
    """A page as the model gets to see it."""

    book: str
    page: str
    text: str = Field(min_length=1)


class CaseReference(CaseRecord):
    """A reference printed on a case's page and not followed yet: how it reads, where, and where it leads."""

    text: str
    origin: str
    target: str
    in_library: bool = True


class SufficiencyCase(CaseRecord):
    """A question, the pages found for it, and whether these suffice to answer it.

    `new_queries` are what must be searched next (not compared where left out), `references` what the pages
    refer to.
    """

    id: str
    question: str = Field(min_length=1)
    pages: list[CasePage]
    sufficient: bool
    new_queries: list[str] | None = None
    references: list[CaseReference] = Field(default_factory=list)

    async def judged(self, model: BaseChatModel, prompts: Prompts) -> Sufficiency | None:
        """What a model says of it; None where it gives no usable reply."""
        found = [FoundPage(text=one.text, book=one.book, label=one.page).document() for one in self.pages]
        shown = prompt_pages([Question(question=self.question, context=found)], PROMPT_TOKENS)
        references = [
            OpenReference(
                one.origin, one.target, (PageId(one.target, 1),) if one.in_library else (), text=one.text
            )
            for one in self.references
        ]
        try:
            return await verdict(
                model, self.question, shown, references, searched=[self.question], prompts=prompts
            )
        except ModelError:
            return None


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
    def new_queries(self) -> list[str]:
        """What the model would search next."""
        return self.reply.new_queries if self.reply else []

    @property
    def not_asked_for(self) -> list[str]:
        """The expected queries of which no query of the reply holds every word of content."""
        asked = [set(content_words(query, LANGUAGE)) for query in self.new_queries]
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
            "new_queries": self.new_queries,
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
    return [SufficiencyResult(case, await case.judged(model, prompts)) for case in cases]
