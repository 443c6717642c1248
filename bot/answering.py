"""From a question to the answer on its message: working embed, the graph, rendering, the table."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import discord

from bot.access import Counter
from bot.answers import Answers, KeptAnswer, KeptSource
from bot.error_door import explained
from bot.errors import MessageGone, Restarting
from bot.render import Asker, Card, answer_embed, answer_text, working_embed
from bot.sheets import Sheet
from bot.texts import texts_in
from bot.turns import Turn
from bot.views import answer_view
from rag.config import StrategyName
from rag.graph import Reply
from rag.present import Block, Role, blocks
from rag.progress import Progress
from rag.state import Audience, Source
from rag.texts import Texts

log = logging.getLogger(__name__)

MOST_AT_ONCE = 8
"""Questions running; the others wait, and are told so."""
SECONDS_BETWEEN_EDITS = 1.5
SLOWEST_EDIT_SECONDS = 5.0


class Referee(Protocol):
    """The part of `rag.graph.Referee` that the bot needs."""

    def ask(
        self,
        question: str,
        thread: str | None = None,
        *,
        strategy: StrategyName = StrategyName.MULTI_HOP,
        reader: Audience = "player",
        book: str | None = None,
        locale: str | None = None,
    ) -> AsyncIterator[Progress | Reply]: ...

    def forget(self, thread: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Query:
    """A question with everything that its answer depends on.

    `conversation` is the LangGraph thread, `locale` the language of our own sentences (None: the
    question's). `resumes` says that the conversation may have begun before this process did.
    """

    question: str
    conversation: str
    asker: int
    guild: int | None
    reader: Audience = "player"
    book: str | None = None
    private: bool = False
    locale: str | None = None
    resumes: bool = False
    shown_asker: Asker | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as it was shown, so that it can be drawn again with a notice."""

    query: Query
    reply: Reply
    notices: tuple[str, ...]


class Answering:
    """Answers queries on their sheets; one for the whole process."""

    def __init__(
        self,
        referee: Referee,
        answers: Answers,
        counter: Counter,
        strategy: StrategyName,
        count_games: Callable[[Audience], int],
    ) -> None:
        self._referee = referee
        self._answers = answers
        self._counter = counter
        self._strategy = strategy
        self._count_games = count_games
        self._begun: set[str] = set()
        self._running = asyncio.Semaphore(MOST_AT_ONCE)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def answer(self, query: Query, sheet: Sheet, turn: Turn) -> Answered | None:
        """Answer a question on its message; None where it failed, which the message then says."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with self._counter.working():
                return await self._answer(query, sheet, turn)
        except MessageGone:
            log.info("a question's message was deleted before its answer was there")
        except asyncio.CancelledError:
            await self._show_failure(query, sheet, Restarting())
        except Exception as error:
            await self._show_failure(query, sheet, error)
        finally:
            self._tasks.discard(task)
        return None

    async def redraw(self, answered: Answered, sheet: Sheet, notice: str) -> None:
        """Draw an answer again with one more notice."""
        again = Answered(answered.query, answered.reply, (*answered.notices, notice))
        with contextlib.suppress(MessageGone, discord.HTTPException):
            await self._draw(again, sheet)

    def forget(self, conversations: Sequence[str]) -> None:
        """Drop conversations from memory."""
        for conversation in conversations:
            self._referee.forget(conversation)
            self._begun.discard(conversation)

    async def finish(self, within: float, excuse_within: float) -> None:
        """Take no new question; let the running ones finish within a time, then excuse them."""
        self._counter.is_closed = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=excuse_within)

    async def _answer(self, query: Query, sheet: Sheet, turn: Turn) -> Answered:
        working = WorkingMessage(sheet, query)
        async with working:
            if self._running.locked():
                working.report(texts_in(query.locale)("working-waiting"))
            await turn.come()
            async with self._running:
                notices = await self._notices(query)
                reply = await self._ask(query, working)
        answered = Answered(query, reply, notices)
        await asyncio.to_thread(self._answers.keep, _kept(query, reply, sheet))
        await self._draw(answered, sheet)
        self._begun.add(query.conversation)
        _log_question(query, reply)
        return answered

    async def _ask(self, query: Query, working: "WorkingMessage") -> Reply:
        texts = texts_in(query.locale)
        events = self._referee.ask(
            query.question,
            query.conversation,
            strategy=self._strategy,
            reader=query.reader,
            book=query.book,
            locale=query.locale,
        )
        async for event in events:
            if isinstance(event, Reply):
                return event
            working.report(step(event, texts))
        raise RuntimeError("the graph ended without a reply")

    async def _notices(self, query: Query) -> tuple[str, ...]:
        """What must be said beside the answer: that an earlier conversation is forgotten."""
        if query.conversation in self._begun:
            return ()
        known = query.resumes or await asyncio.to_thread(self._answers.knows, query.conversation)
        return (texts_in(query.locale)("notice-forgotten"),) if known else ()

    async def _draw(self, answered: Answered, sheet: Sheet) -> None:
        query, reply = answered.query, answered.reply
        texts = texts_in(query.locale)
        parts = [
            *blocks(reply, texts),
            *(Block(Role.NOTICE, notice) for notice in answered.notices),
            *games_block(reply.answer.sources, self._count_games(query.reader)),
        ]
        view = answer_view(sheet.id, texts, has_sources=bool(reply.answer.sources))
        if sheet.may_embed:
            card = Card(answer_embed(parts, reply.answer.outcome, texts, query.shown_asker))
        else:
            parts.append(Block(Role.NOTICE, texts("missing-embed-links")))
            card = Card(content=answer_text(parts, texts))
        await sheet.show(card, view)

    async def _show_failure(self, query: Query, sheet: Sheet, error: BaseException) -> None:
        embed = explained(error, query.locale, query.shown_asker)
        card = Card(embed) if sheet.may_embed else Card(content=embed.description)
        with contextlib.suppress(MessageGone, discord.HTTPException):
            await sheet.show(card)


class WorkingMessage:
    """The working embed: shows the newest step, in at most one edit per 1.5 s, until the block is left."""

    def __init__(self, sheet: Sheet, query: Query) -> None:
        self._sheet = sheet
        self._asker = query.shown_asker
        self._step = texts_in(query.locale)("working")
        self._changed = asyncio.Event()
        self._over = asyncio.Event()
        self._drawing: asyncio.Task[None] | None = None

    def report(self, step: str) -> None:
        """A new step."""
        self._step = step
        self._changed.set()

    async def __aenter__(self) -> "WorkingMessage":
        self._changed.set()
        self._drawing = asyncio.create_task(self._draw())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop; an edit on its way is awaited, lest it arrive after the answer."""
        assert self._drawing is not None
        self._over.set()
        self._changed.set()
        done, _pending = await asyncio.wait({self._drawing}, timeout=SLOWEST_EDIT_SECONDS)
        if not done:
            self._drawing.cancel()

    async def _draw(self) -> None:
        while not self._over.is_set():
            await self._changed.wait()
            self._changed.clear()
            if self._over.is_set() or not await self._shown():
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), SECONDS_BETWEEN_EDITS)

    async def _shown(self) -> bool:
        embed = working_embed(self._step, self._asker)
        card = Card(embed) if self._sheet.may_embed else Card(content=embed.description)
        try:
            await self._sheet.show(card)
        except (MessageGone, discord.HTTPException):
            # The answer itself will tell whether the message can still be drawn.
            return False
        return True


def step(progress: Progress, texts: Texts) -> str:
    """A step of the graph as a line: "Hop 2: following Powers p. 100"."""
    return texts(progress.stage.value, hop=progress.hop, target=progress.target or "none")


def games_block(sources: Sequence[Source], games: int) -> list[Block]:
    """With several games in the library, the game of each source: "GURPS [1] [3] · Basic Fantasy [2]"."""
    if games < 2:
        return []
    numbers: dict[str, list[int]] = {}
    for number, source in enumerate(sources, start=1):
        numbers.setdefault(source.game or source.book, []).append(number)
    if len(numbers) == 1:
        return [Block(Role.FOOTER, next(iter(numbers)))]
    named = [f"{game} {' '.join(f'[{number}]' for number in those)}" for game, those in numbers.items()]
    return [Block(Role.FOOTER, " · ".join(named))] if named else []


def _kept(query: Query, reply: Reply, sheet: Sheet) -> KeptAnswer:
    return KeptAnswer(
        message=sheet.id,
        channel=sheet.channel_id,
        conversation=query.conversation,
        asker=query.asker,
        audience=query.reader,
        private=query.private,
        book=query.book,
        question=query.question,
        standalone_question=reply.standalone_question,
        outcome=reply.answer.outcome.value,
        sources=tuple(
            KeptSource(source.book, source.file, source.page, source.pdf_page, source.quote)
            for source in reply.answer.sources
        ),
        hops=reply.hops,
        queries=tuple(question.question for question in reply.questions),
        followed=tuple((followed.origin, followed.target) for followed in reply.followed),
        seconds=reply.seconds,
        created=time.time(),
    )


def _log_question(query: Query, reply: Reply) -> None:
    log.info(
        "question guild=%s asker=%s reader=%s outcome=%s mode=%s strategy=%s hops=%s sources=%s "
        "model_calls=%s seconds=%.1f",
        query.guild,
        query.asker,
        query.reader,
        reply.answer.outcome.value,
        reply.mode,
        reply.strategy.value,
        reply.hops,
        len(reply.answer.sources),
        reply.model_calls,
        reply.seconds,
    )
    log.debug("question text: %s", query.question)
