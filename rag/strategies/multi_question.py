"""Multi-question retrieval: one round of search with the question in several wordings."""

from rag.progress import Progress, Stage
from rag.state import State
from rag.strategies.base import RetrievalStrategy
from rag.strategies.sub_questions import sub_questions


class MultiQuestionStrategy(RetrievalStrategy):
    """Searches the question and 3 to 5 sub-questions at once; the original is the first."""

    async def execute(self, state: State) -> State:
        """Fill `questions`, each with the pages its own search found."""
        queries = self.own_queries(state)
        if self.model is not None:
            queries += await sub_questions(self.model, queries[0], self.languages, self.prompts)
        self.report(Progress(Stage.SEARCHING))
        questions = await self.search(queries)
        return {**state, "questions": questions, "hops": 1, "followed": []}
