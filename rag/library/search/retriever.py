"""The library as a LangChain retriever: passages are searched, their pages are returned."""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, InstanceOf

from rag.errors import ModelError, UnusableVectors
from rag.library.search.query import QueryReader
from rag.library.search.ranking.search import Search
from rag.models.embeddings import Vector, usable_vectors
from rag.state import PageId, SearchResult
from rag.texts import logged

log = logging.getLogger(__name__)


class ParentDocumentRetriever(BaseRetriever):
    """Finds the pages of the reader's books for a query; each page is one document, at most `k` of them.

    However many queries are searched at once, they make one embedding request and one vector query. Where
    nothing can be embedded, words alone decide.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

    queries: InstanceOf[QueryReader]
    search: InstanceOf[Search]
    embeddings: Embeddings | None

    async def asearch(self, texts: Sequence[str]) -> list[SearchResult]:
        """The pages for each query, in order, with what became of the pages it names."""
        queries = await asyncio.to_thread(self.queries.read, texts)
        vectors = await self._embedded(list(dict.fromkeys(text for query in queries for text in query.texts)))
        return await asyncio.to_thread(self.search.find, queries, vectors)

    def fetch(self, pages: Sequence[PageId]) -> list[Document]:
        """The pages with these identities, in order, as far as the reader may see them."""
        return self.search.fetch(pages)

    def mentioned(self, page: PageId, text: str) -> list[Document]:
        """The pages of its game with a heading that a passage of a page mentions, the rarest name first."""
        return self.search.mentioned(page, text)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        (found,) = asyncio.run(self.asearch([query]))
        return found.context

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        (found,) = await self.asearch([query])
        return found.context

    async def _embedded(self, texts: list[str]) -> Mapping[str, Vector]:
        if not texts or self.embeddings is None:
            return {}
        try:
            embedded = await self.embeddings.aembed_documents(texts)
            vectors = usable_vectors(texts, embedded, self.search.store.dimension)
        except Exception as error:
            return _words_alone(error)
        return dict(zip(texts, vectors, strict=True))


def _words_alone(error: Exception) -> Mapping[str, Vector]:
    """Whatever an embedding raises, the search goes on without meaning; a provider told its fault itself."""
    if isinstance(error, UnusableVectors):
        log.warning("searching by words alone: %s", logged(error))
        return {}
    level = logging.INFO if isinstance(error, ModelError) else logging.WARNING
    log.log(level, "the embedding model failed, searching by words alone: %s", type(error).__name__)
    return {}
