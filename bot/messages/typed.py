"""What somebody typed into an interaction: it is theirs, also where it cannot be answered."""

from collections.abc import Iterator, Mapping
from typing import Any

import discord

QUESTION = "question"
"""The option that holds it, of every command that asks."""


def typed_question(interaction: discord.Interaction) -> str:
    """The question of a command or of a submitted window; empty where there is none."""
    data: Mapping[str, Any] = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        return _value(data)
    if interaction.type is discord.InteractionType.application_command:
        return str(getattr(interaction.namespace, QUESTION, ""))
    return ""


def typed_values(interaction: discord.Interaction) -> dict[str, str]:
    """What was typed into each input of a submitted window, by the input's id."""
    data: Mapping[str, Any] = interaction.data or {}
    return dict(_values(data))


def _values(component: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The inputs of a window and their values, which lie within other components."""
    if "value" in component:
        yield str(component["custom_id"]), str(component["value"])
    for inner in (*component.get("components", ()), *filter(None, [component.get("component")])):
        yield from _values(inner)


def _value(component: Mapping[str, Any]) -> str:
    """The value of the only input of a window, which lies within other components."""
    inner = [*component.get("components", ()), *filter(None, [component.get("component")])]
    return str(component.get("value", "")) or next(filter(None, map(_value, inner)), "")
