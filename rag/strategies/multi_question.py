"""Multi-question retrieval: one round of search with the question in several wordings."""

import asyncio

from rag.state import Origin, Progress, Stage, State
from rag.strategies.base import Gathered, RetrievalStrategy, standalone
from rag.strategies.model_calls import sub_questions


class MultiQuestionStrategy(RetrievalStrategy):
    """Searches the question and 3 to 5 sub-questions at once; the original is the first.

    What the best pages lead to is fetched, as in one hop of `MultiHopStrategy`.
    """

    async def execute(self, state: State) -> State:
        """Fill `questions`, each with the pages its own search found, and `followed`."""
        question = standalone(state)
        further = await sub_questions(self.model, question, self.languages, self.prompts)
        self.report(Progress(Stage.SEARCHING))
        found = await self.search(self.own_queries(state) | dict.fromkeys(further, Origin.SUB_QUESTION))
        gathered = Gathered(question, found)
        await asyncio.to_thread(self.follow, gathered, found)
        return gathered.within(state, hops=1)
