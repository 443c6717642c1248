"""Why, in the menu of an answer: how it was found, privately, and after a restart too."""

import sqlite3

from simcord import ChannelHandle, Env, GuildHandle, InteractionResult, MemberActor

from bot.answers.table import ANSWERS
from rag.state import DroppedStatement
from tests.bot.in_process.reading import embed, response, text_of
from tests.bot.in_process.test_questions import QUESTION
from tests.bot.table import SECRETS, Table, answer, source


async def asked_why(person: MemberActor, answered: InteractionResult) -> InteractionResult:
    """Why, pressed in the menu of an answer."""
    menu = await person.click(response(answered), label="More")
    return await person.click(response(menu), label="Why")


async def test_why_tells_another_player_privately_how_an_answer_was_found(
    table: Table, env: Env, ana: MemberActor, bia: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.said = answer(dropped=[DroppedStatement(text="Nine paces.", reason="numbers")])
    result = await ana.slash(channel, "rules", question=QUESTION)
    await env.restart_bot(table.restarted())
    shown = await asked_why(bia, result)
    assert shown.ephemeral
    steps = {field.name: field.value or "" for field in embed(shown).fields}
    assert "Wading Orders p. 13 → Powers p. 100" in steps["Hop 1"]
    assert "Nine paces" in steps["Not claimed: do not rely on it"]
    assert "3 model calls · 9,000 tokens sent" in (embed(shown).footer.text or "")


async def test_why_of_a_gms_answer_is_closed_to_somebody_who_is_no_gm_any_more(
    table: Table, env: Env, guild: GuildHandle, gm: MemberActor, channel: ChannelHandle
) -> None:
    table.rules_graph.said = answer(sources=[source(SECRETS)])
    result = await gm.slash(channel, "gm rules", question="What is in the water?")
    menu = await gm.click(response(result), label="More")
    env.backend.get_guild(guild.id).members[gm.id].role_ids.clear()
    shown = await gm.click(response(menu), label="Why")
    assert "Only game masters" in text_of(response(shown).message)


async def test_an_answer_of_an_earlier_release_says_that_why_was_not_kept(
    table: Table, ana: MemberActor, channel: ChannelHandle
) -> None:
    result = await ana.slash(channel, "rules", question=QUESTION)
    with sqlite3.connect(table.folder / ANSWERS) as database:
        database.execute("UPDATE answers SET trace = NULL")
    shown = await asked_why(ana, result)
    assert "is not kept" in text_of(response(shown).message)
