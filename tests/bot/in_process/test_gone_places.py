"""Places that go, while the bot sees it and while it is switched off: what is kept of them goes."""

import time
from collections.abc import Callable

import pytest
from simcord import Env

from bot.answers.table import DAY
from bot.questions.forgetting import forget_gone_places
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import choose, response
from tests.bot.table import QUESTION


@pytest.fixture
async def kept(chat: Chat) -> int:
    """An answer that was rated, in a channel that a GM set up; its server has a ruling and a book."""
    gm, channel = chat.gm, chat.channel
    answered = await chat.ask(who=gm)
    await choose(gm, answered, "Right")
    await gm.slash(channel, "gm game", game="Tides")
    await gm.slash(channel, "gm channel", answers="place")
    window = await gm.slash(channel, "gm ruling add")
    typed = {"rule": "Lamps", "question": QUESTION, "text": "Three.", "held": ["good"]}
    await gm.submit_modal(window, typed)
    chat.bot.uploads.put(f"{chat.guild.id}/Kites/kites.md", b"# Kites")
    return response(answered).id


def what_is_kept(chat: Chat, answer: int) -> list[bool]:
    """Whether there still are the answer, its rating, notes on its channel, the ruling and the book."""
    return [
        chat.table.answers.find(answer) is not None,
        bool(chat.table.feedback.of_server(chat.guild.id)),
        chat.bot.places.game_of(chat.channel.id) is not None,
        chat.channel.id in chat.bot.places.answered_in_place.kept,
        bool(chat.bot.rulings.holding(chat.guild.id)),
        bool(chat.bot.uploads.books(chat.guild.id)),
    ]


ALL, NONE, RULING_AND_BOOK = [True] * 6, [False] * 6, [False] * 4 + [True] * 2
ALL_BUT_ANSWERS = [False] + [True] * 5
Leave = Callable[[Chat], None]


def deleted(chat: Chat) -> None:
    chat.env.backend.delete_channel(chat.channel.id)


def left(chat: Chat) -> None:
    chat.env.backend.remove_guild(chat.guild.id)


@pytest.mark.parametrize(("leave", "remains"), [(deleted, RULING_AND_BOOK), (left, ALL_BUT_ANSWERS)])
@pytest.mark.parametrize("is_there", [True, False], ids=["running", "switched off"])
async def test_with_a_channel_or_a_server_goes_what_is_kept_of_it(
    chat: Chat, kept: int, leave: Leave, remains: list[bool], is_there: bool
) -> None:
    chat.env.create_guild("Another table")
    assert what_is_kept(chat, kept) == ALL
    if is_there:
        leave(chat)
        await chat.env.settle()
    else:
        unseen(chat.env, lambda: leave(chat))
        await chat.restart()
    assert what_is_kept(chat, kept) == remains


async def test_what_gms_said_of_a_channel_waits_where_its_left_server_is_not_known(chat: Chat) -> None:
    chat.env.create_guild("Another table")
    chat.bot.places.bind(chat.channel.id, "Tides")
    guild = chat.bot._connection._guilds.pop(chat.guild.id)
    unseen(chat.env, lambda: left(chat))
    chat.env.inject_error("GET", "/channels/*", status=403, code=50001, times=99)
    await forget_gone_places(chat.bot)
    assert chat.channel.id in chat.bot.places.left.kept
    chat.bot._connection._guilds[guild.id] = guild
    await forget_gone_places(chat.bot)
    assert (chat.bot.places.game_of(chat.channel.id), chat.bot.places.left.kept) == ("Tides", {})


@pytest.mark.parametrize("comes_back", [True, False])
async def test_what_people_wrote_down_of_a_server_that_was_left_is_kept_for_thirty_days(
    chat: Chat, kept: int, comes_back: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.env.create_guild("Another table")
    [guild] = [one for one in chat.bot.guilds if one.id == chat.guild.id]
    left(chat)
    await chat.env.settle()
    if comes_back:
        chat.bot._connection._guilds[guild.id] = guild
        await chat.bot.on_guild_join(guild)
    later = time.time() + 31 * DAY
    monkeypatch.setattr("bot.questions.forgetting.time.time", lambda: later)
    await forget_gone_places(chat.bot)
    assert what_is_kept(chat, kept) == (ALL_BUT_ANSWERS if comes_back else NONE)


def unseen(env: Env, act: Callable[[], None]) -> None:
    """Let something happen of which the bot is not told."""
    told = env.backend.subscribers[:]
    env.backend.subscribers.clear()
    act()
    env.backend.subscribers.extend(told)


async def test_of_a_server_that_is_unavailable_nothing_goes(chat: Chat, kept: int) -> None:
    chat.env.create_guild("Another table")
    [cached] = [one for one in chat.bot.guilds if one.id == chat.guild.id]
    cached.unavailable = True
    cached._channels.clear()
    await forget_gone_places(chat.bot)
    assert what_is_kept(chat, kept) == ALL


@pytest.mark.parametrize("status", [401, 403, 500])
async def test_where_discord_does_not_tell_what_is_gone_nothing_goes(
    chat: Chat, kept: int, status: int
) -> None:
    chat.env.create_guild("Another table")
    chat.bot._connection._guilds.pop(chat.guild.id)
    chat.env.inject_error("GET", "/users/@me/guilds", status=status, times=9)
    chat.env.inject_error("GET", "/channels/*", status=500, times=99)
    await forget_gone_places(chat.bot)
    assert what_is_kept(chat, kept) == ALL


async def test_an_application_that_is_in_no_server_yet_leaves_all_as_it_was(chat: Chat, kept: int) -> None:
    unseen(chat.env, lambda: left(chat))
    await chat.restart()
    assert what_is_kept(chat, kept) == ALL
