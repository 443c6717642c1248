"""What a strategy has gathered so far: queries with their pages, and the references followed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.documents import Document

from rag.state import Followed, Question
from rag.strategies.context import merged_context, page_key, place

PAGES_JUDGED = 12


@dataclass
class Gathered:
    """What the rounds of search so far have brought."""

    questions: list[Question] = field(default_factory=list)
    followed: list[Followed] = field(default_factory=list)

    @property
    def searched(self) -> list[str]:
        """Every query that was searched or fetched."""
        return [question.question for question in self.questions]

    def pages(self) -> list[Document]:
        """All pages, each once, best first."""
        return merged_context(self.questions, PAGES_JUDGED)

    def known_places(self) -> set[str]:
        """Book and printed number of every page found, and every reference followed."""
        found = {place(page) for question in self.questions for page in question.context}
        return found | set(self.searched)

    def add(self, questions: Sequence[Question]) -> bool:
        """Take in the results of a search; whether they hold a page that was not known."""
        known = {page_key(page) for question in self.questions for page in question.context}
        self.questions += questions
        return any(page_key(page) not in known for question in questions for page in question.context)
