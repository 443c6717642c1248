"""Two servers with a game and a GM's shelf each: nobody of one hears a word of the other's."""

import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import pytest
from simcord import ChannelHandle, Env, InteractionResult, MemberActor

from bot.client import RulesBot
from bot.errors import AnswerGone
from rag.graph import RulesGraph
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import (
    buttons,
    description,
    field_of,
    follow_up,
    last,
    mention,
    response,
    text_of,
)
from tests.bot.table import ScriptedRulesGraph, Table
from tests.rag.library.small_library import SmallLibrary, parsed_book
from tests.scripted import ScriptedModel

GAMES = ("Moss", "Rust")
TITLES = {"Moss": ("Bryony Handbook", "Fernlore"), "Rust": ("Axletree Handbook", "Gearfall")}
"""Of the players' and the GM's book of each game."""
WORDS = {"Moss": ("greenwick", "hollowfen"), "Rust": ("ironspell", "cogmurder")}
"""What stands in each of them and nowhere else."""
LAMP = "How far does a lamp shine?"
LINE = re.compile(r"^\[(\d+\.\d+)\] (.+)$", re.MULTILINE)
"""A line of a prompt, with its id."""
EXCHANGE = re.compile(r"<exchange>.*?</exchange>", re.DOTALL)
"""What a prompt tells of the conversation."""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallLibrary:
    """The books of both games, indexed without an entry for any server."""
    small = SmallLibrary(tmp_path)
    monkeypatch.setattr("rag.library.ingest.ingest.read_books", small.read_here)
    for game in GAMES:
        (book, secrets), (word, secret) = TITLES[game], WORDS[game]
        pages = [f"A lamp lights six paces. The {word} grows on it. See p. 2.", "A rope holds two people."]
        small.put_parsed(f"{game.lower()}/book.pdf", parsed_book(*pages, title=book))
        text = f"The lamp is cursed by the {secret}. See {book}, p. 1."
        small.put_parsed(f"{game.lower()}/gm/secrets.pdf", parsed_book(text, title=secrets))
    small.ingest()
    return small


@pytest.fixture
def model() -> ScriptedModel | None:
    """What writes answers; tests that want any say so."""
    return None


@pytest.fixture
def table(tmp_path: Path, small: SmallLibrary, model: ScriptedModel | None) -> Iterator[Table]:
    """A bot over those books, with the graph that answers in earnest, by quotation or with a model."""
    library = small.open()
    graph = cast(ScriptedRulesGraph, RulesGraph(library, model, small.model))
    table = Table(tmp_path, graph, cast(Any, library))
    yield table
    table.close()


def telling_all() -> ScriptedModel:
    """A model that says every line it is shown, and sees itself confirmed."""
    return ScriptedModel(
        script={
            "Rewrite": {"standalone": False, "question": LAMP},
            "Sufficiency": {"sufficient": True, "new_queries": []},
            "SubQuestions": {"sub_questions": ["lamp", "rope", "paces"]},
            "Draft": lambda prompt: {
                "statements": [{"evidence": [line], "text": text} for line, text in LINE.findall(prompt)],
                "missing": None,
            },
            "SupportVerdicts": lambda prompt: {
                "supports": [{"id": id, "verdict": "yes"} for id in re.findall(r"\[(s\d+)\]", prompt)]
            },
        }
    )


class Server(Chat):
    """A server that plays a game; its name tells nobody which."""

    def __init__(self, table: Table, env: Env, game: str) -> None:
        super().__init__(table, env)
        self.game = game


@pytest.fixture
def servers(table: Table, env: Env) -> dict[str, Server]:
    """The two servers with two people each, by their game."""
    servers = {game: Server(table, env, game) for game in GAMES}
    assert all((server.channel, server.ana, server.gm) for server in servers.values())
    return servers


@pytest.fixture
def entries(small: SmallLibrary, servers: dict[str, Server]) -> None:
    """Each server is given its own game."""
    _give(small, {server.guild.id: [game] for game, server in servers.items()})


def _give(small: SmallLibrary, games: dict[int, list[str]]) -> None:
    tables = [
        f'[[server]]\nid = "{server}"\ngames = {json.dumps(names)}\n' for server, names in games.items()
    ]
    small.write("library.toml", "".join(tables))
    small.ingest()


# --- what people of one server may do ----------------------------------------------------------------

Request = Callable[[], Awaitable[object]]


def _asked(game: str) -> list[str]:
    """What somebody may ask to learn of a game."""
    (book, secrets), (word, secret) = TITLES[game], WORDS[game]
    return [
        LAMP,
        f"In {book}, how far does a lamp shine?",
        f"What is {word}?",
        f"What is {secret} in {secrets}?",
        f"{book} p. 1",
        f"Which rules refer to {book} p. 1?",
        f"How far does a lamp shine in {game}?",
    ]


def _requests(env: Env, server: Server, other: str) -> Iterator[tuple[str, Request]]:
    """Everything that people of a server can do to learn of another game, with the words they say."""
    player, gm, channel = server.ana, server.gm, server.channel
    named = [
        other,
        *TITLES[other],
        TITLES[other][0].replace("a", "o"),
        f"{other.lower()}/book.pdf",
        "Handbook",
    ]
    yield "", partial(_every_list, gm, channel)
    for question in _asked(server.game):
        yield question, partial(player.slash, channel, "rules", question=question)
        yield question, partial(gm.slash, channel, "gm rules", question=question)
    for question in _asked(other):
        yield question, partial(_ask_the_rules, player, channel, question)
        yield question, partial(player.slash, channel, "rules", question=question)
        yield question, partial(player.user.slash, "rules", question=question)
        yield question, partial(player.send, channel, f"{mention(env)} {question}")
        yield question, partial(player.send_dm, question)
        yield question, partial(gm.slash, channel, "gm rules", question=question)
    for name in named:
        yield name, partial(player.slash, channel, "rules", question=LAMP, book=name)
        yield name, partial(player.slash, channel, "library page", book=name, page="1")
        yield name, partial(player.user.slash, "library page", book=name, page="9")
        yield name, partial(gm.slash, channel, "gm rules", question=LAMP, book=name)
        yield name, partial(gm.slash, channel, "gm game", game=name)
        yield name, partial(gm.slash, channel, "gm page", book=name, page="1")
        yield name, partial(player.slash, channel, "library search", text=name)
        yield name, partial(player.slash, channel, "library search", text="lamp", book=name)
    yield "", partial(gm.slash, channel, "gm game")
    for command in ("library books", "status"):
        yield "", partial(player.slash, channel, command)
        yield "", partial(player.user.slash, command)
    yield "", partial(gm.slash, channel, "gm check")
    yield "", partial(gm.slash, channel, "gm books")
    yield "", partial(_every_page, player, channel, "library page", TITLES[server.game][0])
    yield "", partial(_every_page, gm, channel, "gm page", TITLES[server.game][1])
    initials = sorted({name[0].casefold() for name in (*named, *WORDS[other])})
    for typed in ("", *initials, *named):
        yield typed, partial(player.autocomplete, channel, "rules", "book", typed)
        yield typed, partial(player.autocomplete, channel, "library page", "book", typed)
        yield typed, partial(gm.autocomplete, channel, "gm rules", "book", typed)
        yield typed, partial(gm.autocomplete, channel, "gm game", "game", typed)
    yield "", partial(_every_button, player, channel, "rules")
    yield "", partial(_every_button, gm, channel, "gm rules")


async def _every_button(person: MemberActor, channel: ChannelHandle, command: str) -> None:
    """Ask, and press all that stands under the answer and in its menu."""
    answer = await person.slash(channel, command, question=LAMP)
    for label in buttons(answer, pressable=True):
        shown = await _press(person, answer, label)
        if label == "More":
            for in_menu in buttons(shown, pressable=True):
                if in_menu != "Delete":
                    await _press(person, shown, in_menu)


async def _press(person: MemberActor, shown: InteractionResult, label: str) -> InteractionResult:
    """Press a button, and fill the window that it may open."""
    pressed = await person.click(response(shown), label=label)
    if pressed.modal is None:
        return pressed
    if label == "Follow up":
        return await person.submit_modal(pressed, {field_of(pressed.modal): LAMP})
    typed: dict[str, Any] = {"question": LAMP, "rule": "Lamps", "text": "Seven paces.", "held": ["good"]}
    return await person.submit_modal(pressed, typed)


async def _ask_the_rules(person: MemberActor, channel: ChannelHandle, said: str) -> None:
    """Write a message, and use the menu on it."""
    await person.context_menu(channel, "Ask the rules", await person.send(channel, said))


async def _every_list(gm: MemberActor, channel: ChannelHandle) -> None:
    """All that GMs see of what people of their server said, rated and ruled."""
    for command in ("gm feedback", "gm ruling list", "gm ruling export"):
        await gm.slash(channel, command)
    await gm.slash(channel, "gm feedback", export=True)
    shown = await gm.slash(channel, "gm feedback")
    await _press(gm, shown, "Sources")
    await gm.autocomplete(channel, "gm ruling end", "ruling", "")


async def _live(server: Server) -> None:
    """Have a server's people ask, rate and rule on their own game."""
    word, secret = WORDS[server.game]
    await _every_button(server.ana, server.channel, "rules")
    await _every_button(server.gm, server.channel, "gm rules")
    window = await server.gm.slash(server.channel, "gm ruling add")
    typed = {"question": LAMP, "rule": f"Lamps of {word}", "text": f"It shines {secret}.", "held": ["good"]}
    await server.gm.submit_modal(window, typed)


async def _every_page(person: MemberActor, channel: ChannelHandle, command: str, book: str) -> None:
    """Read a book from its first page on."""
    shown = await person.slash(channel, command, book=book, page="1")
    for label in buttons(shown, pressable=True):
        await person.click(response(shown), label=label)


def _leaked(told: str, other: str, said: str) -> set[str]:
    """The words of a game that were told to somebody who did not say them."""
    secrets = {word.casefold() for name in (other, *TITLES[other], *WORDS[other]) for word in name.split()}
    return {word for word in secrets - {"handbook"} if word in told and word not in said.casefold()}


@pytest.mark.parametrize(("own", "model"), [("Moss", None), ("Rust", telling_all())])
async def test_no_request_of_one_servers_people_carries_a_word_of_the_others(
    chat: Chat,
    servers: dict[str, Server],
    entries: None,
    own: str,
    model: ScriptedModel | None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("bot.questions.queue.QUESTIONS_A_MINUTE", 10_000)
    caplog.set_level(logging.INFO)
    [other] = {*GAMES} - {own}
    await _live(servers[other])
    await _live(servers[own])
    prompts = model.prompts if model else []
    for said, request in _requests(chat.env, servers[own], other):
        before, prompts_before = len(chat.env.http_requests), len(prompts)
        caplog.clear()
        result = await request()
        told = json.dumps([sent.json for sent in chat.env.http_requests[before:]], default=str)
        # What they said before is their own.
        told += EXCHANGE.sub("", "".join(prompt for _, prompt in prompts[prompts_before:]))
        told += caplog.text + (json.dumps(result) if isinstance(result, list) else "")
        assert not _leaked(told.casefold(), other, said), (said, told)


# --- direct messages ---------------------------------------------------------------------------------


async def test_in_a_direct_message_people_see_the_games_of_all_their_servers(
    chat: Chat, servers: dict[str, Server], entries: None
) -> None:
    both = servers["Rust"].ana.user
    servers["Moss"].guild.add_member(both)
    listed = text_of(await both.slash("library books"))
    assert "Bryony Handbook" in listed
    assert "Axletree Handbook" in listed
    assert "Gearfall" not in listed


async def test_what_was_said_of_a_game_is_gone_from_a_direct_message_with_its_server(
    chat: Chat, small: SmallLibrary, servers: dict[str, Server], entries: None
) -> None:
    person = servers["Moss"].ana.user
    servers["Rust"].guild.add_member(person)
    answer = await person.slash("rules", question="What is ironspell?")
    assert "ironspell" in text_of(answer)
    del chat.env.backend.get_guild(servers["Rust"].guild.id).members[person.id]
    chat.bot.access._memberships.clear()
    for label in ("Sources", "More"):
        shown = await person.click(response(answer), label=label)
        assert "no longer kept" in text_of(shown)
    before = len(chat.env.http_requests)
    await follow_up(person, answer, LAMP)
    assert "ironspell" not in json.dumps([sent.json for sent in chat.env.http_requests[before:]], default=str)


# --- entries -----------------------------------------------------------------------------------------


async def test_a_server_without_an_entry_has_nothing_and_its_manager_is_told_what_to_write(
    small: SmallLibrary, servers: dict[str, Server]
) -> None:
    moss, rust = servers["Moss"], servers["Rust"]
    _give(small, {moss.guild.id: ["moss"]})
    for shown in (
        await rust.ana.slash(rust.channel, "library books"),
        await rust.ask(LAMP),
        await rust.gm.slash(rust.channel, "gm rules", question=LAMP),
    ):
        assert "No book of my library is open" in text_of(shown)
    told = await rust.check()
    assert "⚠️ This server has no entry in library.toml" in told
    assert f'id = "{rust.guild.id}"' in told
    assert "This server sees: Moss" in await moss.check()


async def test_books_in_no_folder_are_seen_where_an_entry_says_so(
    small: SmallLibrary, servers: dict[str, Server]
) -> None:
    small.put_parsed("house.pdf", parsed_book("A lamp is free.", title="Our House"))
    _give(small, {servers["Moss"].guild.id: ["moss", ""], servers["Rust"].guild.id: ["rust"]})
    seen = {
        game: "Our House" in text_of(await server.ana.slash(server.channel, "library books"))
        for game, server in servers.items()
    }
    assert seen == {"Moss": True, "Rust": False}


async def test_without_entries_two_servers_have_the_players_books_and_no_gm(
    servers: dict[str, Server],
) -> None:
    for server in servers.values():
        listed = text_of(await server.ana.slash(server.channel, "library books"))
        assert "Bryony Handbook" in listed
        assert "Axletree Handbook" in listed
        refused = text_of(await server.gm.slash(server.channel, "gm rules", question=LAMP))
        assert "The GM's books are closed" in refused
        assert await server.gm.autocomplete(server.channel, "gm rules", "book", "fern") == []
        told = await server.check()
        assert f'id = "{server.guild.id}"' in told
        assert "Fernlore" not in told


async def test_a_gms_answer_closes_when_a_second_server_comes(chat: Chat) -> None:
    first = Server(chat.table, chat.env, "Moss")
    answer = await first.gm.slash(first.channel, "gm rules", question="What curses the lamp?")
    assert "hollowfen" in text_of(answer)
    assert Server(chat.table, chat.env, "Rust").guild
    shown = await first.gm.click(response(answer), label="Sources")
    assert "The GM's books are closed" in text_of(shown)


async def test_a_problem_of_a_book_is_told_to_the_gm_of_its_game_alone(
    small: SmallLibrary, servers: dict[str, Server]
) -> None:
    small.write("rust/gm/Oilplot.pdf", "no PDF at all")
    _give(small, {servers["Moss"].guild.id: ["moss"], servers["Rust"].guild.id: ["rust", "chess"]})
    checks = {game: await server.check() for game, server in servers.items()}
    assert "Oilplot" in checks["Rust"]
    assert "chess" in checks["Rust"]
    assert "Oilplot" not in checks["Moss"]
    assert "chess" not in checks["Moss"]


async def test_a_channel_bound_to_a_game_that_its_server_no_longer_sees_does_not_name_it(
    small: SmallLibrary, servers: dict[str, Server]
) -> None:
    rust = servers["Rust"]
    await rust.gm.slash(rust.channel, "gm game", game="Moss")
    _give(small, {rust.guild.id: ["rust"]})
    told = text_of(await rust.ask(LAMP))
    assert "bound to a game that this server does not see" in told
    assert "Moss" not in told


async def test_another_servers_questions_are_not_counted(servers: dict[str, Server], entries: None) -> None:
    moss, rust = servers["Moss"], servers["Rust"]
    await moss.ask(LAMP)
    assert "Questions today: **1**" in description(await moss.ana.slash(moss.channel, "status"))
    assert "Questions today: **0**" in description(await rust.ana.slash(rust.channel, "status"))


async def test_an_answer_of_one_server_has_no_buttons_in_another(
    chat: Chat, servers: dict[str, Server], entries: None
) -> None:
    moss, rust = servers["Moss"], servers["Rust"]
    answer = await moss.ask(LAMP)
    # The simulated Discord lets nobody press there; Discord itself would not either.
    with pytest.raises(AnswerGone):
        await chat.bot.asking.kept(Mock(guild_id=rust.guild.id), response(answer).id)
    with pytest.raises(AnswerGone):
        await chat.bot.asking.kept(Mock(guild_id=None), response(answer).id)


# --- what the host is told ---------------------------------------------------------------------------


async def test_the_host_is_told_once_at_the_start_and_when_the_library_changes(
    chat: Chat, small: SmallLibrary, servers: dict[str, Server], caplog: pytest.LogCaptureFixture
) -> None:
    await chat.env.restart_bot(chat.table.bot())
    assert "I serve 2 servers" in caplog.text
    caplog.clear()
    chat.bot.tell_servers()
    assert caplog.text == ""
    _give(small, {servers["Moss"].guild.id: ["moss"]})
    chat.bot.ingestion.when_done()
    assert f"The server {servers['Rust'].guild.id} has no entry in library.toml" in caplog.text


async def test_the_host_is_told_of_gms_books_that_the_gms_of_several_servers_have(
    chat: Chat, small: SmallLibrary, servers: dict[str, Server], caplog: pytest.LogCaptureFixture
) -> None:
    moss, rust = (servers[game].guild.id for game in GAMES)
    _give(small, {moss: ["moss"], rust: ["moss", "rust"]})
    chat.bot.tell_servers()
    assert f"The GM's books of Moss are open to the GMs of several servers ({moss}, {rust})" in caplog.text
    assert "books of Rust" not in caplog.text


async def test_a_stranger_who_invites_a_public_application_is_not_served_and_all_are_told(
    chat: Chat, small: SmallLibrary, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RulesBot, "is_public", True)
    assert chat.guild
    await chat.env.restart_bot(chat.table.bot())
    stranger = Chat(chat.table, chat.env)
    seen_first = stranger.channel
    await chat.bot.on_guild_join(cast(Any, chat.bot.get_guild(stranger.guild.id)))
    assert "belongs to another table" in last(seen_first).content
    assert "belongs to another table" in text_of(await stranger.ask(LAMP))
    assert f"the server {stranger.guild.id}" in caplog.text
    assert "six paces" in text_of(await chat.ask(LAMP))
    secret = await chat.gm.slash(chat.channel, "gm rules", question="What curses the lamp?")
    assert "hollowfen" in text_of(secret)
    assert "Anybody may invite this application" in await chat.check()
    _give(small, {stranger.guild.id: ["moss"]})
    assert "six paces" in text_of(await stranger.ask(LAMP))


async def test_a_public_bot_that_lost_whom_it_serves_serves_nobody_and_tells_each_server_once(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = chat.channel
    monkeypatch.setattr(RulesBot, "is_public", True)
    (chat.table.folder / "served_servers.json").unlink()
    for _ in range(2):
        await chat.env.restart_bot(chat.table.bot())
        assert "belongs to another table" in text_of(await chat.ask(LAMP))
    assert len([one for one in channel.history() if "belongs to another table" in one.content]) == 1
