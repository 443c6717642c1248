"""What somebody typed into an interaction: it is theirs, also where it cannot be answered."""

from collections.abc import Iterator, Mapping
from typing import Any

import discord

QUESTION = "question"
"""The option or field that holds it, of every command and window that asks."""


def typed_words(interaction: discord.Interaction) -> str:
    """The question of a command, or all that was typed into a window; empty where there is nothing."""
    if interaction.type is discord.InteractionType.modal_submit:
        return "\n".join(filter(None, (field.get("value") for field in _fields(interaction.data or {}))))
    return getattr(interaction.namespace, QUESTION, None) or ""


def typed_values(interaction: discord.Interaction) -> dict[str, str]:
    """What was typed and chosen in a submitted window, by the ids of its fields."""
    return {
        field["custom_id"]: field.get("value") or next(iter(field.get("values", ())), "")
        for field in _fields(interaction.data or {})
    }


def _fields(component: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The fields of a window, which lie within other components, in their order."""
    inner = [*component.get("components", ()), *filter(None, [component.get("component")])]
    if "custom_id" in component and not inner:
        yield component
    for each in inner:
        yield from _fields(each)
