"""The graph rewrite → strategy → generate, and `ask()`, by which questions enter it."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self
from weakref import WeakValueDictionary

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from rag.config import PROMPT_TOKENS, Audience, Settings, StrategyName
from rag.errors import ModelError, NothingAsked, RulesError, Thanked, UnknownWord
from rag.library.books.book import IsSeen, name_of_work
from rag.library.books.house_rules import are_house_rules
from rag.library.books.ruling import Ruling
from rag.library.language.follow_ups import points_back
from rag.library.language.words import says_thanks, words
from rag.library.library import Library
from rag.library.questions.parts import parts_of
from rag.library.questions.things import doer_asked, thing_named, things_named
from rag.library.quotations.closest_passages import PARTS, closest_passages
from rag.library.search.query import Conversation, QueryReader
from rag.library.search.rulings import Likeness
from rag.memory import NewestCheckpointSaver
from rag.models.chat import for_one_question, under_name
from rag.models.embeddings import EmbeddingModel
from rag.models.usage import Meter, PromptCut
from rag.nodes.citations import places_elsewhere
from rag.nodes.generate import (
    AnswerRequest,
    games_answered_from,
    pages_of_taken_games,
    with_absent_pages,
    written_answer,
)
from rag.nodes.rewrite import HISTORY_WINDOW, asks_anything, goes_on, leans, quoted_by, standalone_question
from rag.prompts import PROMPT_FILES, Prompts
from rag.state import AnswerWithSources, Exchange, Outcome, Progress, Reply, Stage, State, Stated, Usage
from rag.strategies.base import RetrievalStrategy, standalone
from rag.strategies.context import PromptPages, merged_context, prompt_pages
from rag.strategies.multi_hop import MultiHopStrategy
from rag.strategies.multi_question import MultiQuestionStrategy
from rag.texts import locale_for, texts_for

log = logging.getLogger(__name__)

PAGES_ANSWERED_FROM = 12
LONGEST_QUESTION = 4_000
"""Characters of a question that are read; the answer says where it was longer."""


@dataclass(frozen=True)
class Asked:
    """What belongs to one question beside its words: in which books, how, who reads, in which language.

    Without a model it is answered by quotation, and no provider is asked for anything.
    """

    library: Library
    model: BaseChatModel | None
    strategy: str
    reader: Audience
    book: str | None
    rulings: Sequence[Ruling]
    locale: str | None
    is_cut: bool = False
    language: str = "en"

    def begun(self, question: str, earlier: Sequence[str]) -> "Asked":
        """With the language of our sentences told, and the model's time for a question running.

        The first time it reads files. Raises `NothingAsked`, `UnknownBook` and `EmptyLibrary`.
        """
        if not (self.queries.asks_something(question) or leans(question, earlier)):
            if unheard := self.queries.unheard(question):
                raise UnknownWord(word=unheard[0])
            raise Thanked if says_thanks(question) else NothingAsked
        language = self.library.question_language(question, self.reader, earlier)
        locale = locale_for(self.locale or language)
        return replace(self, locale=locale, language=language, model=for_one_question(self.model))

    @property
    def queries(self) -> QueryReader:
        """What understands questions by the books that are asked."""
        return self.library.queries(self.reader, self.book)

    def doers_of(self, question: str) -> list[str]:
        """Who is asked about, whose own section is searched as well."""
        return doer_asked(question, self.queries.explains)

    def parts_of(self, question: str) -> list[str]:
        """The two questions in one, of each of two books that it names or what it asks for; else the doer."""
        named = self.queries.named_books(question)
        if len(named.works) != PARTS:
            return parts_of(question, self.queries.explains) or self.doers_of(question)
        works = [[book for book in self.queries.books if book.file in work] for work in named.works]
        return [f"{name_of_work(books)}: {named.rest}" for books in works]

    def retriever(self, conversation: Conversation) -> BaseRetriever:
        """The books as a conversation means them."""
        return self.library.retriever(
            self.reader,
            self.book,
            PAGES_ANSWERED_FROM,
            without_provider=self.model is None,
            conversation=conversation,
            rulings=self.rulings,
        )


STRATEGIES: dict[str, Callable[..., RetrievalStrategy]] = {
    StrategyName.MULTI_HOP: MultiHopStrategy,
    StrategyName.MULTI_QUESTION: MultiQuestionStrategy,
}
"""The strategy factory: a further strategy needs its name and a line here."""


def _conversation(state: State, asked: Asked) -> Conversation:
    """What was spoken of before a question: of what the last answer is, else what the last question names."""
    history = state.get("history", [])
    about = state.get("about") or [
        name for pair in history[-1:] for name in asked.queries.named_books(pair["question"]).names
    ]
    said, question = state["question"], standalone(state)
    new = thing_named(said) if said != question and not points_back(said) else ""
    return Conversation(tuple(about), goes_on(said, question, history), new)


def _now_about(state: State, asked: Asked, answer: AnswerWithSources) -> list[str]:
    """What the conversation is about after an answer: what the question names, else the game it is from.

    A question that goes on leaves it at that, and so does one to which nothing was found.
    """
    if named := asked.queries.named_books(standalone(state)).names:
        return list(named)
    before = _conversation(state, asked)
    quoted = {name for source in answer.sources for name in (source.file, source.game or source.book)}
    stays = not quoted or (before.goes_on and quoted & {*before.about})
    return list(before.about) if stays else answer.games[:1]


class RulesGraph:
    """Answers rules questions and remembers conversations; one for the whole process."""

    def __init__(
        self,
        library: Library,
        model: BaseChatModel | None,
        embedding: EmbeddingModel,
        memory: NewestCheckpointSaver | None = None,
        new_meter: Callable[[], Meter] = Meter,
        prompts: Prompts = PROMPT_FILES,
        prompt_tokens: int = PROMPT_TOKENS,
        support_model: str | None = None,
    ) -> None:
        """Take the library, the chat model (None: answers are quotations), the embedding and the memory.

        `new_meter` makes the meter of each question, with its bounds; `prompts` are what the model is asked;
        `support_model` names another model of the server for the second look.
        """
        self._library = library
        self._model = model
        self._likeness = Likeness(embedding)
        self._memory = memory or NewestCheckpointSaver()
        self._new_meter = new_meter
        self._prompts = prompts
        self.prompt_tokens = prompt_tokens
        self._support_model = support_model
        self._has_told_cut = False
        # The bot queues questions by arrival; this keeps a conversation whole, whoever calls.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        graph = StateGraph(State, context_schema=Asked)
        nodes = [("rewrite", self._rewrite), ("strategy", self._gather), ("generate", self._generate)]
        graph.add_edge(START, "rewrite").add_sequence(nodes).add_edge("generate", END)
        self._graph = graph.compile(checkpointer=self._memory)

    @classmethod
    def of(
        cls,
        settings: Settings,
        library: Library,
        model: BaseChatModel | None,
        embedding: EmbeddingModel,
        prompts: Prompts,
    ) -> Self:
        """The graph that the settings ask for, with its own memory."""
        memory = NewestCheckpointSaver(settings.thread_idle_days, settings.threads_kept)
        tokens, support_model = settings.prompt_tokens, settings.support_model
        meter = partial(Meter, settings)
        return cls(library, model, embedding, memory, meter, prompts, tokens, support_model)

    async def ask(
        self,
        question: str,
        thread: str | None = None,
        *,
        strategy: str = StrategyName.MULTI_HOP,
        reader: Audience = "player",
        is_seen: IsSeen | None = None,
        book: str | None = None,
        locale: str | None = None,
        history: Sequence[Exchange] | None = None,
        with_model: bool = True,
        book_only: bool = False,
        rulings: Sequence[Ruling] = (),
    ) -> AsyncIterator[Progress | Stated | Reply]:
        """Yield the steps as they begin, the statements as they are verified, then the reply.

        `thread` is a LangGraph thread id; without one the question stands for itself. Questions of
        one thread are answered one after the other. `locale` is the language of our own sentences,
        by default the question's, or the conversation's where it does not tell. `is_seen` tells which books
        are known. `history` begins a new conversation with pairs from elsewhere. `rulings` are those of the
        asker's table. With `book_only` its own rules are left out.
        Without the model the question is answered by quotation, and no provider is asked for anything.
        Raises `NothingAsked`, `UnknownBook` and `EmptyLibrary`; the conversation then stays as it was. What
        fails after calls of the model names their `usage`.
        """
        question, is_cut = question[:LONGEST_QUESTION], len(question) > LONGEST_QUESTION
        if not words(question):
            raise NothingAsked
        conversation = thread or str(uuid.uuid4())
        lock = self._locks.setdefault(conversation, asyncio.Lock())
        library = self._library.limited_to(is_seen)
        if book_only:
            library, rulings = library.limited_to(lambda book: not are_house_rules(book.file)), ()
        model = self._model if with_model else None
        asked = Asked(library, model, strategy, reader, book, rulings, locale, is_cut)
        state = State(question=question, followed=[], judgements=[], hops=1)
        if history is not None:
            state |= State(history=list(history), about=[])
        try:
            async with lock:
                with self._memory.in_use(conversation):
                    before = self._memory.history(conversation) if history is None else history
                    earlier = [pair["question"] for pair in before]
                    begun = await asyncio.to_thread(asked.begun, question, earlier)
                    async for event in self._run(state, conversation, begun):
                        yield event
        finally:
            if thread is None:
                self.forget(conversation)

    async def asks(self, said: str, thread: str) -> tuple[bool, Usage]:
        """Whether what was said in a conversation asks anything, by the model's verdict, and what that used.

        Without a model it does.
        """
        model, meter = for_one_question(self._model), self._new_meter()
        if model is None:
            return True, meter.usage

        async def verdict(history: Sequence[Exchange]) -> bool:
            return await asks_anything(model, said, history, self._prompts)

        config: RunnableConfig = {"run_name": "overheard", "callbacks": [meter]}
        return await RunnableLambda(verdict).ainvoke(self._memory.history(thread), config), meter.usage

    async def remember(self, thread: str, question: str, answer: str) -> None:
        """Let a conversation go on from a question that was answered elsewhere."""
        pair = Exchange(question=question, answer=answer)
        async with self._locks.setdefault(thread, asyncio.Lock()):
            with self._memory.in_use(thread):
                history = [*self._memory.history(thread), pair][-HISTORY_WINDOW:]
                config: RunnableConfig = {"configurable": {"thread_id": thread}}
                await self._graph.aupdate_state(config, {"history": history}, as_node="generate")

    def withdraw(self, thread: str, question: str) -> None:
        """Let a conversation go on as if a question, which was corrected, had not been asked in it."""
        self._memory.withdraw(thread, question)

    def forget(self, thread: str) -> None:
        """Drop a conversation."""
        self._memory.delete_thread(thread)

    async def _run(self, state: State, thread: str, asked: Asked) -> AsyncIterator[Progress | Stated | Reply]:
        started = time.monotonic()
        meter = self._new_meter()
        # LangSmith groups a conversation by `thread_id`.
        config: RunnableConfig = {
            "run_name": "question",
            "configurable": {"thread_id": thread},
            "callbacks": [meter],
            "tags": [f"strategy:{asked.strategy}"],
            "metadata": {"thread_id": thread, "strategy": str(asked.strategy)},
        }
        events = self._graph.astream(
            state, config, context=asked, stream_mode=["custom", "updates"], durability="exit"
        )
        try:
            async for event in events:
                match event:
                    case ("custom", Progress() | Stated() as told):
                        yield told
                    case ("updates", dict() as updates):
                        for update in updates.values():
                            state |= update
        except RulesError as error:
            error.usage = meter.usage
            raise
        if asked.is_cut:
            state["answer"] = state["answer"].model_copy(update={"notice": "notice-question-cut"})
        if meter.prompt_cut:
            state["answer"] = self._with_cut_told(state["answer"], meter.prompt_cut)
        is_quoted = state["answer"].outcome is Outcome.PASSAGES
        game, other_games = games_answered_from(state["answer"], state["questions"])
        reply = {
            "strategy": asked.strategy,
            "usage": meter.usage,
            "mode": "model" if asked.model and not is_quoted else "quotes",
            "seconds": round(time.monotonic() - started, 3),
            "locale": asked.locale,
            "forgotten": self._memory.take_eviction(thread),
            "is_first": len(state["history"]) == 1,
            "game": game,
            "other_games": other_games,
        }
        yield Reply.model_validate({**state, **reply})

    def _with_cut_told(self, answer: AnswerWithSources, cut: PromptCut) -> AnswerWithSources:
        """An answer that says that the model did not read all; the host is told how much, once."""
        if not self._has_told_cut:
            self._has_told_cut = True
            log.warning(texts_for("en")("error-prompt-cut", read=str(cut.read), sent=str(cut.sent)))
        return answer.model_copy(update={"notice": answer.notice or "notice-prompt-cut"})

    async def _rewrite(self, state: State, runtime: Runtime[Asked]) -> State:
        history, asked = state.get("history", []), runtime.context
        if history and asked.model:
            runtime.stream_writer(Progress(Stage.REWRITING))
        rewritten = await standalone_question(
            asked.model,
            state["question"],
            history,
            self._prompts,
            named_books=asked.queries.named_books,
            explains=asked.queries.explains,
        )
        is_split = asked.model is None and rewritten == state["question"]
        parts = asked.parts_of(rewritten) if is_split else []
        if asked.model is None and state["question"] not in rewritten:
            parts = asked.doers_of(rewritten) or [history[-1]["question"]]
        return {"standalone_question": rewritten, "parts": parts}

    async def _gather(self, state: State, runtime: Runtime[Asked]) -> State:
        asked = runtime.context
        strategy = STRATEGIES[asked.strategy](
            await asyncio.to_thread(asked.retriever, _conversation(state, asked)),
            asked.model,
            languages=asked.library.languages(asked.reader),
            report=runtime.stream_writer,
            prompts=self._prompts,
            prompt_tokens=self.prompt_tokens,
        )
        return await strategy.execute(state)

    async def _generate(self, state: State, runtime: Runtime[Asked]) -> State:
        runtime.stream_writer(Progress(Stage.WRITING))
        asked = runtime.context
        shown = await asyncio.to_thread(prompt_pages, state["questions"], self.prompt_tokens)
        answer = await self._answer(state, asked, shown, runtime.stream_writer)
        pages = [*shown.pages, *merged_context(state["questions"], PAGES_ANSWERED_FROM)]
        in_vain = partial(places_elsewhere, answer.sources, pages)
        told = {"elsewhere": in_vain(are_absent=True), "unresolved": in_vain(are_absent=False)}
        answer = answer.model_copy(update=told)
        answer = with_absent_pages(answer, state["questions"])
        if not answer.found:
            answer = answer.model_copy(update={"missing_word": state["questions"][0].missing_word})
        pair = Exchange(question=state["question"], answer=answer.answer)
        if asked.model is None:
            pair["things"] = things_named(
                standalone(state), answer.sources[: answer.shown], pages, state["questions"][0].misspelt
            )
        return {
            "answer": answer,
            "history": [*state.get("history", []), pair][-HISTORY_WINDOW:],
            "about": _now_about(state, asked, answer),
        }

    async def _answer(
        self, state: State, asked: Asked, shown: PromptPages, report: Callable[[Stated], None]
    ) -> AnswerWithSources:
        quote = partial(self._quoted, state, asked)
        if asked.model is None:
            return await quote("notice-model-unasked" if self._model else None)
        request = AnswerRequest(
            state["standalone_question"],
            state["question"],
            state.get("history", []),
            languages=(asked.language, *asked.library.languages(asked.reader)),
        )
        try:
            return await written_answer(
                asked.model,
                request,
                shown,
                quote,
                texts_for(asked.locale),
                self._prompts,
                report,
                under_name(asked.model, self._support_model),
            )
        except ModelError as error:
            return await quote(error.notice)

    async def _quoted(self, state: State, asked: Asked, notice: str | None = None) -> AnswerWithSources:
        """The closest passages, with a word of why there is no more."""
        questions = state["questions"]
        question = standalone(state) if asked.model else quoted_by(state["question"], standalone(state))
        # The name of a game stands on its title page, and answers nothing.
        named = asked.queries.named_books
        question = named(question).rest
        bare = [one.model_copy(update={"question": named(one.question).rest}) for one in questions]
        pages = pages_of_taken_games(merged_context(questions, PAGES_ANSWERED_FROM), questions)
        return await asyncio.to_thread(
            closest_passages, question, pages, bare, self._likeness.of, texts_for(asked.locale), notice
        )
