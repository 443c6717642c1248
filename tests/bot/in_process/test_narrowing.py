"""What narrows a question to a book or game, for how long, and how it is told."""

import pytest
from simcord import ChannelHandle

from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import buttons, choose, embed, follow_up, last, response, text_of
from tests.bot.table import QUESTION, book

CHOSEN = "Wading Orders"


@pytest.fixture
async def thread(chat: Chat) -> ChannelHandle:
    """A thread that was opened by a question about one book."""
    await chat.ask(book=CHOSEN)
    return chat.channel.threads[0]


async def test_a_thread_keeps_its_book_for_commands_and_mentions(chat: Chat, thread: ChannelHandle) -> None:
    await chat.bia.slash(thread, "rules", question="And in fog?")
    await chat.ana.send(thread, f"{chat.mention} And at night?")
    assert [asked.book for asked in chat.graph.asked] == [CHOSEN] * 3


@pytest.mark.parametrize("everything", ["all", "Todos"])
async def test_all_books_are_asked_again_where_somebody_says_so(
    chat: Chat, thread: ChannelHandle, everything: str
) -> None:
    await chat.ana.slash(thread, "rules", question="And in fog?", book=everything)
    await chat.ana.send(thread, f"{chat.mention} And at night?")
    assert [asked.book for asked in chat.graph.asked] == [CHOSEN, None, None]


async def test_the_button_for_all_books_asks_them_and_frees_the_thread(chat: Chat) -> None:
    result = await chat.ask(book=CHOSEN)
    await chat.restart()
    await chat.bia.click(response(result), label="In all books")
    await chat.ana.send(chat.channel.threads[0], f"{chat.mention} And at night?")
    assert [(asked.question, asked.book) for asked in chat.graph.asked] == [
        (QUESTION, None),
        ("And at night?", None),
    ]


async def test_a_choice_in_a_direct_message_holds_for_its_question(chat: Chat) -> None:
    result = await chat.ana.user.slash("rules", question=QUESTION, book=CHOSEN)
    await chat.ana.send_dm("And in fog?")
    assert [asked.book for asked in chat.graph.asked] == [CHOSEN, None]
    assert "only Wading Orders, for this question" in str(embed(result).footer.text)


@pytest.mark.parametrize("where", ["direct", "voice", "private"])
async def test_a_choice_that_holds_for_its_question_is_not_taken_over_by_a_follow_up(
    chat: Chat, where: str
) -> None:
    if where == "direct":
        result = await chat.ana.user.slash("rules", question=QUESTION, book=CHOSEN)
    elif where == "private":
        result = await chat.ask(book=CHOSEN, private=True)
    else:
        voice = chat.guild.create_voice_channel("voice")
        await chat.ana.slash(voice, "rules", question=QUESTION, book=CHOSEN)
    answered = last(voice) if where == "voice" else response(result)
    person = chat.ana.user if where == "direct" else chat.ana
    await follow_up(person, answered)
    await choose(person, answered, "Ask again")
    assert [asked.book for asked in chat.graph.asked] == [CHOSEN, None, CHOSEN]


async def test_what_narrows_an_answer_stands_in_its_footer_with_the_way_out(chat: Chat) -> None:
    result = await chat.ask(book="wading-orders.pdf")
    assert "only Wading Orders from here on · all books: /rules book:all" in str(embed(result).footer.text)


async def test_the_game_of_a_channel_stands_in_the_footer_where_there_are_others(chat: Chat) -> None:
    chat.table.library.all_books.append(book("Deep Halls", game="Dark"))
    await chat.gm.slash(chat.channel, "gm game", game="Tides")
    result = await chat.ask()
    assert "only Tides, this channel's game" in str(embed(result).footer.text)
    assert "In all books" not in buttons(result)


async def test_a_thread_does_not_keep_the_game_of_a_channel_that_plays_another_by_now(chat: Chat) -> None:
    chat.table.library.all_books.append(book("Deep Halls", game="Dark"))
    await chat.gm.slash(chat.channel, "gm game", game="Tides")
    await chat.ask()
    await chat.gm.slash(chat.channel, "gm game", game="Dark")
    await chat.ana.send(chat.channel.threads[0], f"{chat.mention} And in fog?")
    assert chat.graph.last.book == "Dark"


async def test_by_print_alone_is_asked_and_told(chat: Chat) -> None:
    result = await chat.ask(book_only=True)
    assert chat.graph.last.book_only
    assert "by print alone, without house rules and rulings" in text_of(result)
