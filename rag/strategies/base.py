"""What every retrieval strategy is: a retriever, perhaps a chat model, and one method."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, RunnableLambda

from rag.prompts import PROMPT_FILES, Prompts
from rag.state import Followed, Progress, Question, Report, Stage, State, unreported
from rag.strategies.context import place
from rag.strategies.gathered import Gathered
from rag.strategies.linked_pages import (
    FOLLOWED_PER_SEARCH,
    LONGEST_CHAIN,
    Link,
    amendments,
    continuations,
    open_references,
    referring,
    worth_following,
)

PAGES_OF_A_RANGE = 2
"""Of a reference to pp. 5–10 the first pages come along; the rest would fill the context alone."""


class RetrievalStrategy(ABC):
    """Gathers pages for the standalone question of a state.

    After `execute`, `questions` holds at least one `Question`, and at least one of them pages,
    wherever the retriever's library has a readable page.
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        model: BaseChatModel | None = None,
        *,
        languages: Sequence[str] = ("en",),
        report: Report = unreported,
        prompts: Prompts = PROMPT_FILES,
    ) -> None:
        """Take any retriever and chat model of LangChain's.

        Without a model nothing is expanded or judged. `languages` are those of the books (ISO 639-1),
        `report` hears of each step, `prompts` are what the model is asked.
        """
        self.retriever = retriever
        self.model = model
        self.languages = languages
        self.report = report
        self.prompts = prompts

    @abstractmethod
    async def execute(self, state: State) -> State:
        """Return the state with `questions`, `hops` and `followed` set."""

    async def search(self, queries: Sequence[str], hop: int = 1, *, fetched: bool = False) -> list[Question]:
        """Search all queries in one batch; each keeps the pages its own search found.

        Pages `fetched` because others lead to them are not what the question names.
        """
        if not queries:
            return []
        run: RunnableConfig = {"run_name": "search", "metadata": {"hop": hop, "fetched": fetched}}
        # One run of the whole batch in a trace: a retriever that batches by itself reports none.
        found = await RunnableLambda(self.retriever.abatch).ainvoke(list(queries), run)
        if fetched:
            found = [[_unnamed(page) for page in pages] for pages in found]
        return [
            Question(question=query, context=pages, hop=hop, fetched=fetched)
            for query, pages in zip(queries, found, strict=True)
        ]

    async def follow(self, gathered: Gathered, question: str, best: Sequence[Document], hop: int = 1) -> bool:
        """Fetch what the best pages of a round lead to: exact look-ups, nothing is embedded.

        Amendments, printed references by their page number, the next page of a sentence that runs on,
        the page that points at the best one. Returns whether a page was new.
        """
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

    def own_queries(self, state: State) -> list[str]:
        """The standalone question; without a model to make it one, the asker's own words beside it."""
        standalone, asked = state["standalone_question"], state["question"]
        return [standalone] if self.model or standalone == asked else [asked, standalone]


def _unnamed(page: Document) -> Document:
    metadata = {**page.metadata, "named": False}
    return page.model_copy(update={"metadata": metadata}) if page.metadata.get("named") else page
