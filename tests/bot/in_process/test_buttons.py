"""The row under an answer: Sources, Follow up, More. It works after a restart."""

import discord
import pytest
from simcord import ChannelHandle, Env, InteractionResult

from bot.budgets import Account, AccountKind
from bot.buttons.rows import row_of
from bot.storage.data_table import Of
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import buttons, choose, description, embed, last, response, text_of
from tests.bot.table import KNOTS, QUESTION, QUOTE, SECRETS, WADING, answer, book, source


async def test_without_a_source_there_is_no_sources_button(chat: Chat) -> None:
    chat.graph.said = answer(sources=[], statements=[])
    result = await chat.ask()
    assert buttons(result) == ["Follow up", "More"]


async def test_a_button_of_an_earlier_release_says_so(chat: Chat) -> None:
    assert chat.ana
    old: discord.ui.Button[discord.ui.View] = discord.ui.Button(label="On", custom_id="rules:leaf:1:5000")
    channel = chat.bot.get_channel(chat.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.send("A page", view=row_of([old]))
    pressed = await chat.ana.click(last(chat.channel), label="On")
    assert "earlier version" in text_of(pressed)


# --- Sources --------------------------------------------------------------------------------------


async def test_sources_shows_the_full_passage_privately_with_the_quote_in_bold(chat: Chat) -> None:
    result = await chat.ask()
    shown = await chat.bia.click(response(result), label="Sources")
    found = embed(shown)
    assert shown.ephemeral
    assert found.title == "Wading Orders, p. 13"
    assert f"**{QUOTE}**" in (found.description or "")
    assert "Nobody lights a lamp at low water." in (found.description or "")


async def test_sources_are_opened_from_a_menu_that_stays_where_their_pages_are_turned(chat: Chat) -> None:
    chat.graph.said = answer(sources=[source(), source(KNOTS, 5)])
    shown = await chat.sources()
    assert embed(shown).footer.text == "Source 1 of 2"
    assert buttons(shown) == ["◀ Page before", "Next page ▶", "Show page", "Line to copy"]
    await chat.ana.select(response(shown), values=["1"])
    assert embed(shown).title == "The Book of Knots, p. 5"
    await chat.ana.click(response(shown), label="Next page ▶")
    assert embed(shown).title == "The Book of Knots, p. 6"
    await chat.ana.select(response(shown), values=["0"])
    assert embed(shown).title == "Wading Orders, p. 13"


async def test_a_passage_that_is_not_shown_is_opened_from_the_menu(chat: Chat) -> None:
    chat.graph.said = answer(sources=[source(), source(KNOTS, 5)], shown=1)
    result = await chat.ask()
    assert [field.name for field in embed(result).fields] == ["[1] Wading Orders, p. 13"]
    shown = await chat.bia.select(response(result), values=["1"])
    assert (shown.ephemeral, embed(shown).title) == (True, "The Book of Knots, p. 5")


async def test_a_passage_too_long_for_a_message_is_turned_through_in_parts(chat: Chat) -> None:
    chat.table.library.text = f"{QUOTE} {'A word about lamps. ' * 300}The last words."
    shown = await chat.sources()
    assert embed(shown).footer.text == "Source 1 of 1 · 1/2"
    await chat.ana.click(response(shown), label="Next page ▶")
    assert embed(shown).footer.text == "Source 1 of 1 · 2/2"
    assert description(shown).endswith("The last words.")


async def test_a_source_whose_book_is_gone_says_so_and_hides_no_other(chat: Chat) -> None:
    chat.graph.said = answer(sources=[source(), source(KNOTS, 5)])
    shown = await chat.sources()
    chat.table.library.all_books.remove(KNOTS)
    gone = await chat.ana.select(response(shown), values=["1"])
    assert "The Book of Knots is no longer in the library" in text_of(gone.followups[0])
    assert embed(shown).title == "Wading Orders, p. 13"


async def test_a_button_whose_answer_is_no_longer_kept_says_so(chat: Chat) -> None:
    result = await chat.ask()
    chat.table.answers.drop(Of.MESSAGE, response(result).id)
    for label in ("Sources", "More"):
        shown = await chat.ana.click(response(result), label=label)
        assert "no longer kept" in text_of(shown)


async def test_a_source_tells_that_its_book_is_another_edition_now(chat: Chat) -> None:
    chat.table.library.editions[WADING.file] = "first"
    result = await chat.ask()
    shown = await chat.ana.click(response(result), label="Sources")
    assert embed(shown).footer.text == "Source 1 of 1"
    chat.table.library.editions[WADING.file] = "second"
    shown = await chat.ana.click(response(result), label="Sources")
    assert "another edition" in (embed(shown).footer.text or "")


# --- Another game ---------------------------------------------------------------------------------


DEEP = book("Deep Halls", game="Dark")


async def test_another_game_is_asked_the_same_question_by_anybody(chat: Chat) -> None:
    chat.table.library.all_books.append(DEEP)
    chat.graph.other_games = ["Dark"]
    result = await chat.ask()
    await chat.restart()
    await chat.bia.click(response(result), label="In Dark")
    assert (chat.graph.last.question, chat.graph.last.book) == (QUESTION, "Dark")


async def test_of_very_many_games_as_many_are_offered_as_a_message_has_room_for(chat: Chat) -> None:
    chat.graph.game, chat.graph.other_games = "Tides", [f"Game {number}" for number in range(30)]
    assert buttons(await chat.ask())[4:] == ["Tides", *chat.graph.other_games[:10]]


async def test_a_game_that_has_left_the_library_is_not_asked(chat: Chat) -> None:
    chat.graph.other_games = ["Dark"]
    result = await chat.ask()
    shown = await chat.ana.click(response(result), label="In Dark")
    assert "no longer in the library" in text_of(shown)


# --- Which game a channel plays -------------------------------------------------------------------


async def asked_for_its_game(chat: Chat) -> InteractionResult:
    """The first answer in a channel that never said its game, from one of two."""
    chat.table.library.all_books.append(DEEP)
    chat.graph.game, chat.graph.other_games = source().game, ["Dark"]
    return await chat.ask()


async def test_a_channel_that_never_said_its_game_is_asked_once_by_the_games_that_fit(chat: Chat) -> None:
    result = await asked_for_its_game(chat)
    assert buttons(result)[4:] == [source().game, "Dark"]
    assert "Is this channel's game one of those below?" in description(result)
    assert f"From: {source().game}" in description(result)
    await chat.restart()
    result = await asked_for_its_game(chat)
    assert buttons(result)[4:] == ["In Dark"]
    assert "channel's game" not in description(result)


async def test_a_game_that_is_quoted_too_is_one_of_those_that_fit(chat: Chat) -> None:
    chat.graph.said, chat.graph.game = answer(sources=[source(), source(DEEP)]), source().game
    assert buttons(await chat.ask())[4:] == [source().game, "Dark"]


async def test_a_channel_of_which_a_gm_said_that_it_plays_no_game_is_not_asked(chat: Chat) -> None:
    await chat.gm.slash(chat.channel, "gm game")
    assert buttons(await asked_for_its_game(chat))[4:] == ["In Dark"]


@pytest.mark.parametrize("game", [source().game, "Dark"])
async def test_a_gms_press_binds_the_channel_and_asks_again_in_another_game_than_answered(
    chat: Chat, game: str
) -> None:
    result = await asked_for_its_game(chat)
    told = await chat.gm.click(response(result), label=game)
    assert [one.book for one in chat.graph.asked] == [None, *(["Dark"] if game == "Dark" else [])]
    assert ("This channel plays" in text_of(told)) is (game != "Dark")
    await chat.ask("And in fog?")
    assert chat.graph.last.book == game


@pytest.mark.parametrize("game", [source().game, "Dark"])
async def test_a_players_press_keeps_the_game_for_the_conversation_alone(chat: Chat, game: str) -> None:
    result = await asked_for_its_game(chat)
    told = await chat.bia.click(response(result), label=game)
    assert ("this conversation asks" in text_of(told)) is (game != "Dark")
    await chat.ana.slash(chat.channel.threads[0], "rules", question="And in fog?")
    assert (chat.graph.last.book, len(chat.graph.asked)) == (game, 3 if game == "Dark" else 2)
    await chat.ask("And in fog?")
    assert chat.graph.last.book is None


# --- More -----------------------------------------------------------------------------------------


async def test_more_is_a_private_menu_that_offers_its_asker_alone_what_changes_the_answer(chat: Chat) -> None:
    result = await chat.ask()
    menu = await chat.ana.click(response(result), label="More")
    assert menu.ephemeral
    assert buttons(menu)[:3] == ["Why", "Ask again", "Delete"]
    menu = await chat.bia.click(response(result), label="More")
    assert {"Ask again", "Delete"}.isdisjoint(buttons(menu))
    of_private = await chat.ana.click(response(await chat.ask(private=True)), label="More")
    assert ["Yours was private" in text_of(one) for one in (menu, of_private)] == [False, True]


async def test_what_changes_an_answer_is_offered_to_moderators(chat: Chat) -> None:
    result = await chat.ask()
    await choose(chat.warden, result, "Delete")
    assert result.response is None


async def test_ask_again_asks_the_same_question_in_the_conversation(chat: Chat) -> None:
    result = await chat.ask(book="Wading Orders")
    await choose(chat.ana, result, "Ask again")
    assert [asked.question for asked in chat.graph.asked] == [QUESTION, QUESTION]
    assert chat.graph.last.book == "Wading Orders"
    assert "six paces" in text_of(chat.channel.threads[0].last_message)


async def test_delete_takes_the_answer_and_its_conversation_and_closes_its_thread(chat: Chat) -> None:
    result = await chat.ask()
    kept = response(result).id
    await choose(chat.ana, result, "Delete")
    assert result.response is None
    assert chat.table.answers.find(kept) is None
    assert chat.graph.memory == {}
    assert is_closed(chat.env, chat.channel.threads[0])


def is_closed(env: Env, thread: ChannelHandle) -> bool:
    facts = env.backend.get_channel(thread.id).thread_metadata
    return facts is not None and facts.archived


async def test_delete_leaves_a_thread_open_in_which_other_answers_stand(chat: Chat) -> None:
    await chat.ana.send(chat.channel, f"{chat.mention} {QUESTION}")
    (thread,) = chat.channel.threads
    first = last(thread)
    await chat.ana.slash(thread, "rules", question="And in fog?")
    await choose(chat.ana, last(thread), "Delete")
    assert not is_closed(chat.env, thread)
    await choose(chat.ana, first, "Delete")
    assert is_closed(chat.env, thread)


async def test_delete_leaves_a_thread_open_in_which_somebody_else_wrote(chat: Chat) -> None:
    result = await chat.ask()
    (thread,) = chat.channel.threads
    await chat.bia.send(thread, "I say ten paces.")
    await choose(chat.ana, result, "Delete")
    assert not is_closed(chat.env, thread)


async def test_an_answer_that_discord_does_not_delete_is_not_called_deleted(chat: Chat) -> None:
    result = await chat.ask()
    menu = await chat.ana.click(response(result), label="More")
    chat.env.inject_error(
        "DELETE", "/channels/*/messages/*", status=403, code=50013, message="Missing Permissions", times=1
    )
    await chat.ana.click(response(menu), label="Delete")
    assert response(result).message is not None
    assert chat.table.answers.find(response(result).id) is not None


# --- what is kept ---------------------------------------------------------------------------------


async def test_privacy_forget_deletes_what_is_kept_of_the_user_alone_but_for_the_budget(chat: Chat) -> None:
    of_ana = response(await chat.ask()).id
    of_bia = response(await chat.ask(who=chat.bia)).id
    told = await chat.ana.slash(chat.channel, "privacy forget")
    assert told.ephemeral
    assert "1 answer" in response(told).content
    assert chat.table.answers.find(of_ana) is None
    assert chat.table.answers.find(of_bia) is not None
    spent = chat.table.budgets.spent(Account(AccountKind.USER, chat.ana.user.id))
    assert spent.tokens == chat.graph.usage.tokens


async def test_a_gms_source_is_closed_to_somebody_who_is_no_gm_any_more(chat: Chat) -> None:
    chat.graph.said = answer(sources=[source(SECRETS)])
    result = await chat.gm.slash(chat.channel, "gm rules", question="What is in the water?")
    shown = await chat.gm.click(response(result), label="Sources")
    assert embed(shown).title == "What the Water Knows, p. 13"
    chat.take_roles(chat.gm)
    for label in ("Sources", "Show page"):
        assert "Only game masters" in text_of(await chat.gm.click(response(result), label=label))
    assert chat.table.drawing.drawn == []


async def test_what_is_kept_can_be_deleted_from_everywhere(chat: Chat) -> None:
    await chat.restart(allowed_guilds=frozenset({1}))
    told = await chat.ana.slash(chat.channel, "privacy forget")
    assert "Nothing was kept" in response(told).content
