"""Direct messages, in which Discord has to be asked who somebody is."""

import json

import discord
import pytest

from bot.access import Access
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import text_of
from tests.bot.refused import refused
from tests.bot.table import QUESTION


async def _failing(access: Access, guild: discord.Guild, user: int) -> bool:
    raise refused(500)


@pytest.mark.parametrize("command", ["rules", "library books", "status"])
async def test_commands_and_messages_are_answered_where_a_look_up_of_members_fails(
    chat: Chat, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Access, "_is_member", _failing)
    told = await chat.ana.user.slash(command, **({"question": QUESTION} if command == "rules" else {}))
    assert told.acknowledged
    assert "which servers you are in" in text_of(told)
    await chat.ana.send_dm(QUESTION)
    assert "which servers you are in" in text_of(chat.ana.user.dm_channel.last_message)
    assert chat.graph.asked == []


async def test_a_message_is_answered_in_the_questions_language_from_the_first_word(chat: Chat) -> None:
    """In a server whose preferred locale is English, as it is almost everywhere."""
    await chat.ana.send(chat.channel, f"{chat.mention} Até onde ilumina uma lamparina?")
    shown = json.dumps([request.json for request in chat.env.http_requests], ensure_ascii=False)
    assert "Consultando os livros…" in shown
    assert "Looking into" not in shown
    assert chat.graph.last.locale is None
