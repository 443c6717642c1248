"""What all buttons of an answer have in common: how Discord knows them, and that every failure is told."""

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

import discord

from bot.errors import ButtonOutdated
from bot.messages.error_replies import tell_privately
from rag.texts import Texts

if TYPE_CHECKING:
    from bot.client import RulesBot

Pressed: TypeAlias = "discord.Interaction[RulesBot]"
"""What comes of a button that somebody presses, or of a window that somebody submits."""
NO_ANSWER = 0
"""In place of an answer's id, on a button that stands on a hint."""
SENT = re.compile(r"rules:(?P<name>\w+):(?P<answer>\d+):(?P<number>\d+)")
"""The id of a button or window of an answer."""


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
    async def pressed(self, interaction: Pressed) -> None:
        """Do what the button is for."""


class AnswerWindow(ABC, discord.ui.Modal):
    """A window that knows its answer and a number: its id outlives the process that opened it.

    A subclass says its name, which stands in the ids of open windows, and what is done when it is submitted.
    """

    name: str

    def __init_subclass__(cls, *, name: str) -> None:
        cls.name = name
        super().__init_subclass__()

    def __init__(self, title: str, answer: int, number: int = 0) -> None:
        super().__init__(title=title, custom_id=f"rules:{self.name}:{answer}:{number}")
        # What is typed is taken by the window's id: discord.py need not remember this object.
        self.stop()

    def ask(
        self, label: str, name: str, most: int, value: str = "", *, hint: str | None = None, **looks: Any
    ) -> None:
        """Add a field of at most so many characters, filled in with a value; one with a hint may be empty."""
        typed: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=name, max_length=most, default=value[:most] or None, required=hint is None, **looks
        )
        self.add_item(discord.ui.Label(text=label, description=hint, component=typed))

    @staticmethod
    @abstractmethod
    async def submitted(answer: int, number: int, interaction: Pressed) -> None:
        """Do what the window is for."""


async def take_window(interaction: discord.Interaction) -> None:
    """Do what a submitted window is for; say of a button that no longer is known that it is not."""
    data: Mapping[str, Any] = interaction.data or {}
    sent = SENT.fullmatch(str(data.get("custom_id", "")))
    if sent is None:
        return
    if interaction.type is discord.InteractionType.component:
        if sent["name"] not in {button.name for button in AnswerButton.__subclasses__()}:
            await tell_privately(interaction, ButtonOutdated())
        return
    for window in AnswerWindow.__subclasses__():
        if window.name == sent["name"]:
            await serve(interaction, partial(window.submitted, int(sent["answer"]), int(sent["number"])))


def turned(
    button: type[AnswerButton], number: int, count: int, texts: Texts, answer: int = NO_ANSWER
) -> list[discord.ui.Item[Any]]:
    """Two buttons that turn back and on from one of so many; none where there is but one."""
    if count < 2:
        return []
    back, on = max(0, number - 1), number + 1
    return [
        button(answer, texts("button-previous"), back, disabled=number == 0),
        button(answer, texts("button-next"), on, disabled=on >= count),
    ]


def row_of(buttons: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    """Buttons in a row, which never ends."""
    row = discord.ui.View(timeout=None)
    for button in buttons:
        row.add_item(button)
    return row


async def serve(interaction: discord.Interaction, act: Callable[[Pressed], Awaitable[None]]) -> None:
    """Do what was asked by a button or a window, where the bot answers; every failure is told to the user."""
    served = cast("Pressed", interaction)
    bot = served.client
    try:
        await bot.access.check(interaction.user, interaction.guild_id, bot.all_guilds)
        await act(served)
    except Exception as error:
        await tell_privately(interaction, error)
