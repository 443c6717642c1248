"""What is forgotten, and when: by the person, with a message, with a place."""

from unittest.mock import Mock

import discord
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from bot.answers.feedback import QUESTIONS
from bot.answers.table import ANSWERS
from bot.cogs.conversation import ConversationCog
from bot.storage.files import SET_ASIDE
from rag.library.books.ruling import Ruling
from tests.bot.in_process.reading import bot_in, response, text_of
from tests.bot.in_process.test_questions import QUESTION, open_thread
from tests.bot.table import Table


async def forget(person: MemberActor, channel: ChannelHandle) -> str:
    """What somebody is told who wants to be forgotten."""
    return response(await person.slash(channel, "privacy forget")).content


async def test_with_an_answer_its_conversation_goes_from_memory(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    menu = await ana.click(response(result), label="More")
    await ana.click(response(menu), label="Delete")
    assert table.rules_graph.memory == {}
    assert "Nothing was kept" in await forget(ana, channel)


async def test_with_a_message_that_a_moderator_deletes_its_conversation_goes_from_memory(
    table: Table, env: Env, guild: GuildHandle, ana: MemberActor, channel: ChannelHandle
) -> None:
    role = guild.create_role("Wardens", permissions=discord.Permissions(manage_messages=True))
    warden = guild.add_member(env.create_user("Wil"), roles=[role])
    result = await ana.slash(channel, "rules", question=QUESTION)
    await warden.delete(response(result))
    assert table.rules_graph.memory == {}


async def test_with_a_thread_its_conversation_goes_from_memory(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await ConversationCog(bot_in(env)).on_raw_thread_delete(Mock(thread_id=thread.id))
    assert table.rules_graph.memory == {}


async def test_what_was_said_in_a_conversation_without_a_kept_answer_is_forgotten_too(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    table.answers.drop_messages([response(result).id])
    assert "Forgotten: the conversations" in await forget(ana, channel)
    assert table.rules_graph.memory == {}


async def test_whoever_never_asked_is_told_that_nothing_was_kept(
    table: Table, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    await ana.slash(channel, "rules", question=QUESTION)
    assert await forget(bia, channel) == "Nothing was kept of your questions."
    assert table.rules_graph.memory


async def test_whoever_deletes_a_private_answer_is_told_how_to_take_it_away(
    ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, private=True)
    menu = await ana.click(response(result), label="More")
    await ana.click(response(menu), label="Delete")
    assert "Dismiss message" in text_of(response(menu).message)


async def test_whoever_may_have_been_in_a_damaged_file_is_told_that_it_is_deleted(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    damaged = table.folder / f"{ANSWERS}{SET_ASIDE}"
    damaged.write_text("Ana asked something.")
    assert (await forget(ana, channel)).startswith("Deleted: a damaged file of older answers")
    assert not damaged.exists()
    assert await forget(ana, channel) == "Nothing was kept of your questions."


async def test_when_the_bot_leaves_a_server_nothing_of_its_table_is_kept(
    table: Table, env: Env, ana: MemberActor, guild: GuildHandle, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    menu = await ana.click(response(result), label="More")
    await ana.click(response(menu), label="Right")
    bot = bot_in(env)
    bot.rulings.add(guild.id, Ruling("How far?", "Lamps", "Three paces.", None))
    left = bot.get_guild(guild.id)
    assert left
    await ConversationCog(bot).on_guild_remove(left)
    assert table.answers.find(response(result).id) is None
    assert bot.feedback.of_server(guild.id) == []
    assert not (table.folder / QUESTIONS).exists()
    assert bot.rulings.all(guild.id, "") == []
    assert table.rules_graph.memory == {}
