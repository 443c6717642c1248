"""`/library`, `/status`, and who may use the bot at all."""

import re
import time
from decimal import Decimal
from pathlib import Path

import pytest

from bot.operations.ingestion import Reading
from bot.questions.queue import QUESTIONS_A_MINUTE
from rag.config import SAMPLE_LIBRARY
from rag.state import Usage
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import description, embed, response, text_of
from tests.bot.table import HOUSE_RULES, QUESTION, book


async def test_library_books_lists_title_code_pages_or_sections_and_language_privately(chat: Chat) -> None:
    chat.table.library.all_books.append(HOUSE_RULES)
    result = await chat.ana.slash(chat.channel, "library books")
    assert result.ephemeral
    assert "**Wading Orders** (W)\n-# 40 pages · pp. 1–40 · English" in description(result)
    assert "**House Rules**\n-# 2 sections · English" in description(result)


async def test_library_books_counts_the_books_and_turns_its_pages(chat: Chat) -> None:
    chat.table.library.all_books.extend(
        book(f"A Book of the Tides, Volume {number}") for number in range(150)
    )
    result = await chat.ana.slash(chat.channel, "library books")
    seen = []
    await chat.restart()
    for _ in range(10):
        seen += re.findall(r"Volume (\d+)", description(result))
        _, on = response(result).components[0]["components"]
        if on.get("disabled"):
            break
        await chat.ana.click(response(result), label="▶")
    assert embed(result).title == "Rulebooks: 152"
    assert seen == [str(number) for number in range(150)]


async def test_library_page_shows_the_printed_page_privately(chat: Chat) -> None:
    result = await chat.ana.slash(chat.channel, "library page", book="Wading Orders", page="13")
    found = embed(result)
    assert result.ephemeral
    assert found.title == "Wading Orders, p. 13"
    assert "A storm lamp lights six paces." in (found.description or "")


@pytest.mark.parametrize(
    ("book", "page", "told"),
    [("Wading Orders", "41", "no page printed 41"), ("What the Water Knows", "1", "There is no book")],
)
async def test_neither_a_page_that_is_not_printed_nor_a_gms_book_exists_for_a_player(
    chat: Chat, book: str, page: str, told: str
) -> None:
    assert told in text_of(await chat.ana.slash(chat.channel, "library page", book=book, page=page))


async def test_status_tells_strategy_books_index_questions_and_what_the_model_was_asked_today(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat.bot.book_list, "indexed_at", lambda: time.time() - 3 * 86400)
    for _ in range(2):
        await chat.ask()
    said = description(await chat.ana.slash(chat.channel, "status"))
    assert "Strategy: **multi-hop**" in said
    assert "Answers: **closest passages, quoted**" in said
    assert "Books: **2**" in said
    assert "Index made: **3 days ago**" in said
    assert "Questions today: **2**" in said
    assert "Median answer time: **3.4 s**" in said
    assert "Model calls today: **6**" in said
    assert "Tokens today: **18,600**" in said
    assert "Spent today" not in said


async def test_status_tells_money_where_there_are_prices_and_what_is_estimated(chat: Chat) -> None:
    chat.graph.usage = Usage(3, 9000, 300, estimated=True, money=Decimal("0.31"))
    await chat.ask()
    said = description(await chat.ana.slash(chat.channel, "status"))
    assert "Tokens today: **≈ 9,300**" in said
    assert "Spent today: **≈ $0.31**" in said


async def test_names_and_labels_are_shown_as_they_are_printed(chat: Chat) -> None:
    chat.table.library.all_books.append(book("Maps", first_label="*1*"))
    chat.bot.ingestion.reading = Reading("*Powers*", 40)
    assert r"pp. \*1\*–40" in description(await chat.ana.slash(chat.channel, "library books"))
    assert r"reading \*Powers\*: 40 %" in description(await chat.ana.slash(chat.channel, "status"))


# --- the sample game ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["rules", "library books", "status"])
async def test_the_sample_game_is_never_taken_for_the_groups_books(chat: Chat, command: str) -> None:
    await chat.restart(library_dir=SAMPLE_LIBRARY)
    told = await chat.ana.slash(
        chat.channel, command, **({"question": QUESTION} if command == "rules" else {})
    )
    assert "the sample game that comes with me" in description(told)


# --- before the books are read --------------------------------------------------------------------


@pytest.mark.parametrize("command", ["rules", "library books", "library page"])
async def test_before_the_first_book_is_read_everyone_is_told_how_far_reading_is(
    chat: Chat, command: str
) -> None:
    chat.table.library.all_books.clear()
    chat.bot.ingestion.reading = Reading(None, 40)
    options = {"rules": {"question": QUESTION}, "library page": {"book": "Wading Orders", "page": "1"}}
    told = await chat.ana.slash(chat.channel, command, **options.get(command, {}))
    assert told.ephemeral
    await chat.ana.send(chat.channel, f"{chat.mention} {QUESTION}")
    for shown in (told, chat.channel.last_message):
        assert "I am still reading the books: 40 %" in text_of(shown)
    assert chat.graph.asked == []


@pytest.mark.parametrize("command", ["rules", "library books"])
async def test_where_there_is_no_library_everyone_is_told_so(chat: Chat, command: str) -> None:
    chat.table.library.all_books.clear()
    chat.bot.ingestion.library_dir, chat.bot.ingestion.is_absent = Path("nowhere"), lambda: True
    options = {"rules": {"question": QUESTION}}
    told = await chat.ana.slash(chat.channel, command, **options.get(command, {}))
    assert "I keep looking for it" in text_of(told)
    assert "nowhere" not in text_of(told)


# --- who may ask ----------------------------------------------------------------------------------


async def test_elsewhere_than_in_the_allowed_servers_one_sentence_and_no_question(chat: Chat) -> None:
    await chat.restart(allowed_guilds=frozenset({1}))
    result = await chat.ask()
    await chat.ana.send(chat.channel, f"{chat.mention} {QUESTION}")
    assert "belongs to another table" in text_of(result)
    assert "belongs to another table" in text_of(chat.channel.last_message)
    assert chat.graph.asked == []


async def test_in_a_direct_message_members_of_an_allowed_server_may_ask(chat: Chat) -> None:
    await chat.restart(allowed_guilds=frozenset({chat.guild.id}))
    stranger = chat.env.create_user("Zed")
    other = chat.env.create_guild("Elsewhere").add_member(stranger)
    await chat.ana.send_dm(QUESTION)
    await other.send_dm(QUESTION)
    assert [asked.question for asked in chat.graph.asked] == [QUESTION]
    assert "belongs to another table" in text_of(stranger.dm_channel.last_message)


async def test_a_player_who_asks_very_much_is_told_how_long_to_wait(chat: Chat) -> None:
    for _ in range(QUESTIONS_A_MINUTE):
        await chat.ask(private=True)
    told = await chat.ask()
    assert told.ephemeral
    assert "Ask again in" in text_of(told)
    assert not (await chat.ask(who=chat.bia)).ephemeral


async def test_that_it_is_being_stopped_is_told_once_a_minute_to_each_person_there(
    chat: Chat,
) -> None:
    chat.bot.asking.queue.is_closed = True
    for person in (chat.ana, chat.ana, chat.bia, chat.ana):
        await person.send(chat.channel, f"{chat.mention} {QUESTION}")
    told = [message for message in chat.channel.history() if "being restarted" in text_of(message)]
    assert len(told) == 2
    await chat.ana.send_dm(QUESTION)
    assert "being restarted" in text_of(chat.ana.user.dm_channel.last_message)
    assert "being restarted" in text_of(await chat.ask())
    assert chat.graph.asked == []
