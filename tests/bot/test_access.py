"""Who is in a server that the bot serves, as far as Discord tells."""

import asyncio
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest

from bot.access import LOOKED_UP_AT_ONCE, Access
from bot.errors import MembershipUnknown
from bot.storage.kept_places import KeptPlaces
from rag.config import Settings
from tests.bot.refused import refused
from tests.bot.table import Table


@pytest.fixture
def access(tmp_path: Path) -> Access:
    return Access(Settings(), dict, KeptPlaces(tmp_path).met, lambda: False)


def guild(*answers: object) -> Mock:
    """A server in which nobody is cached, and which answers so when asked for a member."""
    return Mock(id=7, get_member=Mock(return_value=None), fetch_member=AsyncMock(side_effect=answers))


def test_a_start_that_met_no_server_does_not_keep_the_next_one_from_being_the_first(tmp_path: Path) -> None:
    Table(tmp_path).services().close()
    access = Access(Settings(), dict, Table(tmp_path).services().places.met, lambda: True)
    access.meet([])
    access.meet([7])
    assert (access.serves(7), access.serves(8)) == (True, False)


UNKNOWN_MEMBER = refused(404, 10007)
BROKEN = refused(500)


async def test_a_failure_of_discord_is_no_answer_and_is_not_remembered(access: Access) -> None:
    table = guild(BROKEN, Mock())
    with pytest.raises(MembershipUnknown):
        await access.check(Mock(id=1), None, [table])
    await access.check(Mock(id=1), None, [table])


async def test_one_server_that_fails_does_not_hide_the_other(access: Access) -> None:
    await access.check(Mock(id=1), None, [guild(BROKEN), guild(Mock())])


async def test_of_very_many_servers_a_few_are_asked_at_a_time(access: Access) -> None:
    asked_at_once, most = 0, 0

    async def fetch_member(user: int) -> None:
        nonlocal asked_at_once, most
        asked_at_once += 1
        most = max(most, asked_at_once)
        await asyncio.sleep(0)
        asked_at_once -= 1

    guilds = [
        Mock(id=number, get_member=Mock(return_value=None), fetch_member=fetch_member)
        for number in range(200)
    ]
    assert len(await access.check(Mock(id=1), None, guilds)) == 200
    assert most == LOOKED_UP_AT_ONCE


async def test_a_person_is_looked_up_once_however_much_is_asked_meanwhile(access: Access) -> None:
    table = guild(Mock())
    await asyncio.gather(*(access.check(Mock(id=1), None, [table]) for _ in range(5)))
    table.fetch_member.assert_awaited_once()


async def test_a_look_up_that_takes_too_long_is_told_and_known_when_it_is_asked_again(access: Access) -> None:
    slow = asyncio.Event()
    table = Mock(id=7, get_member=Mock(return_value=None), fetch_member=lambda user: slow.wait())
    with pytest.raises(MembershipUnknown):
        await access.check(Mock(id=1), None, [table], within=0.01)
    slow.set()
    assert await access.check(Mock(id=1), None, [table]) == {7}
