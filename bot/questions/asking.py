"""Where questions come in: commands, messages, buttons. Each is answered on a message of the bot."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Unpack

import discord

from bot import errors
from bot.answers.table import KeptAnswer
from bot.buttons.rows import NEW_TOPIC, SHOW_TO_TABLE, same_row
from bot.messages.calls import silently
from bot.messages.places import PlaceKind, Writable, may_write, shared_thread_id, where, writable
from bot.messages.reply_message import ChannelMessage, InteractionReply, ReplyMessage, accept, acknowledge
from bot.messages.threads import conversation_channel, open_thread
from bot.questions.answering import Answering, log_question
from bot.questions.question import AskedQuestion
from bot.questions.queue import QuestionQueue
from bot.questions.requests import Chosen, Requests, thread_id_of_place, with_names
from bot.questions.working_message import working_content
from bot.render.embeds import Content, with_asker
from bot.render.markdown import fitted
from rag.library.books.ruling import is_ruling

QUESTION_LINE = 1500
MOST_REPLIES = 100


@dataclass(eq=False)
class Asking(Requests):
    """Takes the questions that Discord delivers, and opens threads on the answers.

    In a server a question joins the queue before it is acknowledged, so that a conversation keeps its order;
    one that begins a conversation joins it with the id that its message has then. Whatever has to be looked
    up comes after that.
    """

    answering: Answering
    queue: QuestionQueue = field(default_factory=QuestionQueue)
    _replies: dict[int, ChannelMessage] = field(default_factory=dict)
    """The messages on which those of people were answered last: what is corrected is answered there again."""

    # --- commands ---------------------------------------------------------------------------------

    async def by_command(
        self, interaction: discord.Interaction, question: str, **chosen: Unpack[Chosen]
    ) -> None:
        """A slash command or message menu: acknowledged at once, answered where it was used.

        Whoever may not write there is answered privately.
        """
        chosen["private"] = chosen.get("private", False) or not may_write(interaction, interaction.channel)
        if interaction.guild_id is None:
            # Discord may take longer to tell who reads than it waits for an answer.
            await acknowledge(interaction, private=chosen["private"])
        asked = await self.from_interaction(interaction, question, **chosen)
        place = where(interaction.channel)
        with self._admit(asked):
            if asked.private or place.kind is PlaceKind.DIRECT:
                await self._in_response(interaction, asked)
            elif place.kind is PlaceKind.CHANNEL:
                reply = await InteractionReply.defer(interaction)
                asked = self._opening(await with_names(asked, interaction), reply.id)
                await self._on(interaction, asked, reply)
            else:
                await self._below(interaction, asked, goes_on=chosen.get("book") is None)

    async def _in_response(self, interaction: discord.Interaction, asked: AskedQuestion) -> None:
        """The answer is the response itself: private ones, and direct messages."""
        with self.queue.join(asked) as queue_entry:
            reply = await InteractionReply.defer(interaction, private=asked.private)
            await self.answering.answer(await with_names(asked, interaction), reply, queue_entry)

    def _opening(self, asked: AskedQuestion, message: int) -> AskedQuestion:
        """A question as one that begins a conversation, of which its message has the id, in a plain channel.

        A thread opens on that, unless the channel is answered in place.
        """
        if asked.place is not PlaceKind.CHANNEL:
            return asked
        is_in_place = asked.home in self.places.answered_in_place.kept
        return replace(asked, thread_id=shared_thread_id(message), opens_thread=not is_in_place)

    async def _on(
        self, interaction: discord.Interaction, asked: AskedQuestion, reply: InteractionReply | ChannelMessage
    ) -> None:
        """The answer is on this message, which opens a thread where a conversation begins."""
        with self.queue.join(asked) as queue_entry:
            is_answered = await self.answering.answer(asked, reply, queue_entry)
        if is_answered:
            await self._open_thread(interaction, asked, reply)

    async def _below(self, interaction: discord.Interaction, asked: AskedQuestion, *, goes_on: bool) -> None:
        """The response holds the question; the answer below is an ordinary message, open to replies.

        One that `goes_on` is asked in the book that was chosen last in its thread.
        """
        with self.queue.join(asked) as queue_entry:
            response = await InteractionReply.defer(interaction)
            asked = await with_names(asked, interaction)
            if goes_on:
                asked = await self.in_conversations_book(asked, where(interaction.channel))
            line = asked.early_texts("asked", question=fitted(asked.question, QUESTION_LINE))
            reply: ReplyMessage = response
            with suppress(errors.CannotWriteHere, errors.DiscordFailed):
                channel, below = writable(interaction.channel), replace(asked, shown_asker=None)
                await response.show(Content(text=line))
                reference = channel.get_partial_message(response.id).to_reference(fail_if_not_exists=False)
                reply = await ChannelMessage.write(channel, working_content(below), reference)
                asked = below
            await self.answering.answer(asked, reply, queue_entry)

    async def _open_thread(
        self, interaction: discord.Interaction, asked: AskedQuestion, reply: ReplyMessage
    ) -> None:
        """Open the thread of a question, if one is to open, named after it.

        It is opened by the message's id, which outlives the interaction's fifteen minutes.
        """
        if asked.opens_thread:
            message = writable(interaction.channel).get_partial_message(reply.id)
            await open_thread(message, asked.question, asked.early_texts("thread-name"))

    # --- messages ---------------------------------------------------------------------------------

    async def by_mention(self, message: discord.Message, question: str) -> None:
        """A question in a plain channel: the thread opens on the player's message.

        Where the channel is answered in place, the answer stands below it.
        """
        asked, thread = self._opening(await self.from_message(message, question), message.id), None
        with self._admit(asked), self.queue.join(asked) as queue_entry:
            if asked.opens_thread:
                thread = await open_thread(message, question, asked.early_texts("thread-name"))
            reply = await self._reply_to(message, thread, asked)
            await self.answering.answer(asked, reply, queue_entry)

    async def by_message(
        self, message: discord.Message, question: str, *, is_overheard: bool = False
    ) -> None:
        """A follow-up in a thread, a direct message or a channel without threads.

        In a plain channel it is a reply to an answer, and goes on with the conversation of that answer.
        What was overheard may be no question: then nothing is said.
        """
        home, thread_id = message.channel.id, None
        replied = message.reference and message.reference.message_id
        if replied and where(message.channel).kind is PlaceKind.CHANNEL:
            home = replied
            kept = await self.answers.looked_up(lambda: self.answers.find(home))
            thread_id = kept.thread_id if kept and not kept.private else shared_thread_id(home)
        asked = await self.from_message(message, question, thread_id)
        asked = await self.in_conversations_book(asked, where(message.channel))
        if is_overheard and not await self.answering.asks_anything(asked):
            return
        with self._admit(asked), self.queue.join(asked) as queue_entry:
            channel = await conversation_channel(message.channel, message.guild, home)
            thread = None if channel.id == message.channel.id else channel
            reply = await self._reply_to(message, thread, asked)
            await self.answering.answer(asked, reply, queue_entry)

    async def _reply_to(
        self, message: discord.Message, thread: Writable | None, asked: AskedQuestion
    ) -> ChannelMessage:
        """The message that answered it before, else one in a thread, or below it where there is none."""
        with suppress(KeyError, errors.MessageGone):
            await self._replies[message.id].show(working_content(asked))
            return self._replies[message.id]
        reply = None
        if thread:
            with suppress(errors.CannotWriteHere, errors.DiscordFailed):
                reply = await ChannelMessage.write(thread, working_content(asked))
        if reply is None:
            channel, reference = writable(message.channel), message.to_reference(fail_if_not_exists=False)
            reply = await ChannelMessage.write(channel, working_content(asked), reference)
        self._replies = dict([*self._replies.items(), (message.id, reply)][-MOST_REPLIES:])
        return reply

    # --- buttons ----------------------------------------------------------------------------------

    async def by_button(
        self, interaction: discord.Interaction, question: str, answer: KeptAnswer, *, book: str | None = None
    ) -> None:
        """A question from a button that goes on with the conversation of an answer.

        It is asked in the book of that answer, or in another `book` or game. Where that of the answer cannot
        be asked here any more, it is asked as any question of the place.
        """
        asked = await with_names(await self.anew(interaction, question, answer, book), interaction)
        with self._admit(asked, once=True):
            if asked.private:
                await self._in_response(interaction, asked)
            else:
                await self._in_conversation(interaction, asked, answer.message)

    async def by_try_again(self, interaction: discord.Interaction, answer: int) -> None:
        """A question that failed, answered on the message that says so.

        Whoever may not write there is answered privately.
        """
        is_private = interaction.message is not None and interaction.message.flags.ephemeral
        is_allowed = is_private or may_write(interaction, interaction.channel)
        await (accept(interaction) if is_allowed else acknowledge(interaction, private=True))
        failed = await self.own(interaction, answer)
        asked = await self.anew(interaction, failed.question, failed)
        with self._admit(asked, once=True):
            if not is_allowed:
                await self._apart(interaction, asked)
                return
            asked = await with_names(asked, interaction)
            reply = InteractionReply(interaction, failed.message, private=asked.private)
            is_first = asked.thread_id == shared_thread_id(failed.message)
            await self._on(interaction, self._opening(asked, failed.message) if is_first else asked, reply)

    async def in_the_open(self, interaction: discord.Interaction, question: str) -> None:
        """A question of a GM, asked as a player's for all to see. Raises `MayNotWriteHere`."""
        asked = await with_names(await self.from_interaction(interaction, question), interaction)
        channel = _writable_by(interaction)
        with self._admit(asked, once=True):
            reply = await _reply_pointed_to(interaction, channel, asked)
            await self._on(interaction, self._opening(asked, reply.id), reply)

    async def show_to_all(self, interaction: discord.Interaction, kept: KeptAnswer) -> None:
        """A player's private answer as an ordinary one of its channel. Raises `MayNotWriteHere`."""
        shown = interaction.message
        asked = await self.anew(interaction, kept.question, replace(kept, private=False))
        own_thread = shared_thread_id(where(interaction.channel).id)
        asked = replace(asked, question=kept.standalone_question, thread_id=own_thread)
        asked = await with_names(asked, interaction)
        channel = _writable_by(interaction)
        closed = {source.file for source in kept.sources} - {book.file for book in self.books(asked.reader)}
        if shown is None or not shown.embeds or kept.audience == "gm" or not all(map(is_ruling, closed)):
            raise errors.AnswerGone
        with self._admit(asked, once=True):
            content = Content(with_asker(shown.embeds[0], asked.shown_asker))
            reply = await ChannelMessage.write(channel, content)
            asked = self._opening(asked, reply.id)
            await self.answering.repeat(kept, asked, reply, shown.embeds[0].description or "")
            row = same_row(shown, reply.id, without=[SHOW_TO_TABLE, NEW_TOPIC])
            await reply.show(content, row)
            self.answering.add_picture(kept.sources, asked.reader, reply, row)
            await self._open_thread(interaction, asked, reply)
            own_row = same_row(shown, kept.message, without=[SHOW_TO_TABLE])
            await silently(lambda: interaction.edit_original_response(view=own_row), "take a button away")

    async def _in_conversation(
        self, interaction: discord.Interaction, asked: AskedQuestion, answer: int
    ) -> None:
        """An ordinary message where the conversation goes on, to which the response points.

        Whoever may not write there is answered privately, in a conversation of their own.
        """
        with self.queue.join(asked) as queue_entry:
            await acknowledge(interaction, private=True)
            channel = await conversation_channel(interaction.channel, interaction.guild, answer)
            if may_write(interaction, channel):
                reply = await _reply_pointed_to(interaction, channel, asked)
                await self.answering.answer(asked, reply, queue_entry)
                return
        await self._apart(interaction, asked)

    async def _apart(self, interaction: discord.Interaction, asked: AskedQuestion) -> None:
        """Answer privately, in a conversation of its asker's own, what may not be asked in the open."""
        own = thread_id_of_place(where(interaction.channel), asked.asker, asked.reader, private=True)
        await self._in_response(interaction, replace(asked, private=True, thread_id=own, resumes=False))

    # --- what they share --------------------------------------------------------------------------

    @contextmanager
    def _admit(self, asked: AskedQuestion, *, once: bool = False) -> Iterator[None]:
        """Admit a question, from before it is acknowledged until its thread is open.

        With `once` it is not admitted again while it is being answered, as where a button is pressed twice.
        """
        same = (asked.asker, asked.thread_id, asked.reader, asked.book, asked.question) if once else None
        try:
            with self.queue.admit(asked.asker, is_gm=asked.is_by_gm, asked=same):
                yield
        except errors.Refused as error:
            log_question(asked, type(error).__name__, 0.0)
            raise


async def _reply_pointed_to(
    interaction: discord.Interaction, channel: Writable, asked: AskedQuestion
) -> ChannelMessage:
    """A message of the bot's in a channel, to which the response to an interaction points."""
    reply = await ChannelMessage.write(channel, working_content(asked))
    line = asked.early_texts("answered-there", link=reply.link)
    await silently(lambda: interaction.edit_original_response(content=line), "point to an answer")
    return reply


def _writable_by(interaction: discord.Interaction) -> Writable:
    """The channel of an interaction, for what its person has the bot write. Raises `MayNotWriteHere`."""
    if not may_write(interaction, interaction.channel):
        raise errors.MayNotWriteHere
    return writable(interaction.channel)
