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
    """What was typed and chosen in a submitted window, by the ids of its fields."""
    data: Mapping[str, Any] = interaction.data or {}
    return dict(_values(data))


def _values(component: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    chosen = component.get("values") or [component.get("value")]
    if "custom_id" in component and "components" not in component:
        yield str(component["custom_id"]), str(chosen[0] or "")
    for inner in [*component.get("components", ()), *filter(None, [component.get("component")])]:
        yield from _values(inner)


def _value(component: Mapping[str, Any]) -> str:
    """The value of the only input of a window, which lies within other components."""
    inner = [*component.get("components", ()), *filter(None, [component.get("component")])]
    return str(component.get("value", "")) or next(filter(None, map(_value, inner)), "")
