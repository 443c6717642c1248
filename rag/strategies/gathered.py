"""What a strategy has gathered so far: queries with their pages, references followed, and judgements."""

from dataclasses import dataclass, field

from rag.state import Followed, Judgement, Origin, PageId, Question, State
from rag.strategies.context import pages_of


@dataclass
class Gathered:
    """What the rounds of search so far have brought."""

    questions: list[Question] = field(default_factory=list)
    followed: list[Followed] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)

    def known(self, *, fetched: bool = False, before: int | None = None) -> set[PageId]:
        """Every page found so far; of those that were `fetched` alone, or shown `before` a round."""
        questions = [one for one in self.questions if before is None or one.round < before]
        if fetched:
            questions = [one for one in questions if one.origin is Origin.FOLLOWED]
        return {page.id for one in questions for page in pages_of(one).values()}

    def within(self, state: State, hops: int) -> State:
        """A state with all of it, after so many hops."""
        return {
            **state,
            "questions": self.questions,
            "hops": hops,
            "followed": self.followed,
            "judgements": self.judgements,
        }
