"""What is forgotten, and when: by the person, with a message, with a place."""

from unittest.mock import Mock

from simcord import ChannelHandle, MemberActor

from bot.answers.table import ANSWERS
from bot.cogs.conversation import Conversations
from bot.storage.data_table import Of
from bot.storage.files import SET_ASIDE
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import choose, response, text_of


async def forget(person: MemberActor, channel: ChannelHandle) -> str:
    """What somebody is told who wants to be forgotten."""
    return response(await person.slash(channel, "privacy forget")).content


async def test_with_a_message_that_a_moderator_deletes_its_conversation_goes_from_memory(chat: Chat) -> None:
    await chat.warden.delete(response(await chat.ask()))
    assert chat.graph.memory == {}


async def test_with_a_thread_its_conversation_goes_from_memory(chat: Chat) -> None:
    await Conversations(chat.bot).on_raw_thread_delete(Mock(thread_id=(await chat.open_thread()).id))
    assert chat.graph.memory == {}


async def test_what_was_said_in_a_conversation_without_a_kept_answer_is_forgotten_too(chat: Chat) -> None:
    chat.table.answers.drop(Of.MESSAGE, response(await chat.ask()).id)
    assert "Forgotten: the conversations" in await forget(chat.ana, chat.channel)
    assert chat.graph.memory == {}


async def test_whoever_deletes_a_private_answer_is_told_how_to_take_it_away(chat: Chat) -> None:
    result = await chat.ask(private=True)
    menu = await choose(chat.ana, result, "Delete")
    assert "Dismiss message" in text_of(menu)


async def test_whoever_may_have_been_in_a_damaged_file_is_told_that_it_is_deleted(chat: Chat) -> None:
    damaged = chat.table.folder / f"{ANSWERS}{SET_ASIDE}"
    damaged.write_text("Ana asked something.")
    assert (await forget(chat.ana, chat.channel)).startswith("Deleted: a damaged file of older answers")
    assert not damaged.exists()
    assert await forget(chat.ana, chat.channel) == "Nothing was kept of your questions."


async def test_people_are_shown_the_questions_that_are_kept_of_them_alone(chat: Chat) -> None:
    await chat.ask("How far can I jump?")
    await chat.ask("How deep can I dive?", who=chat.bia)
    shown = await chat.ana.slash(chat.channel, "privacy show")
    assert shown.ephemeral
    assert "1 question of yours" in text_of(shown)
    assert "no rating" in text_of(shown)
    assert ("jump" in text_of(shown), "dive" in text_of(shown)) == (True, False)
    await forget(chat.ana, chat.channel)
    assert "none of your questions" in text_of(await chat.ana.slash(chat.channel, "privacy show"))
