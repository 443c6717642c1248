"""A question that was typed is never lost, and one that failed can be tried again."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import pytest
from simcord import ChannelHandle, Env, GuildHandle, InteractionResult, MemberActor

from bot.answers.table import AT_WORK
from rag.errors import IndexUnreachable, NothingAsked
from rag.state import thread_id
from tests.bot.in_process.reading import bot_in, description, last, response, row_of, text_of
from tests.bot.in_process.test_conversations import _input as input_of
from tests.bot.in_process.test_conversations import mention
from tests.bot.in_process.test_questions import QUESTION
from tests.bot.table import WADING, Table, book

Press = Callable[[MemberActor, InteractionResult], Awaitable[None]]


def buttons(result: InteractionResult) -> list[str]:
    """The labels below the answer to an interaction."""
    return [button["label"] for row in response(result).components for button in row["components"]]


async def test_the_same_question_can_be_asked_again_when_it_is_answered(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    menu = await ana.click(response(result), label="More")
    for _ in range(2):
        await ana.click(response(menu), label="Ask again")
    assert len(table.rules_graph.asked) == 3


# --- Try again ------------------------------------------------------------------------------------


async def test_a_question_that_failed_can_be_tried_again_in_its_place(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.failure = IndexUnreachable()
    result = await ana.slash(channel, "rules", question=QUESTION, book="Wading Orders")
    assert buttons(result) == ["Try again"]
    table.rules_graph.failure = None
    await ana.click(response(result), label="Try again")
    assert description(result).startswith("**A storm lamp")
    assert buttons(result) == ["Sources", "Follow up", "More", "In all books"]
    assert (table.rules_graph.last.question, table.rules_graph.last.book) == (QUESTION, "Wading Orders")
    assert table.rules_graph.last.thread == thread_id(channel.threads[0].id)


async def test_a_question_that_was_excused_can_be_tried_again_after_the_restart(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.gate = asyncio.Event()
    stopping = asyncio.create_task(_stopped(env, table))
    result = await ana.slash(channel, "rules", question=QUESTION)
    await stopping
    assert "being restarted" in description(result)
    table.rules_graph = replace(table.rules_graph, gate=None)
    await env.restart_bot(table.restarted())
    await ana.click(response(result), label="Try again")
    assert description(result).startswith("**A storm lamp")
    assert "forgotten" not in description(result)


@pytest.mark.parametrize("is_direct", [False, True])
async def test_of_a_question_at_which_the_process_was_killed_its_asker_is_told_once_and_may_try_again(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle, is_direct: bool
) -> None:
    ask = ana.user.slash if is_direct else partial(ana.slash, channel)
    result = await ask("rules", question=QUESTION, book="Wading Orders")
    killed_at_work(table, response(result).id)
    await env.restart_bot(table.restarted())
    assert "interrupted before I could answer" in description(result)
    assert buttons(result) == ["Try again"]
    shown = description(result)
    await env.restart_bot(table.restarted())
    assert description(result) == shown
    await (ana.user if is_direct else ana).click(response(result), label="Try again")
    assert description(result).startswith("**A storm lamp")
    assert (table.rules_graph.last.question, table.rules_graph.last.book) == (QUESTION, "Wading Orders")


async def test_a_private_question_at_which_the_process_was_killed_may_be_tried_again_directly(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, private=True)
    killed_at_work(table, response(result).id)
    for _ in range(2):
        await env.restart_bot(table.restarted())
    [told] = ana.user.dm_channel.history()
    assert "interrupted before I could answer" in text_of(told)
    assert QUESTION in text_of(told)
    assert not any("interrupted" in text_of(message) for message in channel.history(viewer=None))
    await ana.user.click(told, label="Try again")
    await ana.send_dm("And in fog?")
    assert [one.history for one in table.rules_graph.asked] == [(), (QUESTION,)]
    assert not any("six paces" in text_of(message) for message in channel.history(viewer=None))


async def test_a_gms_question_at_which_the_process_was_killed_is_given_back(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    result = await gm.slash(channel, "gm rules", question=QUESTION)
    killed_at_work(table, response(result).id)
    await env.restart_bot(table.restarted())
    [told] = gm.user.dm_channel.history()
    assert "Ask it again where you asked it" in text_of(told)
    assert (QUESTION in text_of(told), told.components) == (True, [])


async def test_of_an_interrupted_command_its_asker_is_told_in_their_own_language(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question="Até onde ilumina uma lamparina?")
    killed_at_work(table, response(result).id)
    await env.restart_bot(table.restarted())
    assert "interrupted before I could answer" in description(result)


async def test_of_a_question_at_work_nothing_is_counted_or_said_to_be_deleted(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    killed_at_work(table, response(result).id)
    assert table.answers.today().questions == 0
    assert not table.answers.knows(table.rules_graph.last.thread)
    assert table.answers.forget(ana.id) == (0, [table.rules_graph.last.thread])


def killed_at_work(table: Table, answer: int) -> None:
    """Leave an answer as a process that was killed before it leaves it."""
    kept = table.answers.find(answer)
    assert kept is not None
    table.answers.keep(replace(kept, outcome=AT_WORK, sources=()))


async def _stopped(env: Env, table: Table) -> None:
    while not table.rules_graph.asked:
        await asyncio.sleep(0.01)
    await bot_in(env).admitted_questions.finish(within=0, excuse_within=1)


async def test_a_private_question_that_failed_is_tried_again_in_private(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.failure = IndexUnreachable()
    result = await ana.slash(channel, "rules", question=QUESTION, private=True)
    table.rules_graph.failure = None
    await ana.click(response(result), label="Try again")
    assert description(result).startswith("**A storm lamp")
    assert not any("six paces" in text_of(message) for message in channel.history(viewer=None))


@pytest.mark.parametrize("is_command", [True, False])
async def test_a_question_that_is_tried_again_in_the_open_bears_the_name_of_its_asker(
    table: Table, env: Env, gm: MemberActor, ana: MemberActor, channel: ChannelHandle, is_command: bool
) -> None:
    table.rules_graph.failure = IndexUnreachable()
    if is_command:
        shown = response(await ana.slash(channel, "rules", question=QUESTION)).message
    else:
        await ana.send(channel, f"{mention(env)} {QUESTION}")
        shown = last(channel.threads[0])
    table.rules_graph.failure = None
    await ana.click(shown, label="Try again")
    [tried] = [one for place in (channel, *channel.threads) for one in place.history() if one.id == shown.id]
    assert tried.embeds[0].author.name == f"Ana: {QUESTION}"


async def test_whoever_may_not_write_there_any_more_tries_again_privately(
    table: Table, env: Env, guild: GuildHandle, gm: MemberActor, read_only: ChannelHandle
) -> None:
    table.rules_graph.failure = IndexUnreachable()
    result = await gm.slash(read_only, "rules", question=QUESTION)
    table.rules_graph.failure = None
    env.backend.get_guild(guild.id).members[gm.id].role_ids.clear()
    told = await gm.click(response(result), label="Try again")
    assert told.ephemeral
    assert "six paces" in text_of(response(told).message)
    assert "six paces" not in description(result)


async def test_what_was_tried_again_and_came_too_late_for_its_message_goes_on_directly(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.failure = IndexUnreachable()
    result = await ana.slash(channel, "rules", question=QUESTION, private=True)
    table.rules_graph.failure = None
    env.inject_error("PATCH", "/webhooks/*", status=401, code=50027, message="expired", times=9)
    await ana.click(response(result), label="Try again")
    [told] = ana.user.dm_channel.history()
    assert "Follow up" in row_of(told)
    await ana.send_dm("And in fog?")
    assert table.rules_graph.last.history == (QUESTION,)


async def test_where_nothing_was_asked_nothing_failed_and_nothing_is_kept(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.failure = NothingAsked()
    result = await ana.slash(channel, "rules", question="thanks")
    assert description(result).startswith("What would you like to know?")
    assert (response(result).embeds[0].footer.text, buttons(result)) == (None, [])
    assert table.answers.find(response(result).id) is None


async def test_what_failed_is_no_question_of_today(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.failure = IndexUnreachable()
    await ana.slash(channel, "rules", question=QUESTION)
    assert table.answers.today().questions == 0


@pytest.mark.parametrize("is_mention", [False, True], ids=["command", "mention"])
@pytest.mark.parametrize(
    ("method", "path", "times"),
    [("PATCH", "*/messages/*", 1), ("POST", "/channels/*/messages", 2), ("POST", "/channels/*/threads", 1)],
)
async def test_whatever_request_discord_fails_the_asker_has_an_answer_or_a_word(
    env: Env, ana: MemberActor, channel: ChannelHandle, method: str, path: str, times: int, is_mention: bool
) -> None:
    env.inject_error(method, path, status=502, times=times)
    if is_mention:
        await ana.send(channel, f"{mention(env)} {QUESTION}")
    else:
        await ana.slash(channel, "rules", question=QUESTION)
    places = [channel, *channel.threads]
    said = [text_of(one) for place in places for one in place.history() if one.author.bot]
    assert any("six paces" in text or "Discord did not let me through" in text for text in said)
    assert not any("🔎" in text for text in said)


# --- what was typed -------------------------------------------------------------------------------


async def test_what_is_sent_from_a_window_that_was_open_over_a_restart_is_answered(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await ana.click(response(result), label="Follow up")
    await env.restart_bot(table.restarted())
    await ana.submit_modal(shown, {input_of(shown.modal): "And in fog?"})
    assert table.rules_graph.last.question == "And in fog?"
    assert table.rules_graph.last.thread == thread_id(channel.threads[0].id)


async def test_two_people_with_the_same_window_open_are_both_answered(
    table: Table, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    windows = [(person, await person.click(response(result), label="Follow up")) for person in (ana, bia)]
    for person, shown in windows:
        await person.submit_modal(shown, {input_of(shown.modal): f"And for {person.id}?"})
    assert [one.question for one in table.rules_graph.asked[1:]] == [
        f"And for {one.id}?" for one in (ana, bia)
    ]


async def test_a_typed_question_that_is_refused_is_given_back(
    env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await ana.click(response(result), label="Follow up")
    bot_in(env).admitted_questions.is_closed = True
    told = await ana.submit_modal(shown, {input_of(shown.modal): "And in thick fog?"})
    assert "being restarted" in text_of(response(told).message)
    assert "And in thick fog?" in text_of(response(told).message)


# --- where the book has left, or the channel plays another game -----------------------------------


EMBERS = book("Core Rules", game="Embers")


async def follow_up(person: MemberActor, result: InteractionResult) -> None:
    shown = await person.click(response(result), label="Follow up")
    await person.submit_modal(shown, {input_of(shown.modal): "And in fog?"})


async def ask_again(person: MemberActor, result: InteractionResult) -> None:
    menu = await person.click(response(result), label="More")
    await person.click(response(menu), label="Ask again")


@pytest.mark.parametrize("press", [follow_up, ask_again])
async def test_a_conversation_goes_on_in_the_game_that_its_channel_plays_now(
    table: Table, gm: MemberActor, ana: MemberActor, channel: ChannelHandle, press: Press
) -> None:
    table.library.all_books.append(EMBERS)
    result = await ana.slash(channel, "rules", question=QUESTION, book="Wading Orders")
    await gm.slash(channel, "gm game", game="Embers")
    await press(ana, result)
    assert (table.rules_graph.last.book, table.rules_graph.last.history) == ("Embers", (QUESTION,))
    said = text_of(channel.threads[0].last_message)
    assert "Wading Orders can no longer be asked here, so I looked in Embers" in said


@pytest.mark.parametrize("press", [follow_up, ask_again])
async def test_a_conversation_goes_on_in_all_books_where_its_own_has_left(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle, press: Press
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, book="Wading Orders")
    table.library.all_books.remove(WADING)
    await env.restart_bot(table.restarted())
    await press(ana, result)
    assert table.rules_graph.last.book is None
    assert "so I looked in all books" in text_of(channel.threads[0].last_message)


async def test_another_game_is_not_asked_where_the_channel_plays_one_by_now(
    table: Table, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.library.all_books.append(EMBERS)
    table.rules_graph.other_games = ["Embers"]
    result = await ana.slash(channel, "rules", question=QUESTION)
    await gm.slash(channel, "gm game", game="Tides")
    told = await ana.click(response(result), label="In Embers")
    assert "This channel plays Tides" in text_of(response(told).message)


async def test_an_answer_asked_by_button_bears_the_name_of_its_asker(
    ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    await follow_up(bia, result)
    shown = channel.threads[0].last_message
    assert shown is not None
    assert shown.embeds[0].author.name == "Bia: And in fog?"
