"""What all buttons of an answer have in common: how Discord knows them, and that every failure is told."""

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Self, cast

import discord

from bot.messages.error_replies import tell_privately

if TYPE_CHECKING:
    from bot.client import RulesBot

    Pressed = discord.Interaction[RulesBot]

NO_ANSWER = 0
"""In place of an answer's id, on a button that stands on a hint."""


class AnswerButton(ABC, discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"rules:never"):
    """A button that knows its answer, and a number whose meaning is the button's own.

    A subclass says its name, which stands in the ids of all buttons that were ever sent, and what it does.
    """

    name: str
    style = discord.ButtonStyle.secondary

    def __init_subclass__(cls, *, name: str) -> None:
        cls.name = name
        super().__init_subclass__(template=rf"rules:{name}:(?P<answer>\d+):(?P<number>\d+)")

    def __init__(self, answer: int, label: str = "…", number: int = 0, *, disabled: bool = False) -> None:
        button: discord.ui.Button[Any] = discord.ui.Button(
            label=label,
            style=self.style,
            custom_id=f"rules:{self.name}:{answer}:{number}",
            disabled=disabled,
        )
        super().__init__(button)
        self.answer = answer
        self.number = number

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was sent, perhaps by a process before this one."""
        return cls(int(match["answer"]), number=int(match["number"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Do what the button is for, where the bot answers at all."""
        await serve(interaction, self.pressed)

    @abstractmethod
    async def pressed(self, interaction: "Pressed") -> None:
        """Do what the button is for."""


async def serve(interaction: discord.Interaction, act: "Callable[[Pressed], Awaitable[None]]") -> None:
    """Do what was asked by a button or a window, where the bot answers; every failure is told to the user."""
    served = cast("Pressed", interaction)
    bot = served.client
    try:
        await bot.access.check(interaction.user, interaction.guild_id, bot.all_guilds)
        await act(served)
    except Exception as error:
        await tell_privately(interaction, error)
