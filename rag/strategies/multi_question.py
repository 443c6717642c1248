"""Multi-question retrieval: one round of search with the question in several wordings."""

from rag.state import Progress, Stage, State
from rag.strategies.base import RetrievalStrategy
from rag.strategies.context import merged_context
from rag.strategies.gathered import Gathered
from rag.strategies.linked_pages import PAGES_LOOKED_AT
from rag.strategies.sub_questions import sub_questions


class MultiQuestionStrategy(RetrievalStrategy):
    """Searches the question and 3 to 5 sub-questions at once; the original is the first.

    What the best pages lead to is fetched, as in one hop of `MultiHopStrategy`.
    """

    async def execute(self, state: State) -> State:
        """Fill `questions`, each with the pages its own search found, and `followed`."""
        queries = self.own_queries(state)
        if self.model is not None:
            queries += await sub_questions(self.model, queries[0], self.languages, self.prompts)
        self.report(Progress(Stage.SEARCHING))
        gathered = Gathered(await self.search(queries))
        await self.follow(gathered, queries[0], merged_context(gathered.questions, PAGES_LOOKED_AT))
        return {**state, "questions": gathered.questions, "hops": 1, "followed": gathered.followed}
