"""Follow-ups, none of which needs the privileged intent, and what is not meant for the bot."""

import discord
import pytest
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from bot.budgets import payers
from rag.state import thread_id
from tests.bot.in_process.reading import embed, last, response, row_of, text_of
from tests.bot.in_process.test_questions import QUESTION, open_thread
from tests.bot.table import Table, book


def mention(env: Env) -> str:
    assert env.bot.user is not None
    return env.bot.user.mention


async def test_a_mention_in_the_thread_is_a_follow_up(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await ana.send(thread, f"{mention(env)} And in fog?")
    assert table.rules_graph.last.question == "And in fog?"
    assert table.rules_graph.last.history == (QUESTION,)
    assert "six paces" in text_of(thread.last_message)


async def test_a_reply_to_an_answer_in_the_thread_is_a_follow_up(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await ana.send(thread, f"{mention(env)} And in fog?")
    await bia.send(thread, "And at night?", reply_to=thread.last_message)
    assert table.rules_graph.last.question == "And at night?"
    assert table.rules_graph.last.history == (QUESTION, "And in fog?")


async def test_the_follow_up_button_asks_in_the_thread_of_its_answer(
    table: Table, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await bia.click(response(result), label="Follow up")
    told = await bia.submit_modal(shown, {_input(shown.modal): "And in fog?"})
    assert table.rules_graph.last.history == (QUESTION,)
    assert "six paces" in text_of(channel.threads[0].last_message)
    assert told.ephemeral
    assert str(channel.threads[0].id) in response(told).content


async def test_the_follow_up_button_of_a_private_answer_answers_privately(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, private=True)
    shown = await ana.click(response(result), label="Follow up")
    told = await ana.submit_modal(shown, {_input(shown.modal): "And in fog?"})
    assert told.ephemeral
    assert table.rules_graph.last.history == (QUESTION,)
    assert "six paces" in text_of(response(told).message)


def _input(modal: dict[str, object] | None) -> str:
    assert modal is not None
    components = modal["components"]
    assert isinstance(components, list)
    inner = components[0].get("component") or components[0]["components"][0]
    return str(inner["custom_id"])


async def test_a_mention_in_a_plain_channel_opens_the_thread_on_the_players_message(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    asked = await ana.send(channel, f"{mention(env)} {QUESTION}")
    (thread,) = channel.threads
    assert (thread.id, thread.name) == (asked.id, QUESTION)
    assert table.rules_graph.last.thread == thread_id(asked.id)
    assert "six paces" in text_of(thread.last_message)


async def test_a_notification_of_an_answer_to_a_message_holds_the_questions_words(
    env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    await ana.send(channel, f"{mention(env)} {QUESTION}")
    [thread] = channel.threads
    [sent] = [
        request.json
        for request in env.http_requests
        if request.method == "POST" and request.path.endswith(f"/channels/{thread.id}/messages")
    ]
    assert isinstance(sent, dict)
    assert sent["content"] == f"❓ {QUESTION}"
    assert last(thread).content == ""


async def test_a_reply_to_an_answer_in_the_channel_goes_on_in_its_thread(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    await ana.send(channel, f"{mention(env)} And in fog?", reply_to=response(result))
    assert table.rules_graph.last.history == (QUESTION,)
    assert "six paces" in text_of(channel.threads[0].last_message)


async def test_replies_where_no_threads_are_go_on_with_one_conversation(
    table: Table, env: Env, guild: GuildHandle, ana: MemberActor
) -> None:
    denied = discord.PermissionOverwrite(create_public_threads=False)
    strict = guild.create_text_channel("strict", overwrites={guild.default_role: denied})
    await ana.send(strict, f"{mention(env)} {QUESTION}")
    await ana.send(strict, f"{mention(env)} And in fog?", reply_to=last(strict))
    await ana.send(strict, f"{mention(env)} And at night?", reply_to=last(strict))
    assert table.rules_graph.last.history == (QUESTION, "And in fog?")


async def test_a_mention_goes_on_in_the_book_of_its_conversation(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    await ana.slash(channel, "rules", question=QUESTION, book="Wading Orders")
    await ana.send(channel.threads[0], f"{mention(env)} And in fog?")
    assert table.rules_graph.last.book == "Wading Orders"


async def test_a_direct_message_is_a_question(table: Table, ana: MemberActor, channel: ChannelHandle) -> None:
    await ana.send_dm(QUESTION)
    assert "six paces" in text_of(ana.user.dm_channel.last_message)


# --- without the text ----------------------------------------------------------------------------


async def test_a_reply_that_arrives_without_text_gets_a_hint_once_a_thread(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    asked = await ana.slash(thread, "rules", question="And in fog?")
    for _ in range(2):
        await ana.send(thread, "And at night?", reply_to=response(asked))
    hints = [message for message in thread.history() if "Press the button" in message.content]
    assert len(hints) == 1
    assert len(table.rules_graph.asked) == 2


async def test_the_button_on_a_hint_asks_in_the_thread(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    asked = await ana.slash(thread, "rules", question="And in fog?")
    await ana.send(thread, "And at night?", reply_to=response(asked))
    shown = await ana.click(last(thread), label="Follow up")
    await ana.submit_modal(shown, {_input(shown.modal): "And at night?"})
    assert table.rules_graph.last.history == (QUESTION, "And in fog?")


async def test_the_button_on_a_hint_below_an_answer_in_the_channel_asks_in_its_thread(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    await ana.send(channel, "And at night?", reply_to=response(result))
    shown = await ana.click(last(channel), label="Follow up")
    await ana.submit_modal(shown, {_input(shown.modal): "And at night?"})
    assert table.rules_graph.last.history == (QUESTION,)
    assert "six paces" in text_of(channel.threads[0].last_message)


@pytest.mark.parametrize("said", ["", " ???", " 👍"])
async def test_a_mention_without_a_word_opens_no_thread_and_tells_each_person_how_to_ask(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle, said: str
) -> None:
    for person in (ana, ana, bia):
        await person.send(channel, f"{mention(env)}{said}")
    told = [message.content for message in channel.history() if "beside my name" in message.content]
    assert (len(told), channel.threads, table.rules_graph.asked) == (2, [], [])


async def test_a_mention_below_a_message_that_discord_withholds_tells_how_to_ask_it(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    disputed = await bia.send(channel, "Does a storm lamp light six paces?")
    await ana.send(channel, mention(env), reply_to=disputed)
    assert "Apps → “Ask the rules”" in text_of(channel.last_message)
    assert table.rules_graph.asked == []


@pytest.mark.parametrize("reads_everything", [True])
async def test_a_mention_below_a_message_asks_what_that_says(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    disputed = await bia.send(channel, "Does a storm lamp light six paces?")
    await ana.send(channel, mention(env), reply_to=disputed)
    assert table.rules_graph.last.question == "Does a storm lamp light six paces?"
    assert len(channel.threads) == 1


async def test_a_question_that_is_too_long_is_told_so_and_not_cut(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    await ana.send(channel, f"{mention(env)} {'How far? ' * 150}")
    assert "1,349 characters long, and I take 1,000" in text_of(channel.last_message)
    assert table.rules_graph.asked == []


async def test_people_channels_and_roles_are_asked_about_by_their_names(
    table: Table, env: Env, guild: GuildHandle, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    role = guild.create_role("Keepers")
    words = f"May {bia.mention} and <@&{role.id}> ask in <#{channel.id}> of <@123456789012345678>?"
    await ana.send(channel, f"{mention(env)} {words}")
    await ana.slash(channel, "rules", question=words)
    asked = [one.question for one in table.rules_graph.asked]
    assert asked == ["May @Bia and @Keepers ask in #table of @…?"] * 2
    assert not any(str(bia.id) in one or "123456789012345678" in one for one in asked)


async def test_a_mention_that_is_corrected_within_a_minute_is_asked_anew(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    asked = await ana.send(channel, f"{mention(env)} How fat does a lamp light?")
    await ana.edit(asked, f"{mention(env)} How far does a lamp light?")
    await ana.edit(asked, f"{mention(env)} How far does a lamp light?")
    assert [one.question for one in table.rules_graph.asked] == [
        "How fat does a lamp light?",
        "How far does a lamp light?",
    ]
    assert len(channel.threads) == 1


async def test_a_mention_that_is_corrected_later_than_that_is_left_alone(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    asked = await ana.send(channel, f"{mention(env)} How fat does a lamp light?")
    await env.advance_time(61)
    await ana.edit(asked, f"{mention(env)} How far does a lamp light?")
    assert [one.question for one in table.rules_graph.asked] == ["How fat does a lamp light?"]


@pytest.mark.parametrize("reads_everything", [True, False])
async def test_a_mention_of_the_role_that_discord_gives_the_bot_is_asked_or_gets_a_hint(
    table: Table,
    guild: GuildHandle,
    ana: MemberActor,
    channel: ChannelHandle,
    reads_everything: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    role = guild.create_role("TestBot")
    own = property(lambda cached: cached.get_role(role.id))
    monkeypatch.setattr(discord.Guild, "self_role", own)
    await ana.send(channel, f"{role.mention} {QUESTION}")
    if reads_everything:
        assert [one.question for one in table.rules_graph.asked] == [QUESTION]
    else:
        assert "Discord does not show me what you wrote" in text_of(channel.last_message)


async def test_a_message_in_which_the_bot_is_mentioned_later_is_asked(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    said = await ana.send(channel, QUESTION)
    await ana.edit(said, f"{mention(env)} {QUESTION}")
    assert table.rules_graph.last.question == QUESTION


async def test_a_mention_without_a_question_gets_the_hint_whose_button_opens_a_thread(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    await ana.send(channel, mention(env))
    shown = await ana.click(last(channel), label="Follow up")
    told = await ana.submit_modal(shown, {_input(shown.modal): QUESTION})
    assert table.rules_graph.last.thread == thread_id(channel.threads[0].id)
    assert embed(told).author.name == f"Ana: {QUESTION}"


# --- with the privileged intent -------------------------------------------------------------------


@pytest.mark.parametrize("reads_everything", [True])
async def test_plain_messages_in_its_threads_are_follow_ups_with_the_intent(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await ana.send(thread, "And in fog?")
    assert table.rules_graph.last.history == (QUESTION,)


@pytest.mark.parametrize("reads_everything", [True])
async def test_what_may_be_a_question_is_one_from_whoever_was_answered_last(
    table: Table, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await ana.slash(thread, "rules", question="And in fog?")
    await bia.send(thread, "flanking too")
    await ana.send(thread, "flanking too")
    assert len(table.rules_graph.asked) == 2
    await ana.slash(thread, "rules", question="And in fog?")
    await ana.send(thread, "flanking too")
    assert table.rules_graph.last.question == "flanking too"
    assert table.budgets.spent(payers(ana.id, None)[0]).calls == 4 * 3 + 1


@pytest.mark.parametrize("reads_everything", [True])
async def test_what_the_model_finds_no_question_in_gets_no_word(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.small_talk = ("flanking too",)
    thread = await open_thread(ana, channel)
    await ana.slash(thread, "rules", question="And in fog?")
    answered = last(thread)
    said = await ana.send(thread, "flanking too")
    assert last(thread).id == said.id
    assert (len(table.rules_graph.asked), last(thread).id > answered.id) == (2, True)


async def test_thanks_to_the_bot_are_returned_in_their_language_once_a_minute_without_a_search(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    for _ in range(2):
        await ana.send(channel, f"{mention(env)} valeu!")
    answers = [one.content for one in channel.history() if one.author.bot and one.content]
    assert answers == ["Sempre às ordens da mesa! Pergunte quando uma regra não estiver clara."]
    assert (table.rules_graph.asked, channel.threads) == ([], [])


async def test_a_follow_up_to_an_answer_no_longer_kept_goes_on_where_it_stands(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await ana.click(response(result), label="Follow up")
    table.answers.drop_messages([response(result).id])
    await ana.submit_modal(shown, {_input(shown.modal): "And in fog?"})
    assert (table.rules_graph.last.question, table.rules_graph.last.history) == ("And in fog?", (QUESTION,))
    assert "six paces" in text_of(channel.threads[0].last_message)


async def test_a_follow_up_to_a_private_answer_no_longer_kept_stays_private(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, private=True)
    shown = await ana.click(response(result), label="Follow up")
    table.answers.drop_messages([response(result).id])
    told = await ana.submit_modal(shown, {_input(shown.modal): "And in fog?"})
    assert table.rules_graph.last.question == "And in fog?"
    assert told.ephemeral
    assert channel.last_message is None


async def test_a_follow_up_to_a_gms_answer_no_longer_kept_is_a_gms(
    table: Table, gm: MemberActor, channel: ChannelHandle
) -> None:
    result = await gm.slash(channel, "gm rules", question=QUESTION)
    conversation = table.rules_graph.last.thread
    shown = await gm.click(response(result), label="Follow up")
    table.answers.drop_messages([response(result).id])
    told = await gm.submit_modal(shown, {_input(shown.modal): "And in fog?"})
    assert (table.rules_graph.last.reader, table.rules_graph.last.thread) == ("gm", conversation)
    assert told.ephemeral


async def test_a_follow_up_to_a_gms_answer_no_longer_kept_is_refused_to_others(
    table: Table, env: Env, guild: GuildHandle, gm: MemberActor, channel: ChannelHandle
) -> None:
    result = await gm.slash(channel, "gm rules", question=QUESTION)
    shown = await gm.click(response(result), label="Follow up")
    table.answers.drop_messages([response(result).id])
    env.backend.get_guild(guild.id).members[gm.id].role_ids.clear()
    told = await gm.submit_modal(shown, {_input(shown.modal): "And in fog?"})
    assert "Only game masters" in text_of(response(told).message)
    assert [asked.question for asked in table.rules_graph.asked] == [QUESTION]


# --- where somebody may not write -------------------------------------------------------------------


@pytest.mark.parametrize("is_kept", [True, False])
async def test_a_follow_up_is_private_for_whoever_may_not_write_there(
    table: Table, gm: MemberActor, ana: MemberActor, read_only: ChannelHandle, is_kept: bool
) -> None:
    result = await gm.slash(read_only, "rules", question=QUESTION)
    (thread,) = read_only.threads
    shown = await ana.click(response(result), label="Follow up")
    if not is_kept:
        table.answers.drop_messages([response(result).id])
    told = await ana.submit_modal(shown, {_input(shown.modal): "And in fog?"})
    assert told.ephemeral
    assert "six paces" in text_of(response(told).message)
    assert thread.last_message is None
    assert table.rules_graph.last.thread != thread_id(thread.id)


async def test_a_private_conversation_that_begins_in_an_old_thread_has_forgotten_nothing(
    table: Table, env: Env, gm: MemberActor, ana: MemberActor, read_only: ChannelHandle
) -> None:
    await gm.slash(read_only, "rules", question=QUESTION)
    (thread,) = read_only.threads
    await gm.slash(thread, "rules", question="And in fog?")
    await env.restart_bot(table.restarted())
    shown = await ana.click(last(thread), label="Follow up")
    told = await ana.submit_modal(shown, {_input(shown.modal): "And at night?"})
    assert "six paces" in text_of(response(told).message)
    assert "is forgotten" not in text_of(response(told).message)


async def test_another_game_is_asked_privately_by_whoever_may_not_write_there(
    table: Table, gm: MemberActor, ana: MemberActor, read_only: ChannelHandle
) -> None:
    table.library.all_books.append(book("Deep Halls", game="Dark"))
    table.rules_graph.other_games = ["Dark"]
    result = await gm.slash(read_only, "rules", question=QUESTION)
    told = await ana.click(response(result), label="In Dark")
    assert told.ephemeral
    assert table.rules_graph.last.book == "Dark"
    assert read_only.threads[0].last_message is None


async def test_a_hint_opens_no_thread_for_whoever_may_not_write_there(
    table: Table, env: Env, gm: MemberActor, ana: MemberActor, read_only: ChannelHandle
) -> None:
    await gm.send(read_only, mention(env))
    shown = await ana.click(last(read_only), label="Follow up")
    told = await ana.submit_modal(shown, {_input(shown.modal): QUESTION})
    assert told.ephemeral
    assert table.rules_graph.last.question == QUESTION
    assert read_only.threads == []


async def test_a_message_is_asked_about_privately_by_whoever_may_not_write_there(
    gm: MemberActor, ana: MemberActor, read_only: ChannelHandle
) -> None:
    said = await gm.send(read_only, QUESTION)
    told = await ana.context_menu(read_only, "Ask the rules", said)
    assert told.ephemeral


async def test_a_command_is_answered_privately_for_whoever_may_not_write_there(
    ana: MemberActor, gm: MemberActor, read_only: ChannelHandle
) -> None:
    assert (await ana.slash(read_only, "rules", question=QUESTION)).ephemeral
    assert not (await gm.slash(read_only, "rules", question=QUESTION)).ephemeral


async def test_whoever_may_write_follows_up_in_the_open(gm: MemberActor, read_only: ChannelHandle) -> None:
    result = await gm.slash(read_only, "rules", question=QUESTION)
    shown = await gm.click(response(result), label="Follow up")
    await gm.submit_modal(shown, {_input(shown.modal): "And in fog?"})
    assert "six paces" in text_of(read_only.threads[0].last_message)


async def test_a_direct_message_is_answered_in_the_questions_language_throughout(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.language = "pt-BR"
    await ana.send_dm("Até onde ilumina uma lamparina?")
    said = ana.user.dm_channel.last_message
    assert said is not None
    assert "3,4 s" in text_of(said)
    assert row_of(said) == ["Fontes", "Continuar", "Mais", "Novo assunto"]


async def test_without_the_intent_plain_messages_are_left_alone(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await ana.send(thread, "And in fog?")
    assert len(table.rules_graph.asked) == 1


# --- after a restart ------------------------------------------------------------------------------


async def test_after_a_restart_the_thread_works_and_says_once_that_the_rest_is_forgotten(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await env.restart_bot(table.restarted())
    await ana.slash(thread, "rules", question="And in fog?")
    assert "is forgotten" in text_of(thread.last_message)
    await ana.slash(thread, "rules", question="And at night?")
    assert "is forgotten" not in text_of(thread.last_message)


async def test_a_new_question_after_a_restart_says_nothing_of_forgetting(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    await open_thread(ana, channel)
    await env.restart_bot(table.restarted())
    result = await ana.slash(channel, "rules", question=QUESTION)
    assert "is forgotten" not in text_of(response(result).message)


async def test_commands_are_synced_only_when_they_changed(table: Table, env: Env, guild: GuildHandle) -> None:
    await env.restart_bot(table.restarted())
    requests = [one.method for one in env.http_requests if one.path.endswith("/commands")]
    assert requests == ["PUT", "GET"]
