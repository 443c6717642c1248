"""What Discord sends of a button or a window: its name, its answer, and a number."""

import re
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import discord

if TYPE_CHECKING:
    from bot.messages.reply_message import Interaction

NO_ANSWER = 0
"""In place of an answer's id, on a button that stands on a hint."""
_ID = re.compile(r"rules:(\w+):(\d+):(\d+)")


class Sent(NamedTuple):
    """The id of a button or a window, which outlives the process that sent it.

    `name` says what it does; what `number` means is its own.
    """

    name: str
    answer: int
    number: int

    @classmethod
    def of(cls, custom_id: str | None) -> "Sent | None":
        """What an id says; None of one that is not the bot's."""
        match = _ID.fullmatch(custom_id or "")
        return cls(match[1], int(match[2]), int(match[3])) if match else None

    @property
    def custom_id(self) -> str:
        """The id as Discord keeps it."""
        return f"rules:{self.name}:{self.answer}:{self.number}"


def number_of(name: str) -> int:
    """A number that means a book or a game, the same in every process: an id has no room for any name."""
    return zlib.crc32(name.encode())


Handler: TypeAlias = "Callable[[Interaction, Sent], Awaitable[None]]"
"""What a button or a window does."""


class Window(discord.ui.Modal):
    """A window for something to be typed."""

    def __init__(self, title: str, sent: Sent) -> None:
        super().__init__(title=title, custom_id=sent.custom_id)
        # What is typed is taken by the window's id: discord.py need not remember this object.
        self.stop()

    def ask(
        self, label: str, name: str, most: int, value: str = "", *, hint: str | None = None, **looks: Any
    ) -> None:
        """Add a field of at most so many characters, filled in with a value; one with a hint may be empty."""
        looks = {"required": hint is None, "default": value[:most] or None, **looks}
        typed: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id=name, max_length=most, **looks)
        self.add_item(discord.ui.Label(text=label, description=hint, component=typed))

    def choose(self, label: str, name: str, choices: Mapping[str, str]) -> None:
        """Add a choice of values by their labels, the first one chosen."""
        options = [discord.SelectOption(label=said, value=value) for value, said in choices.items()]
        options[0].default = True
        chosen: discord.ui.Select[Any] = discord.ui.Select(custom_id=name, options=options, required=False)
        self.add_item(discord.ui.Label(text=label, component=chosen))
