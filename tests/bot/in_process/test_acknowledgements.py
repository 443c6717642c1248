"""Nothing that is looked up stands before an acknowledgement, whatever somebody uses, presses or sends."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord import Env, InteractionResult

from bot.buttons.commands import players_commands
from bot.buttons.rows import button, row_of
from bot.buttons.sent import Sent, number_of
from bot.cogs.buttons import BUTTONS, WINDOWS
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import bot_in, last, response

TURNS = 100
"""Of the event loop, for which whatever is looked up waits."""
UNKNOWN = "<@123456789012345678>"
"""Somebody of whom Discord has to be asked who they are."""
OPTIONS: dict[str, Any] = {
    "question": f"May {UNKNOWN} swim?",
    "text": f"{UNKNOWN} swims",
    "book": "Wading Orders",
    "page": "9",
    "ruling": "Lamps",
    "answers": "place",
    "file": ("lamps.md", b"# Lamps"),
}


@contextmanager
def slow_look_ups(env: Env) -> Iterator[list[str]]:
    """Let what is looked up in a table, in a file or at Discord take long; what did so too early."""
    sent, too_early = len(env.http_requests), list[str]()
    to_thread, request = asyncio.to_thread, type(env.bot.http).request

    async def take_long(what: object) -> None:
        for _ in range(TURNS):
            if any("/callback" in one.path for one in env.http_requests[sent:]):
                return
            await asyncio.sleep(0)
        too_early.append(str(what))

    async def slow_thread(call: Callable[..., object], *args: Any, **named: Any) -> object:
        await take_long(call)
        return await to_thread(call, *args, **named)

    async def slow_request(http: Any, route: discord.http.Route, **options: Any) -> object:
        await take_long(f"{route.method} {route.path}")
        return await request(http, route, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio, "to_thread", slow_thread)
        patched.setattr(type(env.bot.http), "request", slow_request)
        patched.setattr(discord.Guild, "get_member", lambda guild, user: None)
        bot_in(env).access._memberships.clear()
        yield too_early


@pytest.mark.parametrize("where", ["channel", "thread", "direct"])
async def test_discord_is_answered_before_anything_is_looked_up(
    chat: Chat, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What fills the window of a ruling is looked up before it opens, but no longer than so.
    monkeypatch.setattr("bot.buttons.ruling.FILLED_WITHIN_SECONDS", 0.0)
    monkeypatch.setattr("bot.questions.queue.QUESTIONS_A_MINUTE", 10_000)
    await chat.restart(book_uploads=True)
    is_direct = where == "direct"
    person = chat.gm.user if is_direct else chat.gm
    place = chat.gm.user.dm_channel if is_direct else chat.channel
    place = await chat.open_thread() if where == "thread" else place
    use = chat.gm.user.slash if is_direct else partial(chat.gm.slash, place)
    answer = response(await use("rules", question="Can I swim?")).id
    windows = set()

    async def check(name: str, act: Awaitable[InteractionResult]) -> None:
        with slow_look_ups(chat.env) as too_early:
            result = await act
        assert (name, too_early, result.acknowledged) == (name, [], True)
        if result.modal and (window := Sent.of(result.modal["custom_id"])):
            windows.add(window.name)
            fields = [row["component"] for row in result.modal["components"]]
            typed = {one["custom_id"]: OPTIONS.get(one["custom_id"], "9") for one in fields}
            typed |= {one["custom_id"]: [one["options"][0]["value"]] for one in fields if "options" in one}
            await check(f"window of {name}", person.submit_modal(result, typed))

    for command in chat.bot.tree.walk_commands():
        is_for_all = command.qualified_name in players_commands(chat.bot.tree)
        if isinstance(command, app_commands.Command) and (is_for_all or not is_direct):
            given = {one.name: OPTIONS[one.name] for one in command.parameters if one.required}
            await check(command.qualified_name, use(command.qualified_name, **given))
    for menu in () if is_direct else chat.bot.tree.walk_commands(type=discord.AppCommandType.message):
        said = await chat.ana.send(place, f"May {UNKNOWN} swim?")
        await check(menu.name, chat.gm.context_menu(place, menu.name, said))
    commands = [("command", number_of(name)) for name in players_commands(chat.bot.tree)]
    for name, number in (*((name, 0) for name in BUTTONS), *commands):
        channel = await chat.bot.fetch_user(person.id) if is_direct else chat.bot.get_channel(place.id)
        assert isinstance(channel, discord.abc.Messageable)
        await channel.send("Press", view=row_of([button(name, "Press", answer, number)]))
        await check(f"{name} {number}", person.click(last(place), label="Press"))
    assert windows == {*WINDOWS} - ({"ruling", "writepage"} if is_direct else set())
