"""`python -m rag prompts test sufficiency`: the sufficiency prompt alone, on cases whose verdict is known."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import Field

from rag.config import PROMPT_TOKENS
from rag.errors import ModelError
from rag.evaluation.questions import LineRecord
from rag.library.books.found_page import FoundPage
from rag.prompts import PROMPT_FILES, Prompts
from rag.state import PageId, Question
from rag.strategies.context import prompt_pages
from rag.strategies.linked_pages import Link
from rag.strategies.model_calls import verdict


class CasePage(LineRecord):
    """A page as the model gets to see it."""

    book: str
    page: str
    text: str = Field(min_length=1)


class CaseReference(LineRecord):
    """A reference printed on a case's page and not followed yet: how it reads, where, and where it leads."""

    text: str
    origin: str
    target: str
    in_library: bool = True


class SufficiencyCase(LineRecord):
    """A question, the pages found for it with what they refer to, and whether these suffice to answer it."""

    id: str
    question: str = Field(min_length=1)
    pages: list[CasePage]
    sufficient: bool
    references: list[CaseReference] = Field(default_factory=list)


async def verdict_on(
    case: SufficiencyCase, model: BaseChatModel, prompts: Prompts = PROMPT_FILES
) -> dict[str, Any]:
    """What a model says of a case, for programs; it is as expected where the verdict is the case's own.

    A model that gives no usable reply says nothing, which is never as expected.
    """
    found = [FoundPage(text=one.text, book=one.book, label=one.page).document() for one in case.pages]
    shown = prompt_pages([Question(question=case.question, context=found)], PROMPT_TOKENS)
    references = [
        Link(one.origin, one.target, (PageId(one.target, 1),) if one.in_library else (), text=one.text)
        for one in case.references
    ]
    try:
        reply = await verdict(model, case.question, shown, references, [case.question], 1, prompts)
    except ModelError:
        reply = None
    return {
        "id": case.id,
        "expected": case.sufficient,
        "sufficient": reply and reply.sufficient,
        "new_queries": reply.new_queries if reply else [],
        "as_expected": reply is not None and reply.sufficient == case.sufficient,
    }
