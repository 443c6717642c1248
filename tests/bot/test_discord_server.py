"""The loopback server refuses what Discord refuses: else tests over it would prove nothing."""

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from discord import InteractionResponseType, InteractionType

from tests.bot.discord_server import Channel, DiscordServer, Interaction, Refusal
from tests.bot.discord_server.server import TOKEN

Answer = tuple[int, int]
"""The status of an answer, and Discord's code."""

SAID = {"content": "Six paces.", "allowed_mentions": {"parse": []}}
THINK = {"type": InteractionResponseType.deferred_channel_message.value}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as discord:
        yield discord


@pytest.fixture
def table(server: DiscordServer) -> Channel:
    return server.channel("table")


@pytest.fixture
def asked(server: DiscordServer, table: Channel) -> Interaction:
    return server.member("Ana").use(InteractionType.application_command, table, {"id": "1", "name": "rules"})


async def answer(server: DiscordServer, method: str, path: str, body: Any) -> Answer:
    """What the server answers to a request of the bot."""
    headers = {"Authorization": f"Bot {TOKEN}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.request(method, f"{server.api}{path}", json=body) as response,
    ):
        told = json.loads(await response.text() or "{}")
        return response.status, told.get("code", 0)


async def test_an_interaction_is_answered_once_within_three_seconds(
    server: DiscordServer, asked: Interaction
) -> None:
    path = f"/interactions/{asked.id}/{asked.token}/callback"
    server.clock.advance(4)
    assert await answer(server, "POST", path, THINK) == Refusal.UNKNOWN_INTERACTION.value[:2]
    server.clock.advance(-4)
    assert (await answer(server, "POST", path, THINK))[0] == 204
    assert await answer(server, "POST", path, THINK) == Refusal.ALREADY_ACKNOWLEDGED.value[:2]


async def test_the_token_of_an_interaction_dies_after_fifteen_minutes(
    server: DiscordServer, asked: Interaction
) -> None:
    await answer(server, "POST", f"/interactions/{asked.id}/{asked.token}/callback", THINK)
    path = f"/webhooks/{server.world.application_id}/{asked.token}/messages/@original"
    assert (await answer(server, "PATCH", path, SAID))[0] == 200
    server.clock.advance(901)
    assert await answer(server, "PATCH", path, SAID) == Refusal.EXPIRED_TOKEN.value[:2]


async def test_a_deleted_message_is_unknown_and_a_thread_opens_once(
    server: DiscordServer, asked: Interaction, table: Channel
) -> None:
    await answer(server, "POST", f"/interactions/{asked.id}/{asked.token}/callback", THINK)
    assert asked.original is not None
    message = f"/channels/{table.id}/messages/{asked.original.id}"
    assert (await answer(server, "POST", f"{message}/threads", {"name": "Lamps"}))[0] == 201
    again = await answer(server, "POST", f"{message}/threads", {"name": "Lamps"})
    assert again == Refusal.THREAD_EXISTS.value[:2]
    server.world.delete(asked.original)
    assert await answer(server, "PATCH", message, SAID) == Refusal.UNKNOWN_MESSAGE.value[:2]


@pytest.mark.parametrize(
    ("method", "path", "body", "told"),
    [
        ("POST", "/channels/{table}/messages", SAID | {"embeds": [{"title": "x" * 257}]}, "embeds/0/title"),
        ("DELETE", "/channels/{table}", None, "does not have the route"),
    ],
)
async def test_what_breaks_the_specification_is_refused_and_raised_at_the_end(
    server: DiscordServer, table: Channel, method: str, path: str, body: Any, told: str
) -> None:
    status, _ = await answer(server, method, path.format(table=table.id), body)
    assert status >= 400
    with pytest.raises(AssertionError, match=told):
        server.assert_no_violations()
    server.rest.violations.clear()
