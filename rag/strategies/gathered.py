"""What a strategy has gathered so far: queries with their pages, and the references followed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rag.library.books.found_page import FoundPage
from rag.state import Followed, PageId, Question
from rag.strategies.context import merged_context, pages_of

PAGES_JUDGED = 12


@dataclass
class Gathered:
    """What the rounds of search so far have brought."""

    questions: list[Question] = field(default_factory=list)
    followed: list[Followed] = field(default_factory=list)

    @property
    def searched(self) -> list[str]:
        """Every query that was searched, and what was fetched."""
        return [question.question for question in self.questions]

    @property
    def named(self) -> frozenset[PageId]:
        """The pages that any of the questions names."""
        return frozenset().union(*(question.named for question in self.questions))

    def pages(self) -> list[FoundPage]:
        """All pages, each once, best first."""
        return merged_context(self.questions, PAGES_JUDGED)

    def known(self, *, fetched: bool = False) -> set[PageId]:
        """Every page found so far; of those that were `fetched` alone."""
        questions = [question for question in self.questions if question.is_fetch or not fetched]
        return {page.id for question in questions for page in pages_of(question).values()}

    def add(self, questions: Sequence[Question]) -> bool:
        """Take in the results of a search; whether they hold a page that was not known."""
        known = {key for question in self.questions for key in pages_of(question)}
        self.questions += questions
        return any(key not in known for question in questions for key in pages_of(question))
