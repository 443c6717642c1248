"""The message while its answer is being found: what is done now, and what is proven already."""

import asyncio
import contextlib
from collections.abc import Sequence

from bot.errors import MessageGone
from bot.messages.calls import FAILURES
from bot.messages.reply_message import ReplyMessage
from bot.questions.question import AskedQuestion
from bot.render.embeds import Content, working_embed
from bot.render.markdown import fitted
from rag.state import Stated
from rag.texts.blocks import Block, stated_blocks

SECONDS_BETWEEN_EDITS = 1.5
SLOWEST_EDIT_SECONDS = 5.0
QUESTION_SHOWN = 200
"""Characters of a question that a notification has room for."""


def working_content(asked: AskedQuestion, step: str | None = None, stated: Sequence[Block] = ()) -> Content:
    """What is done now, and what is proven already, of a question.

    Below a message the question's words stand outside the embed: there Discord's notification shows them.
    """
    words = fitted(asked.question, QUESTION_SHOWN)
    told = asked.early_texts("asked", question=words) if asked.is_by_message else None
    return Content(working_embed(step or asked.early_texts("working"), asked.shown_asker, stated), told)


class WorkingMessage:
    """The working embed: the newest step and what is proven, in at most one edit per 1.5 s, until the
    block is left.
    """

    def __init__(self, message: ReplyMessage, asked: AskedQuestion) -> None:
        self._message = message
        self._asked = asked
        self._step: str | None = None
        self._stated: list[Stated] = []
        self._changed = asyncio.Event()
        self._over = asyncio.Event()
        self._showing: asyncio.Task[None] | None = None

    def report(self, step: str) -> None:
        """A new step."""
        self._step = step
        self._changed.set()

    def state(self, statement: Stated) -> None:
        """A further statement that the answer will hold, or a verdict that is still checked."""
        self._stated.append(statement)
        self._changed.set()

    async def __aenter__(self) -> "WorkingMessage":
        self._changed.set()
        self._showing = asyncio.create_task(self._show_changes())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop; an edit on its way is awaited, lest it arrive after the answer."""
        assert self._showing is not None
        self._over.set()
        self._changed.set()
        done, _pending = await asyncio.wait({self._showing}, timeout=SLOWEST_EDIT_SECONDS)
        if not done:
            self._showing.cancel()

    async def _show_changes(self) -> None:
        # Where it cannot be changed, the answer itself will tell.
        with contextlib.suppress(MessageGone, *FAILURES):
            while True:
                await self._changed.wait()
                self._changed.clear()
                if self._over.is_set():
                    return
                stated = stated_blocks(self._stated, self._asked.early_texts)
                await self._message.show(working_content(self._asked, self._step, stated))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._over.wait(), SECONDS_BETWEEN_EDITS)
