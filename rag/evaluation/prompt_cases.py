"""What the cases of `python -m rag prompts test` have in common: a question and pages for it."""

from langchain_core.documents import Document
from pydantic import BaseModel, ConfigDict, Field

from rag.config import PROMPT_TOKENS
from rag.library.books.found_page import FoundPage
from rag.state import Question
from rag.strategies.context import PromptPages, prompt_pages


class CasePage(BaseModel):
    """A page as the model gets to see it."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    book: str
    page: str
    text: str = Field(min_length=1)

    def document(self) -> Document:
        """The page in the form in which a retriever returns one."""
        return FoundPage(text=self.text, book=self.book, label=self.page).document()


class PromptCase(BaseModel):
    """A question and the pages found for it."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    question: str = Field(min_length=1)
    pages: list[CasePage]

    def shown(self) -> PromptPages:
        """The pages as numbered lines."""
        found = Question(question=self.question, context=[page.document() for page in self.pages])
        return prompt_pages([found], PROMPT_TOKENS)
