"""What every retrieval strategy is: a retriever, perhaps a chat model, and one method."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, RunnableLambda

from rag.progress import Report, unreported
from rag.prompts import PROMPT_FILES, Prompts
from rag.state import Question, State


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

    def own_queries(self, state: State) -> list[str]:
        """The standalone question; without a model to make it one, the asker's own words beside it."""
        standalone, asked = state["standalone_question"], state["question"]
        return [standalone] if self.model or standalone == asked else [asked, standalone]


def _unnamed(page: Document) -> Document:
    metadata = {**page.metadata, "named": False}
    return page.model_copy(update={"metadata": metadata}) if page.metadata.get("named") else page
