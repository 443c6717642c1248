"""Who is in a server that the bot serves, as far as Discord tells."""

from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.access import Access
from bot.errors import NotHere
from rag.config import Settings


@pytest.fixture
def access() -> Access:
    return Access(Settings())


def guild(*answers: object) -> Mock:
    """A server in which nobody is cached, and which answers so when asked for a member."""
    return Mock(id=7, get_member=Mock(return_value=None), fetch_member=AsyncMock(side_effect=answers))


def unknown_member() -> discord.NotFound:
    return discord.NotFound(Mock(status=404, reason=""), {"code": 10007, "message": ""})


def broken() -> discord.HTTPException:
    return discord.HTTPException(Mock(status=500, reason=""), "")


async def test_whoever_is_in_no_server_is_turned_away(access: Access) -> None:
    with pytest.raises(NotHere):
        await access.check(Mock(id=1), None, [guild(unknown_member())])


async def test_a_failure_of_discord_is_no_answer_and_is_not_remembered(access: Access) -> None:
    table = guild(broken(), Mock())
    with pytest.raises(discord.HTTPException):
        await access.check(Mock(id=1), None, [table])
    await access.check(Mock(id=1), None, [table])


async def test_one_server_that_fails_does_not_hide_the_other(access: Access) -> None:
    await access.check(Mock(id=1), None, [guild(broken()), guild(Mock())])
