"""What a table decides: a GM writes it down, its players are answered by it, and nobody else hears of it."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import ChannelHandle, GuildHandle, InteractionResult, MemberActor

from bot.books.rulings import TableRulings
from rag.library.books.ruling import Ruling
from tests.bot.in_process.answering_table import LAMPS, answering_table
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import buttons, description, embed, response, text_of
from tests.bot.table import Table

QUESTION = "How far does a lamp shine?"
TABLE_SAYS = "In fog it lights three."


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    with answering_table(tmp_path, monkeypatch) as table:
        yield table


def prefilled(modal: dict[str, Any] | None) -> dict[str, str]:
    """What stands in the fields of a window before anybody types."""
    assert modal is not None
    fields = [row["component"] for row in modal["components"]]
    return {field["custom_id"]: field.get("value") or "" for field in fields}


async def ask(member: MemberActor, channel: ChannelHandle, **options: Any) -> InteractionResult:
    return await member.slash(channel, "rules", question=QUESTION, **options)


async def open_from_answer(gm: MemberActor, answered: InteractionResult) -> InteractionResult:
    """The window that a GM opens from More, under an answer."""
    menu = await gm.click(response(answered), label="More")
    return await gm.click(response(menu), label="Write a ruling")


async def rule(
    gm: MemberActor, channel: ChannelHandle, text: str = TABLE_SAYS, held: str = "good", page: str = "12"
) -> InteractionResult:
    """Write down a ruling on lamps by the command."""
    shown = await gm.slash(channel, "gm ruling add")
    typed = {"rule": f"Lamps – Wading Orders, p. {page}", "question": QUESTION, "text": text, "held": [held]}
    return await gm.submit_modal(shown, typed)


def kept_file(table: Table, guild: GuildHandle) -> Path:
    return table.folder / "rulings" / str(guild.id) / "Tides.md"


async def test_a_ruling_written_under_an_answer_comes_first_in_the_next_one(chat: Chat) -> None:
    shown = await open_from_answer(chat.gm, await ask(chat.ana, chat.channel))
    filled = prefilled(shown.modal)
    assert (filled["question"], filled["rule"]) == (QUESTION, "Lamps – Wading Orders, p. 12")
    await chat.env.restart_bot(chat.table.bot())
    told = await chat.gm.submit_modal(shown, {**filled, "text": TABLE_SAYS, "held": ["good"]})
    assert told.ephemeral
    assert "From now on it comes first" in response(told).content
    await chat.env.restart_bot(chat.table.bot())
    found = embed(await ask(chat.ana, chat.channel))
    named = [one.name.split(",")[0] for one in found.fields if one.name]
    assert named == ["[1] Table ruling", "[2] Lamps · Wading Orders"]
    assert TABLE_SAYS in (found.fields[0].value or "")
    assert LAMPS in (found.fields[1].value or "")
    assert "Your table has ruled here [1]. The book says otherwise" in (found.description or "")


async def test_nothing_of_a_gms_answer_stands_in_the_window_that_players_will_read(chat: Chat) -> None:
    asked = await chat.gm.slash(chat.channel, "gm rules", question=QUESTION)
    modal = (await open_from_answer(chat.gm, asked)).modal
    assert ({*prefilled(modal).values()}, "players read it" in str(modal)) == ({""}, True)


@pytest.mark.parametrize("name", ["Eva Maria", "🎲🔥", "(o.o)", "!?"])
async def test_what_somebody_wrote_is_made_a_ruling_from_its_menu_without_names(
    chat: Chat, name: str
) -> None:
    named = chat.member_with(name, name), chat.guild.create_text_channel(name), chat.guild.roles[name]
    person, place, role = (one.mention for one in named)
    said = await chat.ana.send(chat.channel, f"{person}, {place} {role}'s: {TABLE_SAYS}")
    shown = await chat.gm.context_menu(chat.channel, "Make it a ruling", said)
    assert prefilled(shown.modal)["text"].endswith(TABLE_SAYS)
    asked = await chat.gm.slash(chat.channel, "rules", question=f"{QUESTION} In {place} that of {person}?")
    filled = prefilled((await open_from_answer(chat.gm, asked)).modal)
    assert filled["question"].startswith(f"{QUESTION} In …")
    assert not any(name in text for text in (filled["question"], prefilled(shown.modal)["text"]))


async def test_a_ruling_is_read_in_its_paragraphs_and_copied_as_any_quotation_is(chat: Chat) -> None:
    await rule(chat.gm, chat.channel, f"Fog is thick.\n\n{TABLE_SAYS}")
    answered = await ask(chat.ana, chat.channel)
    await chat.gm.slash(chat.channel, "gm ruling end", ruling="Lamps")
    sources = await chat.ana.click(response(answered), label="Sources")
    assert description(sources) == f"**Fog is thick.\n\n{TABLE_SAYS}**"
    copied = await chat.ana.click(response(sources), label="Line to copy")
    assert TABLE_SAYS in text_of(copied)


async def test_nobodys_id_is_in_the_file(chat: Chat) -> None:
    await rule(chat.gm, chat.channel, f"In fog {chat.ana.mention}'s lamp lights three.")
    text = kept_file(chat.table, chat.guild).read_text(encoding="utf-8")
    assert "## Lamps – Wading Orders, p. 12" in text
    assert "In fog @Ana's lamp lights three." in text
    assert not any(str(one.id) in text for one in (chat.gm, chat.ana, chat.guild, chat.channel))


async def test_by_print_alone_nobody_hears_of_a_ruling(chat: Chat) -> None:
    await rule(chat.gm, chat.channel)
    assert TABLE_SAYS not in text_of(await ask(chat.ana, chat.channel, book_only=True))


async def test_players_write_no_ruling(chat: Chat) -> None:
    menu = await chat.ana.click(response(await ask(chat.ana, chat.channel)), label="More")
    assert "Write a ruling" not in buttons(menu)


async def test_whoever_is_no_gm_any_more_keeps_no_ruling(chat: Chat) -> None:
    shown = await open_from_answer(chat.gm, await ask(chat.gm, chat.channel))
    chat.table.configure(gm_role="Tellers")
    await chat.env.restart_bot(chat.table.bot())
    typed = {**prefilled(shown.modal), "text": TABLE_SAYS, "held": ["good"]}
    told = await chat.gm.submit_modal(shown, typed)
    assert "Only game masters" in text_of(told)
    assert TABLE_SAYS in text_of(told)
    assert not kept_file(chat.table, chat.guild).exists()


async def test_another_server_hears_nothing_of_a_ruling(chat: Chat) -> None:
    await rule(chat.gm, chat.channel)
    elsewhere = chat.env.create_guild("Elsewhere")
    role = elsewhere.create_role("Keepers", permissions=discord.Permissions(manage_guild=True))
    other = elsewhere.add_member(chat.env.create_user("Eva"), roles=[role])
    there = elsewhere.create_text_channel("there")
    assert TABLE_SAYS not in text_of(await ask(other, there))
    listed = await other.slash(there, "gm ruling list")
    assert "No ruling is kept" in text_of(listed)


async def test_in_a_direct_message_of_somebody_in_two_servers_no_ruling_holds(chat: Chat) -> None:
    chat.env.create_guild("Elsewhere").add_member(chat.ana.user)
    await rule(chat.gm, chat.channel)
    assert TABLE_SAYS not in text_of(response(await chat.ana.user.slash("rules", question=QUESTION)).message)


async def test_a_ruling_is_superseded_listed_ended_and_handed_out(chat: Chat) -> None:
    await rule(chat.gm, chat.channel, "In fog it lights two.")
    told = await rule(chat.gm, chat.channel)
    assert "The one before on the same rule no longer holds" in response(told).content
    listed = description(await chat.gm.slash(chat.channel, "gm ruling list"))
    assert listed.index(TABLE_SAYS) < listed.index("superseded") < listed.index("In fog it lights two.")
    (choice,) = await chat.gm.autocomplete(chat.channel, "gm ruling end", "ruling", "lam")
    ended = await chat.gm.slash(chat.channel, "gm ruling end", ruling=choice["value"])
    assert "No longer holds" in response(ended).content
    assert TABLE_SAYS not in text_of(await ask(chat.ana, chat.channel))
    (file,) = response(await chat.gm.slash(chat.channel, "gm ruling export")).message.attachments
    assert file.filename == "tides.md"


async def test_what_several_rulings_begin_with_ends_none_of_them(chat: Chat) -> None:
    for page in ("12", "13"):
        await rule(chat.gm, chat.channel, page=page)
    told = text_of(await chat.gm.slash(chat.channel, "gm ruling end", ruling="L"))
    assert "Did you mean “Lamps – Wading Orders, p. 13”, “Lamps – Wading Orders, p. 12”?" in told
    assert len(chat.bot.rulings.holding(chat.guild.id)) == 2


async def test_a_gm_is_told_of_a_ruling_on_something_else_that_a_new_one_may_contradict(chat: Chat) -> None:
    assert "contradict" not in response(await rule(chat.gm, chat.channel)).content
    told = await rule(chat.gm, chat.channel, "In fog a lamp lights two.", page="13")
    assert "may contradict the ruling **Lamps – Wading Orders, p. 12**" in response(told).content
    assert "contradict" not in response(await rule(chat.gm, chat.channel, "Rain is fog.", page="13")).content


async def test_a_long_list_of_rulings_is_turned_and_the_newest_are_completed(chat: Chat) -> None:
    for number in range(40):
        ruled = Ruling("", f"Rule {number}", "It holds. " * 30, chat.bot.rulings.now().date(), game="Tides")
        chat.bot.rulings.add(chat.guild.id, ruled)
    listed = await chat.gm.slash(chat.channel, "gm ruling list")
    told = text_of(listed)
    while "▶" in buttons(listed, pressable=True):
        await chat.gm.click(response(listed), label="▶")
        told += text_of(listed)
    assert all(f"**Rule {number}**" in told for number in range(40))
    offered = await chat.gm.autocomplete(chat.channel, "gm ruling end", "ruling", "")
    assert [one["value"] for one in offered][:2] == ["Rule 39", "Rule 38"]


async def test_a_gm_is_told_of_rulings_on_a_game_that_has_another_name_now(chat: Chat) -> None:
    made = chat.bot.rulings.now().date()
    chat.bot.rulings.add(chat.guild.id, Ruling("", "Lamps", TABLE_SAYS, made, game="Ebbs"))
    assert "no game of the library is called so" in await chat.check()


async def test_where_files_may_not_be_attached_no_rulings_are_handed_out(chat: Chat) -> None:
    denied = discord.PermissionOverwrite(attach_files=False)
    channel = chat.guild.create_text_channel("plain", overwrites={chat.guild.default_role: denied})
    await rule(chat.gm, channel)
    told = await chat.gm.slash(channel, "gm ruling export")
    assert "allow me “Attach Files”" in text_of(told)


async def test_an_answer_keeps_the_ruling_that_held_when_it_was_asked_for(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    await rule(chat.gm, chat.channel)
    ask_graph = chat.graph.ask

    async def ruled_meanwhile(*asked: Any, **options: Any) -> AsyncIterator[Any]:
        async for event in ask_graph(*asked, **options):
            [old] = TableRulings(chat.table.folder).holding(chat.guild.id)
            TableRulings(chat.table.folder).add(chat.guild.id, replace(old, text="In fog it lights four."))
            yield event

    monkeypatch.setattr(chat.graph, "ask", ruled_meanwhile)
    answered = await ask(chat.ana, chat.channel)
    assert TABLE_SAYS in text_of(answered)
    shown = await chat.ana.click(response(answered), label="Sources")
    assert TABLE_SAYS in description(shown).replace("*", "")
    assert "In fog it lights four." in text_of(await ask(chat.ana, chat.channel))


async def test_a_window_takes_the_longest_ruling_and_no_more_of_a_question_than_there_is_room_for(
    chat: Chat,
) -> None:
    asked = await chat.gm.slash(chat.channel, "rules", question=f"{QUESTION} " * 37)
    shown = await open_from_answer(chat.gm, asked)
    filled = prefilled(shown.modal)
    assert len(filled["question"]) == 300
    ruling = "It lights three. " * 117
    await chat.gm.submit_modal(shown, {**filled, "text": ruling, "held": ["good"]})
    assert ruling.strip() in kept_file(chat.table, chat.guild).read_text(encoding="utf-8")


async def test_a_ruling_of_a_session_holds_for_twelve_hours_and_its_list_says_until_when(chat: Chat) -> None:
    await rule(chat.gm, chat.channel, held="session")
    [ruling] = TableRulings(chat.table.folder).holding(chat.guild.id)
    assert ruling.until
    assert abs(ruling.until - datetime.now(UTC) - timedelta(hours=12)) < timedelta(minutes=5)
    assert "until <t:" in description(await chat.gm.slash(chat.channel, "gm ruling list"))
    assert TABLE_SAYS in text_of(await ask(chat.ana, chat.channel))


async def test_a_gm_is_told_that_the_page_of_a_ruling_does_not_exist(chat: Chat) -> None:
    told = await rule(chat.gm, chat.channel, page="999")
    assert "There is no page 999 in Wading Orders" in response(told).content
    assert "no page" not in response(await rule(chat.gm, chat.channel)).content
