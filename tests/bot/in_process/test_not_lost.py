"""A question that was typed is never lost, and one that failed can be tried again."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import pytest
from simcord import InteractionResult, MemberActor

from bot.answers.table import AT_WORK
from bot.storage.data_table import Of
from rag.errors import IndexUnreachable, NothingAsked
from rag.state import thread_id
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import (
    buttons,
    choose,
    description,
    field_of,
    follow_up,
    last,
    response,
    text_of,
)
from tests.bot.table import QUESTION, WADING, Table, book

Press = Callable[[MemberActor, InteractionResult], Awaitable[object]]


# --- Try again ------------------------------------------------------------------------------------


async def test_a_question_that_failed_can_be_tried_again_in_its_place(chat: Chat) -> None:
    chat.graph.failure = IndexUnreachable()
    result = await chat.ask(book="Wading Orders")
    assert buttons(result) == ["Try again"]
    chat.graph.failure = None
    await chat.ana.click(response(result), label="Try again")
    assert description(result).startswith("**A storm lamp")
    assert buttons(result) == ["Sources", "Show page", "Follow up", "More", "In all books"]
    assert (chat.graph.last.question, chat.graph.last.book) == (QUESTION, "Wading Orders")
    assert chat.graph.last.thread == thread_id(chat.channel.threads[0].id)


async def test_a_question_that_was_excused_can_be_tried_again_after_the_restart(chat: Chat) -> None:
    chat.graph.gate = asyncio.Event()
    stopping = asyncio.create_task(_stopped(chat))
    result = await chat.ask()
    await stopping
    assert "being restarted" in description(result)
    chat.graph.gate = None
    await chat.restart()
    await chat.ana.click(response(result), label="Try again")
    assert description(result).startswith("**A storm lamp")
    assert "forgotten" not in description(result)


@pytest.mark.parametrize("is_direct", [False, True])
async def test_of_a_question_at_which_the_process_was_killed_its_asker_is_told_once_and_may_try_again(
    chat: Chat, is_direct: bool
) -> None:
    ask = chat.ana.user.slash if is_direct else partial(chat.ana.slash, chat.channel)
    result = await ask("rules", question=QUESTION, book="Wading Orders")
    await kill_at_work(chat, result)
    assert "interrupted before I could answer" in description(result)
    assert buttons(result) == ["Try again"]
    shown = description(result)
    await chat.restart()
    assert description(result) == shown
    await (chat.ana.user if is_direct else chat.ana).click(response(result), label="Try again")
    assert description(result).startswith("**A storm lamp")
    assert (chat.graph.last.question, chat.graph.last.book) == (QUESTION, "Wading Orders")


@pytest.mark.parametrize("command", ["rules", "gm rules"])
async def test_a_private_question_at_which_the_process_was_killed_is_given_back(
    chat: Chat, command: str
) -> None:
    options = {"private": True} if command == "rules" else {}
    result = await chat.gm.slash(chat.channel, command, question=QUESTION, **options)
    await kill_at_work(chat, result)
    await chat.restart()
    [told] = chat.gm.user.dm_channel.history()
    assert "Ask it again where you asked it" in text_of(told)
    assert (QUESTION in text_of(told), told.components) == (True, [])
    assert not any("interrupted" in text_of(message) for message in chat.channel.history(viewer=None))


async def test_of_an_interrupted_command_its_asker_is_told_in_their_own_language(chat: Chat) -> None:
    result = await chat.ask("Até onde ilumina uma lamparina?")
    await kill_at_work(chat, result)
    assert "interrupted before I could answer" in description(result)


async def test_of_a_question_at_work_nothing_is_counted_or_said_to_be_deleted(chat: Chat) -> None:
    killed_at_work(chat.table, response(await chat.ask()).id)
    assert chat.table.answers.seconds_today() == []
    assert not chat.table.answers.knows(chat.graph.last.thread)
    assert chat.table.answers.drop(Of.ASKER, chat.ana.id) == (0, [chat.graph.last.thread])


async def kill_at_work(chat: Chat, result: InteractionResult) -> None:
    """Start the bot after a process that was killed while it answered."""
    killed_at_work(chat.table, response(result).id)
    await chat.restart()


def killed_at_work(table: Table, answer: int) -> None:
    """Leave an answer as a process that was killed before it leaves it."""
    kept = table.answers.find(answer)
    assert kept is not None
    table.answers.keep(replace(kept, outcome=AT_WORK, sources=()))


async def _stopped(chat: Chat) -> None:
    while not chat.graph.asked:
        await asyncio.sleep(0.01)
    await chat.bot.asking.queue.finish(within=0, excuse_within=1)


async def test_a_private_question_that_failed_is_tried_again_in_private(chat: Chat) -> None:
    chat.graph.failure = IndexUnreachable()
    result = await chat.ask(private=True)
    chat.graph.failure = None
    await chat.ana.click(response(result), label="Try again")
    assert description(result).startswith("**A storm lamp")
    assert not any("six paces" in text_of(message) for message in chat.channel.history(viewer=None))


@pytest.mark.parametrize("is_command", [True, False])
async def test_a_question_that_is_tried_again_in_the_open_bears_the_name_of_its_asker(
    chat: Chat, is_command: bool
) -> None:
    chat.graph.failure = IndexUnreachable()
    if is_command:
        shown = response(await chat.ask()).message
    else:
        await chat.ana.send(chat.channel, f"{chat.mention} {QUESTION}")
        shown = last(chat.channel.threads[0])
    chat.graph.failure = None
    await chat.ana.click(shown, label="Try again")
    [tried] = [
        one
        for place in (chat.channel, *chat.channel.threads)
        for one in place.history()
        if one.id == shown.id
    ]
    assert tried.embeds[0].author.name == f"Ana: {QUESTION}"


async def test_whoever_may_not_write_there_any_more_tries_again_privately(chat: Chat) -> None:
    chat.graph.failure = IndexUnreachable()
    result = await chat.gm.slash(chat.read_only, "rules", question=QUESTION)
    chat.graph.failure = None
    chat.take_roles(chat.gm)
    told = await chat.gm.click(response(result), label="Try again")
    assert told.ephemeral
    assert "six paces" in text_of(told)
    assert "six paces" not in description(result)


async def test_where_nothing_was_asked_nothing_failed_and_nothing_is_kept(chat: Chat) -> None:
    chat.graph.failure = NothingAsked()
    result = await chat.ask("thanks")
    assert description(result).startswith("What would you like to know?")
    assert (response(result).embeds[0].footer.text, buttons(result)) == (None, [])
    assert chat.table.answers.find(response(result).id) is None


@pytest.mark.parametrize("is_mention", [False, True], ids=["command", "mention"])
@pytest.mark.parametrize(
    ("method", "path", "times"),
    [("PATCH", "*/messages/*", 1), ("POST", "/channels/*/messages", 2), ("POST", "/channels/*/threads", 1)],
)
async def test_whatever_request_discord_fails_the_asker_has_an_answer_or_a_word(
    chat: Chat, method: str, path: str, times: int, is_mention: bool
) -> None:
    chat.env.inject_error(method, path, status=502, times=times)
    if is_mention:
        await chat.ana.send(chat.channel, f"{chat.mention} {QUESTION}")
    else:
        await chat.ask()
    places = [chat.channel, *chat.channel.threads]
    said = [text_of(one) for place in places for one in place.history() if one.author.bot]
    assert any("six paces" in text or "Discord did not let me through" in text for text in said)
    assert not any("🔎" in text for text in said)


# --- what was typed -------------------------------------------------------------------------------


async def test_what_is_sent_from_a_window_that_was_open_over_a_restart_is_answered(chat: Chat) -> None:
    shown = await chat.ana.click(response(await chat.ask()), label="Follow up")
    await chat.restart()
    await chat.ana.submit_modal(shown, {field_of(shown.modal): "And in fog?"})
    assert chat.graph.last.question == "And in fog?"
    assert chat.graph.last.thread == thread_id(chat.channel.threads[0].id)


async def test_a_typed_question_that_is_refused_is_given_back(chat: Chat) -> None:
    shown = await chat.ana.click(response(await chat.ask()), label="Follow up")
    chat.bot.asking.queue.is_closed = True
    told = await chat.ana.submit_modal(shown, {field_of(shown.modal): "And in thick fog?"})
    assert "being restarted" in text_of(told)
    assert "And in thick fog?" in text_of(told)


# --- where the book has left, or the channel plays another game -----------------------------------


EMBERS = book("Core Rules", game="Embers")


async def ask_again(person: MemberActor, result: InteractionResult) -> None:
    await choose(person, result, "Ask again")


@pytest.mark.parametrize("press", [follow_up, ask_again])
async def test_a_conversation_goes_on_in_the_game_that_its_channel_plays_now(
    chat: Chat, press: Press
) -> None:
    chat.table.library.all_books.append(EMBERS)
    result = await chat.ask(book="Wading Orders")
    await chat.gm.slash(chat.channel, "gm game", game="Embers")
    await press(chat.ana, result)
    assert (chat.graph.last.book, chat.graph.last.history) == ("Embers", (QUESTION,))
    said = text_of(chat.channel.threads[0].last_message)
    assert "Wading Orders can no longer be asked here, so I looked in Embers" in said


@pytest.mark.parametrize("press", [follow_up, ask_again])
async def test_a_conversation_goes_on_in_all_books_where_its_own_has_left(chat: Chat, press: Press) -> None:
    result = await chat.ask(book="Wading Orders")
    chat.table.library.all_books.remove(WADING)
    await chat.restart()
    await press(chat.ana, result)
    assert chat.graph.last.book is None
    assert "so I looked in all books" in text_of(chat.channel.threads[0].last_message)


async def test_another_game_is_not_asked_where_the_channel_plays_one_by_now(chat: Chat) -> None:
    chat.table.library.all_books.append(EMBERS)
    chat.graph.other_games = ["Embers"]
    result = await chat.ask()
    await chat.gm.slash(chat.channel, "gm game", game="Tides")
    told = await chat.ana.click(response(result), label="In Embers")
    assert "This channel plays Tides" in text_of(told)
