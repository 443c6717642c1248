"""What game masters may do, and what players never see of it."""

import discord
import pytest

from bot.storage.kept_places import KeptPlaces
from rag.errors import KeyRefused, ModelError, ModelUnreachable, UnknownModel
from rag.library.books.book import Problem
from rag.library.index.manifest import Manifest
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import description, embed, follow_up, response, text_of
from tests.bot.in_process.test_rulings import prefilled
from tests.bot.table import QUESTION, ScriptedChatModel, Table, answer, book, source

SECRET = "What does the water know?"


async def test_gm_rules_searches_the_gms_catalog_and_answers_privately(chat: Chat) -> None:
    result = await chat.gm.slash(chat.channel, "gm rules", question=SECRET)
    assert chat.graph.last.reader == "gm"
    assert result.ephemeral
    assert chat.channel.threads == []


async def test_a_gms_conversation_is_never_the_threads(chat: Chat) -> None:
    thread = await chat.open_thread()
    await chat.gm.slash(thread, "gm rules", question=SECRET)
    await chat.gm.slash(thread, "gm rules", question="And why?")
    assert chat.graph.last.history == (SECRET,)
    await chat.gm.slash(thread, "rules", question="And in fog?")
    assert (chat.graph.last.reader, chat.graph.last.history) == ("player", (QUESTION,))


async def test_a_gms_question_and_its_cost_are_not_counted_for_players(chat: Chat) -> None:
    await chat.gm.slash(chat.channel, "gm rules", question=SECRET)
    status = description(await chat.ana.slash(chat.channel, "status"))
    assert "Questions today: **0**" in status
    assert "Tokens today: **0**" in status


async def test_with_a_role_for_gms_managing_the_server_is_not_enough(chat: Chat) -> None:
    await chat.restart(gm_role="Tellers")
    result = await chat.gm.slash(chat.channel, "gm rules", question=SECRET)
    assert "Only game masters" in text_of(result)
    assert chat.graph.asked == []


async def test_with_a_role_for_gms_that_is_misspelt_whoever_manages_the_server_finds_that_out(
    chat: Chat,
) -> None:
    chat.table.configure(gm_role="Kepers")
    _publish(chat.table, Problem("gm/what.pdf", "book-not-pdf", {"file": "gm/what.pdf"}))
    await chat.restart()
    told = await chat.check()
    assert "GM\\_ROLE is “Kepers”" in told.replace("GM_ROLE", "GM\\_ROLE")
    assert "Is “Keepers” meant?" in told
    assert "what.pdf" not in told
    assert "plays Tides" in response(await chat.gm.slash(chat.channel, "gm game", game="Tides")).content


# --- the GM's books -------------------------------------------------------------------------------


async def test_gm_books_lists_the_gms_books_too_privately(chat: Chat) -> None:
    chat.table.library.all_books.extend(
        book(f"A Secret of the Tides, Volume {number}", audience="gm") for number in range(90)
    )
    listed = await chat.gm.slash(chat.channel, "gm books")
    assert listed.ephemeral
    assert "What the Water Knows" in description(listed)
    await chat.restart()
    await chat.gm.click(response(listed), label="▶")
    assert "Volume 89" in description(listed)


async def test_gm_page_reads_and_turns_the_pages_of_the_gms_books_privately(chat: Chat) -> None:
    choices = await chat.gm.autocomplete(chat.channel, "gm page", "book", "water")
    assert [choice["value"] for choice in choices] == ["What the Water Knows"]
    shown = await chat.gm.slash(chat.channel, "gm page", book="What the Water Knows", page="2")
    assert shown.ephemeral
    await chat.gm.click(response(shown), label="Next page ▶")
    assert embed(shown).title == "What the Water Knows, p. 3"


async def test_whoever_is_no_gm_any_more_turns_no_page_of_the_gms(chat: Chat) -> None:
    shown = await chat.gm.slash(chat.channel, "gm page", book="What the Water Knows", page="2")
    chat.take_roles(chat.gm)
    told = await chat.gm.click(response(shown), label="Next page ▶")
    assert "Only game masters" in text_of(told.followups[0])


@pytest.mark.parametrize("by_id", [True, False])
async def test_the_role_for_gms_goes_by_name_or_id(chat: Chat, by_id: bool) -> None:
    role = chat.guild.create_role("Tellers")
    tess = chat.guild.add_member(chat.env.create_user("Tess"), roles=[role])
    await chat.restart(gm_role=str(role.id) if by_id else "tellers")
    member = await chat.bot.guilds[0].fetch_member(tess.id)
    assert chat.bot.access.is_gm(member, discord.Permissions.none())


# --- /gm game -------------------------------------------------------------------------------------


@pytest.fixture
def two_games(table: Table) -> None:
    table.library.all_books.append(book("Core Rules", game="Embers"))


async def test_a_bound_channel_and_its_threads_ask_the_books_of_its_game(chat: Chat, two_games: None) -> None:
    told = await chat.gm.slash(chat.channel, "gm game", game="Embers")
    assert "plays Embers" in response(told).content
    thread = await chat.open_thread()
    assert chat.graph.last.book == "Embers"
    await chat.ana.slash(thread, "rules", question="And in fog?")
    assert chat.graph.last.book == "Embers"


async def test_a_binding_outlives_a_restart_and_can_be_taken_away(chat: Chat, two_games: None) -> None:
    await chat.gm.slash(chat.channel, "gm game", game="Embers")
    await chat.restart()
    await chat.ask()
    assert chat.graph.last.book == "Embers"
    await chat.gm.slash(chat.channel, "gm game")
    await chat.ask()
    assert chat.graph.last.book is None


async def test_a_channel_whose_game_has_left_the_library_says_so_and_where_to_change_it(
    chat: Chat, two_games: None
) -> None:
    await chat.gm.slash(chat.channel, "gm game", game="Embers")
    chat.table.library.all_books.pop()
    await chat.restart()
    result = await chat.ask()
    assert "Embers, which is no longer in the library" in text_of(result)
    assert "/gm game" in text_of(result)
    assert await chat.ana.autocomplete(chat.channel, "rules", "book", "wading")


async def test_only_games_of_the_library_can_be_bound(chat: Chat, two_games: None) -> None:
    choices = await chat.gm.autocomplete(chat.channel, "gm game", "game", "e")
    assert {choice["value"] for choice in choices} <= {"Tides", "Embers"}
    told = await chat.gm.slash(chat.channel, "gm game", game="Chess")
    assert "no game called “Chess”" in text_of(told)


# --- /gm channel ----------------------------------------------------------------------------------


async def test_a_channel_is_answered_in_place_until_a_gm_wants_threads_again(chat: Chat) -> None:
    told = await chat.gm.slash(chat.channel, "gm channel", answers="place")
    assert told.ephemeral
    assert "open no threads" in response(told).content
    await chat.restart()
    await chat.ask()
    await chat.ana.send(chat.channel, f"{chat.mention} {QUESTION}")
    assert chat.channel.threads == []
    await chat.gm.slash(chat.channel, "gm channel", answers="thread")
    await chat.ask()
    assert len(chat.channel.threads) == 1


async def test_an_answer_in_place_is_gone_on_with_by_reply_and_by_button(chat: Chat) -> None:
    await chat.gm.slash(chat.channel, "gm channel", answers="place")
    answered = await chat.ask()
    await chat.ana.send(chat.channel, f"{chat.mention} And in fog?", reply_to=response(answered))
    assert list(chat.graph.last.history) == [QUESTION]
    await follow_up(chat.ana, answered, "And at night?")
    assert list(chat.graph.last.history) == [QUESTION, "And in fog?"]
    assert "six paces" in text_of(chat.channel.last_message)
    assert chat.channel.threads == []


# --- /gm check ------------------------------------------------------------------------------------


async def test_check_names_the_missing_permission_and_where_to_click(chat: Chat) -> None:
    strict = chat.channel_without(create_public_threads=False)
    result = await chat.gm.slash(strict, "gm check")
    assert "⚠️ I cannot open threads here. Channel settings → Permissions" in description(result)


async def test_check_finds_an_intent_that_the_portal_does_not_grant(chat: Chat) -> None:
    await chat.restart(message_content=True)
    result = await chat.gm.slash(chat.channel, "gm check")
    assert "switch on “Message Content Intent”" in description(result)


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        (KeyRefused(), "correct OPENAI_API_KEY"),
        (ModelUnreachable(), "check the network; of a server of your own, OPENAI_BASE_URL"),
        (None, "✅ The chat model"),
    ],
)
async def test_check_asks_the_model_server(chat: Chat, failure: ModelError | None, advice: str) -> None:
    chat.table.chat_model = ScriptedChatModel(failure)
    await chat.restart()
    assert advice in await chat.check()


async def test_check_asks_a_providers_embedding_too(chat: Chat) -> None:
    def fails(text: str) -> object:
        raise UnknownModel

    chat.table.configure(embedding_model="text-embedding-3-small")
    for embedding, told in (
        (fails, "⚠️ The model server does not know"),
        (len, "✅ The embedding model answers"),
    ):
        chat.table.embed = embedding
        await chat.restart()
        assert told in await chat.check()


async def test_the_window_of_a_ruling_names_the_page_of_a_book_with_a_long_title(chat: Chat) -> None:
    long = book("The Whole Book of Every Tide, Its Lamps, Ropes, Knots and Orders, " * 4)
    chat.table.library.all_books.append(long)
    chat.graph.said = answer(sources=[source(long)])
    menu = await chat.gm.click(response(await chat.ask(who=chat.gm)), label="More")
    window = await chat.gm.click(response(menu), label="Write a ruling")
    assert prefilled(window.modal)["rule"].endswith(", p. 13")


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (1_000_000, "✅ Tokens of this server today: 9,300 of 1,000,000."),
        (9_300, "⚠️ Tokens of this server today: 9,300 of 9,300. Answers are quotations until midnight (UTC)"),
        (0, "✅ Tokens of this server today: 9,300. There is no budget"),
    ],
)
async def test_check_tells_what_is_left_of_the_servers_budget(chat: Chat, limit: int, told: str) -> None:
    chat.table.chat_model = ScriptedChatModel()
    await chat.restart(daily_tokens_server=limit)
    await chat.gm.slash(chat.channel, "gm rules", question=SECRET)
    assert told in await chat.check()


async def test_check_tells_what_was_set_aside_and_how_to_go_on(chat: Chat) -> None:
    (chat.table.folder / "channel_games.json").write_text("{")
    KeptPlaces(chat.table.folder)
    said = await chat.check()
    assert r"channel\_games.json in DATA_DIR cannot be used" in said
    assert "a GM binds them again with /gm game" in said


async def test_check_lists_the_problems_of_the_index(chat: Chat) -> None:
    assert "No book is indexed yet" in await chat.check()
    _publish(chat.table, Problem("odd.pdf", "book-not-pdf", {"file": "odd.pdf"}))
    assert "odd.pdf: is not a PDF" in await chat.check()


async def test_names_of_files_and_games_are_shown_as_they_are_written(chat: Chat) -> None:
    _publish(chat.table, Problem("my_*odd*.pdf", "book-not-pdf", {"file": "my_*odd*.pdf"}))
    chat.table.library.all_books.append(book("Core Rules", game="*Embers*"))
    assert r"my\_\*odd\*.pdf: is not a PDF" in await chat.check()
    told = await chat.gm.slash(chat.channel, "gm game", game="*Embers*")
    assert r"plays \*Embers\*" in response(told).content


def _publish(table: Table, *problems: Problem) -> None:
    index = table.folder / "index"
    index.mkdir(exist_ok=True)
    Manifest("one", "embedded", "", {}, {"player": (), "gm": ()}, problems).publish(index)
