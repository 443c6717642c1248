"""What somebody typed into an interaction: it is theirs, also where it cannot be answered."""

from collections.abc import Iterator, Mapping
from typing import Any

import discord

QUESTION = "question"
"""The option that holds it, of every command that asks."""


def typed_question(interaction: discord.Interaction) -> str:
    """The question of a command or of a submitted window; empty where there is none."""
    if interaction.type is discord.InteractionType.application_command:
        return str(getattr(interaction.namespace, QUESTION, ""))
    return next(_typed(interaction), "")


def typed_words(interaction: discord.Interaction) -> str:
    """The question of a command, or all that was typed into a window; empty where there is nothing."""
    if interaction.type is discord.InteractionType.modal_submit:
        return "\n".join(_typed(interaction))
    return typed_question(interaction)


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


def _typed(interaction: discord.Interaction) -> Iterator[str]:
    """What was typed into the inputs of a submitted window, in their order."""
    data: Mapping[str, Any] = interaction.data or {}
    return _texts(data) if interaction.type is discord.InteractionType.modal_submit else iter(())


def _texts(component: Mapping[str, Any]) -> Iterator[str]:
    """The values of inputs, which lie within other components."""
    if value := component.get("value"):
        yield str(value)
    for inner in [*component.get("components", ()), *filter(None, [component.get("component")])]:
        yield from _texts(inner)
