"""What every retrieval strategy is: a retriever, perhaps a chat model, and one method."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Protocol, runtime_checkable

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, RunnableLambda

from rag.config import PROMPT_TOKENS
from rag.library.books.found_page import FoundPage
from rag.library.language.follow_ups import says_what_is_asked
from rag.prompts import PROMPT_FILES, Prompts
from rag.state import (
    Followed,
    Judgement,
    Origin,
    PageId,
    Progress,
    Question,
    Report,
    SearchResult,
    Stage,
    State,
    unreported,
)
from rag.strategies.context import MOST_PAGES, merged_context, pages_of
from rag.strategies.linked_pages import (
    LONGEST_CHAIN,
    MENTIONED_AT_ONCE,
    PAGES_LOOKED_AT,
    Link,
    corrections,
    headings_mentioned,
    open_references,
    references_followed,
    referring_page,
    unique,
    with_passages,
)


@runtime_checkable
class PageRetriever(Protocol):
    """What the library's retriever can do beyond LangChain's."""

    async def asearch(self, texts: Sequence[str]) -> list[SearchResult]:
        """The pages for each query, with what became of the pages it names."""

    def fetch(self, pages: Sequence[PageId]) -> list[Document]:
        """The pages with these identities, in order, as far as the reader may see them; reads files."""

    def mentioned(self, page: PageId, text: str) -> list[Document]:
        """The pages of its game with a heading that a passage of a page mentions, the rarest name first."""


@dataclass
class Gathered:
    """What the rounds of search for a question have brought: queries, references followed, judgements."""

    question: str
    questions: list[Question] = field(default_factory=list)
    followed: list[Followed] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)

    def known(self, *, fetched: bool = False, before: int | None = None) -> set[PageId]:
        """Every page found so far; of those that were `fetched` alone, or shown `before` a round."""
        questions = [one for one in self.questions if not fetched or one.origin is Origin.FOLLOWED]
        shown = (one for one in questions if before is None or one.round < before)
        return {page.id for one in shown for page in pages_of(one).values()}

    def within(self, state: State, hops: int) -> State:
        """A state with all of it, after so many hops."""
        return {
            **state,
            "questions": self.questions,
            "hops": hops,
            "followed": self.followed,
            "judgements": self.judgements,
        }


@dataclass(eq=False)
class RetrievalStrategy(ABC):
    """Gathers pages for the standalone question of a state, with any retriever and chat model of LangChain's.

    After `execute`, `questions` holds at least one `Question`, and at least one of them pages,
    wherever the retriever's library has a readable page. Without a model nothing is expanded or judged.
    `languages` are those of the books (ISO 639-1), `report` hears of each step, `prompts` are what the model
    is asked, `prompt_tokens` how many tokens of pages a prompt may hold.
    """

    retriever: BaseRetriever
    model: BaseChatModel | None = None
    _: KW_ONLY
    languages: Sequence[str] = ("en",)
    report: Report = unreported
    prompts: Prompts = field(default_factory=lambda: PROMPT_FILES)
    prompt_tokens: int = PROMPT_TOKENS

    @abstractmethod
    async def execute(self, state: State) -> State:
        """Return the state with `questions`, `hops` and `followed` set."""

    async def search(self, queries: Mapping[str, Origin], hop: int = 1, round: int = 1) -> list[Question]:
        """Search all queries in one batch, each told who asked it; each keeps the pages its search found."""
        if not queries:
            return []
        # One run of the whole batch in a trace: a retriever that batches by itself reports none.
        run: RunnableConfig = {"run_name": "search", "metadata": {"hop": hop}}
        results = await RunnableLambda(self._results).ainvoke(list(queries), run)
        return [
            Question(**dict(result), question=query, origin=origin, hop=hop, round=round)
            for (query, origin), result in zip(queries.items(), results, strict=True)
        ]

    async def _results(self, queries: list[str]) -> list[SearchResult]:
        if isinstance(self.retriever, PageRetriever):
            return await self.retriever.asearch(queries)
        return [SearchResult(context=pages) for pages in await self.retriever.abatch(queries)]

    def follow(self, gathered: Gathered, found: Sequence[Question], hop: int = 1, round: int = 1) -> None:
        """Fetch what the best pages of a search lead to: exact look-ups, nothing is embedded.

        These are corrections, a table's own rules above all, printed references by their page number, pages
        with a heading that a passage mentions, and the page that points at the best one. It reads files: not
        for the event loop.
        """
        best = merged_context(found, PAGES_LOOKED_AT)
        shown = merged_context(found, MOST_PAGES)
        pages, opened = best, list[FoundPage]()
        named = frozenset[PageId]().union(*(one.named for one in gathered.questions))
        known = {page.id for page in best} | gathered.known(fetched=True)
        for _ in range(LONGEST_CHAIN):
            references = references_followed(open_references(best, known, opened))
            links = unique([*corrections(pages, shown, known, named), *references])
            if not links:
                break
            self.report(Progress(Stage.FOLLOWING, hop, " · ".join(link.target for link in links)))
            fetched = self.fetch(links, gathered.question, hop, round)
            known.update(page for link in links for page in link.pages)
            gathered.questions += fetched
            pages = [page for one in fetched for page in pages_of(one).values()]
            opened += pages
            reached = {page.id for page in pages}
            gathered.followed += [link.followed(hop) for link in links if reached & {*link.pages}]
        mentioned = self._mentioned(best, opened, known)
        gathered.questions += self.fetch(mentioned, gathered.question, hop, round)
        known |= gathered.known()
        referring = referring_page(best, known)
        gathered.questions += self.fetch(referring, gathered.question, hop, round)

    def _mentioned(
        self, best: Sequence[FoundPage], opened: Sequence[FoundPage], known: Collection[PageId]
    ) -> list[Link]:
        """The ways on from where no reference leads on, to pages with a heading that the passage mentions."""
        if not isinstance(self.retriever, PageRetriever):
            return []
        links: list[Link] = []
        for page, text in headings_mentioned(best, opened):
            found = map(FoundPage.of, self.retriever.mentioned(page.id, text))
            ways = [Link(page.place, other.place, (other.id,), about=text) for other in found]
            links += [way for way in ways if way.is_new(known)]
        return unique(links)[:MENTIONED_AT_ONCE]

    def fetch(self, links: Sequence[Link], question: str, hop: int = 1, round: int = 1) -> list[Question]:
        """The pages that links lead to, a question a link; none of a retriever that only searches.

        It reads files and looks through whole pages: not for the event loop.
        """
        wanted = {link.pages: link for link in links if link.pages}
        if not wanted or not isinstance(self.retriever, PageRetriever):
            return []
        ids = list(dict.fromkeys(page for pages in wanted for page in pages))
        known = {page.id: page for page in map(FoundPage.of, self.retriever.fetch(ids))}
        return [
            Question(
                question=link.target,
                context=[
                    with_passages(known[page], link, question).document() for page in pages if page in known
                ],
                origin=Origin.FOLLOWED,
                hop=hop,
                round=round,
            )
            for pages, link in wanted.items()
        ]

    def own_queries(self, state: State) -> dict[str, Origin]:
        """The standalone question; without a model to make it one, the asker's own words beside it.

        But not where these lean on the question before: what "and at level 4?" finds alone is anything.
        Nobody writes sub-questions then: those are the two parts of one like "a mace or a sword?", or who is
        asked about in one like "may a thief swim?".
        """
        question, asked = standalone(state), state["question"]
        own = [question]
        if not self.model and question != asked and says_what_is_asked(asked):
            own = [asked, question]
        return dict.fromkeys(own, Origin.ASKED) | dict.fromkeys(state.get("parts", []), Origin.SUB_QUESTION)


def standalone(state: State) -> str:
    """The question to search for: the rewritten one, or as it was asked where nobody rewrote it."""
    return state.get("standalone_question") or state["question"]
