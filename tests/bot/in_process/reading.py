"""What a person sees of the bot's answers in the simulated Discord."""

from typing import Any

import discord
from simcord import ChannelHandle, Env, InteractionResult, MemberActor, ResponseMessage, UserHandle

from bot.client import RulesBot

Person = MemberActor | UserHandle
Pressable = InteractionResult | discord.Message | ResponseMessage


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


def text_of(shown: Pressable | None) -> str:
    """Everything a reader sees of a message."""
    assert shown is not None
    message = _message(shown)
    return f"{message.content} {[one.to_dict() for one in message.embeds]}"


def last(channel: ChannelHandle) -> discord.Message:
    """The newest message of a channel."""
    assert channel.last_message is not None
    return channel.last_message


def bot_in(env: Env) -> RulesBot:
    """The bot under test."""
    assert isinstance(env.bot, RulesBot)
    return env.bot


def mention(env: Env) -> str:
    """The bot's name in a message."""
    assert env.bot.user is not None
    return env.bot.user.mention


def buttons(shown: Pressable, *, pressable: bool = False) -> list[str]:
    """The labels of the buttons below a message, in order: all, or those that can be pressed."""
    message = _message(shown)
    rows = (message.message if isinstance(message, ResponseMessage) else message).components
    found = [one for row in rows if isinstance(row, discord.ActionRow) for one in row.children]
    pressed = [one for one in found if isinstance(one, discord.Button) and not (pressable and one.disabled)]
    return [one.label or "" for one in pressed]


def values(shown: Pressable) -> list[str]:
    """What can be chosen in the menu below a message, in order."""
    message = _message(shown)
    rows = (message.message if isinstance(message, ResponseMessage) else message).components
    found = [one for row in rows if isinstance(row, discord.ActionRow) for one in row.children]
    return [option.value for one in found if isinstance(one, discord.SelectMenu) for option in one.options]


def field_of(window: dict[str, Any] | None) -> str:
    """The id of the only field of a window."""
    assert window is not None
    inner = window["components"][0].get("component") or window["components"][0]["components"][0]
    return str(inner["custom_id"])


async def choose(person: Person, answered: Pressable, label: str) -> InteractionResult:
    """Press a button of the menu under an answer; returns the menu."""
    menu = await person.click(_message(answered), label="More")
    await person.click(response(menu), label=label)
    return menu


async def follow_up(person: Person, answered: Pressable, question: str = "And in fog?") -> InteractionResult:
    """Ask a question by the button Follow up."""
    shown = await person.click(_message(answered), label="Follow up")
    return await person.submit_modal(shown, {field_of(shown.modal): question})


def _message(answered: Pressable) -> discord.Message | ResponseMessage:
    return response(answered) if isinstance(answered, InteractionResult) else answered
