"""The row under an answer: Sources, Follow up, More. It works after a restart."""

import discord
import pytest
from simcord import ChannelHandle, Env, GuildHandle, InteractionResult, MemberActor, ResponseMessage

from bot.budgets import Account, AccountKind
from bot.buttons.follow_up import FollowUpWindow
from bot.texts import texts_in
from tests.bot.in_process.reading import description, embed, last, response, text_of
from tests.bot.in_process.test_questions import QUESTION, open_thread
from tests.bot.table import KNOTS, QUOTE, SECRETS, WADING, Table, answer, book, source


async def test_an_answer_has_one_row_of_three_buttons(ana: MemberActor, channel: ChannelHandle) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    (row,) = response(result).components
    assert [button["label"] for button in row["components"]] == ["Sources", "Follow up", "More"]


async def test_without_a_source_there_is_no_sources_button(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.said = answer(sources=[], statements=[])
    result = await ana.slash(channel, "rules", question=QUESTION)
    (row,) = response(result).components
    assert [button["label"] for button in row["components"]] == ["Follow up", "More"]


# --- Sources --------------------------------------------------------------------------------------


async def test_sources_shows_the_full_passage_privately_with_the_quote_in_bold(
    ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await bia.click(response(result), label="Sources")
    found = embed(shown)
    assert shown.ephemeral
    assert found.title == "Wading Orders, p. 13"
    assert f"**{QUOTE}**" in (found.description or "")
    assert "Nobody lights a lamp at low water." in (found.description or "")


async def test_sources_are_paged(table: Table, ana: MemberActor, channel: ChannelHandle) -> None:
    table.rules_graph.said = answer(sources=[source(), source(KNOTS, 5)])
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await ana.click(response(result), label="Sources")
    assert embed(shown).footer.text == "Source 1 of 2"
    await ana.click(response(shown), label="▶")
    assert embed(shown).title == "The Book of Knots, p. 5"
    await ana.click(response(shown), label="◀")
    assert embed(shown).title == "Wading Orders, p. 13"


async def test_a_passage_too_long_for_a_message_is_turned_through_in_parts(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.library.text = f"{QUOTE} {'A word about lamps. ' * 300}The last words."
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await ana.click(response(result), label="Sources")
    assert embed(shown).footer.text == "Source 1 of 1 · 1/2"
    await ana.click(response(shown), label="▶")
    assert embed(shown).footer.text == "Source 1 of 1 · 2/2"
    assert description(shown).endswith("The last words.")


async def test_a_book_that_is_gone_does_not_hide_the_other_sources(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.said = answer(sources=[source(), source(KNOTS, 5)])
    result = await ana.slash(channel, "rules", question=QUESTION)
    table.library.all_books.remove(KNOTS)
    shown = await ana.click(response(result), label="Sources")
    assert embed(shown).title == "Wading Orders, p. 13"


async def test_the_buttons_work_after_a_restart(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    await env.restart_bot(table.restarted())
    shown = await ana.click(response(result), label="Sources")
    assert f"**{QUOTE}**" in description(shown)


async def test_a_button_whose_answer_is_no_longer_kept_says_so(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    table.answers.drop_messages([response(result).id])
    for label in ("Sources", "More"):
        shown = await ana.click(response(result), label=label)
        assert "no longer kept" in text_of(response(shown).message)


async def test_a_source_whose_book_is_gone_says_so(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    table.library.all_books.remove(WADING)
    shown = await ana.click(response(result), label="Sources")
    assert "Wading Orders is no longer in the library" in text_of(response(shown).message)


async def test_a_source_tells_that_its_book_is_another_edition_now(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.library.editions[WADING.file] = "first"
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await ana.click(response(result), label="Sources")
    assert embed(shown).footer.text == "Source 1 of 1"
    table.library.editions[WADING.file] = "second"
    shown = await ana.click(response(result), label="Sources")
    assert "another edition" in (embed(shown).footer.text or "")


# --- Another game ---------------------------------------------------------------------------------


DEEP = book("Deep Halls", game="Dark")


async def test_an_answer_from_one_of_several_games_says_which_and_offers_the_others(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.library.all_books.append(DEEP)
    table.rules_graph.game, table.rules_graph.other_games = source().game, ["Dark"]
    result = await ana.slash(channel, "rules", question=QUESTION)
    (row,) = response(result).components
    assert [button["label"] for button in row["components"]][3:] == ["In Dark"]
    assert f"From: {source().game}" in description(result)


async def test_another_game_is_asked_the_same_question_by_anybody(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    table.library.all_books.append(DEEP)
    table.rules_graph.other_games = ["Dark"]
    result = await ana.slash(channel, "rules", question=QUESTION)
    await env.restart_bot(table.restarted())
    await bia.click(response(result), label="In Dark")
    assert (table.rules_graph.last.question, table.rules_graph.last.book) == (QUESTION, "Dark")


async def test_a_game_that_has_left_the_library_is_not_asked(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.other_games = ["Dark"]
    result = await ana.slash(channel, "rules", question=QUESTION)
    shown = await ana.click(response(result), label="In Dark")
    assert "no longer in the library" in text_of(response(shown).message)


# --- More -----------------------------------------------------------------------------------------


def labels(menu: InteractionResult) -> list[str]:
    """The buttons of a menu, in order."""
    return [button["label"] for row in response(menu).components for button in row["components"]]


async def test_more_is_a_private_menu_for_the_asker(ana: MemberActor, channel: ChannelHandle) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    menu = await ana.click(response(result), label="More")
    assert menu.ephemeral
    assert labels(menu)[:3] == ["Why", "Ask again", "Delete"]


async def test_other_players_are_not_offered_what_changes_an_answer(
    ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    menu = await bia.click(response(result), label="More")
    assert {"Ask again", "Delete"}.isdisjoint(labels(menu))


async def test_what_changes_an_answer_is_offered_to_moderators(
    guild: GuildHandle, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    role = guild.create_role("Wardens", permissions=discord.Permissions(manage_messages=True))
    warden = guild.add_member(env.create_user("Wil"), roles=[role])
    result = await ana.slash(channel, "rules", question=QUESTION)
    menu = await warden.click(response(result), label="More")
    await warden.click(response(menu), label="Delete")
    assert result.response is None


async def test_ask_again_asks_the_same_question_in_the_conversation(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, book="Wading Orders")
    menu = await ana.click(response(result), label="More")
    await ana.click(response(menu), label="Ask again")
    assert [asked.question for asked in table.rules_graph.asked] == [QUESTION, QUESTION]
    assert table.rules_graph.last.book == "Wading Orders"
    assert "six paces" in text_of(channel.threads[0].last_message)


async def test_delete_takes_the_answer_and_what_is_kept_of_it(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    kept = response(result).id
    menu = await ana.click(response(result), label="More")
    await ana.click(response(menu), label="Delete")
    assert result.response is None
    assert table.answers.find(kept) is None


async def delete(person: MemberActor, answered: discord.Message | ResponseMessage) -> None:
    menu = await person.click(answered, label="More")
    await person.click(response(menu), label="Delete")


def is_closed(env: Env, thread: ChannelHandle) -> bool:
    facts = env.backend.get_channel(thread.id).thread_metadata
    return facts is not None and facts.archived


async def test_delete_closes_the_thread_that_was_opened_on_the_answer(
    env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    await delete(ana, response(result))
    assert is_closed(env, channel.threads[0])


async def test_delete_leaves_a_thread_open_in_which_other_answers_stand(
    env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    assert env.bot.user is not None
    await ana.send(channel, f"{env.bot.user.mention} {QUESTION}")
    (thread,) = channel.threads
    first = last(thread)
    await ana.slash(thread, "rules", question="And in fog?")
    await delete(ana, last(thread))
    assert not is_closed(env, thread)
    await delete(ana, first)
    assert is_closed(env, thread)


async def test_an_answer_that_discord_does_not_delete_is_not_called_deleted(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    menu = await ana.click(response(result), label="More")
    env.inject_error(
        "DELETE", "/channels/*/messages/*", status=403, code=50013, message="Missing Permissions", times=1
    )
    await ana.click(response(menu), label="Delete")
    assert response(result).message is not None
    assert table.answers.find(response(result).id) is not None


# --- what is kept ---------------------------------------------------------------------------------


async def test_an_answer_leaves_one_row_by_its_messages_id(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    kept = table.answers.find(response(result).id)
    assert kept is not None
    assert (kept.question, kept.standalone_question) == (QUESTION, f"{QUESTION} (standalone)")
    assert (kept.asker, kept.audience, kept.outcome, kept.hops) == (ana.id, "player", "answered", 2)
    assert kept.followed == (("Wading Orders p. 13", "Powers p. 100"),)
    assert kept.trace is not None
    assert [(one.file, one.pdf_page, one.quote) for one in kept.sources] == [(WADING.file, 13, QUOTE)]


async def test_what_is_kept_goes_with_the_message(
    table: Table, env: Env, guild: GuildHandle, channel: ChannelHandle, ana: MemberActor, gm: MemberActor
) -> None:
    role = guild.create_role("Wardens", permissions=discord.Permissions(manage_messages=True))
    warden = guild.add_member(env.create_user("Wil"), roles=[role])
    result = await ana.slash(channel, "rules", question=QUESTION)
    kept = response(result).id
    await warden.delete(response(result))
    assert table.answers.find(kept) is None


async def test_privacy_forget_deletes_what_is_kept_of_the_user_alone(
    table: Table, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    of_ana = response(await ana.slash(channel, "rules", question=QUESTION)).id
    of_bia = response(await bia.slash(channel, "rules", question=QUESTION)).id
    told = await ana.slash(channel, "privacy forget")
    assert told.ephemeral
    assert "1 answer" in response(told).content
    assert table.answers.find(of_ana) is None
    assert table.answers.find(of_bia) is not None


async def test_privacy_forget_is_no_way_to_a_second_budget(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    await ana.slash(channel, "rules", question=QUESTION)
    await ana.slash(channel, "privacy forget")
    assert (
        table.budgets.spent(Account(AccountKind.USER, ana.user.id)).tokens == table.rules_graph.usage.tokens
    )


async def test_privacy_forget_drops_the_conversations_from_memory(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    await open_thread(ana, channel)
    conversation = table.rules_graph.last.thread
    await ana.slash(channel, "privacy forget")
    assert table.rules_graph.forgotten == [conversation]


async def test_a_gms_source_is_closed_to_somebody_who_is_no_gm_any_more(
    table: Table, env: Env, guild: GuildHandle, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.said = answer(sources=[source(SECRETS)])
    result = await gm.slash(channel, "gm rules", question="What is in the water?")
    shown = await gm.click(response(result), label="Sources")
    assert embed(shown).title == "What the Water Knows, p. 13"
    env.backend.get_guild(guild.id).members[gm.id].role_ids.clear()
    again = await gm.click(response(result), label="Sources")
    assert "Only game masters" in text_of(response(again).message)


@pytest.mark.parametrize("label", ["Sources", "Follow up", "More"])
async def test_a_button_takes_no_longer_than_its_first_answer(
    ana: MemberActor, channel: ChannelHandle, label: str
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    clicked = await ana.click(response(result), label=label)
    assert clicked.acknowledged


async def test_what_is_kept_can_be_deleted_from_everywhere(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    table.configure(allowed_guilds=frozenset({1}))
    await env.restart_bot(table.restarted())
    told = await ana.slash(channel, "privacy forget")
    assert "Nothing was kept" in response(told).content


@pytest.mark.parametrize("choice", ["Ask again", "Delete"])
async def test_what_is_chosen_in_the_menu_is_acknowledged_before_the_table_is_read(
    table: Table,
    env: Env,
    ana: MemberActor,
    channel: ChannelHandle,
    choice: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    menu = await ana.click(response(result), label="More")
    acknowledged_before: list[int] = []

    def callbacks() -> int:
        return sum(request.path.endswith("/callback") for request in env.http_requests)

    before, find = callbacks(), table.answers.find

    def watched(message: int) -> object:
        acknowledged_before.append(callbacks() - before)
        return find(message)

    monkeypatch.setattr(table.answers, "find", watched)
    await ana.click(response(menu), label=choice)
    assert acknowledged_before == [1]


async def test_the_window_of_a_follow_up_is_not_remembered() -> None:
    assert FollowUpWindow(1, texts_in("en")).is_finished()
