"""The real client in a simulated Discord; every request it makes is checked against the specification."""

from collections.abc import AsyncIterator, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from simcord import ChannelHandle, Env, GuildHandle, InteractionResult, MemberActor

from bot.client import RulesBot
from rag.errors import RulesError
from tests.bot.in_process.reading import bot_in, description, mention, response
from tests.bot.specification import check_request
from tests.bot.table import QUESTION, ScriptedRulesGraph, Table


@pytest.fixture
def reads_everything() -> bool:
    """Whether the bot has the intent to read plain messages; tests that want it say so."""
    return False


@pytest.fixture
def graph() -> ScriptedRulesGraph:
    """What answers."""
    return ScriptedRulesGraph()


@pytest.fixture
def table(tmp_path: Path, graph: ScriptedRulesGraph, reads_everything: bool) -> Iterator[Table]:
    table = Table(tmp_path, graph, reads_everything=reads_everything)
    yield table
    table.close()


@pytest.fixture(autouse=True)
def is_public(monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether anybody may invite the bot; tests that want it say so."""
    monkeypatch.setattr(RulesBot, "is_public", False)
    return False


@pytest_asyncio.fixture
async def env(table: Table) -> AsyncIterator[Env]:
    """Discord with the bot in it; ends with every request it made checked."""
    # A busy machine needs long, and a test that passes waits for no more than it needs.
    env = Env(table.bot(), shard_count=1, settle_timeout=60)
    await env.start()
    try:
        yield env
    finally:
        await env.shutdown()
    assert [error for error in env.errors if not isinstance(_cause(error), RulesError)] == []
    for request in env.http_requests:
        check_request(request.method, request.path, request.json)


def _cause(error: BaseException) -> BaseException | None:
    """What discord.py wrapped."""
    return getattr(error, "original", None) or error.__cause__ or error


class Chat:
    """A server with the bot in it; its people and places exist from their first use on."""

    def __init__(self, table: Table, env: Env) -> None:
        self.table, self.env = table, env

    @property
    def graph(self) -> ScriptedRulesGraph:
        """What answers now; after a restart it is another one."""
        return self.table.rules_graph

    @property
    def bot(self) -> RulesBot:
        """The bot that runs now."""
        return bot_in(self.env)

    @property
    def mention(self) -> str:
        """The bot's name in a message."""
        return mention(self.env)

    @cached_property
    def guild(self) -> GuildHandle:
        return self.env.create_guild(f"Table {len(self.env.bot.guilds)}")

    @cached_property
    def channel(self) -> ChannelHandle:
        return self.guild.create_text_channel("table")

    @cached_property
    def ana(self) -> MemberActor:
        return self.guild.add_member(self.env.create_user("Ana"))

    @cached_property
    def bia(self) -> MemberActor:
        return self.guild.add_member(self.env.create_user("Bia"))

    @cached_property
    def gm(self) -> MemberActor:
        return self.member_with("Gil", "Keepers", manage_guild=True)

    @cached_property
    def warden(self) -> MemberActor:
        """Somebody who may delete others' messages."""
        return self.member_with("Wil", "Wardens", manage_messages=True)

    @cached_property
    def read_only(self) -> ChannelHandle:
        """A channel in which only those who manage the server may write."""
        silent = discord.PermissionOverwrite(send_messages=False, send_messages_in_threads=False)
        writes = discord.PermissionOverwrite(send_messages=True, send_messages_in_threads=True)
        assert self.gm
        assert self.guild.me
        keepers = self.guild.roles["Keepers"]
        return self.guild.create_text_channel(
            "read-only", overwrites={self.guild.default_role: silent, keepers: writes, self.guild.me: writes}
        )

    def channel_without(self, **denied: bool) -> ChannelHandle:
        """A channel in which everybody lacks these permissions (given as False)."""
        strict = discord.PermissionOverwrite(**denied)
        return self.guild.create_text_channel("strict", overwrites={self.guild.default_role: strict})

    def member_with(
        self, name: str, role: str, guild: GuildHandle | None = None, **permissions: bool
    ) -> MemberActor:
        """A member of the server, or of another one, with a role of these permissions."""
        there = guild or self.guild
        given = there.create_role(role, permissions=discord.Permissions(**permissions))
        return there.add_member(self.env.create_user(name), roles=[given])

    def take_roles(self, member: MemberActor) -> None:
        """Have a member lose every role."""
        self.env.backend.get_guild(self.guild.id).members[member.id].role_ids.clear()

    async def restart(self, **settings: Any) -> None:
        """Start the bot anew, with other settings: what was said is forgotten, what is on disk is not."""
        self.table.configure(**settings)
        await self.env.restart_bot(self.table.restarted())

    async def ask(
        self, question: str = QUESTION, who: MemberActor | None = None, **options: Any
    ) -> InteractionResult:
        """What `/rules` answers to Ana, or somebody else, in the channel."""
        return await (who or self.ana).slash(self.channel, "rules", question=question, **options)

    async def open_thread(self) -> ChannelHandle:
        """The thread of a first answer to Ana."""
        await self.ask()
        return self.channel.threads[0]

    async def sources(self, channel: ChannelHandle | None = None) -> InteractionResult:
        """The private view of the sources of an answer to Ana."""
        answered = await self.ana.slash(channel or self.channel, "rules", question=QUESTION)
        return await self.ana.click(response(answered), label="Sources")

    async def show_page(self) -> InteractionResult:
        """The page of the first source of an answer to Ana."""
        return await self.ana.click(response(await self.ask()), label="Show page")

    async def check(self) -> str:
        """What `/gm check` tells a GM."""
        return description(await self.gm.slash(self.channel, "gm check"))


@pytest.fixture
def chat(table: Table, env: Env) -> Chat:
    return Chat(table, env)
