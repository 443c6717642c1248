"""Multi-hop retrieval: search, judge what was found, search again for what is missing."""

import asyncio
from typing import Any

from rag.state import Followed, Judgement, Origin, Progress, Stage, State
from rag.strategies.base import RetrievalStrategy, standalone
from rag.strategies.gathered import Gathered
from rag.strategies.linked_pages import open_references
from rag.strategies.sufficiency import NextSearch, judge

MAX_HOPS = 3


class MultiHopStrategy(RetrievalStrategy):
    """At most three rounds of search, each judged over the original question and all pages so far.

    The first round searches the question itself and judges its pages while the model still writes
    sub-questions and those are searched; their pages join the second round, or the answer. What the best
    pages lead to is fetched within the round that found them: amendments, printed references by their page
    number, the page that points at the best one.
    A third round is not judged: no verdict could change the search any more.
    """

    async def execute(self, state: State) -> State:
        """Fill `questions`, `hops` (1 to 3), `followed` and `judgements`."""
        question = standalone(state)
        gathered = Gathered()
        sub_questions = asyncio.create_task(self.sub_questions(question))
        beside: list[asyncio.Task[Any]] = [sub_questions]
        try:
            await self._hop(gathered, question, NextSearch(tuple(self.own_queries(state))))
            # Both begin when the judge's prompt is made: what is found beside it is the next round's.
            beside.append(asyncio.create_task(self._search_beside(gathered, question, sub_questions)))
            wanted = await self._judge(gathered, question, hop=1)
            await beside[-1]
        finally:
            for task in beside:
                task.cancel()
        hops = await self._further_hops(gathered, question, wanted)
        return gathered.within(state, hops)

    async def _search_beside(
        self, gathered: Gathered, question: str, sub_questions: asyncio.Task[list[str]]
    ) -> None:
        """Search the sub-questions, once they are written, and follow what their pages point at."""
        found = await self.search(dict.fromkeys(await sub_questions, Origin.SUB_QUESTION), round=2)
        gathered.questions += found
        await self.follow(gathered, question, found, round=2)

    async def _further_hops(self, gathered: Gathered, question: str, wanted: NextSearch) -> int:
        """Search what the judge wants until it is satisfied or a hop brings nothing that it has not seen."""
        hop = 1
        while wanted:
            hop += 1
            await self._hop(gathered, question, wanted, hop)
            if hop == MAX_HOPS or not await self._has_brought_more(gathered, hop):
                break
            wanted = await self._judge(gathered, question, hop)
        return hop

    async def _has_brought_more(self, gathered: Gathered, hop: int) -> bool:
        """Whether the judge would be shown anything of a hop that it has not seen."""
        before = await gathered.shown(self.prompt_tokens, up_to=hop - 1)
        return await gathered.shown(self.prompt_tokens) != before

    async def _hop(self, gathered: Gathered, question: str, wanted: NextSearch, hop: int = 1) -> None:
        """One round: search, then follow what the found pages point at."""
        target = " · ".join([*wanted.queries, *(reference.target for reference in wanted.references)])
        self.report(Progress(Stage.SEARCHING, hop, target if hop > 1 else ""))
        origin = Origin.JUDGE if hop > 1 else Origin.ASKED
        found = await self.search(dict.fromkeys(wanted.queries, origin), hop, hop)
        if wanted.references:
            found += await asyncio.to_thread(self.fetch, wanted.references, question, hop, hop)
        gathered.questions += found
        await self.follow(gathered, question, found, hop, hop)

    async def _judge(self, gathered: Gathered, question: str, hop: int) -> NextSearch:
        if self.model is None:
            return NextSearch()
        self.report(Progress(Stage.JUDGING, hop))
        # Before anything is waited for: what is found meanwhile is the next round's.
        known, searched = gathered.known(), gathered.searched
        shown = await gathered.shown(self.prompt_tokens)
        references = open_references(shown.pages, known)
        wanted = await judge(self.model, question, shown, references, searched, hop=hop, prompts=self.prompts)
        leads = [Followed(origin=one.origin, target=one.target, hop=hop + 1) for one in wanted.references]
        queries = list(wanted.queries)
        gathered.judgements.append(
            Judgement(hop=hop, sufficient=wanted.sufficient, queries=queries, references=leads)
        )
        return wanted
