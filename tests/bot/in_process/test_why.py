"""Why, in the menu of an answer: how it was found, privately, and after a restart too."""

import sqlite3

from simcord import InteractionResult, MemberActor

from bot.answers.table import ANSWERS
from rag.state import DroppedStatement
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import embed, response, text_of
from tests.bot.table import SECRETS, answer, source


async def asked_why(person: MemberActor, answered: InteractionResult) -> InteractionResult:
    """Why, pressed in the menu of an answer."""
    menu = await person.click(response(answered), label="More")
    return await person.click(response(menu), label="Why")


async def test_why_tells_another_player_privately_how_an_answer_was_found(chat: Chat) -> None:
    chat.graph.said = answer(dropped=[DroppedStatement(text="Nine paces.", reason="numbers")])
    result = await chat.ask()
    await chat.restart()
    shown = await asked_why(chat.bia, result)
    assert shown.ephemeral
    steps = {field.name: field.value or "" for field in embed(shown).fields}
    assert "Wading Orders p. 13 → Powers p. 100" in steps["Hop 1"]
    assert "Nine paces" in steps["Not claimed: do not rely on it"]
    assert "3 model calls · 9,000 tokens sent" in (embed(shown).footer.text or "")


async def test_why_of_a_gms_answer_is_closed_to_somebody_who_is_no_gm_any_more(chat: Chat) -> None:
    chat.graph.said = answer(sources=[source(SECRETS)])
    result = await chat.gm.slash(chat.channel, "gm rules", question="What is in the water?")
    menu = await chat.gm.click(response(result), label="More")
    chat.take_roles(chat.gm)
    shown = await chat.gm.click(response(menu), label="Why")
    assert "Only game masters" in text_of(shown)


async def test_an_answer_of_an_earlier_release_says_that_why_was_not_kept(chat: Chat) -> None:
    result = await chat.ask()
    with sqlite3.connect(chat.table.folder / ANSWERS) as database:
        database.execute("UPDATE answers SET trace = NULL")
    shown = await asked_why(chat.ana, result)
    assert "is not kept" in text_of(shown)
