"""Multi-hop retrieval: search, judge what was found, search again for what is missing."""

import asyncio
from collections.abc import Mapping, Sequence

from rag.errors import ModelError
from rag.state import Judgement, Origin, Progress, Stage, State
from rag.strategies.base import Gathered, RetrievalStrategy, standalone
from rag.strategies.context import prompt_pages
from rag.strategies.linked_pages import Link, open_references
from rag.strategies.model_calls import Wanted, nearest, sub_questions, verdict, wanted_by

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
        gathered = Gathered(standalone(state))
        is_judging = asyncio.Event()
        beside = asyncio.create_task(self._search_beside(gathered, is_judging))
        try:
            await self._hop(gathered, self.own_queries(state), [])
            is_judging.set()
            wanted = await self._judge(gathered, hop=1)
            await beside
        finally:
            beside.cancel()
        hops = await self._further_hops(gathered, wanted)
        return gathered.within(state, hops)

    async def _search_beside(self, gathered: Gathered, is_judging: asyncio.Event) -> None:
        """Search the sub-questions, once they are written, and follow what their pages point at.

        That begins when the judge's prompt is made: what is found beside it is the next round's.
        """
        further = await sub_questions(self.model, gathered.question, self.languages, self.prompts)
        await is_judging.wait()
        found = await self.search(dict.fromkeys(further, Origin.SUB_QUESTION), round=2)
        gathered.questions += found
        await asyncio.to_thread(self.follow, gathered, found, round=2)

    async def _further_hops(self, gathered: Gathered, wanted: Wanted) -> int:
        """Search what the judge wants until it is satisfied or has seen all pages that a hop brings."""
        hop = 1
        while any(wanted):
            hop += 1
            queries, references = wanted
            await self._hop(gathered, dict.fromkeys(queries, Origin.JUDGE), references, hop)
            if hop == MAX_HOPS or gathered.known() == gathered.known(before=hop):
                break
            wanted = await self._judge(gathered, hop)
        return hop

    async def _hop(
        self, gathered: Gathered, queries: Mapping[str, Origin], references: Sequence[Link], hop: int = 1
    ) -> None:
        """One round: search, then follow what the found pages point at."""
        target = " · ".join([*queries, *(reference.target for reference in references)])
        self.report(Progress(Stage.SEARCHING, hop, target if hop > 1 else ""))
        found = await self.search(queries, hop, hop)
        found += await asyncio.to_thread(self.fetch, references, gathered.question, hop, hop)
        gathered.questions += found
        await asyncio.to_thread(self.follow, gathered, found, hop, hop)

    async def _judge(self, gathered: Gathered, hop: int) -> Wanted:
        """What the model misses in everything gathered.

        A model that fails counts as satisfied: the answer is then written from what there is.
        """
        if self.model is None:
            return [], []
        self.report(Progress(Stage.JUDGING, hop))
        # Before anything is waited for: what is found meanwhile is the next round's.
        known, questions = gathered.known(), list(gathered.questions)
        searched = [one.question for one in questions]
        # Beside the event loop: lines are compared with the question.
        shown = await asyncio.to_thread(prompt_pages, questions, self.prompt_tokens, is_last=False)
        references = nearest(gathered.question, open_references(shown.pages, known))
        try:
            reply = await verdict(
                self.model, gathered.question, shown, references, searched, hop, self.prompts
            )
        except ModelError:
            gathered.judgements.append(Judgement(hop=hop, sufficient=None))
            return [], []
        queries, links = wanted_by(reply, references, searched)
        leads = [link.followed(hop + 1) for link in links]
        gathered.judgements.append(
            Judgement(hop=hop, sufficient=reply.sufficient, queries=list(queries), references=leads)
        )
        return queries, links
