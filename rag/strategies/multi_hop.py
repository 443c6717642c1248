"""Multi-hop retrieval: search, judge what was found, search again for what is missing."""

import asyncio

from rag.state import Progress, Stage, State
from rag.strategies.base import RetrievalStrategy
from rag.strategies.context import merged_context
from rag.strategies.gathered import Gathered
from rag.strategies.linked_pages import PAGES_LOOKED_AT, open_references
from rag.strategies.sub_questions import sub_questions
from rag.strategies.sufficiency import NextSearch, judge

MAX_HOPS = 3


class MultiHopStrategy(RetrievalStrategy):
    """At most three rounds of search, each judged over the original question and all pages so far.

    The first round searches the question itself and judges its pages while the model still writes
    sub-questions; their pages join before the second round, or before the answer. What the best pages
    lead to is fetched within the round that found them: amendments, printed references by their page
    number, the next page of a sentence that runs on, the page that points at the best one.
    A third round is not judged: no verdict could change the search any more.
    """

    async def execute(self, state: State) -> State:
        """Fill `questions`, `hops` (1 to 3) and `followed`."""
        question = state["standalone_question"]
        gathered = Gathered()
        sub_questions = asyncio.create_task(self._sub_questions(question))
        try:
            await self._hop(gathered, question, NextSearch(tuple(self.own_queries(state))), hop=1)
            wanted = await self._judge(gathered, question, hop=1)
            gathered.add(await self.search(await sub_questions))
        finally:
            sub_questions.cancel()
        hops = await self._further_hops(gathered, question, wanted)
        return {**state, "questions": gathered.questions, "hops": hops, "followed": gathered.followed}

    async def _further_hops(self, gathered: Gathered, question: str, wanted: NextSearch) -> int:
        """Search what the judge wants until it is satisfied or a hop brings nothing new."""
        hop = 1
        while wanted and hop < MAX_HOPS:
            hop += 1
            if not await self._hop(gathered, question, wanted, hop):
                break
            if hop < MAX_HOPS:
                wanted = await self._judge(gathered, question, hop)
        return hop

    async def _hop(self, gathered: Gathered, question: str, wanted: NextSearch, hop: int) -> bool:
        """One round: search, then follow what the found pages point at. Whether a page was new."""
        target = " · ".join([*wanted.queries, *(reference.target for reference in wanted.references)])
        self.report(Progress(Stage.SEARCHING, hop, target if hop > 1 else ""))
        found = await self.search(wanted.queries, hop) + await self.fetch(wanted.references, hop)
        brought_new = gathered.add(found)
        best = merged_context(found, PAGES_LOOKED_AT)
        return await self.follow(gathered, question, best, hop) or brought_new

    async def _judge(self, gathered: Gathered, question: str, hop: int) -> NextSearch:
        if self.model is None:
            return NextSearch()
        self.report(Progress(Stage.JUDGING, hop))
        pages = gathered.pages()
        references = open_references(question, pages, gathered.known())
        return await judge(
            self.model, question, pages, references, gathered.searched, hop=hop, prompts=self.prompts
        )

    async def _sub_questions(self, question: str) -> list[str]:
        if self.model is None:
            return []
        return await sub_questions(self.model, question, self.languages, self.prompts)
