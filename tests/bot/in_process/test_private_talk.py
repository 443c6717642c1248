"""Show to the table, and New topic: what can be done with a conversation that has no thread of its own."""

import discord
from simcord import ChannelHandle

from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import buttons, last, response, text_of
from tests.bot.table import QUESTION, QUOTE, SECRETS, answer, book, source

SECRET = "What does the water know?"
STANDALONE = f"{QUESTION} (standalone)"
"""How a question reads where nothing was said before it."""


def seen_by_all(channel: ChannelHandle) -> discord.Message:
    """The newest message of the bot's that everyone in a channel sees."""
    messages = [one for one in channel.history() if one.type is discord.MessageType.default]
    return max((one for one in messages if not one.flags.ephemeral), key=lambda one: one.id)


# --- Show to the table ----------------------------------------------------------------------------


async def test_a_private_answer_is_shown_as_an_ordinary_one_with_the_name_of_its_asker(chat: Chat) -> None:
    told = await chat.ask(private=True)
    await chat.restart()
    await chat.ana.click(response(told), label="Show to the table")
    shown = seen_by_all(chat.channel)
    assert shown.embeds[0].author.name == f"Ana: {STANDALONE}"
    assert QUOTE in text_of(shown)
    assert buttons(shown) == ["Sources", "Show page", "Follow up", "More"]
    assert "Show to the table" not in buttons(told)
    assert chat.graph.asked == []
    assert (await chat.bia.click(shown, label="Sources")).ephemeral


async def test_what_was_shown_is_gone_on_with_in_its_thread(chat: Chat) -> None:
    told = await chat.ask(private=True)
    await chat.ana.click(response(told), label="Show to the table")
    [thread] = chat.channel.threads
    await chat.bia.send(thread, f"{chat.mention} And in fog?")
    assert chat.graph.last.history == (STANDALONE,)


async def test_an_answer_in_the_open_or_in_a_direct_message_is_not_shown_to_a_table(chat: Chat) -> None:
    for told in (
        await chat.ask(),
        await chat.ana.user.slash("rules", question=QUESTION, private=True),
    ):
        assert "Show to the table" not in buttons(told)


async def test_nothing_is_shown_for_whoever_may_not_write_there(chat: Chat) -> None:
    denied = discord.PermissionOverwrite(send_messages=False)
    read_only = chat.guild.create_text_channel("news", overwrites={chat.guild.default_role: denied})
    told = await chat.ana.slash(read_only, "rules", question=QUESTION, private=True)
    refused = await chat.ana.click(response(told), label="Show to the table")
    assert "You may not write here" in text_of(refused.followups[0])
    assert all(message.flags.ephemeral for message in read_only.history())


async def test_quotations_of_a_game_that_the_server_no_longer_sees_are_shown_to_nobody(chat: Chat) -> None:
    told = await chat.ask(private=True)
    chat.table.library.entries = {str(chat.guild.id): ("Depths",)}
    chat.table.library.all_books.append(book("Deep Orders", game="Depths"))
    await chat.restart()
    refused = await chat.ana.click(response(told), label="Show to the table")
    assert "no longer" in text_of(refused.followups[0])
    assert all(QUOTE not in text_of(message) for message in chat.channel.history())


async def test_where_embeds_are_not_allowed_plain_text_is_shown(chat: Chat) -> None:
    plain = chat.guild.create_text_channel(
        "plain", overwrites={chat.guild.default_role: discord.PermissionOverwrite(embed_links=False)}
    )
    told = await chat.ana.slash(plain, "rules", question=QUESTION, private=True)
    await chat.ana.click(response(told), label="Show to the table")
    assert "**[1] Wading Orders, p. 13**" in seen_by_all(plain).content


async def test_of_a_gms_answer_nothing_is_shown_but_its_question_asked_as_a_players(chat: Chat) -> None:
    chat.graph.said = answer("The water knows names.", sources=[source(SECRETS)])
    told = await chat.gm.slash(chat.channel, "gm rules", question=SECRET)
    asked = await chat.gm.click(response(told), label="Show to the table")
    confirm = asked.followups[0]
    assert confirm.ephemeral
    assert f"{SECRET} (standalone)" in text_of(confirm)
    assert "They will not see this answer" in text_of(confirm)
    assert all(message.flags.ephemeral for message in chat.channel.history())
    chat.graph.said = answer()
    await chat.gm.click(confirm, label="Ask it for all")
    assert (chat.graph.last.question, chat.graph.last.reader) == (f"{SECRET} (standalone)", "player")
    assert chat.graph.last.history == ()
    shown = seen_by_all(chat.channel)
    assert "The water knows names" not in text_of(shown)
    assert shown.embeds[0].author.name == f"Gil: {SECRET} (standalone)"
    assert chat.channel.threads[0].id == shown.id


# --- New topic ------------------------------------------------------------------------------------


async def test_a_new_topic_in_a_direct_message_forgets_what_was_said_and_is_told_once(chat: Chat) -> None:
    await chat.ana.send_dm(QUESTION)
    talk = chat.ana.user.dm_channel
    told = await chat.ana.user.click(last(talk), label="New topic")
    assert "what was said here before is forgotten" in response(told).content
    await chat.ana.send_dm("And in fog?")
    assert chat.graph.last.history == ()
    assert "forgotten" not in text_of(talk.last_message)


async def test_a_new_topic_in_a_voice_chat_is_told_to_all(chat: Chat) -> None:
    voice = chat.guild.create_voice_channel("voice")
    await chat.ana.slash(voice, "rules", question=QUESTION)
    told = await chat.bia.click(last(voice), label="New topic")
    assert not told.ephemeral
    await chat.ana.slash(voice, "rules", question="And in fog?")
    assert chat.graph.last.history == ()


async def test_a_new_topic_of_a_private_talk_leaves_the_talk_of_others_alone(chat: Chat) -> None:
    of_ana = await chat.ask(private=True)
    await chat.ask(who=chat.bia, private=True)
    assert (await chat.ana.click(response(of_ana), label="New topic")).ephemeral
    await chat.ask("And in fog?", private=True)
    assert not chat.graph.last.history
    await chat.ask("And in fog?", chat.bia, private=True)
    assert chat.graph.last.history == (QUESTION,)
