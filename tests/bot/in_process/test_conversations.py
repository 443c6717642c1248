"""Follow-ups, none of which needs the privileged intent, and what is not meant for the bot."""

import discord
import pytest

from bot.budgets import payers
from bot.storage.data_table import Of
from rag.state import thread_id
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import embed, field_of, follow_up, last, response, text_of
from tests.bot.table import QUESTION, book


async def test_a_mention_in_the_thread_and_a_reply_to_an_answer_there_are_follow_ups(chat: Chat) -> None:
    thread = await chat.open_thread()
    await chat.ana.send(thread, f"{chat.mention} And in fog?")
    assert "six paces" in text_of(thread.last_message)
    await chat.bia.send(thread, "And at night?", reply_to=thread.last_message)
    asked = [(one.question, one.history) for one in chat.graph.asked[1:]]
    assert asked == [("And in fog?", (QUESTION,)), ("And at night?", (QUESTION, "And in fog?"))]


async def test_the_follow_up_button_asks_in_the_thread_of_its_answer(chat: Chat) -> None:
    told = await follow_up(chat.bia, await chat.ask())
    assert chat.graph.last.history == (QUESTION,)
    assert "six paces" in text_of(chat.channel.threads[0].last_message)
    assert told.ephemeral
    assert str(chat.channel.threads[0].id) in response(told).content


async def test_the_follow_up_button_of_a_private_answer_answers_privately(chat: Chat) -> None:
    told = await follow_up(chat.ana, await chat.ask(private=True))
    assert told.ephemeral
    assert chat.graph.last.history == (QUESTION,)
    assert "six paces" in text_of(told)


async def test_a_mention_in_a_plain_channel_opens_the_thread_on_the_players_message(chat: Chat) -> None:
    asked = await chat.ana.send(chat.channel, f"{chat.mention} {QUESTION}")
    (thread,) = chat.channel.threads
    assert (thread.id, thread.name) == (asked.id, QUESTION)
    assert chat.graph.last.thread == thread_id(asked.id)
    assert "six paces" in text_of(thread.last_message)


async def test_a_notification_of_an_answer_to_a_message_holds_the_questions_words(chat: Chat) -> None:
    await chat.ana.send(chat.channel, f"{chat.mention} {QUESTION}")
    [thread] = chat.channel.threads
    [sent] = [
        request.json
        for request in chat.env.http_requests
        if request.method == "POST" and request.path.endswith(f"/channels/{thread.id}/messages")
    ]
    assert isinstance(sent, dict)
    assert sent["content"] == f"❓ {QUESTION}"
    assert last(thread).content == ""


async def test_a_reply_to_an_answer_in_the_channel_goes_on_in_its_thread(chat: Chat) -> None:
    result = await chat.ask()
    await chat.ana.send(chat.channel, f"{chat.mention} And in fog?", reply_to=response(result))
    assert chat.graph.last.history == (QUESTION,)
    assert "six paces" in text_of(chat.channel.threads[0].last_message)


async def test_replies_where_no_threads_are_go_on_with_one_conversation(chat: Chat) -> None:
    strict = chat.channel_without(create_public_threads=False)
    await chat.ana.send(strict, f"{chat.mention} {QUESTION}")
    await chat.ana.send(strict, f"{chat.mention} And in fog?", reply_to=last(strict))
    await chat.ana.send(strict, f"{chat.mention} And at night?", reply_to=last(strict))
    assert chat.graph.last.history == (QUESTION, "And in fog?")


# --- without the text ----------------------------------------------------------------------------


async def test_a_reply_that_arrives_without_text_gets_a_hint_once_a_thread(chat: Chat) -> None:
    thread = await chat.open_thread()
    asked = await chat.ana.slash(thread, "rules", question="And in fog?")
    for _ in range(2):
        await chat.ana.send(thread, "And at night?", reply_to=response(asked))
    hints = [message for message in thread.history() if "Press the button" in message.content]
    assert len(hints) == 1
    assert len(chat.graph.asked) == 2


async def test_the_button_on_a_hint_below_an_answer_in_the_channel_asks_in_its_thread(chat: Chat) -> None:
    result = await chat.ask()
    await chat.ana.send(chat.channel, "And at night?", reply_to=response(result))
    await follow_up(chat.ana, last(chat.channel), "And at night?")
    assert chat.graph.last.history == (QUESTION,)
    assert "six paces" in text_of(chat.channel.threads[0].last_message)


@pytest.mark.parametrize("said", ["", " ???", " 👍"])
async def test_a_mention_without_a_word_opens_no_thread_and_tells_each_person_how_to_ask(
    chat: Chat, said: str
) -> None:
    for person in (chat.ana, chat.ana, chat.bia):
        await person.send(chat.channel, f"{chat.mention}{said}")
    told = [message.content for message in chat.channel.history() if "beside my name" in message.content]
    assert (len(told), chat.channel.threads, chat.graph.asked) == (2, [], [])


@pytest.mark.parametrize("said", ["", "who is right here?", "which rule applies, Gil or Bia?", QUESTION])
async def test_a_mention_below_a_message_that_discord_withholds_tells_how_to_ask_it_unless_it_names_a_topic(
    chat: Chat, said: str
) -> None:
    disputed = await chat.bia.send(chat.channel, "Does a storm lamp light six paces?")
    await chat.ana.send(chat.channel, f"{chat.mention} {said}", reply_to=disputed)
    told = text_of(chat.channel.last_message)
    assert ("Apps → “Ask the rules”" in told) is (said != QUESTION)
    assert [one.question for one in chat.graph.asked] == [QUESTION] * (said == QUESTION)


@pytest.mark.parametrize("reads_everything", [True])
async def test_a_mention_below_a_message_asks_what_that_says(chat: Chat) -> None:
    disputed = await chat.bia.send(chat.channel, "Does a storm lamp light six paces?")
    await chat.ana.send(chat.channel, chat.mention, reply_to=disputed)
    assert chat.graph.last.question == "Does a storm lamp light six paces?"
    assert len(chat.channel.threads) == 1
    await chat.ana.send(chat.channel, f"{chat.mention} Who is right?", reply_to=disputed)
    assert chat.graph.last.question == "Does a storm lamp light six paces?\nWho is right?"


async def test_a_question_that_is_too_long_is_told_so_and_not_cut(chat: Chat) -> None:
    await chat.ana.send(chat.channel, f"{chat.mention} {'How far? ' * 150}")
    assert "1,349 characters long, and I take 1,000" in text_of(chat.channel.last_message)
    assert chat.graph.asked == []


async def test_people_channels_and_roles_are_asked_about_by_their_names(chat: Chat) -> None:
    role = chat.guild.create_role("Keepers")
    words = f"May {chat.bia.mention} and <@&{role.id}> ask in <#{chat.channel.id}> of <@123456789012345678>?"
    await chat.ana.send(chat.channel, f"{chat.mention} {words}")
    await chat.ask(words)
    asked = [one.question for one in chat.graph.asked]
    assert asked == ["May @Bia and @Keepers ask in #table of @…?"] * 2
    assert not any(str(chat.bia.id) in one or "123456789012345678" in one for one in asked)


async def test_a_mention_that_is_corrected_within_a_minute_is_answered_anew_on_its_answer(chat: Chat) -> None:
    asked = await chat.ana.send(chat.channel, f"{chat.mention} How fat does a lamp light?")
    await chat.ana.edit(asked, f"{chat.mention} How fat does a lamb light?")
    await chat.ana.edit(asked, f"{chat.mention} How far does a lamp light?")
    await chat.ana.edit(asked, f"{chat.mention} How far does a lamp light?")
    assert [one.question for one in chat.graph.asked] == [
        "How fat does a lamp light?",
        "How fat does a lamb light?",
        "How far does a lamp light?",
    ]
    assert [*chat.graph.memory.values()] == [["How far does a lamp light?"]]
    (thread,) = chat.channel.threads
    assert len([message for message in thread.history() if message.embeds]) == 1
    unaddressed = await chat.ana.send(chat.channel, QUESTION)
    await chat.ana.edit(unaddressed, f"{chat.mention} {QUESTION}")
    assert chat.graph.last.question == QUESTION


@pytest.mark.parametrize("reads_everything", [True, False])
async def test_a_mention_of_the_role_that_discord_gives_the_bot_is_asked_or_gets_a_hint(
    chat: Chat, reads_everything: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    role = chat.guild.create_role("TestBot")
    own = property(lambda cached: cached.get_role(role.id))
    monkeypatch.setattr(discord.Guild, "self_role", own)
    await chat.ana.send(chat.channel, f"{role.mention} {QUESTION}")
    if reads_everything:
        assert [one.question for one in chat.graph.asked] == [QUESTION]
    else:
        assert "Discord does not show me what you wrote" in text_of(chat.channel.last_message)


async def test_a_mention_without_a_question_gets_the_hint_whose_button_opens_a_thread(chat: Chat) -> None:
    await chat.ana.send(chat.channel, chat.mention)
    told = await follow_up(chat.ana, last(chat.channel), QUESTION)
    assert chat.graph.last.thread == thread_id(chat.channel.threads[0].id)
    assert embed(told).author.name == f"Ana: {QUESTION}"


# --- with the privileged intent -------------------------------------------------------------------


@pytest.mark.parametrize("reads_everything", [True, False])
async def test_plain_messages_in_its_threads_are_follow_ups_with_the_intent_alone(
    chat: Chat, reads_everything: bool
) -> None:
    await chat.ana.send(await chat.open_thread(), "And in fog?")
    assert [one.history for one in chat.graph.asked] == [(), (QUESTION,)][: 1 + reads_everything]


@pytest.mark.parametrize("reads_everything", [True])
async def test_what_may_be_a_question_is_one_from_whoever_was_answered_last(chat: Chat) -> None:
    thread = await chat.open_thread()
    await chat.ana.slash(thread, "rules", question="And in fog?")
    await chat.bia.send(thread, "flanking too")
    await chat.ana.send(thread, "flanking too")
    assert len(chat.graph.asked) == 2
    await chat.ana.slash(thread, "rules", question="And in fog?")
    await chat.ana.send(thread, "flanking too")
    assert chat.graph.last.question == "flanking too"
    assert chat.table.budgets.spent(payers(chat.ana.id, None)[0]).calls == 4 * 3 + 1


@pytest.mark.parametrize("reads_everything", [True])
async def test_what_the_model_finds_no_question_in_gets_no_word(chat: Chat) -> None:
    chat.graph.small_talk = ("flanking too",)
    thread = await chat.open_thread()
    await chat.ana.slash(thread, "rules", question="And in fog?")
    answered = last(thread)
    said = await chat.ana.send(thread, "flanking too")
    assert last(thread).id == said.id
    assert (len(chat.graph.asked), last(thread).id > answered.id) == (2, True)


async def test_thanks_to_the_bot_are_returned_in_their_language_once_a_minute_without_a_search(
    chat: Chat,
) -> None:
    for _ in range(2):
        await chat.ana.send(chat.channel, f"{chat.mention} valeu!")
    answers = [one.content for one in chat.channel.history() if one.author.bot and one.content]
    assert answers == ["Sempre às ordens da mesa! Pergunte quando uma regra não estiver clara."]
    assert (chat.graph.asked, chat.channel.threads) == ([], [])


async def test_a_follow_up_to_an_answer_no_longer_kept_is_given_back(chat: Chat) -> None:
    result = await chat.ask()
    shown = await chat.ana.click(response(result), label="Follow up")
    chat.table.answers.drop(Of.MESSAGE, response(result).id)
    told = await chat.ana.submit_modal(shown, {field_of(shown.modal): "And in fog?"})
    assert "And in fog?" in text_of(told)
    assert [asked.question for asked in chat.graph.asked] == [QUESTION]


# --- where somebody may not write -------------------------------------------------------------------


async def test_a_follow_up_is_private_for_whoever_may_not_write_there(chat: Chat) -> None:
    result = await chat.gm.slash(chat.read_only, "rules", question=QUESTION)
    (thread,) = chat.read_only.threads
    shown = await chat.ana.click(response(result), label="Follow up")
    told = await chat.ana.submit_modal(shown, {field_of(shown.modal): "And in fog?"})
    assert told.ephemeral
    assert "six paces" in text_of(told)
    assert thread.last_message is None
    assert chat.graph.last.thread != thread_id(thread.id)


async def test_another_game_is_asked_privately_by_whoever_may_not_write_there(chat: Chat) -> None:
    chat.table.library.all_books.append(book("Deep Halls", game="Dark"))
    chat.graph.other_games = ["Dark"]
    result = await chat.gm.slash(chat.read_only, "rules", question=QUESTION)
    told = await chat.ana.click(response(result), label="In Dark")
    assert told.ephemeral
    assert chat.graph.last.book == "Dark"
    assert chat.read_only.threads[0].last_message is None


async def test_a_hint_opens_no_thread_for_whoever_may_not_write_there(chat: Chat) -> None:
    await chat.gm.send(chat.read_only, chat.mention)
    told = await follow_up(chat.ana, last(chat.read_only), QUESTION)
    assert told.ephemeral
    assert chat.graph.last.question == QUESTION
    assert chat.read_only.threads == []


async def test_commands_are_answered_privately_for_whoever_may_not_write_there(chat: Chat) -> None:
    said = await chat.gm.send(chat.read_only, QUESTION)
    assert (await chat.ana.context_menu(chat.read_only, "Ask the rules", said)).ephemeral
    assert (await chat.ana.slash(chat.read_only, "rules", question=QUESTION)).ephemeral
    assert not (await chat.gm.slash(chat.read_only, "rules", question=QUESTION)).ephemeral


# --- after a restart ------------------------------------------------------------------------------


async def test_after_a_restart_the_thread_works_and_says_once_that_the_rest_is_forgotten(chat: Chat) -> None:
    thread = await chat.open_thread()
    await chat.restart()
    await chat.ana.slash(thread, "rules", question="And in fog?")
    assert "is forgotten" in text_of(thread.last_message)
    await chat.ana.slash(thread, "rules", question="And at night?")
    assert "is forgotten" not in text_of(thread.last_message)
