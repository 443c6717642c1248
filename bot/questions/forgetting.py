"""Forgetting people, messages and places: the kept answers, and the conversations they belong to."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.answers.table import Answers
from bot.messages.places import shared_thread_id
from bot.questions.answering import Answering


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was kept of somebody: answers, conversations in memory, questions not yet answered."""

    answers: int
    conversations: int
    at_work: int


class Forgetting:
    """Takes answers out of the table and conversations out of memory, always both."""

    def __init__(self, answers: Answers, answering: Answering) -> None:
        self._answers = answers
        self._answering = answering

    async def person(self, user: int) -> Forgotten:
        """Forget all that somebody asked; what is being answered now will not be kept."""
        remembered, at_work = self._answering.forget_asker(user)
        count, thread_ids = await asyncio.to_thread(self._answers.forget, user)
        further = set(thread_ids).difference(remembered)
        self._answering.forget(further)
        return Forgotten(count, len(remembered) + len(further), at_work)

    async def messages(self, messages: Sequence[int]) -> None:
        """Forget the answers of deleted messages."""
        self._answering.forget(await asyncio.to_thread(self._answers.drop_messages, messages))

    async def channel(self, channel: int) -> None:
        """Forget what was said in a deleted thread, or in a deleted channel and its threads."""
        thread_ids = await asyncio.to_thread(self._answers.drop_channel, channel)
        self._answering.forget([*thread_ids, shared_thread_id(channel)])

    async def server(self, guild: int) -> None:
        """Forget what was said in a server that the bot has left."""
        self._answering.forget(await asyncio.to_thread(self._answers.drop_guild, guild))
