"""`/help`, and the welcome in a server."""

import pytest
from simcord import ChannelHandle

from rag.library.books.book import IsSeen
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import description, last, text_of
from tests.bot.table import WADING, book

WELCOME = "I settle rules questions from your own rulebooks"


def welcomes(channel: ChannelHandle) -> int:
    return sum(WELCOME in text_of(message) for message in channel.history())


async def test_help_tells_how_to_ask_privately_and_gms_what_they_can_do_besides(chat: Chat) -> None:
    told = await chat.ana.slash(chat.channel, "help")
    assert told.ephemeral
    assert "/rules" in description(told)
    assert "/gm" not in description(told)
    assert all(name in description(told) for name in ("“Why”", "“Show page”", "your rating"))
    gms = description(await chat.gm.slash(chat.channel, "help"))
    assert all(name in gms for name in ("/gm check", "/gm ruling", "/gm feedback"))


async def test_help_and_welcome_show_questions_that_the_books_answer_made_once_for_a_language(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[bool]] = []

    async def of_books(*_: object, is_seen: IsSeen) -> list[str]:
        made.append([is_seen(WADING), is_seen(book("Sand", "Dunes"))])
        return ["What are the rules for Falling?"]

    monkeypatch.setattr("bot.books.book_list.questions_to_try", of_books)
    chat.table.library.entries = {str(chat.guild.id): ("Tides",)}
    channel = chat.channel
    await chat.restart()
    assert "• What are the rules for Falling?" in text_of(last(channel))
    for _ in range(2):
        assert "• What are the rules for Falling?" in description(await chat.ana.slash(channel, "help"))
    assert made == [[True, False]]


async def test_a_server_that_has_just_invited_the_bot_is_welcomed_once_also_after_restarts(
    chat: Chat,
) -> None:
    channel = chat.channel
    for _ in range(3):
        await chat.restart()
    assert welcomes(channel) == 1
    for first in ("books", "/library books", "/rules"):
        assert first in text_of(last(channel))


async def test_the_welcome_stands_in_the_first_channel_that_the_bot_may_write_in(chat: Chat) -> None:
    strict = chat.channel_without(send_messages=False)
    open_to_all = chat.guild.create_text_channel("open")
    await chat.bot.on_guild_join(chat.bot.guilds[0])
    assert (welcomes(strict), welcomes(open_to_all)) == (0, 1)


async def test_where_discord_refuses_the_welcome_it_is_tried_at_the_next_start(chat: Chat) -> None:
    channel = chat.channel
    chat.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, message="Missing", times=1)
    await chat.bot.on_guild_join(chat.bot.guilds[0])
    assert welcomes(channel) == 0
    await chat.restart()
    assert welcomes(channel) == 1


async def test_a_server_that_is_not_served_or_has_the_bot_for_long_is_not_welcomed(chat: Chat) -> None:
    channel = chat.channel
    await chat.restart(allowed_guilds=frozenset({1}))
    assert welcomes(channel) == 0
    assert chat.guild.me
    joined = chat.env.backend.get_guild(chat.guild.id).members[chat.guild.me.id]
    joined.joined_at = "2020-01-01T00:00:00+00:00"
    await chat.restart(allowed_guilds=frozenset())
    assert welcomes(channel) == 0
