"""`/rules`, wherever it is used."""

import discord
import pytest
from simcord import ChannelHandle

from bot.budgets import DAY_SECONDS, Account, AccountKind
from bot.operations.ingestion import Reading
from rag.state import Usage, thread_id
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import description, embed, last, response, text_of
from tests.bot.refused import refused
from tests.bot.table import QUESTION, QUOTE, answer, book, source


async def test_an_answer_begins_with_the_verdict_cites_its_page_and_opens_a_thread(
    chat: Chat,
) -> None:
    result = await chat.ask()
    found = embed(result)
    assert description(result).startswith("**A storm lamp lights six paces.**")
    assert found.fields[0].name == "[1] Wading Orders, p. 13"
    assert QUOTE in (found.fields[0].value or "")
    assert found.footer.text == "3.4 s · checked by code"
    (thread,) = chat.channel.threads
    assert (thread.id, thread.name) == (response(result).id, QUESTION)


async def test_in_a_thread_the_answer_stays_and_the_conversation_goes_on(chat: Chat) -> None:
    thread = await chat.open_thread()
    await chat.ana.slash(thread, "rules", question="And in fog?")
    assert chat.graph.last.history == (QUESTION,)
    assert "six paces" in text_of(thread.last_message)
    assert len(chat.channel.threads) == 1


@pytest.mark.parametrize("kind", ["create_voice_channel", "create_stage_channel"])
async def test_in_the_chat_of_a_voice_channel_the_answer_stays_and_the_channel_is_the_conversation(
    chat: Chat, kind: str
) -> None:
    voice = getattr(chat.guild, kind)("spoken")
    await chat.ana.slash(voice, "rules", question=QUESTION)
    await chat.ana.slash(voice, "rules", question="And in fog?")
    assert chat.graph.last.thread == thread_id(voice.id)
    assert chat.graph.last.history == (QUESTION,)
    assert "six paces" in text_of(voice.last_message)


async def test_in_a_direct_message_the_answer_stays(chat: Chat) -> None:
    await chat.ana.user.slash("rules", question=QUESTION)
    await chat.ana.user.slash("rules", question="And in fog?")
    assert chat.graph.last.thread == thread_id(chat.ana.user.dm_channel.id)
    assert chat.graph.last.history == (QUESTION,)
    assert "six paces" in text_of(chat.ana.user.dm_channel.last_message)


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
    chat: Chat, budget: str, said: str
) -> None:
    chat.table.clock = lambda: NOON
    await chat.restart(**{budget: 9_000})
    within = await chat.ask()
    assert chat.graph.last.with_model
    assert "share of written answers" not in description(within)
    over = await chat.ask("And in fog?")
    assert not chat.graph.last.with_model
    assert f"{said} Until <t:{MIDNIGHT}:t> I quote the closest passages" in description(over)


async def test_a_direct_message_counts_for_the_user_alone(chat: Chat) -> None:
    await chat.restart(daily_tokens_user=9_000)
    await chat.ana.user.slash("rules", question=QUESTION)
    await chat.ask()
    assert not chat.graph.last.with_model
    assert chat.table.budgets.spent(Account(AccountKind.SERVER, chat.guild.id)) == Usage()


# --- private --------------------------------------------------------------------------------------


async def test_a_private_answer_is_for_the_asker_alone_and_has_no_thread(chat: Chat) -> None:
    result = await chat.ask(private=True)
    assert result.ephemeral
    assert "six paces" in text_of(result)
    assert chat.channel.threads == []


async def test_a_private_question_in_a_thread_never_enters_its_conversation(chat: Chat) -> None:
    thread = await chat.open_thread()
    await chat.bia.slash(thread, "rules", question="What if I betray them?", private=True)
    assert not chat.graph.last.history
    await chat.ana.slash(thread, "rules", question="And in fog?")
    assert chat.graph.last.history == (QUESTION,)


# --- which books ----------------------------------------------------------------------------------


async def test_an_unknown_book_is_said_privately_and_nothing_is_asked(chat: Chat) -> None:
    result = await chat.ask(book="Nonsense")
    assert result.ephemeral
    assert all(told in text_of(result) for told in ("“Nonsense”", "/library books"))
    assert chat.graph.asked == []


async def test_no_completion_names_a_book_for_the_gm(chat: Chat) -> None:
    choices = await chat.ana.autocomplete(chat.channel, "rules", "book", "")
    assert [choice["value"] for choice in choices] == ["Wading Orders", "The Book of Knots", "all"]


# --- the message menu -----------------------------------------------------------------------------


async def test_the_message_in_which_people_argue_can_be_the_question(chat: Chat) -> None:
    argument = await chat.bia.send(chat.channel, "No way a storm lamp lights ten paces!")
    result = await chat.ana.context_menu(chat.channel, "Ask the rules", argument)
    assert chat.graph.last.question == "No way a storm lamp lights ten paces!"
    assert chat.channel.threads[0].id == response(result).id


async def test_a_message_without_text_is_no_question(chat: Chat) -> None:
    picture = await chat.ana.send(chat.channel, attachments=[("map.png", b"png")])
    result = await chat.ana.context_menu(chat.channel, "Ask the rules", picture)
    assert result.ephemeral
    assert "no text" in text_of(result)
    assert chat.graph.asked == []


# --- failures -------------------------------------------------------------------------------------


async def test_a_failure_is_told_in_place_with_an_id_that_stands_in_the_log(
    chat: Chat, caplog: pytest.LogCaptureFixture
) -> None:
    chat.graph.failure = RuntimeError("secret detail")
    result = await chat.ask()
    incident = (embed(result).footer.text or "").removeprefix("id ")
    assert "Something went wrong" in description(result)
    assert f"incident={incident}" in caplog.text
    assert "secret detail" not in text_of(result)
    assert chat.channel.threads == []


# --- missing permissions --------------------------------------------------------------------------


@pytest.fixture
def embedless(chat: Chat) -> ChannelHandle:
    return chat.channel_without(embed_links=False)


async def test_where_no_thread_may_be_opened_the_answer_stands_and_says_so_once(
    chat: Chat,
) -> None:
    threadless = chat.channel_without(create_public_threads=False)
    first = await chat.ana.slash(threadless, "rules", question=QUESTION)
    second = await chat.ana.slash(threadless, "rules", question=QUESTION)
    assert "six paces" in text_of(first)
    assert "Create Public Threads" in text_of(first)
    assert "Create Public Threads" not in text_of(second)


async def test_where_embeds_are_not_allowed_a_failure_still_tells_its_id(
    chat: Chat, embedless: ChannelHandle
) -> None:
    chat.graph.failure = RuntimeError("broken")
    result = await chat.ana.slash(embedless, "rules", question=QUESTION)
    assert "-# id " in response(result).content
    chat.table.library.all_books.clear()
    await chat.restart()
    chat.bot.ingestion.reading = Reading(None, 40)
    await chat.ana.send(embedless, f"{chat.mention} {QUESTION}")
    assert "-# id " in last(embedless).content


async def test_where_embeds_are_not_allowed_the_answer_is_plain_text_and_says_so(
    chat: Chat, embedless: ChannelHandle
) -> None:
    result = await chat.ana.slash(embedless, "rules", question=QUESTION)
    assert response(result).embeds == []
    assert "six paces" in response(result).content
    assert "Wading Orders, p. 13" in response(result).content
    assert "Embed Links" in response(result).content


async def test_where_it_may_not_write_in_threads_it_says_so_opens_none_and_answers_below(chat: Chat) -> None:
    mute = chat.channel_without(send_messages_in_threads=False)
    result = await chat.ana.slash(mute, "rules", question=QUESTION)
    assert "Send Messages in Threads" in text_of(result)
    await chat.ana.send(mute, f"{chat.mention} {QUESTION}")
    assert "six paces" in text_of(mute.last_message)
    assert mute.threads == []


@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_question_from_a_server_that_discord_has_not_told_of_yet_is_answered(
    chat: Chat, in_thread: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await chat.open_thread() if in_thread else chat.channel
    monkeypatch.setattr(discord.Guild, "me", None)
    await chat.ana.slash(place, "rules", question="And in fog?")
    assert "six paces" in text_of(place.last_message) or chat.channel.threads[-1].name == "And in fog?"


async def test_who_mentions_the_bot_where_it_may_not_write_is_told_directly(chat: Chat) -> None:
    assert chat.guild.me
    denied = discord.PermissionOverwrite(send_messages=False, send_messages_in_threads=False)
    silent = chat.guild.create_text_channel("silent", overwrites={chat.guild.me: denied})
    asked = await chat.ana.send(silent, f"{chat.mention} {QUESTION}")
    told = text_of(chat.ana.user.dm_channel.last_message)
    assert "I cannot write there" in told
    assert asked.jump_url in told


async def test_a_mention_where_it_may_not_read_the_history_is_answered_without_a_reply(chat: Chat) -> None:
    voice = chat.guild.create_voice_channel("spoken")
    chat.env.inject_error(
        "POST", f"/channels/{voice.id}/messages", status=400, code=160002, message="no history", times=1
    )
    await chat.ana.send(voice, f"{chat.mention} {QUESTION}")
    assert "six paces" in text_of(voice.last_message)


async def test_a_gms_answer_that_came_by_direct_message_has_no_buttons_that_nobody_may_press(
    chat: Chat,
) -> None:
    chat.env.inject_error("PATCH", "/webhooks/*", status=401, code=50027, message="expired", times=9)
    await chat.gm.slash(chat.channel, "gm rules", question=QUESTION)
    said = chat.gm.user.dm_channel.last_message
    assert "six paces" in text_of(said)
    assert said is not None
    assert said.components == []


async def test_with_several_games_the_footer_names_the_game_of_each_source(chat: Chat) -> None:
    other = book("Core Rules", game="Embers")
    chat.table.library.all_books.append(other)
    chat.graph.said = answer(sources=[source(), source(other)])
    result = await chat.ask()
    assert (embed(result).footer.text or "").endswith("Tides [1] · Embers [2]")


async def test_a_thread_that_exists_already_is_used(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    create = discord.PartialMessage.create_thread

    async def come_too_late(message: discord.PartialMessage, **options: object) -> None:
        await create(message, name="faster")
        raise refused(400, 160004)

    monkeypatch.setattr(discord.PartialMessage, "create_thread", come_too_late)
    result = await chat.ask()
    assert "six paces" in text_of(result)
    assert "Create Public Threads" not in text_of(result)
    assert [thread.name for thread in chat.channel.threads] == ["faster"]
