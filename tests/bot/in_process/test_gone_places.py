"""Places that go, while the bot sees it and while it is switched off: what is kept of them goes."""

from collections.abc import Callable

import pytest
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from bot.operations.gone_places import forget_gone_places
from tests.bot.in_process.reading import bot_in, response
from tests.bot.in_process.test_questions import QUESTION
from tests.bot.table import Table


@pytest.fixture
async def kept(table: Table, guild: GuildHandle, gm: MemberActor, channel: ChannelHandle) -> int:
    """An answer that was rated, in a channel of which a GM said two things, of a server with a ruling."""
    answered = await gm.slash(channel, "rules", question=QUESTION)
    menu = await gm.click(response(answered), label="More")
    await gm.click(response(menu), label="Right")
    await gm.slash(channel, "gm game", game="Tides")
    await gm.slash(channel, "gm channel", answers="place")
    window = await gm.slash(channel, "gm ruling add")
    typed = {"rule": "Lamps", "question": QUESTION, "text": "Three.", "held": ["good"]}
    await gm.submit_modal(window, typed)
    return response(answered).id


def is_kept(table: Table, env: Env, answer: int, guild: GuildHandle, channel: ChannelHandle) -> list[bool]:
    """Whether there still are the answer, its rating, both notes on its channel, and the server's ruling."""
    bot = bot_in(env)
    return [
        table.answers.find(answer) is not None,
        bool(table.feedback.of_server(guild.id)),
        bot.channel_games.game_of(channel.id) is not None,
        channel.id in bot.channels_in_place,
        bool(bot.rulings.holding(guild.id)),
    ]


ALL, NONE, RULING_ALONE = [True] * 5, [False] * 5, [False] * 4 + [True]
Leave = Callable[[Env, GuildHandle, ChannelHandle], None]


def deleted(env: Env, guild: GuildHandle, channel: ChannelHandle) -> None:
    env.backend.delete_channel(channel.id)


def left(env: Env, guild: GuildHandle, channel: ChannelHandle) -> None:
    env.backend.remove_guild(guild.id)


@pytest.mark.parametrize(("leave", "remains"), [(deleted, RULING_ALONE), (left, NONE)])
@pytest.mark.parametrize("is_there", [True, False], ids=["running", "switched off"])
async def test_with_a_channel_or_a_server_goes_what_is_kept_of_it(
    table: Table,
    env: Env,
    guild: GuildHandle,
    channel: ChannelHandle,
    kept: int,
    leave: Leave,
    remains: list[bool],
    is_there: bool,
) -> None:
    env.create_guild("Another table")
    assert is_kept(table, env, kept, guild, channel) == ALL
    if is_there:
        leave(env, guild, channel)
        await env.settle()
    else:
        unseen(env, lambda: leave(env, guild, channel))
        await env.restart_bot(table.restarted())
    assert is_kept(table, env, kept, guild, channel) == remains


def unseen(env: Env, act: Callable[[], None]) -> None:
    """Let something happen of which the bot is not told."""
    told = env.backend.subscribers[:]
    env.backend.subscribers.clear()
    act()
    env.backend.subscribers.extend(told)


async def test_of_a_server_that_is_unavailable_nothing_goes(
    table: Table, env: Env, guild: GuildHandle, channel: ChannelHandle, kept: int
) -> None:
    env.create_guild("Another table")
    [cached] = [one for one in bot_in(env).guilds if one.id == guild.id]
    cached.unavailable = True
    cached._channels.clear()
    await forget_gone_places(bot_in(env))
    assert is_kept(table, env, kept, guild, channel) == ALL


@pytest.mark.parametrize("status", [401, 403, 500])
async def test_where_discord_does_not_tell_what_is_gone_nothing_goes(
    table: Table, env: Env, guild: GuildHandle, channel: ChannelHandle, kept: int, status: int
) -> None:
    env.create_guild("Another table")
    bot = bot_in(env)
    bot._connection._guilds.pop(guild.id)
    env.inject_error("GET", "/users/@me/guilds", status=status, times=9)
    env.inject_error("GET", "/channels/*", status=500, times=99)
    await forget_gone_places(bot)
    assert is_kept(table, env, kept, guild, channel) == ALL


async def test_an_application_that_is_in_no_server_yet_leaves_all_as_it_was(
    table: Table, env: Env, guild: GuildHandle, channel: ChannelHandle, kept: int
) -> None:
    unseen(env, lambda: left(env, guild, channel))
    await env.restart_bot(table.restarted())
    assert is_kept(table, env, kept, guild, channel) == ALL
