"""`/help`, and the welcome in a server."""

import discord
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from tests.bot.in_process.reading import bot_in, description, last, text_of
from tests.bot.table import Table

WELCOME = "I settle rules questions from your own rulebooks"


def welcomes(channel: ChannelHandle) -> int:
    return sum(WELCOME in text_of(message) for message in channel.history())


async def test_help_tells_how_to_ask_privately_and_gms_what_they_can_do_besides(
    ana: MemberActor, gm: MemberActor, channel: ChannelHandle
) -> None:
    told = await ana.slash(channel, "help")
    assert told.ephemeral
    assert "/rules" in description(told)
    assert "/gm" not in description(told)
    assert "/gm check" in description(await gm.slash(channel, "help"))


async def test_a_server_that_has_just_invited_the_bot_is_welcomed_once_also_after_restarts(
    table: Table, env: Env, channel: ChannelHandle
) -> None:
    for _ in range(3):
        await env.restart_bot(table.restarted())
    assert welcomes(channel) == 1
    for first in ("books", "/library books", "/rules"):
        assert first in text_of(last(channel))


async def test_the_welcome_stands_in_the_first_channel_that_the_bot_may_write_in(
    env: Env, guild: GuildHandle
) -> None:
    denied = discord.PermissionOverwrite(send_messages=False)
    strict = guild.create_text_channel("strict", overwrites={guild.default_role: denied})
    open_to_all = guild.create_text_channel("open")
    await bot_in(env).on_guild_join(bot_in(env).guilds[0])
    assert (welcomes(strict), welcomes(open_to_all)) == (0, 1)


async def test_where_discord_refuses_the_welcome_it_is_tried_at_the_next_start(
    table: Table, env: Env, channel: ChannelHandle
) -> None:
    env.inject_error("POST", "/channels/*/messages", status=403, code=50013, message="Missing", times=1)
    await bot_in(env).on_guild_join(bot_in(env).guilds[0])
    assert welcomes(channel) == 0
    await env.restart_bot(table.restarted())
    assert welcomes(channel) == 1


async def test_a_server_that_is_not_served_is_not_welcomed(
    table: Table, env: Env, channel: ChannelHandle
) -> None:
    table.configure(allowed_guilds=frozenset({1}))
    await env.restart_bot(table.restarted())
    assert welcomes(channel) == 0


async def test_a_server_that_has_the_bot_for_long_is_not_welcomed(
    table: Table, env: Env, guild: GuildHandle, channel: ChannelHandle
) -> None:
    assert env.bot.user is not None
    env.backend.get_guild(guild.id).members[env.bot.user.id].joined_at = "2020-01-01T00:00:00+00:00"
    await env.restart_bot(table.restarted())
    assert welcomes(channel) == 0
