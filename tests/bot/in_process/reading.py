"""What a person sees of the bot's answers in the simulated Discord."""

import discord
from simcord import ChannelHandle, Env, InteractionResult, ResponseMessage

from bot.client import RulesBot


def response(result: InteractionResult) -> ResponseMessage:
    """The message that answers an interaction."""
    assert result.response is not None
    return result.response


def embed(result: InteractionResult) -> discord.Embed:
    """The first embed of the answer to an interaction."""
    return response(result).embeds[0]


def description(result: InteractionResult) -> str:
    """The text of that embed."""
    return embed(result).description or ""


def text_of(message: discord.Message | None) -> str:
    """Everything a reader sees of a message."""
    assert message is not None
    return f"{message.content} {[one.to_dict() for one in message.embeds]}"


def row_of(message: discord.Message) -> list[str | None]:
    """The labels of the buttons under a message."""
    [row] = message.components
    assert isinstance(row, discord.ActionRow)
    return [button.label for button in row.children if isinstance(button, discord.Button)]


def last(channel: ChannelHandle) -> discord.Message:
    """The newest message of a channel."""
    assert channel.last_message is not None
    return channel.last_message


def bot_in(env: Env) -> RulesBot:
    """The bot under test."""
    assert isinstance(env.bot, RulesBot)
    return env.bot
