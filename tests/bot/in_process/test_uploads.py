"""Books that a GM uploads: read at once, for that server alone, and gone with it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import ChannelHandle, InteractionResult, MemberActor

from bot.books.uploads import Uploads
from bot.operations.ingestion import Ingestion, Reading
from tests.bot.in_process.answering_table import answering_table
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import text_of
from tests.bot.table import Table
from tests.rag.library.small_library import pdf_bytes

KITES = "A kite lifts three goats."
BOOK = f"# Kites\n\n{KITES}".encode()
QUESTION = "How many goats does a kite lift?"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    with answering_table(tmp_path, monkeypatch) as table:
        table.configure(book_uploads=True)
        yield table


async def upload(
    chat: Chat, name: str = "Kites.md", content: bytes = BOOK, **options: Any
) -> InteractionResult:
    return await chat.gm.slash(chat.channel, "gm book add", file=(name, content), **options)


async def ask(who: MemberActor, channel: ChannelHandle, command: str = "rules") -> str:
    return text_of(await who.slash(channel, command, question=QUESTION))


@pytest.mark.parametrize(("name", "game"), [("Kites.md", "Kites"), (f"{'🐉' * 79}.md", "ção" * 60)])
async def test_what_a_gm_uploads_answers_until_it_is_taken_out(chat: Chat, name: str, game: str) -> None:
    told = await upload(chat, name, game=game)
    assert told.ephemeral
    assert "It is read and can be asked" in text_of(told)
    assert KITES in await ask(chat.ana, chat.channel)
    assert "/gm book" in text_of(await chat.gm.slash(chat.channel, "help"))
    (choice,) = await chat.gm.autocomplete(chat.channel, "gm book remove", "book", game[:3])
    removed = await chat.gm.slash(chat.channel, "gm book remove", book=choice["value"])
    assert "Taken out" in text_of(removed)
    assert KITES not in await ask(chat.ana, chat.channel)


async def test_what_several_uploads_begin_with_takes_none_of_them_out(chat: Chat) -> None:
    await upload(chat)
    await upload(chat, "Stilts.md", b"# Stilts")
    told = text_of(await chat.gm.slash(chat.channel, "gm book remove", book=chat.guild.name[0]))
    assert f"Did you mean “{chat.guild.name}/Kites.md”, “{chat.guild.name}/Stilts.md”?" in told
    assert len(chat.bot.uploads.books(chat.guild.id)) == 2


async def test_another_server_sees_nothing_of_it(chat: Chat) -> None:
    elsewhere = chat.env.create_guild("Elsewhere")
    eva = chat.member_with("Eva", "Wardens", elsewhere, manage_guild=True)
    there = elsewhere.create_text_channel("there")
    await upload(chat)
    seen = [
        await ask(eva, there),
        text_of(await eva.slash(there, "library books")),
        text_of(await eva.slash(there, "library search", text=QUESTION)),
        text_of(await eva.slash(there, "library page", book="Kites", page="Kites")),
        text_of(await eva.slash(there, "gm book remove", book=f"{chat.guild.name}/Kites.md")),
    ]
    assert not [one for one in seen if KITES in one or "1 section" in one]
    for command in ("gm book remove", "rules", "library page"):
        assert await eva.autocomplete(there, command, "book", "kites") == []
    assert KITES in await ask(chat.ana, chat.channel)


async def test_a_server_puts_no_book_into_a_game_that_others_see(chat: Chat) -> None:
    await upload(chat, game="Tides")
    assert {book.game for book in chat.bot.library.books("gm")} == {"Tides", f"Tides ({chat.guild.id})"}


async def test_a_book_in_the_game_gm_is_for_the_gms_of_its_server_alone(chat: Chat) -> None:
    assert "It is read and can be asked" in text_of(await upload(chat, game="GM"))
    assert KITES not in await ask(chat.ana, chat.channel)
    assert KITES in await ask(chat.gm, chat.channel, "gm rules")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("Kites.pdf", b"no pages", "is no PDF, DOCX, EPUB or Markdown file"),
        ("Kites.pdf", b"%PDF-1.4 and no more", "Kites.pdf: "),
        ("README.md", BOOK, "README or LICENSE"),
    ],
)
async def test_what_cannot_be_read_is_told_with_what_to_do_and_leaves_nothing(
    chat: Chat, name: str, content: bytes, told: str
) -> None:
    refused = text_of(await upload(chat, name, content))
    assert told in refused
    assert str(chat.guild.id) not in refused
    assert chat.bot.uploads.books(chat.guild.id) == []


async def test_a_broken_file_leaves_the_book_of_that_name(chat: Chat) -> None:
    await upload(chat, "Kites.pdf", pdf_bytes([KITES]))
    await upload(chat, "Kites.pdf", b"%PDF-1.4 and no more")
    assert KITES in await ask(chat.ana, chat.channel)


async def test_a_file_is_refused_where_the_server_has_no_more_room_also_beside_another(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.books.uploads.ROOM_MB", 1.5 * len(BOOK) / 2**20)
    async with chat.bot.uploads.turn:
        waiting = asyncio.create_task(upload(chat))
        await asyncio.sleep(0.2)
        chat.bot.uploads.put(f"{chat.guild.id}/Kites/Stilts.md", BOOK)
    assert "no more room" in text_of(await waiting)
    monkeypatch.setattr("bot.books.uploads.LARGEST_MB", 0)
    assert "too large" in text_of(await upload(chat))


async def test_while_a_file_is_read_it_is_told_how_far_that_is_and_no_longer_where_it_failed(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ingest(ingestion: Ingestion) -> None:
        ingestion.reading = Reading("Kites", 40)
        while not any("reading Kites: 40 %" in str(one.json) for one in chat.env.http_requests):
            await asyncio.sleep(0.01)

    monkeypatch.setattr("bot.cogs.gm_books.SECONDS_BETWEEN_STEPS", 0.01)
    monkeypatch.setattr(Ingestion, "ingest", ingest)
    told = text_of(await upload(chat))
    assert ("could not be read" in told, "reading Kites" in told) == (True, False)


def test_a_book_that_a_kill_left_half_replaced_is_the_one_before(tmp_path: Path) -> None:
    uploads, file = Uploads(tmp_path), "7/Kites/Kites.md"
    uploads.put(file, b"before")
    uploads.settle(file, is_read=True)
    uploads.put(file, b"after")
    assert Uploads(tmp_path).books(7) == [file]
    assert [one.read_bytes() for one in tmp_path.rglob("*.*")] == [b"before"]


async def test_where_the_host_does_not_allow_it_there_is_no_such_command(chat: Chat) -> None:
    chat.table.configure(book_uploads=False)
    await chat.env.restart_bot(chat.table.bot())
    gm = chat.bot.tree.get_command("gm")
    assert isinstance(gm, discord.app_commands.Group)
    assert gm.get_command("book") is None
