"""The loopback server behaves as Discord does towards an unmodified discord.py."""

import discord
import pytest
from discord import ChannelType, Permissions

from tests.bot.discord_server import Channel, Close, DiscordServer, Intent, NotOfferedError, Person
from tests.bot.sample_bot import SILENT, RunBot, SampleBot, embed, refused

pytestmark = pytest.mark.asyncio


# --- login and gateway --------------------------------------------------------------------------


async def test_a_bot_logs_in_and_registers_its_commands(server: DiscordServer, running: RunBot) -> None:
    async with running() as bot:
        names = [command["name"] for command in await server.commands()]
        assert names == ["rules", "gm", "Ask the rules"]
        assert [guild.name for guild in bot.guilds] == ["Table"]
        assert bot.guilds[0].preferred_locale is discord.Locale.brazil_portuguese
        await server.until(lambda: bot.latency < 1 or None, 5, "acknowledged heartbeat")


async def test_registered_commands_are_listed(server: DiscordServer, running: RunBot) -> None:
    async with running() as bot:
        listed = await bot.tree.fetch_commands()
        assert [command.name for command in listed] == ["rules", "gm", "Ask the rules"]
        assert listed[1].default_member_permissions == Permissions(manage_guild=True)


async def test_a_wrong_token_is_refused(
    server: DiscordServer, monkeypatch: pytest.MonkeyPatch, table: Channel
) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", server.api)
    async with SampleBot() as bot:
        with pytest.raises(discord.LoginFailure):
            await bot.login("wrong")


async def test_an_intent_that_the_portal_does_not_grant_ends_the_connection(
    server: DiscordServer, running: RunBot
) -> None:
    bot = SampleBot(discord.Intents(guilds=True, guild_messages=True, message_content=True))
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with running(bot):
            pass


async def test_a_dropped_connection_is_resumed_and_nothing_is_lost(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    async with running() as bot:
        session = await server.connected()
        server.gateway.drop()
        await ana.says("@bot one")
        await ana.says("@bot two")
        assert (await bot.hears(1)).content.endswith("two")
        assert [message.clean_content[-3:] for message in bot.heard] == ["one", "two"]
        assert (session.resumed, len(server.gateway.identifies)) == (1, 1)


async def test_an_invalidated_session_begins_anew(
    server: DiscordServer, running: RunBot, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def without_its_five_seconds(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(discord.Client, "before_identify_hook", without_its_five_seconds)
    async with running() as bot:
        await server.gateway.invalidate()
        await server.until(lambda: len(server.gateway.identifies) > 1 or None, 10, "IDENTIFY")
        await ana.says("@bot hello")
        await bot.hears()


async def test_a_bot_is_asked_to_reconnect(server: DiscordServer, running: RunBot, ana: Person) -> None:
    async with running() as bot:
        session = await server.connected()
        await server.gateway.ask_to_reconnect()
        await server.until(lambda: session.resumed or None, 5, "RESUME")
        await ana.says("@bot hello")
        await bot.hears()


async def test_a_close_code_that_forbids_to_come_back_ends_the_bot(
    server: DiscordServer, running: RunBot
) -> None:
    async def closed_for_good() -> None:
        async with running() as bot:
            await server.gateway.close(Close.AUTHENTICATION_FAILED)
            await server.until(lambda: bot.is_closed() or None, 5, "end of the bot")

    with pytest.raises(discord.ConnectionClosed):
        await closed_for_good()


# --- what the bot may read ----------------------------------------------------------------------


async def test_text_is_withheld_without_the_privileged_intent(
    server: DiscordServer, running: RunBot, ana: Person, table: Channel
) -> None:
    async with running() as bot:
        regular = await bot.get_channel(table.id).send("I am here", allowed_mentions=SILENT)  # type: ignore[union-attr]
        own = server.world.messages[regular.id]
        asked = await ana.slash("rules", question="Grapple?")
        answer = await asked.answer()
        for text, where, reply_to, ping in [
            ("plain", table, None, True),
            ("@bot mention", table, None, True),
            ("reply with ping", table, own, True),
            ("reply without ping", table, own, False),
            ("reply to an interaction", table, answer, True),
            ("direct", ana.dm, None, True),
        ]:
            await ana.says(text, where, reply_to, ping=ping)
        await bot.hears(5)
        mention = bot.user.mention if bot.user else ""
        texts = [message.content.replace(mention, "@bot") for message in bot.heard]
        assert texts == ["", "@bot mention", "reply with ping", "", "", "direct"]


async def test_text_arrives_where_the_portal_grants_it_and_the_bot_asks_for_it(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    server.gateway.granted = Intent.MESSAGE_CONTENT
    bot = SampleBot(discord.Intents(guilds=True, guild_messages=True, message_content=True))
    async with running(bot):
        assert bot.application
        assert bot.application.flags.gateway_message_content_limited
        await ana.says("plain")
        assert (await bot.hears()).content == "plain"


async def test_the_target_of_a_message_menu_arrives_with_its_text(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    async with running():
        quarrel = await ana.says("Can I grapple a ghost?")
        asked = await ana.menu("Ask the rules", quarrel)
        assert "grapple a ghost" in (await asked.answer()).text


# --- interactions -------------------------------------------------------------------------------


async def test_a_command_is_acknowledged_then_answered_by_an_edit(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    async with running() as bot:
        asked = await ana.slash("rules", question="Grapple?")
        acknowledgement = await asked.acknowledged(within=1)
        assert acknowledgement.type is discord.InteractionResponseType.deferred_channel_message
        assert acknowledgement.seconds < 1
        answer = await asked.answer()
        assert answer.text == "Rules\nyes: Grapple?"
        assert answer.buttons == ["Follow up", "Sources"]
        assert acknowledgement.message is answer
        assert bot.interactions[0].locale is discord.Locale.brazil_portuguese
        assert bot.interactions[0].permissions.send_messages


async def test_a_private_answer_stays_private(server: DiscordServer, running: RunBot, ana: Person) -> None:
    async with running():
        asked = await ana.slash("rules", question="Grapple?", private=True)
        assert (await asked.acknowledged()).ephemeral
        answer = await asked.answer()
        assert answer.ephemeral
        with pytest.raises(NotOfferedError):
            await server.member("Bia").clicks(answer, "Sources")
        await ana.clicks(answer, "Sources")


async def test_an_option_completes(server: DiscordServer, running: RunBot, ana: Person) -> None:
    async with running():
        typing = await ana.completes("rules", question="x", book="pow")
        assert await typing.choices() == [{"name": "Powers", "value": "Powers"}]


async def test_a_menu_tells_what_was_chosen(server: DiscordServer, running: RunBot, ana: Person) -> None:
    async with running():
        asked = await ana.slash("rules", question="Grapple?")
        answer = await asked.answer()
        await (await ana.chooses(answer, "Ask again")).acknowledged()
        assert answer.text == "Rules\nchosen: again"


async def test_a_stranger_asks_in_a_dm(server: DiscordServer, running: RunBot) -> None:
    async with running() as bot:
        eve = server.stranger("Eve")
        answer = await (await eve.slash("rules", question="Grapple?")).answer()
        assert answer.channel is eve.dm
        assert bot.interactions[0].context.dm_channel


async def test_a_button_opens_a_modal_whose_text_changes_the_message(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    async with running():
        asked = await ana.slash("rules", question="Grapple?")
        answer = await asked.answer()
        click = await ana.clicks(answer, "Follow up")
        assert (await click.opened())["title"] == "Follow up"
        submitted = await ana.submits(click, "And ghosts?")
        await submitted.acknowledged()
        assert answer.text == "Rules\nasked: And ghosts?"


async def test_followups_of_a_button_are_messages_of_their_own(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    async with running():
        asked = await ana.slash("rules", question="Grapple?")
        click = await ana.clicks(await asked.answer(), "Sources")
        assert "sources" in (await click.answer()).text
        followup = await click.followup()
        assert followup.ephemeral
        assert "more sources" in followup.text


async def test_a_second_response_is_refused(server: DiscordServer, running: RunBot, ana: Person) -> None:
    async with running() as bot:
        await (await ana.slash("rules", question="Grapple?")).answer()
        again = discord.InteractionResponse(bot.interactions[0])
        assert await refused(again.defer()) == (400, 40060)


async def test_a_response_after_three_seconds_is_refused(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    async with running() as bot:
        outcomes: list[tuple[int, int]] = []

        async def too_late(interaction: discord.Interaction) -> None:
            server.clock.advance(4)
            outcomes.append(await refused(interaction.response.defer()))
            server.changes.announce()

        bot.answer = too_late
        await ana.slash("rules", question="Grapple?")
        assert await server.until(lambda: outcomes or None, 5, "refusal") == [(404, 10062)]


async def test_a_token_dies_after_fifteen_minutes_but_the_message_can_be_edited(
    server: DiscordServer, running: RunBot, ana: Person, table: Channel
) -> None:
    async with running() as bot:
        answer = await (await ana.slash("rules", question="Grapple?")).answer()
        server.clock.advance(901)
        late = embed("late")
        assert await refused(bot.interactions[0].edit_original_response(embed=late)) == (401, 50027)
        channel = bot.get_partial_messageable(table.id)
        await channel.get_partial_message(answer.id).edit(embed=late, allowed_mentions=SILENT)
        assert answer.text == "Rules\nlate"


async def test_commands_are_hidden_from_those_who_may_not_use_them(
    server: DiscordServer, running: RunBot, ana: Person, table: Channel
) -> None:
    async with running():
        gm = server.member("Bia", roles=[server.role("GM", Permissions(manage_guild=True))])
        await server.commands()
        assert "gm" in await gm.offered_commands()
        assert "gm" not in await ana.offered_commands()
        assert "gm" not in await gm.offered_commands(gm.dm)
        with pytest.raises(NotOfferedError):
            await ana.slash("gm check", table, channel=table)
        checked = await gm.slash("gm check", table, channel=table)
        assert (await checked.answer()).text == "Rules\ntable"


# --- messages and threads -----------------------------------------------------------------------


async def test_a_thread_on_an_answer_has_its_id_and_opens_once(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    async with running() as bot:
        answer = await (await ana.slash("rules", question="Grapple?")).answer()
        original = await bot.interactions[0].original_response()
        opened = await original.create_thread(name="Grapple?")
        thread = await server.thread_on(answer)
        assert (opened.id, thread.id, thread.name) == (answer.id, answer.id, "Grapple?")
        assert await refused(original.create_thread(name="again")) == (400, 160004)
        await ana.says("@bot go on", thread)
        assert (await bot.hears()).channel == opened


async def test_an_answer_is_found_in_its_thread(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    thread = server.thread("Grapple?", table)
    async with running() as bot:
        await bot.place(thread).send(embed=embed("there"), allowed_mentions=SILENT)
        assert (await server.message_in(thread, lambda message: "there" in message.text)).author.bot


@pytest.mark.parametrize("kind", [ChannelType.voice, ChannelType.stage_voice])
async def test_spoken_channels_have_no_threads(
    server: DiscordServer, running: RunBot, kind: ChannelType
) -> None:
    spoken = server.channel("spoken", kind)
    async with running() as bot:
        message = await bot.place(spoken).send("hello", allowed_mentions=SILENT)
        creation = bot.http.start_thread_with_message(
            spoken.id, message.id, name="x", auto_archive_duration=60
        )
        assert await refused(creation) == (400, 50024)


async def test_missing_permissions_are_refused(server: DiscordServer, running: RunBot, ana: Person) -> None:
    mute = server.channel("mute", deny_bot=Permissions(send_messages=True))
    plain = server.channel("plain", deny_bot=Permissions(embed_links=True, create_public_threads=True))
    hidden = server.channel("hidden", deny_bot=Permissions(view_channel=True))
    async with running() as bot:
        await ana.says("@bot not for you", hidden)
        await ana.says("@bot for you", mute)
        assert (await bot.hears()).content.endswith(" for you")
        assert await refused(bot.place(mute).send("x", allowed_mentions=SILENT)) == (403, 50013)
        assert await refused(bot.place(hidden).send("x", allowed_mentions=SILENT)) == (403, 50001)
        assert await refused(bot.place(plain).send(embed=embed("x"), allowed_mentions=SILENT)) == (
            403,
            50013,
        )
        message = await bot.place(plain).send("x", allowed_mentions=SILENT)
        assert await refused(message.create_thread(name="x")) == (403, 50013)


async def test_a_deleted_message_is_unknown(
    server: DiscordServer, running: RunBot, ana: Person, table: Channel
) -> None:
    async with running() as bot:
        message = await bot.place(table).send("x", allowed_mentions=SILENT)
        await ana.deletes(server.world.messages[message.id])
        assert await refused(message.edit(content="y", allowed_mentions=SILENT)) == (404, 10008)


async def test_an_archived_thread_wakes_for_a_message_unless_it_is_locked(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    asleep = server.thread("asleep", table, archived=True)
    locked = server.thread("locked", table, archived=True, locked=True)
    async with running() as bot:
        message = await bot.place(asleep).send("x", allowed_mentions=SILENT)
        assert not asleep.archived
        server.world.change_thread(asleep, {"archived": True})
        assert await refused(message.edit(content="y", allowed_mentions=SILENT)) == (400, 50083)
        assert await refused(bot.place(locked).send("x", allowed_mentions=SILENT)) == (400, 50083)


async def test_people_can_be_written_to_unless_they_refuse(
    server: DiscordServer, running: RunBot, ana: Person
) -> None:
    async with running() as bot:
        user = await bot.fetch_user(ana.user.id)
        await user.send("x", allowed_mentions=SILENT)
        assert (await server.message_in(ana.dm)).content == "x"
        ana.user.refuses_dms = True
        assert await refused(user.send("y", allowed_mentions=SILENT)) == (403, 50007)


async def test_a_file_arrives_beside_its_message(
    server: DiscordServer, running: RunBot, table: Channel
) -> None:
    async with running() as bot:
        page = discord.File(__file__, filename="page.png")
        await bot.place(table).send("see", file=page, allowed_mentions=SILENT)
        assert [one["filename"] for one in (await server.message_in(table)).attachments] == ["page.png"]
        assert server.requests("POST", "/channels/*/messages")[0].files == ("files[0]",)
