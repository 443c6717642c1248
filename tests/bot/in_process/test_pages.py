"""Show page: the quotation marked on its page, and the pages beside it, for whoever asks alone."""

from typing import Any

import pytest

from rag.config import PageImages
from rag.errors import BookFileAbsent, QuotationNotLocated
from rag.library.books.book import BookSummary
from rag.state import QuotedPart
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import buttons, description, embed, response, text_of
from tests.bot.in_process.test_private_talk import seen_by_all
from tests.bot.table import HOUSE_RULES, KNOTS, QUOTE, SECRETS, WADING, answer, source


async def test_a_source_has_its_page_shown_privately_with_the_quotation_as_its_alt_text(chat: Chat) -> None:
    shown = await chat.show_page()
    [file] = response(shown).attachments
    assert shown.ephemeral
    assert embed(shown).title == "Wading Orders, p. 13"
    assert embed(shown).image.url == f"attachment://{file.filename}"
    assert file.description == QUOTE
    assert chat.table.drawing.drawn[0].quoted is not None


async def test_a_quotation_over_a_page_break_has_a_picture_of_each_page(chat: Chat) -> None:
    torn = source(quote="A storm lamp lights")
    after = QuotedPart("14", 14, "six paces.")
    chat.graph.said = answer(sources=[torn.model_copy(update={"after": after})])
    shown = await chat.show_page()
    assert embed(shown).title == "Wading Orders, pp. 13–14"
    assert {file.description for file in response(shown).attachments} == {QUOTE}
    assert [file.filename for file in response(shown).attachments] == ["page-1.png", "page-2.png"]
    assert [one.page.pdf_page for one in chat.table.drawing.drawn] == [13, 14]


async def test_the_text_of_a_quotation_over_a_page_break_holds_all_of_it_in_bold(chat: Chat) -> None:
    torn = source(quote="Nobody lights a lamp at low water.")
    after = QuotedPart("14", 14, "unless it is foggy.")
    chat.graph.said = answer(sources=[torn.model_copy(update={"after": after})])
    told = description(await chat.sources())
    assert told.endswith("**Nobody lights a lamp at low water.\nunless it is foggy.**")


async def test_each_source_shows_its_own_page(chat: Chat) -> None:
    chat.graph.said = answer(sources=[source(), source(KNOTS, 5)])
    view = await chat.sources()
    await chat.ana.select(response(view), values=["1"])
    shown = await chat.ana.click(response(view), label="Show page")
    assert embed(shown).title == "The Book of Knots, p. 5"


async def test_with_crop_the_pages_beside_come_as_text(chat: Chat) -> None:
    shown = await chat.show_page()
    assert buttons(shown) == ["◀ Page before", "Next page ▶"]
    await chat.ana.click(response(shown), label="Next page ▶")
    assert embed(shown).title == "Wading Orders, p. 14"
    assert "Nobody lights a lamp" in description(shown)
    assert response(shown).attachments == []
    assert len(chat.table.drawing.drawn) == 1


async def test_with_page_whole_pages_are_shown_and_turned(chat: Chat) -> None:
    await chat.restart(page_images=PageImages.PAGE)
    shown = await chat.show_page()
    assert buttons(shown) == ["◀ Page before", "Whole page", "Next page ▶"]
    await chat.ana.click(response(shown), label="Whole page")
    await chat.ana.click(response(shown), label="Next page ▶")
    assert embed(shown).title == "Wading Orders, p. 14"
    assert len(response(shown).attachments) == 1
    assert [(one.page.pdf_page, one.quoted is None) for one in chat.table.drawing.drawn] == [
        (13, False),
        (13, True),
        (14, True),
    ]


async def test_a_quotation_whose_place_is_not_sure_is_not_marked(chat: Chat) -> None:
    chat.table.drawing.failure = QuotationNotLocated(file="wading-orders.pdf")
    shown = await chat.show_page()
    assert "not sure where" in description(shown)
    assert response(shown).attachments == []


async def test_a_host_with_the_index_alone_says_that_pages_cannot_be_shown(chat: Chat) -> None:
    chat.table.drawing.failure = BookFileAbsent(file="wading-orders.pdf")
    shown = await chat.show_page()
    assert "only its index" in text_of(shown)


async def test_books_without_pages_have_no_page_to_show(chat: Chat) -> None:
    chat.table.library.all_books.append(HOUSE_RULES)
    chat.graph.said = answer(sources=[source(HOUSE_RULES, 1)])
    assert "Show page" not in buttons(await chat.sources())


async def test_where_pictures_are_off_the_text_is_as_before(chat: Chat) -> None:
    view = await chat.sources()
    await chat.restart(page_images=PageImages.OFF)
    late = await chat.ana.click(response(view), label="Show page")
    assert "switched that off" in text_of(late)
    assert "Show page" not in buttons(await chat.sources())
    assert chat.table.drawing.drawn == []


# --- ANSWER_PICTURE -------------------------------------------------------------------------------


async def test_an_answer_bears_the_picture_of_its_first_printed_page_once_it_is_there(chat: Chat) -> None:
    chat.table.library.all_books.append(HOUSE_RULES)
    chat.graph.said = answer(sources=[source(HOUSE_RULES, 1), source(), source(KNOTS, 5)])
    seen: list[str] = []
    chat.table.drawing.before = lambda: seen.extend(map(text_of, chat.channel.history()))
    await chat.restart(answer_picture=True)
    answered = await chat.ask()
    assert "**A storm lamp" in " ".join(seen)
    [file] = response(answered).attachments
    assert embed(answered).image.url == f"attachment://{file.filename}"
    assert file.description == QUOTE
    [drawn] = chat.table.drawing.drawn
    assert (drawn.book.file, drawn.page.pdf_page) == (WADING.file, 13)


@pytest.mark.parametrize(
    ("settings", "of_book", "tried"),
    [
        ({"answer_picture": False}, WADING, 0),
        ({"page_images": PageImages.OFF}, WADING, 0),
        ({}, HOUSE_RULES, 0),
        ({}, SECRETS, 0),
        ({}, KNOTS, 1),
    ],
)
async def test_no_picture_stands_in_answers_where_none_is_wanted_printed_open_or_can_be_drawn(
    chat: Chat, settings: dict[str, Any], of_book: BookSummary, tried: int
) -> None:
    chat.table.library.all_books.append(HOUSE_RULES)
    chat.table.drawing.failure = QuotationNotLocated(file=KNOTS.file)
    chat.graph.said = answer(sources=[source(of_book, 1)])
    await chat.restart(**{"answer_picture": True} | settings)
    answered = await chat.ask()
    assert description(answered).startswith("**A storm lamp")
    assert (response(answered).attachments, len(chat.table.drawing.drawn)) == ([], tried)


async def test_an_answer_shown_to_the_table_has_a_picture_of_its_own(chat: Chat) -> None:
    await chat.restart(answer_picture=True)
    told = await chat.ask(private=True)
    await chat.ana.click(response(told), label="Show to the table")
    shown = seen_by_all(chat.channel)
    assert [file.filename for file in shown.attachments] == ["page-1.png"]
    assert len(chat.table.drawing.drawn) == 2
