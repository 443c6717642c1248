"""Ratings under an answer, and what a GM sees and makes of them."""

import pytest
from simcord import InteractionResult, MemberActor
from simcord.backend.errors import SetupError

from bot.answers.feedback import QUESTIONS
from rag.evaluation.questions import read_questions
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import buttons, choose, embed, response, text_of
from tests.bot.table import QUESTION, SECRETS, answer, source


def told(shown: InteractionResult) -> dict[str, str]:
    """The lists of a rated answer by their titles."""
    return {field.name or "": field.value or "" for field in embed(shown).fields}


async def write_page(gm: MemberActor, shown: InteractionResult, book: str, page: str) -> InteractionResult:
    """Write down the page that answers, in the window of its button."""
    pressed = await gm.click(response(shown), label="Write down the page")
    return await gm.submit_modal(pressed, {"book": book, "page": page})


async def test_anybody_may_rate_an_answer_and_change_their_mind(chat: Chat) -> None:
    menu = await choose(chat.bia, await chat.ask(), "Wrong")
    assert buttons(menu)[-3:] == ["Right", "Wrong", "Not what I asked"]
    assert "without your name: wrong" in response(menu).content
    await chat.bia.click(response(menu), label="Right")
    assert "without your name: right" in response(menu).content


async def test_a_gm_sees_ratings_without_names_and_after_a_restart(chat: Chat) -> None:
    await choose(chat.bia, await chat.ask(), "Wrong")
    await chat.restart()
    shown = await chat.gm.slash(chat.channel, "gm feedback")
    assert shown.ephemeral
    assert told(shown) == {
        "Question": f"• {QUESTION}",
        "Rated": "• right: 0 · wrong: 1 · not what was asked: 0",
        "Sources": "• Wading Orders, p. 13",
    }
    assert {"Ana", "Bia", str(chat.ana.id), str(chat.bia.id)}.isdisjoint(text_of(shown).split())


async def test_a_gm_turns_the_ratings_and_opens_their_sources(chat: Chat) -> None:
    for question in ("How far?", "How long?"):
        await choose(chat.ana, await chat.ask(question), "Right")
    shown = await chat.gm.slash(chat.channel, "gm feedback")
    assert told(shown)["Question"] == "• How long?"
    await chat.gm.click(response(shown), label="▶")
    assert told(shown)["Question"] == "• How far?"
    opened = await chat.gm.click(response(shown), label="Sources")
    assert embed(opened).title == "Wading Orders, p. 13"


async def test_the_page_that_a_gm_writes_down_answers_the_question_in_the_file(chat: Chat) -> None:
    await choose(chat.ana, await chat.ask(), "Wrong")
    shown = await chat.gm.slash(chat.channel, "gm feedback")
    await chat.restart()
    await write_page(chat.gm, shown, "the book of knots", "5")
    assert told(shown)["Page that answers, by a GM"] == "• The Book of Knots, p. 5"
    (question,) = read_questions(chat.table.folder / QUESTIONS)
    assert [(page.file, page.page) for page in question.gold] == [("tides/the-book-of-knots.pdf", "5")]


@pytest.mark.parametrize(
    ("book", "page", "said"),
    [
        ("Wading Orders", "4000", "no page printed 4000"),
        ("What the Water Knows", "5", "no book, code or game called"),
    ],
)
async def test_a_page_that_players_do_not_have_is_not_written_down(
    chat: Chat, book: str, page: str, said: str
) -> None:
    await choose(chat.ana, await chat.ask(), "Wrong")
    refused = await write_page(chat.gm, await chat.gm.slash(chat.channel, "gm feedback"), book, page)
    assert said in text_of(refused.followups[-1])
    assert not (chat.table.folder / QUESTIONS).exists()


async def test_the_window_for_a_page_takes_as_much_as_a_title_may_have(chat: Chat) -> None:
    await choose(chat.ana, await chat.ask(), "Wrong")
    shown = await chat.gm.slash(chat.channel, "gm feedback")
    refused = await write_page(chat.gm, shown, "x" * 200, "5")
    assert "no book, code or game called" in text_of(refused.followups[-1])
    with pytest.raises(SetupError):
        await write_page(chat.gm, shown, "x" * 201, "5")


async def test_a_gm_removes_what_is_kept_of_a_rated_answer(chat: Chat) -> None:
    await choose(chat.ana, await chat.ask(), "Right")
    shown = await chat.gm.slash(chat.channel, "gm feedback")
    await chat.gm.click(response(shown), label="Remove")
    assert "No answer here is rated yet" in response(shown).content
    assert not (chat.table.folder / QUESTIONS).exists()


async def test_ratings_are_closed_to_somebody_who_is_no_gm_any_more(chat: Chat) -> None:
    await choose(chat.ana, await chat.ask(), "Right")
    shown = await chat.gm.slash(chat.channel, "gm feedback")
    chat.take_roles(chat.gm)
    refused = await chat.gm.click(response(shown), label="Write down the page")
    assert "Only game masters" in text_of(refused)
    refused = await chat.gm.click(response(shown), label="Remove")
    assert "Only game masters" in text_of(refused.followups[-1])
    assert (chat.table.folder / QUESTIONS).exists()


async def test_the_ratings_of_another_server_are_seen_and_exported_nowhere_else(chat: Chat) -> None:
    await choose(chat.ana, await chat.ask(), "Right")
    other = chat.env.create_guild("Other")
    gil = chat.member_with("Gil", "Keepers", other, manage_guild=True)
    there = other.create_text_channel("other")
    shown = await gil.slash(there, "gm feedback")
    assert "No answer here is rated yet" in response(shown).content
    sent = await gil.slash(there, "gm feedback", export=True)
    assert "nothing to score yet" in response(sent).content
    assert response(sent).attachments == []


async def test_privacy_forget_takes_ratings_along(chat: Chat) -> None:
    await choose(chat.bia, await chat.ask(), "Right")
    forgotten = await chat.bia.slash(chat.channel, "privacy forget")
    assert "how you rated others" in response(forgotten).content
    assert "No answer here is rated yet" in response(await chat.gm.slash(chat.channel, "gm feedback")).content


async def test_a_gms_rated_question_is_shown_to_gms(chat: Chat) -> None:
    chat.graph.said = answer(sources=[source(SECRETS)])
    await choose(
        chat.gm, await chat.gm.slash(chat.channel, "gm rules", question="What is in the water?"), "Right"
    )
    shown = await chat.gm.slash(chat.channel, "gm feedback")
    assert told(shown)["Sources"] == "• What the Water Knows, p. 13"
