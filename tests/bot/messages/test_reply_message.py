"""The message that an answer is shown on, where Discord refuses."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.errors import MessageGone
from bot.messages.reply_message import ChannelMessage, InteractionReply, acknowledge
from bot.render.embeds import Content
from tests.bot.refused import refused


def expired() -> Any:
    """An interaction whose fifteen minutes are over."""
    interaction = Mock(guild_id=None, channel=Mock(spec=discord.TextChannel))
    interaction.locale.value = "en-US"
    interaction.edit_original_response = AsyncMock(side_effect=refused(401, 50027))
    interaction.user.send = AsyncMock()
    interaction.user.send.return_value.edit = AsyncMock()
    return interaction


async def test_a_private_answer_that_nobody_takes_is_told_once_where_it_was_asked_without_its_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    interaction = expired()
    interaction.user.send.side_effect = refused(403, 50007)
    reply = InteractionReply(interaction, 1, private=True)
    for text in ("a step", "the answer"):
        await reply.show(Content(text=text))
    interaction.channel.send.assert_awaited_once()
    told = interaction.channel.send.await_args.kwargs
    assert "They alone can have it" in told["content"]
    assert [button.custom_id for button in told["view"].children] == ["rules:again:1:0"]
    assert "code 50007" in caplog.text


async def test_an_interaction_that_another_process_took_is_left_to_it() -> None:
    interaction = Mock()
    interaction.response.is_done.return_value = False
    interaction.response.defer = AsyncMock(side_effect=refused(400, 40060))
    with pytest.raises(MessageGone):
        await acknowledge(interaction, private=False)


async def test_an_acknowledgement_whose_reply_was_lost_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.messages.calls.FIRST_PAUSE_SECONDS", 0.05)
    interaction = Mock()
    interaction.response.is_done.return_value = False
    interaction.response.defer = AsyncMock(side_effect=[refused(503), refused(400, 40060)])
    assert await acknowledge(interaction, private=False) is None


async def test_content_that_is_shown_already_is_not_sent_again() -> None:
    message = Mock()
    message.edit = AsyncMock()
    reply = ChannelMessage(message, Content(text="working"))
    await reply.show(Content(text="working"))
    message.edit.assert_not_awaited()
    await reply.show(Content(text="another step"))
    message.edit.assert_awaited_once()
