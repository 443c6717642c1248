"""`/library search`, and turning the pages of a book."""

from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import buttons, description, embed, response, text_of, values
from tests.bot.table import HOUSE_RULES, KNOTS, WADING, answer, source

# --- /library search ------------------------------------------------------------------------------


async def test_search_tells_places_by_book_and_printed_page_privately_and_asks_no_model(chat: Chat) -> None:
    told = await chat.ana.slash(chat.channel, "library search", text="How far does a lamp light?")
    assert told.ephemeral
    assert description(told).startswith("**Wading Orders, p. 1**\n> A storm lamp lights six paces.")
    assert chat.graph.asked == []


async def test_places_are_turned_also_after_a_restart_in_the_book_that_was_chosen(chat: Chat) -> None:
    told = await chat.ana.slash(chat.channel, "library search", text="lamp", book="The Book of Knots")
    assert buttons(told, pressable=True) == ["▶"]
    await chat.restart()
    await chat.ana.click(response(told), label="▶")
    assert description(told).startswith("**The Book of Knots, p. 5**")
    assert embed(told).author.name == "lamp"
    await chat.ana.click(response(told), label="▶")
    assert embed(told).footer.text == "3/6 · The Book of Knots"


async def test_places_of_the_channels_game_alone_are_told(chat: Chat) -> None:
    await chat.gm.slash(chat.channel, "gm game", game="Tides")
    told = await chat.ana.slash(chat.channel, "library search", text="lamp")
    assert "Wading Orders" in description(told)
    chat.table.library.all_books.clear()
    told = await chat.ana.slash(chat.channel, "library search", text="lamp")
    assert "Wading Orders" not in text_of(told)


async def test_a_place_is_opened_from_the_menu_in_a_private_message_of_its_own(chat: Chat) -> None:
    told = await chat.ana.slash(chat.channel, "library search", text="lamp")
    shown = await chat.ana.select(response(told), values=[values(told)[1]])
    assert (shown.ephemeral, embed(shown).title) == (True, "Wading Orders, p. 2")
    assert buttons(shown) == ["◀ Page before", "Next page ▶"]


async def test_whom_a_search_mentions_is_named_in_it(chat: Chat) -> None:
    told = await chat.ana.slash(chat.channel, "library search", text=f"{chat.bia.mention}'s lamp")
    assert embed(told).author.name == "@Bia's lamp"


# --- turning pages --------------------------------------------------------------------------------


async def test_a_page_that_is_read_has_the_pages_beside_it(chat: Chat) -> None:
    shown = await chat.ana.slash(chat.channel, "library page", book="Wading Orders", page="39")
    assert buttons(shown) == ["◀ Page before", "Next page ▶"]
    await chat.restart()
    await chat.ana.click(response(shown), label="Next page ▶")
    assert embed(shown).title == "Wading Orders, p. 40"
    assert buttons(shown, pressable=True) == ["◀ Page before"]
    await chat.ana.click(response(shown), label="◀ Page before")
    await chat.ana.click(response(shown), label="◀ Page before")
    assert embed(shown).title == "Wading Orders, p. 38"


async def test_a_long_page_is_read_in_parts_of_one_message(chat: Chat) -> None:
    chat.table.library.text = f"The first words. {'A word about lamps. ' * 300}The last words."
    shown = await chat.ana.slash(chat.channel, "library page", book="Wading Orders", page="2")
    assert embed(shown).footer.text == "1/2"
    await chat.ana.click(response(shown), label="Next page ▶")
    assert description(shown).endswith("The last words.")
    await chat.ana.click(response(shown), label="Next page ▶")
    assert embed(shown).title == "Wading Orders, p. 3"
    await chat.ana.click(response(shown), label="◀ Page before")
    assert embed(shown).footer.text == "2/2"


async def test_a_section_that_stands_alone_has_nothing_to_turn_to(chat: Chat) -> None:
    chat.table.library.all_books.append(HOUSE_RULES)
    shown = await chat.ana.slash(chat.channel, "library page", book="House Rules", page="Bleeding")
    assert buttons(shown) == []


async def test_a_long_section_is_turned_through_in_parts_of_one_message(chat: Chat) -> None:
    chat.table.library.all_books.append(HOUSE_RULES)
    chat.table.library.text = f"{'A word about lamps. ' * 4500}The last words."
    shown = await chat.ana.slash(chat.channel, "library page", book="House Rules", page="Bleeding")
    assert (embed(shown).footer.text, shown.followups) == ("1/23", [])
    for part in range(2, 24):
        await chat.ana.click(response(shown), label="Next page ▶")
        assert embed(shown).footer.text == f"{part}/23"
    assert (embed(shown).title, description(shown)[-15:]) == ("House Rules › Bleeding", "The last words.")


async def test_no_page_is_turned_to_in_a_book_that_has_left(chat: Chat) -> None:
    shown = await chat.ana.slash(chat.channel, "library page", book="Wading Orders", page="2")
    chat.table.library.all_books.remove(WADING)
    gone = await chat.ana.click(response(shown), label="Next page ▶")
    assert "no longer in the library" in text_of(gone.followups[0])


# --- Line to copy ---------------------------------------------------------------------------------


async def test_a_source_has_a_plain_line_to_copy_in_a_private_message_of_its_own(chat: Chat) -> None:
    chat.graph.said = answer(sources=[source(), source(KNOTS, 5)])
    view = await chat.sources()
    await chat.ana.select(response(view), values=["1"])
    told = await chat.ana.click(response(view), label="Line to copy")
    assert told.ephemeral
    assert response(told).content == "The Book of Knots p. 5: “A storm lamp lights six paces.”"
    assert response(told).embeds == []


async def test_no_line_and_no_page_is_shown_of_a_book_that_is_closed_to_players_by_now(chat: Chat) -> None:
    view = await chat.sources()
    chat.table.library.all_books = [KNOTS]
    await chat.restart()
    for label in ("Line to copy", "Show page"):
        told = await chat.ana.click(response(view), label=label)
        assert "no longer in the library" in text_of(told)
