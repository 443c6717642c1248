"""Forgetting people, messages and places: kept answers with their ratings, and their conversations.

With a place goes what GMs said of it, too.
"""

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bot.answers.feedback import Feedback
from bot.answers.table import Answers
from bot.messages.places import shared_thread_id
from bot.questions.answering import Answering
from bot.storage.data_table import Of
from bot.storage.kept_places import KeptPlaces


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was kept of somebody: answers, conversations in memory, questions at work, rated answers.

    `was_set_aside` tells of a damaged file in which there may have been more.
    """

    answers: int
    conversations: int
    at_work: int
    rated: int = 0
    was_set_aside: bool = False


class Forgetting:
    """Takes answers and ratings out of their tables and conversations out of memory, always all."""

    def __init__(
        self, answers: Answers, feedback: Feedback, answering: Answering, places: KeptPlaces
    ) -> None:
        self._answers = answers
        self._feedback = feedback
        self._answering = answering
        self._places = places

    async def person(self, user: int) -> Forgotten:
        """Forget all that somebody asked; what is being answered now will not be kept."""
        remembered, at_work = self._answering.forget_asker(user)
        count, thread_ids = await asyncio.to_thread(self._answers.drop, Of.ASKER, user)
        further = set(thread_ids).difference(remembered)
        self._answering.forget(further)
        rated = await asyncio.to_thread(self._feedback.forget, user)
        # Nobody can be taken out of a damaged file alone.
        was_set_aside = [
            await asyncio.to_thread(one.drop_set_aside) for one in (self._answers, self._feedback)
        ]
        return Forgotten(count, len(remembered) + len(further), at_work, rated, any(was_set_aside))

    async def messages(self, messages: Iterable[int]) -> None:
        """Forget the answers of deleted messages."""
        for message in messages:
            await self._drop(Of.MESSAGE, message)

    async def thread(self, thread: int) -> None:
        """Forget what was said in a deleted thread."""
        await self._drop(Of.CHANNEL, thread)
        self._answering.forget([shared_thread_id(thread)])

    async def channel(self, channel: int) -> None:
        """Forget what was said in a deleted channel and its threads, and what GMs said of it."""
        await asyncio.to_thread(self._places.drop_channels, [channel])
        await self.thread(channel)

    async def server(self, guild: int, channels: Collection[int] = ()) -> None:
        """Forget what was said in a server that the bot has left, and what GMs said of it."""
        self._answering.forget_server(guild)
        await asyncio.to_thread(self._places.drop_channels, channels)
        await asyncio.to_thread(self._places.drop_server, guild)
        await self._drop(Of.SERVER, guild)

    async def _drop(self, of: Of, id: int) -> None:
        """Drop answers with their ratings and conversations."""
        _, thread_ids = await asyncio.to_thread(self._answers.drop, of, id)
        self._answering.forget(thread_ids)
        await asyncio.to_thread(self._feedback.drop, of, id)

    def kept_places(self) -> tuple[set[int], dict[int, int | None]]:
        """The servers of which anything is kept, and the channels with their servers, as far as known."""
        asked_in = {*self._answers.places(), *self._feedback.places()}
        channels: dict[int, int | None] = dict.fromkeys(self._places.channels)
        channels |= {home: server for server, home in asked_in}
        return {*self._places.servers, *(server for server, _ in asked_in)}, channels
