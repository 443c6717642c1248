"""From a question to the answer on its message: working embed, the graph, rendering, the table."""

import asyncio
import logging
import math
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import discord
from discord.utils import format_dt

from bot.answers.table import AT_WORK, Answers, KeptAnswer, KeptSource
from bot.books.readers import Reader
from bot.budgets import PLAYERS, AccountKind, Budgets, payers
from bot.buttons.rows import answer_row, one_button
from bot.errors import MessageGone, Restarting
from bot.messages.calls import FAILURES
from bot.messages.error_replies import explained
from bot.messages.places import may_open_thread
from bot.messages.reply_message import ReplyMessage
from bot.questions.question import AskedQuestion, Notice
from bot.questions.queue import QueueEntry
from bot.questions.working_message import WorkingMessage
from bot.render.embeds import Content, answer_embed
from bot.storage.data_table import Of
from bot.texts import texts_in
from rag.config import THREADS_KEPT, StrategyName
from rag.errors import NothingAsked, RulesError
from rag.library.books.files import kind_of
from rag.library.books.ruling import Ruling
from rag.state import Progress, Reply, Source, Stated, Usage
from rag.texts import Texts
from rag.texts.blocks import Block, Role, blocks

if TYPE_CHECKING:
    from rag.graph import RulesGraph

log = logging.getLogger(__name__)

Drawing: TypeAlias = Awaitable[Mapping[str, bytes]]
"""Pictures to come, by the names of their files."""

AS_ASKED = ("home", "guild", "thread_id", "asker", "private", "question", "book_only", "locale")
"""What is kept of a question as it was asked."""
PICTURE_WITHIN_SECONDS = 60.0
"""How long the picture of an answer may take: Discord lets a response be changed for fifteen minutes."""
WHICH_GAME = Notice("notice-which-game")
OVER = {AccountKind.USER: "notice-budget-user", AccountKind.SERVER: "notice-budget-server"}
"""What is said of a budget that is spent, by whose it is."""
HELD_UP = {AccountKind.USER: "notice-budget-held-user", AccountKind.SERVER: "notice-budget-held-server"}
"""What is said of one of which questions at work may take the rest."""


@dataclass(eq=False)
class Answering:
    """Answers questions on their messages; one for the whole process.

    `standing` are the keys of notices that every answer bears. `edition_of` tells the digest of a book's
    file, `rulings_of` what holds at a reader's table, `asks_game` whether to ask for a channel's game.
    `draw` draws the quoted lines of a source, None where no picture stands in answers. Of conversations
    nothing is noted but of the `threads_kept` newest.
    """

    rules_graph: "RulesGraph"
    answers: Answers
    budgets: Budgets
    strategy: StrategyName
    count_games: Callable[[Reader], int]
    standing: Sequence[str] = ()
    shows_pages: bool = False
    edition_of: Callable[[str], str | None] = lambda file: None
    rulings_of: Callable[[Reader], Sequence[Ruling]] = lambda reader: ()
    asks_game: Callable[[int], bool] = lambda channel: False
    draw: Callable[[KeptSource, Reader], Drawing] | None = None
    threads_kept: int = THREADS_KEPT
    _drawing: set[asyncio.Task[None]] = field(default_factory=set)
    _askers: dict[str, set[int]] = field(default_factory=dict)
    """Of each conversation that has begun, by its thread id; the one that was asked in last stands last."""
    _at_work: list[AskedQuestion] = field(default_factory=list)
    _forgotten: dict[str | int, float] = field(default_factory=dict)
    """When a person, a server that was left, or a conversation (until that is told in it) was forgotten."""
    _topics: dict[str, float] = field(default_factory=dict)
    """When somebody began a new topic in a conversation."""
    _told: set[tuple[int, str]] = field(default_factory=set)

    async def answer(self, asked: AskedQuestion, message: ReplyMessage, queue_entry: QueueEntry) -> bool:
        """Answer a question on its message; False where it failed, which the message then says."""
        began = time.monotonic()
        reply, outcome, usage = None, "failed", None
        self._at_work.append(asked)
        try:
            reply = await self._answer(asked, message, queue_entry)
            outcome, usage = reply.answer.outcome.value, reply.usage
        except MessageGone:
            outcome = "message-deleted"
            self.forget([asked.thread_id])
            await asyncio.to_thread(self.answers.drop, Of.MESSAGE, message.id)
        except asyncio.CancelledError:
            outcome = "excused"
            await self._show_failure(asked, message, Restarting(), outcome)
        except Exception as error:
            outcome = "nothing-asked" if isinstance(error, NothingAsked) else outcome
            usage = error.usage if isinstance(error, RulesError) else None
            await self._show_failure(asked, message, error, outcome)
        finally:
            self._at_work.remove(asked)
            await self._forget_again(asked, message)
            log_question(asked, outcome, time.monotonic() - began, reply, usage)
        return reply is not None

    async def asks_anything(self, overheard: AskedQuestion) -> bool:
        """Whether what somebody said asks anything, by the model's verdict, as long as it may be asked."""
        accounts = payers(overheard.asker, overheard.guild)
        if self.budgets.over(accounts):
            return True
        async with self.budgets.billed((*accounts, PLAYERS)) as bill:
            is_asked, bill.usage = await self.rules_graph.asks(overheard.question, overheard.thread_id)
        return is_asked

    async def repeat(self, kept: KeptAnswer, asked: AskedQuestion, message: ReplyMessage, said: str) -> None:
        """Keep an answer for another message too that shows it, and go on with its conversation there."""
        await self.rules_graph.remember(asked.thread_id, asked.question, said)
        self._askers.setdefault(asked.thread_id, set()).add(asked.asker)
        there = replace(kept, message=message.id, channel=message.channel_id, home=asked.home)
        await self._keep(replace(there, thread_id=asked.thread_id, private=False))
        await self._forget_again(asked, message)

    async def excuse(self, asked: AskedQuestion, message: ReplyMessage, error: RulesError) -> None:
        """Say on its message that a question of a process before this one is not answered any more."""
        await self._show_failure(asked, message, error, "excused")
        log_question(asked, "interrupted", 0.0)

    def forget(self, thread_ids: Iterable[str]) -> None:
        """Drop conversations from memory, also what a question at work would write back."""
        for thread_id in thread_ids:
            self.rules_graph.forget(thread_id)
            if self._askers.pop(thread_id, None):
                self._forgotten[thread_id] = time.monotonic()

    def begin_topic(self, thread_id: str) -> None:
        """Drop a conversation from memory, as those who hold it want: nothing has to be told of it later."""
        self.rules_graph.forget(thread_id)
        self._topics = dict([*self._topics.items(), (thread_id, time.monotonic())][-self.threads_kept :])
        self._askers[thread_id] = set()

    def forget_asker(self, asker: int) -> tuple[list[str], int]:
        """Drop the conversations that somebody took part in; their thread ids, and how many questions of
        theirs are at work, of which nothing will be kept.
        """
        self._forgotten[asker] = time.monotonic()
        thread_ids = [thread_id for thread_id, askers in self._askers.items() if asker in askers]
        self.forget(thread_ids)
        return thread_ids, sum(asked.asker == asker for asked in self._at_work)

    def forget_server(self, server: int) -> None:
        """Keep nothing of the questions of a server that are at work."""
        self._forgotten[server] = time.monotonic()

    async def _forget_again(self, asked: AskedQuestion, message: ReplyMessage) -> None:
        """Drop what a question has written back since its asker, server or conversation was forgotten."""
        if self._is_forgotten(asked) or self._forgotten.get(asked.thread_id, -math.inf) >= asked.began:
            self.forget([asked.thread_id])
        elif self._topics.get(asked.thread_id, -math.inf) >= asked.began:
            self.rules_graph.forget(asked.thread_id)
        if self._is_forgotten(asked):
            await asyncio.to_thread(self.answers.drop, Of.MESSAGE, message.id)

    def _is_forgotten(self, asked: AskedQuestion) -> bool:
        """Whether nothing is to be kept of a question: its asker, or its server, was forgotten since."""
        forgotten = (self._forgotten.get(one, -math.inf) for one in (asked.asker, asked.guild or 0))
        return any(at >= asked.began for at in forgotten)

    async def _answer(self, asked: AskedQuestion, message: ReplyMessage, queue_entry: QueueEntry) -> Reply:
        before = await self.answers.looked_up(lambda: self.answers.find(message.id))
        await self._keep(_kept_question(asked, message, AT_WORK))
        working = WorkingMessage(message, asked)
        async with working:
            if queue_entry.must_wait:
                working.report(asked.early_texts("working-waiting"))
            async with queue_entry.turn():
                asked = replace(asked, rulings=await asyncio.to_thread(self.rulings_of, asked.reader))
                if before and before.question != asked.question:
                    self.rules_graph.withdraw(asked.thread_id, before.question)
                notices = await self._memory_notices(asked)
                asked_by = (asked.thread_id, self._askers.pop(asked.thread_id, set()) | {asked.asker})
                self._askers = dict([*self._askers.items(), asked_by][-self.threads_kept :])
                reply, spent = await self._ask_within_budget(asked, working)
        notices += (*asked.notices, *spent)
        # Of several games one is sought only where neither the channel, the thread nor the question tells it.
        if reply.game and len(reply.fitting_games) > 1 and not asked.is_in_place:
            notices += (WHICH_GAME,) if await asyncio.to_thread(self.asks_game, asked.home) else ()
        asked = replace(asked, notices=(*notices, *self._missing(asked, message.permissions)))
        kept = await asyncio.to_thread(self._kept, asked, reply, message)
        await self._keep(kept)
        await self._show(asked, reply, kept, message)
        return reply

    def _kept(self, asked: AskedQuestion, reply: Reply, message: ReplyMessage) -> KeptAnswer:
        """What is kept of an answer; which edition its books are stands in a file of the index."""
        sources = reply.answer.sources
        return replace(
            _kept_question(asked, message, reply.answer.outcome.value),
            standalone_question=reply.standalone_question,
            sources=tuple(KeptSource.of(one, self.edition_of(one.file), asked.rulings) for one in sources),
            hops=reply.hops,
            queries=tuple(question.question for question in reply.questions),
            followed=tuple((followed.origin, followed.target) for followed in reply.followed),
            seconds=reply.seconds,
            trace=reply.trace,
        )

    async def _keep(self, answer: KeptAnswer) -> None:
        """Keep an answer for its buttons; without them it is still an answer."""
        try:
            await asyncio.to_thread(self.answers.keep, answer)
        except sqlite3.Error as error:
            log.warning("an answer is shown but not kept, so its buttons will not work: %s", error)

    async def _ask_within_budget(
        self, asked: AskedQuestion, working: WorkingMessage
    ) -> tuple[Reply, tuple[Notice, ...]]:
        """The reply; without the model, and with a word of why, where a budget of the day is spent."""
        accounts = payers(asked.asker, asked.guild)
        if over := self.budgets.over(accounts):
            notice = Notice(HELD_UP[over.kind])
            if self.budgets.is_spent(over):
                notice = Notice(OVER[over.kind], {"renewal": format_dt(self.budgets.renewal, "t")})
            return await self._ask(asked, working, with_model=False), (notice,)
        if asked.reader.audience == "player":
            accounts += (PLAYERS,)
        async with self.budgets.billed(accounts) as bill:
            reply = await self._ask(asked, working)
            bill.usage = reply.usage
        return reply, ()

    async def _ask(self, asked: AskedQuestion, working: WorkingMessage, *, with_model: bool = True) -> Reply:
        texts = asked.early_texts
        events = self.rules_graph.ask(
            asked.question,
            asked.thread_id,
            strategy=self.strategy,
            reader=asked.reader.audience,
            is_seen=asked.reader.sees,
            book=asked.book,
            locale=asked.locale,
            with_model=with_model,
            book_only=asked.book_only,
            rulings=asked.rulings,
        )
        async for event in events:
            match event:
                case Reply():
                    return event
                case Stated():
                    working.state(event)
                case Progress():
                    target = event.target or "none"
                    working.report(texts(event.stage.value, hop=event.hop, target=target))
        raise RuntimeError("the graph ended without a reply")

    async def _memory_notices(self, asked: AskedQuestion) -> tuple[Notice, ...]:
        """That what was said earlier in a conversation is forgotten, and why."""
        if self._forgotten.pop(asked.thread_id, None) is not None:
            return (Notice("notice-deleted"),)
        if asked.thread_id in self._askers:
            return ()
        known = asked.resumes or await self.answers.looked_up(lambda: self.answers.knows(asked.thread_id))
        return (Notice("notice-forgotten"),) if known else ()

    def _missing(self, asked: AskedQuestion, allowed: discord.Permissions) -> list[Notice]:
        """What to say of the permissions that a channel lacks, of each the first time."""
        lacks = {
            "missing-embed-links": not allowed.embed_links,
            "missing-threads": asked.opens_thread and not may_open_thread(allowed),
        }
        untold = [key for key, lacking in lacks.items() if lacking and (asked.home, key) not in self._told]
        self._told.update((asked.home, key) for key in untold)
        return [*map(Notice, untold)]

    async def _show(
        self, asked: AskedQuestion, reply: Reply, kept: KeptAnswer, message: ReplyMessage
    ) -> None:
        texts = texts_in(asked.locale or reply.locale)
        parts = [
            *blocks(reply, texts),
            *(
                Block(Role.NOTICE, texts(notice.key, **notice.values))
                for notice in (*map(Notice, self.standing), *asked.notices)
            ),
            *self._where_from(asked, reply, texts),
            *([Block(Role.FOOTER, texts("by-print-alone"))] if asked.book_only else []),
        ]
        is_game_asked = WHICH_GAME in asked.notices
        row = answer_row(
            message.id,
            asked,
            texts,
            has_sources=bool(reply.answer.sources),
            page=_printed(kept.sources) if self.shows_pages else None,
            other_games=reply.fitting_games[1:] if is_game_asked else reply.other_games,
            game=reply.game if is_game_asked else None,
            further=[block for block in parts if block.role is Role.FURTHER],
        )
        content = Content(answer_embed(parts, reply.answer.outcome, texts, asked.shown_asker))
        await message.show(content, row)
        self.add_picture(kept.sources, asked.reader, message, row)

    def add_picture(
        self, sources: Sequence[KeptSource], reader: Reader, message: ReplyMessage, row: discord.ui.View
    ) -> None:
        """Begin to draw the first page that is quoted in an answer, which waits for nothing."""
        number, shown, may = _printed(sources), message.shown, message.permissions
        if self.draw and number is not None and shown and may.embed_links and may.attach_files:
            source = sources[number]
            drawing = asyncio.create_task(
                self._add_picture(self.draw(source, reader), source.whole_quote, message, shown, row)
            )
            self._drawing.add(drawing)
            drawing.add_done_callback(self._drawing.discard)

    async def _add_picture(
        self, drawing: Drawing, quote: str, message: ReplyMessage, shown: Content, row: discord.ui.View
    ) -> None:
        """Show the pictures of a quotation in an answer, if its message still shows that then."""
        try:
            files = await asyncio.wait_for(drawing, PICTURE_WITHIN_SECONDS)
            if message.shown is shown:
                await message.show(replace(shown, files=files, described=quote), row)
        except (MessageGone, RulesError, *FAILURES) as error:
            log.info("an answer has no picture of its page: %s", type(error).__name__)

    def _where_from(self, asked: AskedQuestion, reply: Reply, texts: Texts) -> list[Block]:
        """In which books a question was searched, or of which games its sources are."""
        if asked.narrowing:
            return [Block(Role.FOOTER, texts(asked.narrowing.key, **asked.narrowing.values))]
        if reply.game:
            return []
        return games_block(reply.answer.sources, self.count_games(asked.reader))

    async def _show_failure(
        self, asked: AskedQuestion, message: ReplyMessage, error: BaseException, outcome: str
    ) -> None:
        """Say why there is no answer, and keep the question so that it can be tried again, if it is one.

        Where that cannot be said it is a question at work, of which the next start tells.
        """
        is_kept = not (isinstance(error, NothingAsked) or self._is_forgotten(asked))
        row = one_button("retry", asked.early_texts("button-retry"), message.id) if is_kept else None
        try:
            await message.show(Content(explained(error, asked.early_locale, asked.shown_asker)), row)
        except MessageGone:
            is_kept = False
        except FAILURES:
            outcome = AT_WORK
        if is_kept:
            await self._keep(_kept_question(asked, message, outcome))
        else:
            await asyncio.to_thread(self.answers.drop, Of.MESSAGE, message.id)


def _printed(sources: Sequence[KeptSource]) -> int | None:
    """The number, from 0, of the first source that stands on a page which can be drawn."""
    return next((at for at, one in enumerate(sources) if kind_of(one.file) == "pdf"), None)


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


def _kept_question(asked: AskedQuestion, message: ReplyMessage, outcome: str) -> KeptAnswer:
    """A question that was not answered, or not yet."""
    return KeptAnswer(
        message=message.id,
        channel=message.channel_id,
        audience=asked.reader.audience,
        book=asked.chosen,
        standalone_question=asked.question,
        outcome=outcome,
        created=time.time(),
        **{name: getattr(asked, name) for name in AS_ASKED},
    )


def log_question(
    asked: AskedQuestion, outcome: str, seconds: float, reply: Reply | None = None, usage: Usage | None = None
) -> None:
    """The one line of a question, whatever became of it; its words only for debugging."""
    facts: dict[str, object] = {"guild": asked.guild, "asker": asked.asker, "reader": asked.reader.audience}
    facts |= {"outcome": outcome, "seconds": f"{seconds:.1f}"}
    if reply:
        facts |= {"mode": reply.mode, "strategy": reply.strategy, "hops": reply.hops}
        facts["sources"] = len(reply.answer.sources)
    if usage:
        facts |= {"model_calls": usage.calls, "tokens": usage.tokens}
    if usage and usage.money is not None:
        facts["usd"] = f"{usage.money:.4f}"
    log.info("question %s", " ".join(f"{name}={value}" for name, value in facts.items()))
    log.debug("question text: %s", asked.question)
