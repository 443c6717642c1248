"""What narrows a question to a book or game, for how long, and how it is told."""

import pytest
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

from tests.bot.in_process.reading import embed, last, response, text_of
from tests.bot.in_process.test_conversations import _input, mention
from tests.bot.in_process.test_questions import QUESTION
from tests.bot.table import Table, book

CHOSEN = "Wading Orders"


@pytest.fixture
async def thread(ana: MemberActor, channel: ChannelHandle) -> ChannelHandle:
    """A thread that was opened by a question about one book."""
    await ana.slash(channel, "rules", question=QUESTION, book=CHOSEN)
    return channel.threads[0]


async def test_a_command_in_a_thread_keeps_the_book_of_the_thread(
    table: Table, bia: MemberActor, thread: ChannelHandle
) -> None:
    await bia.slash(thread, "rules", question="And in fog?")
    assert table.rules_graph.last.book == CHOSEN


async def test_a_thread_keeps_another_book_that_is_chosen_in_it(
    table: Table, env: Env, ana: MemberActor, thread: ChannelHandle
) -> None:
    await ana.slash(thread, "rules", question="And in fog?", book="The Book of Knots")
    await ana.send(thread, f"{mention(env)} And at night?")
    assert table.rules_graph.last.book == "The Book of Knots"


@pytest.mark.parametrize("everything", ["all", "Todos"])
async def test_all_books_are_asked_again_where_somebody_says_so(
    table: Table, env: Env, ana: MemberActor, thread: ChannelHandle, everything: str
) -> None:
    await ana.slash(thread, "rules", question="And in fog?", book=everything)
    await ana.send(thread, f"{mention(env)} And at night?")
    assert [asked.book for asked in table.rules_graph.asked] == [CHOSEN, None, None]


async def test_the_button_for_all_books_asks_them_and_frees_the_thread(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, book=CHOSEN)
    await env.restart_bot(table.restarted())
    await bia.click(response(result), label="In all books")
    await ana.send(channel.threads[0], f"{mention(env)} And at night?")
    assert [(asked.question, asked.book) for asked in table.rules_graph.asked] == [
        (QUESTION, None),
        ("And at night?", None),
    ]


async def test_a_choice_in_a_direct_message_holds_for_its_question(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.user.slash("rules", question=QUESTION, book=CHOSEN)
    await ana.send_dm("And in fog?")
    assert [asked.book for asked in table.rules_graph.asked] == [CHOSEN, None]
    assert "only Wading Orders, for this question" in str(embed(result).footer.text)


async def test_a_choice_in_a_voice_chat_holds_for_its_question(
    table: Table, env: Env, guild: GuildHandle, ana: MemberActor, bia: MemberActor
) -> None:
    voice = guild.create_voice_channel("voice")
    await ana.slash(voice, "rules", question=QUESTION, book=CHOSEN)
    await bia.send(voice, f"{mention(env)} And in fog?")
    assert [asked.book for asked in table.rules_graph.asked] == [CHOSEN, None]


@pytest.mark.parametrize("where", ["direct", "voice", "private"])
async def test_a_choice_that_holds_for_its_question_is_not_taken_over_by_a_follow_up(
    table: Table, guild: GuildHandle, ana: MemberActor, channel: ChannelHandle, where: str
) -> None:
    if where == "direct":
        result = await ana.user.slash("rules", question=QUESTION, book=CHOSEN)
    elif where == "private":
        result = await ana.slash(channel, "rules", question=QUESTION, book=CHOSEN, private=True)
    else:
        voice = guild.create_voice_channel("voice")
        await ana.slash(voice, "rules", question=QUESTION, book=CHOSEN)
    answered = last(voice) if where == "voice" else response(result)
    person = ana.user if where == "direct" else ana
    window = await person.click(answered, label="Follow up")
    await person.submit_modal(window, {_input(window.modal): "And in fog?"})
    menu = await person.click(answered, label="More")
    await person.click(response(menu), label="Ask again")
    assert [asked.book for asked in table.rules_graph.asked] == [CHOSEN, None, CHOSEN]


async def test_what_narrows_an_answer_stands_in_its_footer_with_the_way_out(
    ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, book="wading-orders.pdf")
    assert "only Wading Orders from here on · all books: /rules book:all" in str(embed(result).footer.text)


async def test_the_game_of_a_channel_stands_in_the_footer_where_there_are_others(
    table: Table, ana: MemberActor, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.library.all_books.append(book("Deep Halls", game="Dark"))
    await gm.slash(channel, "gm game", game="Tides")
    result = await ana.slash(channel, "rules", question=QUESTION)
    assert "only Tides, this channel's game" in str(embed(result).footer.text)
    labels = [button["label"] for row in response(result).components for button in row["components"]]
    assert "In all books" not in labels


async def test_without_a_choice_nothing_is_said_of_books(ana: MemberActor, channel: ChannelHandle) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    assert "only" not in str(embed(result).footer.text)


async def test_a_thread_does_not_keep_the_game_of_a_channel_that_plays_another_by_now(
    table: Table, env: Env, ana: MemberActor, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.library.all_books.append(book("Deep Halls", game="Dark"))
    await gm.slash(channel, "gm game", game="Tides")
    await ana.slash(channel, "rules", question=QUESTION)
    await gm.slash(channel, "gm game", game="Dark")
    await ana.send(channel.threads[0], f"{mention(env)} And in fog?")
    assert table.rules_graph.last.book == "Dark"


async def test_all_books_are_offered_while_a_book_is_typed(ana: MemberActor, channel: ChannelHandle) -> None:
    choices = await ana.autocomplete(channel, "rules", "book", "")
    assert choices[-1]["name"] == "All books"


async def test_by_print_alone_is_asked_and_told(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, book_only=True)
    assert table.rules_graph.last.book_only
    assert "by print alone, without house rules and rulings" in text_of(response(result).message)


async def test_a_question_by_print_alone_is_asked_again_by_print_alone(
    table: Table, env: Env, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, book_only=True)
    await env.restart_bot(table.restarted())
    menu = await ana.click(response(result), label="More")
    await ana.click(response(menu), label="Ask again")
    assert table.rules_graph.last.book_only


async def test_by_print_alone_holds_for_no_follow_up(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION, book_only=True)
    window = await ana.click(response(result), label="Follow up")
    (field,) = [row["component"] for row in window.modal["components"]] if window.modal else []
    await ana.submit_modal(window, {field["custom_id"]: "And in fog?"})
    assert [asked.book_only for asked in table.rules_graph.asked] == [True, False]
