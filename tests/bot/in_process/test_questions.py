"""`/rules`, wherever it is used."""

import asyncio
from collections.abc import Callable

import discord
import pytest
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from bot.budgets import DAY_SECONDS, Account, AccountKind
from bot.operations.ingestion import Reading
from rag.state import Stated, Usage, thread_id
from tests.bot.in_process.reading import bot_in, description, embed, last, response, text_of
from tests.bot.refused import refused
from tests.bot.table import QUOTE, Table, answer, source

QUESTION = "How far does a storm lamp light?"


async def open_thread(ana: MemberActor, channel: ChannelHandle) -> ChannelHandle:
    await ana.slash(channel, "rules", question=QUESTION)
    return channel.threads[0]


async def test_the_answer_begins_with_the_verdict_and_cites_book_and_page(
    ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    found = embed(result)
    assert description(result).startswith("**A storm lamp lights six paces.**")
    assert found.fields[0].name == "[1] Wading Orders, p. 13"
    assert QUOTE in (found.fields[0].value or "")
    assert found.footer.text == "multi-hop · 2 hops · 3.4 s · checked by code"


async def test_the_answer_opens_a_thread_on_itself_named_after_the_question(
    ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    (thread,) = channel.threads
    assert (thread.id, thread.name) == (response(result).id, QUESTION)


@pytest.mark.parametrize("private", [False, True])
async def test_what_is_proven_is_shown_on_the_message_before_the_answer(
    table: Table,
    env: Env,
    ana: MemberActor,
    channel: ChannelHandle,
    monkeypatch: pytest.MonkeyPatch,
    private: bool,
) -> None:
    monkeypatch.setattr("bot.questions.working_message.SECONDS_BETWEEN_EDITS", 0)
    table.rules_graph.steps, table.rules_graph.gate = [Stated(QUOTE)], asyncio.Event()
    reading = asyncio.create_task(
        opened_when(table.rules_graph.gate, lambda: QUOTE in str(descriptions(env)))
    )
    await ana.slash(channel, "rules", question=QUESTION, private=private)
    await reading
    *working, answered = descriptions(env)
    assert working[-1].startswith(f"**{QUOTE}**\n\n🔎")
    assert answered.startswith(f"**{QUOTE}**")
    assert "🔎" not in answered


async def opened_when(gate: asyncio.Event, condition: Callable[[], bool]) -> None:
    """Let the graph answer when something has happened."""
    while not condition():
        await asyncio.sleep(0)
    gate.set()


def descriptions(env: Env) -> list[str]:
    """The text of every embed that the bot sent, in order."""
    bodies = [request.json for request in env.http_requests if isinstance(request.json, dict)]
    return [embed["description"] for body in bodies for embed in body.get("embeds") or ()]


async def test_a_long_question_names_its_thread_in_at_most_100_characters(
    ana: MemberActor, channel: ChannelHandle
) -> None:
    await ana.slash(channel, "rules", question="May I " + "really " * 100 + "?")
    assert len(channel.threads[0].name or "") <= 100


async def test_the_conversation_is_the_threads_from_the_first_moment(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    assert table.rules_graph.last.thread == thread_id(thread.id)


async def test_in_a_thread_the_answer_stays_and_the_conversation_goes_on(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await ana.slash(thread, "rules", question="And in fog?")
    assert table.rules_graph.last.history == (QUESTION,)
    assert "six paces" in text_of(thread.last_message)
    assert len(channel.threads) == 1


async def test_in_a_thread_the_answer_is_an_ordinary_message_that_can_be_replied_to(
    ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    result = await ana.slash(thread, "rules", question="And in fog?")
    assert response(result).content == "❓ And in fog?"
    answer_message = thread.last_message
    assert answer_message is not None
    assert answer_message.reference is not None
    assert answer_message.reference.message_id == response(result).id


async def test_in_a_forum_post_the_answer_stays(
    table: Table, env: Env, guild: GuildHandle, ana: MemberActor
) -> None:
    forum = env.bot.get_channel(guild.create_forum_channel("questions").id)
    assert isinstance(forum, discord.ForumChannel)
    post = (await forum.create_thread(name="Lamps", content="Talk")).thread
    handle = next(one for one in guild.channels.values() if one.id == forum.id).threads[0]
    await ana.slash(handle, "rules", question=QUESTION)
    assert table.rules_graph.last.thread == thread_id(post.id)
    assert "six paces" in text_of(handle.last_message)


@pytest.mark.parametrize("kind", ["create_voice_channel", "create_stage_channel"])
async def test_in_the_chat_of_a_voice_channel_the_answer_stays_and_the_channel_is_the_conversation(
    table: Table, guild: GuildHandle, ana: MemberActor, kind: str
) -> None:
    voice = getattr(guild, kind)("spoken")
    await ana.slash(voice, "rules", question=QUESTION)
    await ana.slash(voice, "rules", question="And in fog?")
    assert table.rules_graph.last.thread == thread_id(voice.id)
    assert table.rules_graph.last.history == (QUESTION,)
    assert "six paces" in text_of(voice.last_message)


async def test_in_a_direct_message_the_answer_stays(table: Table, env: Env, ana: MemberActor) -> None:
    await ana.user.slash("rules", question=QUESTION)
    await ana.user.slash("rules", question="And in fog?")
    assert table.rules_graph.last.thread == thread_id(ana.user.dm_channel.id)
    assert table.rules_graph.last.history == (QUESTION,)
    assert "six paces" in text_of(ana.user.dm_channel.last_message)


# --- budgets of the day ---------------------------------------------------------------------------

NOON = 20_000.5 * DAY_SECONDS
MIDNIGHT = 20_001 * DAY_SECONDS


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ("daily_tokens_user", "You have had your share of written answers for today."),
        ("daily_tokens_server", "This server has had its share of written answers for today."),
    ],
)
async def test_over_the_days_budget_the_answer_comes_without_the_model_and_says_until_when(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle, budget: str, said: str
) -> None:
    table.clock = lambda: NOON
    table.configure(**{budget: 9_000})
    await env.restart_bot(table.restarted())
    within = await ana.slash(channel, "rules", question=QUESTION)
    assert table.rules_graph.last.with_model
    assert "share of written answers" not in description(within)
    over = await ana.slash(channel, "rules", question="And in fog?")
    assert not table.rules_graph.last.with_model
    assert f"{said} Until <t:{MIDNIGHT}:t> I quote the closest passages" in description(over)


async def test_a_restart_renews_no_budget(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.configure(daily_tokens_user=9_000)
    await env.restart_bot(table.restarted())
    await ana.slash(channel, "rules", question=QUESTION)
    await env.restart_bot(table.restarted())
    await ana.slash(channel, "rules", question=QUESTION)
    assert not table.rules_graph.last.with_model


async def test_one_users_budget_is_not_anothers(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    table.configure(daily_tokens_user=9_000)
    await env.restart_bot(table.restarted())
    await ana.slash(channel, "rules", question=QUESTION)
    await bia.slash(channel, "rules", question=QUESTION)
    assert table.rules_graph.last.with_model


async def test_a_direct_message_counts_for_the_user_alone(
    table: Table, env: Env, guild: GuildHandle, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.configure(daily_tokens_user=9_000)
    await env.restart_bot(table.restarted())
    await ana.user.slash("rules", question=QUESTION)
    await ana.slash(channel, "rules", question=QUESTION)
    assert not table.rules_graph.last.with_model
    assert table.budgets.spent(Account(AccountKind.SERVER, guild.id)) == Usage()


# --- private --------------------------------------------------------------------------------------


async def test_a_private_answer_is_for_the_asker_alone_and_has_no_thread(
    ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, private=True)
    assert result.ephemeral
    assert "six paces" in text_of(response(result).message)
    assert channel.threads == []


async def test_a_private_question_in_a_thread_never_enters_its_conversation(
    table: Table, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await bia.slash(thread, "rules", question="What if I betray them?", private=True)
    assert not table.rules_graph.last.history
    await ana.slash(thread, "rules", question="And in fog?")
    assert table.rules_graph.last.history == (QUESTION,)


# --- which books ----------------------------------------------------------------------------------


async def test_a_book_narrows_the_search(table: Table, ana: MemberActor, channel: ChannelHandle) -> None:
    await ana.slash(channel, "rules", question=QUESTION, book="Wading Orders")
    assert table.rules_graph.last.book == "Wading Orders"


async def test_an_unknown_book_is_said_privately_and_nothing_is_asked(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, book="Nonsense")
    assert result.ephemeral
    assert "“Nonsense”" in text_of(response(result).message)
    assert table.rules_graph.asked == []


async def test_the_books_complete_while_somebody_types(ana: MemberActor, channel: ChannelHandle) -> None:
    choices = await ana.autocomplete(channel, "rules", "book", "knóts")
    assert [choice["name"] for choice in choices] == ["The Book of Knots (K)"]


async def test_no_completion_names_a_book_for_the_gm(ana: MemberActor, channel: ChannelHandle) -> None:
    choices = await ana.autocomplete(channel, "rules", "book", "")
    assert [choice["value"] for choice in choices] == ["Wading Orders", "The Book of Knots", "all"]


# --- the message menu -----------------------------------------------------------------------------


async def test_the_message_in_which_people_argue_can_be_the_question(
    table: Table, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    argument = await bia.send(channel, "No way a storm lamp lights ten paces!")
    result = await ana.context_menu(channel, "Ask the rules", argument)
    assert table.rules_graph.last.question == "No way a storm lamp lights ten paces!"
    assert channel.threads[0].id == response(result).id


async def test_a_message_without_text_is_no_question(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    picture = await ana.send(channel, attachments=[("map.png", b"png")])
    result = await ana.context_menu(channel, "Ask the rules", picture)
    assert result.ephemeral
    assert "no text" in text_of(response(result).message)
    assert table.rules_graph.asked == []


# --- failures -------------------------------------------------------------------------------------


async def test_a_failure_is_told_in_place_with_an_id_that_stands_in_the_log(
    table: Table, ana: MemberActor, channel: ChannelHandle, caplog: pytest.LogCaptureFixture
) -> None:
    table.rules_graph.failure = RuntimeError("secret detail")
    result = await ana.slash(channel, "rules", question=QUESTION)
    incident = (embed(result).footer.text or "").removeprefix("id ")
    assert "Something went wrong" in description(result)
    assert f"incident={incident}" in caplog.text
    assert "secret detail" not in text_of(response(result).message)
    assert channel.threads == []


async def test_each_question_leaves_one_line_in_the_log_without_its_words(
    ana: MemberActor, channel: ChannelHandle, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    await ana.slash(channel, "rules", question=QUESTION)
    (line,) = [record.getMessage() for record in caplog.records if "question guild" in record.getMessage()]
    assert "outcome=answered" in line
    assert "hops=2" in line
    assert "storm lamp" not in caplog.text


# --- missing permissions --------------------------------------------------------------------------


@pytest.fixture
def threadless(guild: GuildHandle, env: Env) -> ChannelHandle:
    return _denied(guild, create_public_threads=False)


@pytest.fixture
def embedless(guild: GuildHandle, env: Env) -> ChannelHandle:
    return _denied(guild, embed_links=False)


def _denied(guild: GuildHandle, **denied: bool) -> ChannelHandle:
    strict = discord.PermissionOverwrite(**denied)
    return guild.create_text_channel("strict", overwrites={guild.default_role: strict})


async def test_where_no_thread_may_be_opened_the_answer_stands_and_says_so_once(
    ana: MemberActor, threadless: ChannelHandle
) -> None:
    first = await ana.slash(threadless, "rules", question=QUESTION)
    second = await ana.slash(threadless, "rules", question=QUESTION)
    assert "six paces" in text_of(response(first).message)
    assert "Create Public Threads" in text_of(response(first).message)
    assert "Create Public Threads" not in text_of(response(second).message)


async def test_where_embeds_are_not_allowed_a_failure_still_tells_its_id(
    table: Table, env: Env, ana: MemberActor, embedless: ChannelHandle
) -> None:
    table.rules_graph.failure = RuntimeError("broken")
    result = await ana.slash(embedless, "rules", question=QUESTION)
    assert "-# id " in response(result).content
    table.library.all_books.clear()
    await env.restart_bot(table.restarted())
    bot_in(env).ingestion.reading = Reading(None, 40)
    assert env.bot.user is not None
    await ana.send(embedless, f"{env.bot.user.mention} {QUESTION}")
    assert "-# id " in last(embedless).content


async def test_where_embeds_are_not_allowed_the_answer_is_plain_text_and_says_so(
    ana: MemberActor, embedless: ChannelHandle
) -> None:
    result = await ana.slash(embedless, "rules", question=QUESTION)
    assert response(result).embeds == []
    assert "six paces" in response(result).content
    assert "Wading Orders, p. 13" in response(result).content
    assert "Embed Links" in response(result).content


async def test_what_is_missing_for_embeds_is_said_once_a_channel(
    ana: MemberActor, embedless: ChannelHandle
) -> None:
    for _ in range(2):
        result = await ana.slash(embedless, "rules", question=QUESTION)
    assert "six paces" in response(result).content
    assert "Embed Links" not in response(result).content


async def test_where_it_may_not_write_in_threads_the_answer_says_so_and_opens_none(
    guild: GuildHandle, env: Env, ana: MemberActor
) -> None:
    mute = _denied(guild, send_messages_in_threads=False)
    result = await ana.slash(mute, "rules", question=QUESTION)
    assert "Send Messages in Threads" in text_of(response(result).message)
    assert mute.threads == []


async def test_a_mention_where_it_may_not_write_in_threads_is_answered_below(
    guild: GuildHandle, env: Env, ana: MemberActor
) -> None:
    mute = _denied(guild, send_messages_in_threads=False)
    assert env.bot.user is not None
    await ana.send(mute, f"{env.bot.user.mention} {QUESTION}")
    assert "six paces" in text_of(mute.last_message)
    assert "Send Messages in Threads" in text_of(mute.last_message)


@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_question_from_a_server_that_discord_has_not_told_of_yet_is_answered(
    env: Env, ana: MemberActor, channel: ChannelHandle, in_thread: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await open_thread(ana, channel) if in_thread else channel
    monkeypatch.setattr(discord.Guild, "me", None)
    await ana.slash(place, "rules", question="And in fog?")
    assert "six paces" in text_of(place.last_message) or channel.threads[-1].name == "And in fog?"


async def test_who_mentions_the_bot_where_it_may_not_write_is_told_directly(
    table: Table, env: Env, guild: GuildHandle, ana: MemberActor
) -> None:
    assert guild.me
    assert env.bot.user
    denied = discord.PermissionOverwrite(send_messages=False, send_messages_in_threads=False)
    silent = guild.create_text_channel("silent", overwrites={guild.me: denied})
    asked = await ana.send(silent, f"{env.bot.user.mention} {QUESTION}")
    told = text_of(ana.user.dm_channel.last_message)
    assert "I cannot write there" in told
    assert asked.jump_url in told


async def test_a_thread_that_exists_already_is_used(
    ana: MemberActor, channel: ChannelHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = discord.PartialMessage.create_thread

    async def come_too_late(message: discord.PartialMessage, **options: object) -> None:
        await create(message, name="faster")
        raise refused(400, 160004)

    monkeypatch.setattr(discord.PartialMessage, "create_thread", come_too_late)
    result = await ana.slash(channel, "rules", question=QUESTION)
    assert "six paces" in text_of(response(result).message)
    assert "Create Public Threads" not in text_of(response(result).message)
    assert [thread.name for thread in channel.threads] == ["faster"]


async def test_a_thread_that_fails_for_another_reason_is_not_taken_for_a_missing_permission(
    env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    env.inject_error(
        "POST", "/channels/*/messages/*/threads", status=400, code=30033, message="full", times=1
    )
    result = await ana.slash(channel, "rules", question=QUESTION)
    assert "Create Public Threads" not in text_of(response(result).message)


async def test_a_mention_where_it_may_not_read_the_history_is_answered_without_a_reply(
    env: Env, guild: GuildHandle, ana: MemberActor
) -> None:
    voice = guild.create_voice_channel("spoken")
    env.inject_error(
        "POST", f"/channels/{voice.id}/messages", status=400, code=160002, message="no history", times=1
    )
    assert env.bot.user is not None
    await ana.send(voice, f"{env.bot.user.mention} {QUESTION}")
    assert "six paces" in text_of(voice.last_message)


async def test_a_message_deleted_meanwhile_ends_the_question_quietly(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    env.inject_error("PATCH", "/webhooks/*", status=404, code=10008, message="Unknown Message", times=9)
    await ana.slash(channel, "rules", question=QUESTION)
    assert channel.threads == []


async def test_after_fifteen_minutes_the_answer_becomes_an_ordinary_message(
    env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    env.inject_error("PATCH", "/webhooks/*", status=401, code=50027, message="expired", times=9)
    await ana.slash(channel, "rules", question=QUESTION)
    answer_message = next(one for one in channel.history() if one.embeds)
    assert "six paces" in text_of(answer_message)
    assert [thread.id for thread in channel.threads] == [answer_message.id]


async def test_a_private_answer_stays_private_after_fifteen_minutes(
    env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    env.inject_error("PATCH", "/webhooks/*", status=401, code=50027, message="expired", times=9)
    await ana.slash(channel, "rules", question=QUESTION, private=True)
    assert "six paces" in text_of(ana.user.dm_channel.last_message)
    assert not any("six paces" in text_of(message) for message in channel.history(viewer=None))


async def test_a_private_answer_that_came_by_direct_message_is_gone_on_with_there(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    env.inject_error("PATCH", "/webhooks/*", status=401, code=50027, message="expired", times=1)
    await ana.slash(channel, "rules", question=QUESTION, private=True)
    said = ana.user.dm_channel.last_message
    shown = await ana.user.click(said, label="Sources")
    assert QUOTE in description(shown)
    await ana.send_dm("And in fog?")
    assert table.rules_graph.last.history == (QUESTION,)


async def test_a_gms_answer_that_came_by_direct_message_has_no_buttons_that_nobody_may_press(
    env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    env.inject_error("PATCH", "/webhooks/*", status=401, code=50027, message="expired", times=9)
    await gm.slash(channel, "gm rules", question=QUESTION)
    said = gm.user.dm_channel.last_message
    assert "six paces" in text_of(said)
    assert said is not None
    assert said.components == []


async def test_with_several_games_the_footer_names_the_game_of_each_source(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    from tests.bot.table import book

    other = book("Core Rules", game="Embers")
    table.library.all_books.append(other)
    table.rules_graph.said = answer(sources=[source(), source(other)])
    result = await ana.slash(channel, "rules", question=QUESTION)
    assert (embed(result).footer.text or "").endswith("Tides [1] · Embers [2]")
