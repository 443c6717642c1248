"""What game masters may do, and what players never see of it."""

from typing import cast

import discord
import pytest
from simcord import ChannelHandle, Env, GuildHandle, MemberActor
from simcord.backend.errors import SetupError

from bot.books.channel_games import ChannelGames
from bot.cogs.conversation import ConversationCog
from rag.errors import KeyRefused, ModelError, ModelUnreachable, UnknownModel
from rag.library.books.book import Problem
from rag.library.index.manifest import Manifest
from tests.bot.in_process.reading import bot_in, description, embed, response, text_of
from tests.bot.in_process.test_conversations import _input, mention
from tests.bot.in_process.test_questions import QUESTION, open_thread
from tests.bot.table import SECRETS, ScriptedChatModel, Table, answer, book, source

SECRET = "What does the water know?"


async def test_gm_rules_searches_the_gms_catalog_and_answers_privately(
    table: Table, gm: MemberActor, channel: ChannelHandle
) -> None:
    result = await gm.slash(channel, "gm rules", question=SECRET)
    assert table.rules_graph.last.reader == "gm"
    assert result.ephemeral
    assert channel.threads == []


async def test_a_gms_conversation_is_never_the_threads(
    table: Table, ana: MemberActor, gm: MemberActor, channel: ChannelHandle
) -> None:
    thread = await open_thread(ana, channel)
    await gm.slash(thread, "gm rules", question=SECRET)
    await gm.slash(thread, "gm rules", question="And why?")
    assert table.rules_graph.last.history == (SECRET,)
    await ana.slash(thread, "rules", question="And in fog?")
    assert table.rules_graph.last.history == (QUESTION,)


async def test_a_gms_question_in_the_open_is_a_players(
    table: Table, gm: MemberActor, channel: ChannelHandle
) -> None:
    await gm.slash(channel, "rules", question=QUESTION)
    assert table.rules_graph.last.reader == "player"


async def test_a_gm_completes_the_gms_catalog(gm: MemberActor, channel: ChannelHandle) -> None:
    choices = await gm.autocomplete(channel, "gm rules", "book", "water")
    assert [choice["value"] for choice in choices] == ["What the Water Knows"]


async def test_a_gms_question_is_not_counted(table: Table, gm: MemberActor, channel: ChannelHandle) -> None:
    await gm.slash(channel, "gm rules", question=SECRET)
    status = await gm.slash(channel, "status")
    assert "Questions today: **0**" in description(status)


async def test_what_gms_ask_costs_is_not_told_to_players(
    gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    await gm.slash(channel, "gm rules", question=SECRET)
    assert "Tokens today: **0**" in description(await ana.slash(channel, "status"))


async def test_players_are_not_shown_the_gms_commands(ana: MemberActor, channel: ChannelHandle) -> None:
    assert not any(name.startswith("gm") for name in ana.available_commands(channel))


async def test_a_gm_in_a_direct_message_is_a_player(gm: MemberActor) -> None:
    with pytest.raises(SetupError):
        await gm.user.slash("gm rules", question=SECRET)


async def test_with_a_role_for_gms_managing_the_server_is_not_enough(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.configure(gm_role="Tellers")
    await env.restart_bot(table.restarted())
    result = await gm.slash(channel, "gm rules", question=SECRET)
    assert "Only game masters" in text_of(response(result).message)
    assert table.rules_graph.asked == []


async def test_with_a_role_for_gms_that_is_misspelt_whoever_manages_the_server_finds_that_out(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.configure(gm_role="Kepers")
    _publish(table, Problem("gm/what.pdf", "book-not-pdf", {"file": "gm/what.pdf"}))
    await env.restart_bot(table.restarted())
    told = description(await gm.slash(channel, "gm check"))
    assert "GM\\_ROLE is “Kepers”" in told.replace("GM_ROLE", "GM\\_ROLE")
    assert "Is “Keepers” meant?" in told
    assert "what.pdf" not in told
    assert "plays Tides" in response(await gm.slash(channel, "gm game", game="Tides")).content


# --- the GM's books -------------------------------------------------------------------------------


async def test_gm_books_lists_the_gms_books_too_privately(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.library.all_books.extend(
        book(f"A Secret of the Tides, Volume {number}", audience="gm") for number in range(90)
    )
    listed = await gm.slash(channel, "gm books")
    assert listed.ephemeral
    assert "What the Water Knows" in description(listed)
    await env.restart_bot(table.restarted())
    await gm.click(response(listed), label="▶")
    assert "Volume 89" in description(listed)


async def test_gm_page_reads_and_turns_the_pages_of_the_gms_books_privately(
    gm: MemberActor, channel: ChannelHandle
) -> None:
    choices = await gm.autocomplete(channel, "gm page", "book", "water")
    assert [choice["value"] for choice in choices] == ["What the Water Knows"]
    shown = await gm.slash(channel, "gm page", book="What the Water Knows", page="2")
    assert shown.ephemeral
    await gm.click(response(shown), label="Next page ▶")
    assert embed(shown).title == "What the Water Knows, p. 3"


async def test_whoever_is_no_gm_any_more_turns_no_page_of_the_gms(
    env: Env, guild: GuildHandle, gm: MemberActor, channel: ChannelHandle
) -> None:
    shown = await gm.slash(channel, "gm page", book="What the Water Knows", page="2")
    env.backend.get_guild(guild.id).members[gm.id].role_ids.clear()
    told = await gm.click(response(shown), label="Next page ▶")
    assert "Only game masters" in text_of(told.followups[0].message)


@pytest.mark.parametrize("by_id", [True, False])
async def test_the_role_for_gms_goes_by_name_or_id(
    table: Table, env: Env, guild: GuildHandle, channel: ChannelHandle, by_id: bool
) -> None:
    role = guild.create_role("Tellers")
    tess = guild.add_member(env.create_user("Tess"), roles=[role])
    table.configure(gm_role=str(role.id) if by_id else "tellers")
    await env.restart_bot(table.restarted())
    member = await bot_in(env).guilds[0].fetch_member(tess.id)
    assert bot_in(env).access.is_gm(member, discord.Permissions.none())


# --- /gm game -------------------------------------------------------------------------------------


@pytest.fixture
def two_games(table: Table) -> None:
    table.library.all_books.append(book("Core Rules", game="Embers"))


async def test_a_bound_channel_and_its_threads_ask_the_books_of_its_game(
    two_games: None, table: Table, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    told = await gm.slash(channel, "gm game", game="Embers")
    assert "plays Embers" in response(told).content
    thread = await open_thread(ana, channel)
    assert table.rules_graph.last.book == "Embers"
    await ana.slash(thread, "rules", question="And in fog?")
    assert table.rules_graph.last.book == "Embers"


async def test_a_binding_outlives_a_restart_and_can_be_taken_away(
    two_games: None, table: Table, env: Env, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    await gm.slash(channel, "gm game", game="Embers")
    await env.restart_bot(table.restarted())
    await ana.slash(channel, "rules", question=QUESTION)
    assert table.rules_graph.last.book == "Embers"
    await gm.slash(channel, "gm game")
    await ana.slash(channel, "rules", question=QUESTION)
    assert table.rules_graph.last.book is None


async def test_a_book_of_another_game_is_refused_in_a_bound_channel(
    two_games: None, table: Table, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    await gm.slash(channel, "gm game", game="Embers")
    result = await ana.slash(channel, "rules", question=QUESTION, book="Wading Orders")
    assert "This channel plays Embers" in text_of(response(result).message)
    assert table.rules_graph.asked == []


async def test_a_channel_whose_game_has_left_the_library_says_so_and_where_to_change_it(
    two_games: None, table: Table, env: Env, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    await gm.slash(channel, "gm game", game="Embers")
    table.library.all_books.pop()
    await env.restart_bot(table.restarted())
    result = await ana.slash(channel, "rules", question=QUESTION)
    assert "Embers, which is no longer in the library" in text_of(response(result).message)
    assert "/gm game" in text_of(response(result).message)
    assert await ana.autocomplete(channel, "rules", "book", "wading")


async def test_a_title_of_two_games_is_the_bound_games_also_on_library_page(
    two_games: None, table: Table, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.library.all_books.insert(0, book("Core Rules", game="Tides", pages=1))
    await gm.slash(channel, "gm game", game="Embers")
    shown = await ana.slash(channel, "library page", book="Core Rules", page="40")
    assert embed(shown).title == "Core Rules, p. 40"


async def test_only_games_of_the_library_can_be_bound(
    two_games: None, gm: MemberActor, channel: ChannelHandle
) -> None:
    choices = await gm.autocomplete(channel, "gm game", "game", "e")
    assert {choice["value"] for choice in choices} <= {"Tides", "Embers"}
    told = await gm.slash(channel, "gm game", game="Chess")
    assert "no game called “Chess”" in text_of(response(told).message)


# --- /gm channel ----------------------------------------------------------------------------------


async def test_a_channel_is_answered_in_place_until_a_gm_wants_threads_again(
    table: Table, env: Env, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    told = await gm.slash(channel, "gm channel", answers="place")
    assert told.ephemeral
    assert "open no threads" in response(told).content
    await env.restart_bot(table.restarted())
    await ana.slash(channel, "rules", question=QUESTION)
    await ana.send(channel, f"{mention(env)} {QUESTION}")
    assert channel.threads == []
    await gm.slash(channel, "gm channel", answers="thread")
    await ana.slash(channel, "rules", question=QUESTION)
    assert len(channel.threads) == 1


async def test_an_answer_in_place_is_gone_on_with_by_reply_and_by_button(
    table: Table, env: Env, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    await gm.slash(channel, "gm channel", answers="place")
    answered = await ana.slash(channel, "rules", question=QUESTION)
    await ana.send(channel, f"{mention(env)} And in fog?", reply_to=response(answered))
    assert list(table.rules_graph.last.history) == [QUESTION]
    shown = await ana.click(response(answered), label="Follow up")
    await ana.submit_modal(shown, {_input(shown.modal): "And at night?"})
    assert list(table.rules_graph.last.history) == [QUESTION, "And in fog?"]
    assert "six paces" in text_of(channel.last_message)
    assert channel.threads == []


async def test_what_is_said_of_a_channel_goes_with_it(
    env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    await gm.slash(channel, "gm game", game="Tides")
    await gm.slash(channel, "gm channel", answers="place")
    bot = bot_in(env)
    found = bot.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    await cast(ConversationCog, bot.get_cog("ConversationCog")).on_guild_channel_delete(found)
    assert bot.channel_games.game_of(channel.id) is None
    assert channel.id not in bot.channels_in_place


# --- /gm check ------------------------------------------------------------------------------------


async def test_check_finds_nothing_wrong_where_nothing_is(
    table: Table, gm: MemberActor, channel: ChannelHandle
) -> None:
    _publish(table)
    result = await gm.slash(channel, "gm check")
    assert result.ephemeral
    assert "⚠️" not in description(result)


async def test_check_names_the_missing_permission_and_where_to_click(
    gm: MemberActor, guild: GuildHandle
) -> None:
    denied = discord.PermissionOverwrite(create_public_threads=False)
    strict = guild.create_text_channel("strict", overwrites={guild.default_role: denied})
    result = await gm.slash(strict, "gm check")
    assert "⚠️ I cannot open threads here. Channel settings → Permissions" in description(result)


async def test_check_finds_an_intent_that_the_portal_does_not_grant(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.configure(message_content=True)
    await env.restart_bot(table.restarted())
    result = await gm.slash(channel, "gm check")
    assert "switch on “Message Content Intent”" in description(result)


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        (KeyRefused(), "correct OPENAI_API_KEY"),
        (ModelUnreachable(), "check OPENAI_BASE_URL"),
        (None, "✅ The chat model"),
    ],
)
async def test_check_asks_the_model_server(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle, failure: ModelError | None, advice: str
) -> None:
    table.chat_model = ScriptedChatModel(failure)
    await env.restart_bot(table.restarted())
    assert advice in description(await gm.slash(channel, "gm check"))


async def test_check_asks_a_providers_embedding_too(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle
) -> None:
    def fails(text: str) -> object:
        raise UnknownModel

    table.configure(embedding_model="text-embedding-3-small")
    for embedding, told in (
        (fails, "⚠️ The model server does not know"),
        (len, "✅ The embedding model answers"),
    ):
        table.embed = embedding
        await env.restart_bot(table.restarted())
        assert told in description(await gm.slash(channel, "gm check"))


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (1_000_000, "✅ Tokens of this server today: 9,300 of 1,000,000."),
        (9_300, "⚠️ Tokens of this server today: 9,300 of 9,300. Answers are quotations until midnight (UTC)"),
        (0, "✅ Tokens of this server today: 9,300. There is no budget"),
    ],
)
async def test_check_tells_what_is_left_of_the_servers_budget(
    table: Table, env: Env, gm: MemberActor, channel: ChannelHandle, limit: int, told: str
) -> None:
    table.chat_model = ScriptedChatModel()
    table.configure(daily_tokens_server=limit)
    await env.restart_bot(table.restarted())
    await gm.slash(channel, "gm rules", question=SECRET)
    assert told in description(await gm.slash(channel, "gm check"))


async def test_check_tells_what_was_set_aside_and_how_to_go_on(
    table: Table, gm: MemberActor, channel: ChannelHandle
) -> None:
    (table.folder / "channel_games.json").write_text("{")
    ChannelGames(table.folder)
    said = description(await gm.slash(channel, "gm check"))
    assert r"channel\_games.json in DATA_DIR cannot be used" in said
    assert "a GM binds them again with /gm game" in said


async def test_check_lists_the_problems_of_the_index(
    table: Table, gm: MemberActor, channel: ChannelHandle
) -> None:
    assert "No book is indexed yet" in description(await gm.slash(channel, "gm check"))
    _publish(table, Problem("odd.pdf", "book-not-pdf", {"file": "odd.pdf"}))
    assert "odd.pdf: is not a PDF" in description(await gm.slash(channel, "gm check"))


async def test_names_of_files_and_games_are_shown_as_they_are_written(
    table: Table, gm: MemberActor, channel: ChannelHandle
) -> None:
    _publish(table, Problem("my_*odd*.pdf", "book-not-pdf", {"file": "my_*odd*.pdf"}))
    table.library.all_books.append(book("Core Rules", game="*Embers*"))
    assert r"my\_\*odd\*.pdf: is not a PDF" in description(await gm.slash(channel, "gm check"))
    told = await gm.slash(channel, "gm game", game="*Embers*")
    assert r"plays \*Embers\*" in response(told).content


def _publish(table: Table, *problems: Problem) -> None:
    index = table.folder / "index"
    index.mkdir(exist_ok=True)
    Manifest("one", "embedded", "", {}, {"player": (), "gm": ()}, problems).publish(index)


async def test_a_gms_answer_names_no_secret_in_a_players_completion_or_list(
    table: Table, gm: MemberActor, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.said = answer(sources=[source(SECRETS)])
    await gm.slash(channel, "gm rules", question=SECRET)
    listed = await ana.slash(channel, "library books")
    choices = await ana.autocomplete(channel, "rules", "book", "water")
    assert "What the Water Knows" not in str(embed(listed).to_dict())
    assert choices == []
