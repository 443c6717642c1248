"""Multi-hop retrieval: search, judge what was found, search again for what is missing."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.documents import Document

from rag.context import merged_context, page_key, place
from rag.progress import Progress, Stage
from rag.state import Followed, Question, State, Sufficiency
from rag.strategies.base import RetrievalStrategy
from rag.strategies.following import (
    FOLLOWED_PER_SEARCH,
    LONGEST_CHAIN,
    PAGES_LOOKED_AT,
    Link,
    amendments,
    continuations,
    open_references,
    referring,
    worth_following,
)
from rag.strategies.sub_questions import sub_questions
from rag.strategies.sufficiency import judge

MAX_HOPS = 3
PAGES_JUDGED = 12
PAGES_OF_A_RANGE = 2
"""Of a reference to pp. 5–10 the first pages come along; the rest would fill the context alone."""


@dataclass
class Gathered:
    """What the hops so far have brought."""

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
            await self._hop(gathered, question, self.own_queries(state), hop=1)
            verdict = await self._judge(gathered, question, hop=1)
            gathered.add(await self.search(await sub_questions))
        finally:
            sub_questions.cancel()
        hops = await self._further_hops(gathered, question, verdict)
        return {**state, "questions": gathered.questions, "hops": hops, "followed": gathered.followed}

    async def _further_hops(self, gathered: Gathered, question: str, verdict: Sufficiency) -> int:
        """Search what verdicts ask for until one is satisfied or a hop brings nothing new."""
        hop = 1
        while not verdict.sufficient and hop < MAX_HOPS:
            hop += 1
            if not await self._hop(gathered, question, verdict.new_queries, hop):
                break
            if hop < MAX_HOPS:
                verdict = await self._judge(gathered, question, hop)
        return hop

    async def _hop(self, gathered: Gathered, question: str, queries: Sequence[str], hop: int) -> bool:
        """One round: search, then follow what the found pages point at. Whether a page was new."""
        self.report(Progress(Stage.SEARCHING, hop, " · ".join(queries) if hop > 1 else ""))
        found = await self.search(queries, hop)
        brought_new = gathered.add(found)
        best = merged_context(found, PAGES_LOOKED_AT)
        return await self._follow(gathered, question, best, hop) or brought_new

    async def _follow(self, gathered: Gathered, question: str, best: Sequence[Document], hop: int) -> bool:
        """Fetch what the best pages of a round lead to: exact look-ups, nothing is embedded."""
        brought_new = False
        pages, limit = best, FOLLOWED_PER_SEARCH
        known = {place(page) for page in best} | set(gathered.searched)
        for _ in range(LONGEST_CHAIN):
            references = worth_following(open_references(question, pages, known), limit)
            links = [*amendments(pages, known), *references]
            if not links:
                break
            self.report(Progress(Stage.FOLLOWING, hop, " · ".join(link.target for link in links)))
            gathered.followed += [Followed(origin=link.origin, target=link.target) for link in links]
            known |= {link.target for link in links}
            fetched = await self._fetch(links, hop)
            brought_new = gathered.add(fetched) or brought_new
            pages, limit = [page for question in fetched for page in question.context], 1
        known |= gathered.known_places()
        beside = [*continuations(best, known), *referring(best, known)]
        return gathered.add(await self._fetch(beside, hop)) or brought_new

    async def _fetch(self, links: Sequence[Link], hop: int) -> list[Question]:
        queries = list(dict.fromkeys(link.query for link in links if link.query))
        fetched = await self.search(queries, hop, fetched=True)
        return [
            question.model_copy(update={"context": question.context[:PAGES_OF_A_RANGE]})
            for question in fetched
        ]

    async def _judge(self, gathered: Gathered, question: str, hop: int) -> Sufficiency:
        if self.model is None:
            return Sufficiency(sufficient=True)
        self.report(Progress(Stage.JUDGING, hop))
        pages = gathered.pages()
        references = open_references(question, pages, gathered.known_places())
        return await judge(
            self.model, question, pages, references, gathered.searched, hop=hop, prompts=self.prompts
        )

    async def _sub_questions(self, question: str) -> list[str]:
        if self.model is None:
            return []
        return await sub_questions(self.model, question, self.languages, self.prompts)
