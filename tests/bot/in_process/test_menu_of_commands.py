"""What players do by commands, by mention: Discord's accessible input has no commands."""

import pytest

from bot.buttons.commands import players_commands
from bot.buttons.sent import number_of
from tests.bot.in_process.conftest import Chat
from tests.bot.in_process.reading import last, text_of, values
from tests.bot.table import QUESTION


@pytest.mark.parametrize("said", ["help", "/status", "library books", ""])
async def test_the_name_of_a_command_brings_a_menu_of_all(chat: Chat, said: str) -> None:
    await chat.ana.send(chat.channel, f"{chat.mention} {said}")
    assert values(last(chat.channel)) == [str(number_of(name)) for name in players_commands(chat.bot.tree)]
    assert chat.graph.asked == []


async def test_a_private_question_from_the_menu_is_answered_privately(chat: Chat) -> None:
    await chat.ana.send(chat.channel, chat.mention)
    window = await chat.ana.select(last(chat.channel), [str(number_of("rules"))])
    told = await chat.ana.submit_modal(window, {"question": QUESTION, "private": ["yes"]})
    assert told.ephemeral
    assert "six paces" in text_of(told)
