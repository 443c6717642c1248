"""Show to the table, and New topic: what can be done with a conversation that has no thread of its own."""

import discord
import pytest
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from tests.bot.in_process.reading import last, response, text_of
from tests.bot.in_process.test_conversations import mention
from tests.bot.in_process.test_pages import labels
from tests.bot.in_process.test_questions import QUESTION
from tests.bot.table import QUOTE, SECRETS, Table, answer, source

SECRET = "What does the water know?"


def row_of(message: discord.Message) -> list[str | None]:
    """The labels of the buttons under a message."""
    [row] = message.components
    assert isinstance(row, discord.ActionRow)
    return [button.label for button in row.children if isinstance(button, discord.Button)]


def seen_by_all(channel: ChannelHandle) -> discord.Message:
    """The newest message of the bot's that everyone in a channel sees."""
    messages = [one for one in channel.history() if one.type is discord.MessageType.default]
    return max((one for one in messages if not one.flags.ephemeral), key=lambda one: one.id)


# --- Show to the table ----------------------------------------------------------------------------


async def test_a_private_answer_is_shown_as_an_ordinary_one_with_the_name_of_its_asker(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    told = await ana.slash(channel, "rules", question=QUESTION, private=True)
    await env.restart_bot(table.restarted())
    await ana.click(response(told), label="Show to the table")
    shown = seen_by_all(channel)
    assert shown.embeds[0].author.name == f"Ana: {QUESTION}"
    assert QUOTE in text_of(shown)
    assert row_of(shown) == ["Sources", "Follow up", "More"]
    assert "Show to the table" not in labels(told)
    assert table.rules_graph.asked == []
    assert (await bia.click(shown, label="Sources")).ephemeral


async def test_what_was_shown_is_gone_on_with_in_its_thread(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    told = await ana.slash(channel, "rules", question=QUESTION, private=True)
    await ana.click(response(told), label="Show to the table")
    [thread] = channel.threads
    await bia.send(thread, f"{mention(env)} And in fog?")
    assert table.rules_graph.last.history == (QUESTION,)


async def test_an_answer_in_the_open_or_in_a_direct_message_is_not_shown_to_a_table(
    ana: MemberActor, channel: ChannelHandle
) -> None:
    for told in (
        await ana.slash(channel, "rules", question=QUESTION),
        await ana.user.slash("rules", question=QUESTION, private=True),
    ):
        assert "Show to the table" not in labels(told)


async def test_nothing_is_shown_for_whoever_may_not_write_there(guild: GuildHandle, ana: MemberActor) -> None:
    denied = discord.PermissionOverwrite(send_messages=False)
    read_only = guild.create_text_channel("news", overwrites={guild.default_role: denied})
    told = await ana.slash(read_only, "rules", question=QUESTION, private=True)
    refused = await ana.click(response(told), label="Show to the table")
    assert "You may not write here" in text_of(refused.followups[0].message)
    assert all(message.flags.ephemeral for message in read_only.history())


async def test_where_embeds_are_not_allowed_plain_text_is_shown(guild: GuildHandle, ana: MemberActor) -> None:
    plain = guild.create_text_channel(
        "plain", overwrites={guild.default_role: discord.PermissionOverwrite(embed_links=False)}
    )
    told = await ana.slash(plain, "rules", question=QUESTION, private=True)
    await ana.click(response(told), label="Show to the table")
    assert "**[1] Wading Orders, p. 13**" in seen_by_all(plain).content


async def test_of_a_gms_answer_nothing_is_shown_but_its_question_asked_as_a_players(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.said = answer("The water knows names.", sources=[source(SECRETS)])
    told = await gm.slash(channel, "gm rules", question=SECRET)
    asked = await gm.click(response(told), label="Show to the table")
    confirm = asked.followups[0]
    assert confirm.ephemeral
    assert SECRET in text_of(confirm.message)
    assert "They will not see this answer" in text_of(confirm.message)
    assert all(message.flags.ephemeral for message in channel.history())
    table.rules_graph.said = answer()
    await gm.click(confirm, label="Ask it for all")
    assert (table.rules_graph.last.question, table.rules_graph.last.reader) == (SECRET, "player")
    assert table.rules_graph.last.history == ()
    shown = seen_by_all(channel)
    assert "The water knows names" not in text_of(shown)
    assert shown.embeds[0].author.name == f"Gil: {SECRET}"
    assert channel.threads[0].id == shown.id


# --- New topic ------------------------------------------------------------------------------------


async def test_a_new_topic_in_a_direct_message_forgets_what_was_said_and_is_told_once(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    await ana.send_dm(QUESTION)
    talk = ana.user.dm_channel
    told = await ana.user.click(last(talk), label="New topic")
    assert "what was said here before is forgotten" in response(told).content
    await ana.send_dm("And in fog?")
    assert table.rules_graph.last.history == ()
    assert "forgotten" not in text_of(talk.last_message)


async def test_a_new_topic_in_a_voice_chat_is_told_to_all(
    table: Table, guild: GuildHandle, ana: MemberActor, bia: MemberActor
) -> None:
    voice = guild.create_voice_channel("voice")
    await ana.slash(voice, "rules", question=QUESTION)
    told = await bia.click(last(voice), label="New topic")
    assert not told.ephemeral
    await ana.slash(voice, "rules", question="And in fog?")
    assert table.rules_graph.last.history == ()


async def test_a_new_topic_of_a_private_talk_leaves_the_talk_of_others_alone(
    table: Table, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    of_ana = await ana.slash(channel, "rules", question=QUESTION, private=True)
    await bia.slash(channel, "rules", question=QUESTION, private=True)
    assert (await ana.click(response(of_ana), label="New topic")).ephemeral
    await ana.slash(channel, "rules", question="And in fog?", private=True)
    assert not table.rules_graph.last.history
    await bia.slash(channel, "rules", question="And in fog?", private=True)
    assert table.rules_graph.last.history == (QUESTION,)


async def test_a_new_topic_of_a_gm_is_of_the_gms_conversation(
    table: Table, gm: MemberActor, channel: ChannelHandle
) -> None:
    await gm.slash(channel, "rules", question=QUESTION, private=True)
    told = await gm.slash(channel, "gm rules", question=SECRET)
    await gm.click(response(told), label="New topic")
    await gm.slash(channel, "gm rules", question="And why?")
    assert not table.rules_graph.last.history
    await gm.slash(channel, "rules", question="And in fog?", private=True)
    assert table.rules_graph.last.history == (QUESTION,)


@pytest.mark.parametrize("where", ["channel", "thread"])
async def test_where_threads_are_the_topics_there_is_no_button_for_a_new_one(
    ana: MemberActor, channel: ChannelHandle, where: str
) -> None:
    told = await ana.slash(channel, "rules", question=QUESTION)
    if where == "thread":
        await ana.slash(channel.threads[0], "rules", question=QUESTION)
        assert "New topic" not in row_of(last(channel.threads[0]))
    assert "New topic" not in labels(told)
