"""What a strategy has gathered so far: queries with their pages, references followed, and judgements."""

import asyncio
from dataclasses import dataclass, field

from rag.state import Followed, Judgement, Origin, PageId, Question, State
from rag.strategies.context import PromptPages, pages_of, prompt_pages


@dataclass
class Gathered:
    """What the rounds of search so far have brought."""

    questions: list[Question] = field(default_factory=list)
    followed: list[Followed] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)

    def within(self, state: State, hops: int) -> State:
        """A state with all of it, after so many hops."""
        return {
            **state,
            "questions": self.questions,
            "hops": hops,
            "followed": self.followed,
            "judgements": self.judgements,
        }

    @property
    def searched(self) -> list[str]:
        """Every query that was searched, and what was fetched."""
        return [question.question for question in self.questions]

    @property
    def named(self) -> frozenset[PageId]:
        """The pages that any of the questions names."""
        return frozenset().union(*(question.named for question in self.questions))

    def known(self, *, fetched: bool = False) -> set[PageId]:
        """Every page found so far; of those that were `fetched` alone."""
        questions = [
            question for question in self.questions if question.origin is Origin.FOLLOWED or not fetched
        ]
        return {page.id for question in questions for page in pages_of(question).values()}

    async def shown(self, tokens: int, up_to: int | None = None) -> PromptPages:
        """What a judge is shown of all pages found until now, or of those of the rounds up to one."""
        questions = [one for one in self.questions if up_to is None or one.round <= up_to]
        # Beside the event loop: lines are compared with the question.
        return await asyncio.to_thread(prompt_pages, questions, tokens, is_last=False)
