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
from rag.prompts import PROMPT_FILES, Prompts
from rag.state import Question, Sufficiency
from rag.strategies.context import prompt_pages
from rag.strategies.sufficiency import verdict


class CasePage(BaseModel):
    """A page as the model gets to see it."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    book: str
    page: str
    text: str = Field(min_length=1)

    def document(self) -> Document:
        """The page in the form in which a retriever returns one."""
        return FoundPage(text=self.text, book=self.book, label=self.page).document()


class Case(BaseModel):
    """A question, the pages found for it, and whether these suffice to answer it."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    question: str = Field(min_length=1)
    pages: list[CasePage]
    sufficient: bool


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What the model said about a case; None where it gave no usable reply."""

    case: Case
    reply: Sufficiency | None

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is the case's own."""
        return self.reply is not None and self.reply.sufficient == self.case.sufficient

    def to_json(self) -> dict[str, Any]:
        """The result for programs."""
        return {
            "id": self.case.id,
            "expected": self.case.sufficient,
            "sufficient": self.reply.sufficient if self.reply else None,
            "new_queries": self.reply.new_queries if self.reply else [],
            "as_expected": self.is_as_expected,
        }


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, in order. Raises `QuestionFileError` with the line and what is wrong there."""
    return read_json_lines(path, Case)


async def run_cases(
    model: BaseChatModel, cases: Sequence[Case], prompts: Prompts = PROMPT_FILES
) -> list[CaseResult]:
    """Each case's verdict, one call of the model a case, one after the other."""
    return [CaseResult(case, await _reply(model, case, prompts)) for case in cases]


async def _reply(model: BaseChatModel, case: Case, prompts: Prompts) -> Sufficiency | None:
    found = Question(question=case.question, context=[page.document() for page in case.pages])
    shown = prompt_pages([found], PROMPT_TOKENS)
    try:
        return await verdict(model, case.question, shown, searched=[case.question], prompts=prompts)
    except ModelError:
        return None
