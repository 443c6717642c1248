"""From a question to the answer on its message: working embed, the graph, rendering, the table."""

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import discord
from discord.utils import format_dt

from bot.answers.buttons import answer_view
from bot.answers.table import Answers, KeptAnswer, KeptSource
from bot.budgets import PLAYERS, Budgets, Kind, payers
from bot.errors import MessageGone, Restarting
from bot.messages.error_replies import explained
from bot.messages.reply_message import Sheet
from bot.questions.queue import Turn
from bot.render.embeds import Asker, Card, answer_embed, answer_text, as_text, working_embed, working_text
from bot.texts import texts_in
from rag.config import Audience, StrategyName
from rag.errors import RulesError
from rag.state import Progress, Reply, Source, Stated, Usage
from rag.texts import Texts
from rag.texts.blocks import Block, Role, blocks, claimed

log = logging.getLogger(__name__)

MISSING_EMBEDS = "missing-embed-links"
OVER = {Kind.USER: "notice-budget-user", Kind.SERVER: "notice-budget-server"}
"""What is said of a budget that is spent, by whose it is."""

MOST_AT_ONCE = 8
"""Questions running; the others wait, and are told so."""
SECONDS_BETWEEN_EDITS = 1.5
SLOWEST_EDIT_SECONDS = 5.0


class RulesGraph(Protocol):
    """The part of `rag.graph.Graph` that the bot needs."""

    def ask(
        self,
        question: str,
        thread: str | None = None,
        *,
        strategy: StrategyName = StrategyName.MULTI_HOP,
        reader: Audience = "player",
        book: str | None = None,
        locale: str | None = None,
        with_model: bool = True,
    ) -> AsyncIterator[Progress | Stated | Reply]: ...

    def forget(self, thread: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Query:
    """A question with everything that its answer depends on.

    `home` is the channel it was asked in, or that its thread belongs to. `conversation` is the LangGraph
    thread, `locale` the language of our own sentences (None: the question's). `resumes` says that the
    conversation may have begun before this process did.
    """

    question: str
    conversation: str
    asker: int
    guild: int | None
    home: int = 0
    reader: Audience = "player"
    book: str | None = None
    private: bool = False
    locale: str | None = None
    resumes: bool = False
    shown_asker: Asker | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence beside an answer, by its key: only the answer tells the language of a direct message.

    `renewal` is the time it names, as Discord shows it to each reader.
    """

    key: str
    renewal: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as it was shown, so that it can be drawn again with a notice."""

    query: Query
    reply: Reply
    notices: tuple[Notice, ...]


class Answering:
    """Answers queries on their sheets; one for the whole process."""

    def __init__(
        self,
        rules_graph: RulesGraph,
        answers: Answers,
        budgets: Budgets,
        strategy: StrategyName,
        count_games: Callable[[Audience], int],
        standing: Sequence[str] = (),
    ) -> None:
        """Take what answers need; `standing` are the keys of notices that every answer bears."""
        self._rules_graph = rules_graph
        self._answers = answers
        self._budgets = budgets
        self._strategy = strategy
        self._count_games = count_games
        self._standing = tuple(map(Notice, standing))
        self._begun: set[str] = set()
        self._forgotten: set[str] = set()
        self._told: set[tuple[int, str]] = set()
        self._running = asyncio.Semaphore(MOST_AT_ONCE)

    async def answer(self, query: Query, sheet: Sheet, turn: Turn) -> Answered | None:
        """Answer a question on its message; None where it failed, which the message then says."""
        began = time.monotonic()
        answered, outcome, usage = None, "failed", None
        try:
            answered = await self._answer(query, sheet, turn)
            outcome, usage = answered.reply.answer.outcome.value, answered.reply.usage
        except MessageGone:
            outcome = "message-deleted"
        except asyncio.CancelledError:
            outcome = "excused"
            await self._show_failure(query, sheet, Restarting())
        except Exception as error:
            usage = error.usage if isinstance(error, RulesError) else None
            await self._show_failure(query, sheet, error)
        finally:
            reply = answered.reply if answered else None
            log_question(query, outcome, time.monotonic() - began, reply, usage)
        return answered

    async def tell_missing(self, answered: Answered, sheet: Sheet, permission: str) -> None:
        """Draw an answer again with what the bot may not do there, unless the channel was told before."""
        notices = self._missing(answered.query, permission)
        if not notices:
            return
        again = Answered(answered.query, answered.reply, (*answered.notices, *notices))
        with contextlib.suppress(MessageGone, discord.HTTPException):
            await self._draw(again, sheet)

    def forget(self, conversations: Sequence[str]) -> None:
        """Drop conversations from memory."""
        for conversation in conversations:
            self._rules_graph.forget(conversation)
            self._begun.discard(conversation)
            self._forgotten.add(conversation)

    async def _answer(self, query: Query, sheet: Sheet, turn: Turn) -> Answered:
        working = WorkingMessage(sheet, query)
        async with working:
            if self._running.locked():
                working.report(texts_in(query.locale)("working-waiting"))
            await turn.come()
            async with self._running:
                notices = await self._memory_notices(query)
                reply, spent = await self._ask_within_budget(query, working)
        notices += spent
        if not sheet.may_embed:
            notices += self._missing(query, MISSING_EMBEDS)
        answered = Answered(query, reply, notices)
        await self._keep(_kept(query, reply, sheet))
        try:
            await self._draw(answered, sheet)
        except MessageGone:
            await asyncio.to_thread(self._answers.drop_messages, [sheet.id])
            raise
        self._begun.add(query.conversation)
        return answered

    async def _keep(self, answer: KeptAnswer) -> None:
        """Keep an answer for its buttons; without them it is still an answer."""
        try:
            await asyncio.to_thread(self._answers.keep, answer)
        except sqlite3.Error as error:
            log.warning("an answer is shown but not kept, so its buttons will not work: %s", error)

    async def _ask_within_budget(
        self, query: Query, working: "WorkingMessage"
    ) -> tuple[Reply, tuple[Notice, ...]]:
        """The reply; without the model, and with a word of why, where a budget of the day is spent."""
        accounts = payers(query.asker, query.guild)
        if over := self._budgets.over(accounts):
            notice = Notice(OVER[over.kind], format_dt(self._budgets.renewal, "t"))
            return await self._ask(query, working, with_model=False), (notice,)
        if query.reader == "player":
            accounts += (PLAYERS,)
        async with self._budgets.billed(accounts) as bill:
            reply = await self._ask(query, working)
            bill.usage = reply.usage
        return reply, ()

    async def _ask(self, query: Query, working: "WorkingMessage", *, with_model: bool = True) -> Reply:
        texts = texts_in(query.locale)
        events = self._rules_graph.ask(
            query.question,
            query.conversation,
            strategy=self._strategy,
            reader=query.reader,
            book=query.book,
            locale=query.locale,
            with_model=with_model,
        )
        async for event in events:
            match event:
                case Reply():
                    return event
                case Stated():
                    working.state(event.text)
                case Progress():
                    working.report(step(event, texts))
        raise RuntimeError("the graph ended without a reply")

    async def _memory_notices(self, query: Query) -> tuple[Notice, ...]:
        """That what was said earlier in a conversation is forgotten, and why."""
        if query.conversation in self._forgotten:
            self._forgotten.discard(query.conversation)
            return (Notice("notice-deleted"),)
        if query.conversation in self._begun:
            return ()
        known = query.resumes or await self._answers.looked_up(
            lambda: self._answers.knows(query.conversation)
        )
        return (Notice("notice-forgotten"),) if known else ()

    def _missing(self, query: Query, permission: str) -> tuple[Notice, ...]:
        """What to say of a permission that a channel lacks, the first time."""
        if (query.home, permission) in self._told:
            return ()
        self._told.add((query.home, permission))
        return (Notice(permission),)

    async def _draw(self, answered: Answered, sheet: Sheet) -> None:
        query, reply = answered.query, answered.reply
        texts = texts_in(query.locale or reply.locale)
        parts = [
            *blocks(reply, texts),
            *(
                Block(Role.NOTICE, texts(notice.key, renewal=notice.renewal))
                for notice in (*self._standing, *answered.notices)
            ),
            *games_block(reply.answer.sources, self._count_games(query.reader)),
        ]
        view = answer_view(sheet.id, texts, has_sources=bool(reply.answer.sources))
        if sheet.may_embed:
            card = Card(answer_embed(parts, reply.answer.outcome, texts, query.shown_asker))
        else:
            card = Card(content=answer_text(parts, texts))
        await sheet.show(card, view)

    async def _show_failure(self, query: Query, sheet: Sheet, error: BaseException) -> None:
        embed = explained(error, query.locale, query.shown_asker)
        card = Card(embed) if sheet.may_embed else Card(content=as_text(embed))
        with contextlib.suppress(MessageGone, discord.HTTPException):
            await sheet.show(card)


class WorkingMessage:
    """The working embed: the newest step and what is proven, in at most one edit per 1.5 s, until the
    block is left.
    """

    def __init__(self, sheet: Sheet, query: Query) -> None:
        self._sheet = sheet
        self._asker = query.shown_asker
        self._step = texts_in(query.locale)("working")
        self._stated: list[str] = []
        self._changed = asyncio.Event()
        self._over = asyncio.Event()
        self._drawing: asyncio.Task[None] | None = None

    def report(self, step: str) -> None:
        """A new step."""
        self._step = step
        self._changed.set()

    def state(self, statement: str) -> None:
        """A further statement that the answer will hold."""
        self._stated.append(statement)
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
        stated = claimed(self._stated)
        if self._sheet.may_embed:
            card = Card(working_embed(self._step, self._asker, stated))
        else:
            card = Card(content=working_text(self._step, stated))
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
        home=query.home,
        guild=query.guild,
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


def log_question(
    query: Query, outcome: str, seconds: float, reply: Reply | None = None, usage: Usage | None = None
) -> None:
    """The one line of a question, whatever became of it; its words only for debugging."""
    facts: dict[str, object] = {
        "guild": query.guild,
        "asker": query.asker,
        "reader": query.reader,
        "outcome": outcome,
        "seconds": f"{seconds:.1f}",
    }
    if reply:
        facts |= {
            "mode": reply.mode,
            "strategy": reply.strategy,
            "hops": reply.hops,
            "sources": len(reply.answer.sources),
        }
    if usage:
        facts |= {"model_calls": usage.calls, "tokens": usage.tokens}
    if usage and usage.money is not None:
        facts["usd"] = f"{usage.money:.4f}"
    log.info("question %s", " ".join(f"{name}={value}" for name, value in facts.items()))
    log.debug("question text: %s", query.question)
